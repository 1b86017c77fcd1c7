// Renders, and keeps of Helm's graph of origins what findings need: for each stretch the template's place and the
// value's.
#include "deploy/rendered_chart.h"
#include "deploy/request_values.h"
#include "helm/render.h"
#include "index/cells.h"
#include <algorithm>
#include <unordered_map>

namespace lockstep {
namespace {

// The place that a stretch of text was copied from, or that says what was printed.
const ValueOrigin* nearest(const ValueOrigin* origin) {
    for (int depth = 0; origin != nullptr && depth < 100'000; ++depth) {
        if (origin->at.file != no_file) return origin;
        const ValueOrigin* next = origin->left != nullptr ? origin->left : origin->right;
        origin = next;
    }
    return nullptr;
}

// The first line that is no comment and not blank; 0 where there is none.
std::size_t first_content(std::string_view text) {
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        const std::size_t first = text.find_first_not_of(" \t\r", line);
        if (first < end && text[first] != '#') return line;
        line = end + 1;
    }
    return 0;
}

struct Flattened {
    Place from, value;
    bool linear = false;
};

class Flattener {
public:
    explicit Flattener(SourceFiles& files) : files_(files) {}

    RenderedDocument document(const RenderedManifest& manifest) {
        RenderedDocument made;
        made.text = manifest.text.str();
        made.source = manifest.template_path;
        made.hooks = manifest.hooks;
        made.crd = manifest.crd;
        const auto pieces = manifest.text.text->pieces;
        if (pieces.empty()) add(made, 0, static_cast<std::uint32_t>(made.text.size()), manifest.text.origin);
        for (const TextPiece& piece : pieces)
            add(made, piece.begin, piece.end, piece.origin);
        made.at = begin_of(made);
        made.unknown = !made.pieces.empty() && made.pieces.front().unknown;
        return made;
    }

private:
    // Where its first line with something on it comes from: an object begins behind the comments above it.
    static Place begin_of(const RenderedDocument& made) {
        const std::size_t first = made.crd ? 0 : first_content(made.text);
        for (const RenderedPiece& piece : made.pieces) {
            if (piece.end <= first || !is_there(piece.from)) continue;
            Place at = piece.from;
            if (piece.linear && piece.begin < first) at.span.begin += static_cast<std::uint32_t>(first) - piece.begin;
            return at;
        }
        return {};
    }

    void add(RenderedDocument& made, std::uint32_t begin, std::uint32_t end, const ValueOrigin* origin) {
        if (origin == nullptr) return;
        const Flattened& flat = flatten(origin);
        RenderedPiece piece{begin, end, flat.from, flat.value, flat.linear, origin->unknown};
        if (!made.pieces.empty() && !piece.linear && made.pieces.back().end == begin) {
            RenderedPiece& last = made.pieces.back();
            if (!last.linear && last.from == piece.from && last.value == piece.value && last.unknown == piece.unknown) {
                last.end = end;
                return;
            }
        }
        made.pieces.push_back(piece);
    }

    const Flattened& flatten(const ValueOrigin* origin) {
        const auto [known, fresh] = known_.try_emplace(origin);
        Flattened& flat = known->second;
        if (!fresh) return flat;
        const ValueOrigin* first = nearest(origin);
        if (first == nullptr) return flat;
        if (files_.is_template(first->at.file)) {
            flat.from = files_.in_tree(first->at);
            flat.linear = first->linear && is_there(flat.from);
            return flat;
        }
        flat.value = files_.in_tree(first->at);
        flat.from = files_.in_tree(template_place(origin));
        return flat;
    }

    // The nearest place in a template, in the order of origin_places, which looks at all of them.
    Place template_place(const ValueOrigin* origin) {
        waiting_.assign(1, origin);
        for (std::size_t next = 0; next < waiting_.size(); ++next) {
            const ValueOrigin* here = waiting_[next];
            if (here->at.file != no_file && files_.is_template(here->at.file)) return here->at;
            for (const ValueOrigin* more : {here->left, here->right})
                if (more != nullptr && waiting_.size() < most_origins &&
                    std::find(waiting_.begin() + static_cast<std::ptrdiff_t>(next), waiting_.end(), more) ==
                        waiting_.end())
                    waiting_.push_back(more);
        }
        return {};
    }

    static constexpr std::size_t most_origins = 256; // some template printed it: it is near

    SourceFiles& files_;
    std::unordered_map<const ValueOrigin*, Flattened> known_;
    std::vector<const ValueOrigin*> waiting_;
};

bool asked_for(std::string_view message) {
    return message.starts_with("execution error at ");
}

RenderProblem problem_of(const RenderFailure& failure, SourceFiles& files) {
    RenderProblem made;
    made.message = failure.message;
    for (const Place place : failure.places)
        if (const Place there = files.in_tree(place); is_there(there)) made.places.push_back(there);
    made.rendering = failure.rendering;
    made.unknown = failure.unknown;
    made.limit = failure.limit;
    made.asked = asked_for(failure.message);
    made.schema = failure.message.starts_with("values don't meet the specifications");
    return made;
}

Result<LoadedChart*> load_requested(const ChartLibrary& library, ChartRendering& into, const ChartRequest& request) {
    if (!request.archive) return load_chart(into.arena, into.store, library.reader(request.chart));
    const auto bytes = request.archive->read();
    if (!bytes) return Error{"the packed chart cannot be read", request.archive->file};
    return load_packed_chart(into.arena, into.store, *bytes, request.archive->file);
}

} // namespace

std::string words_for_missing(const DependencyOutcome& missing) {
    return "chart " + missing.name + (missing.range.empty() ? "" : " " + missing.range) + " is not at hand" +
           (missing.near.empty() ? "" : "; this repository has " + missing.near);
}

std::string RenderedChart::why_not() const {
    if (problems.empty()) return {};
    const std::string& all = problems.front().message;
    const std::string first = all.substr(0, all.find('\n'));
    const bool lacks = problems.front().rendering && !problems.front().asked && !missing.empty();
    return lacks ? words_for_missing(missing.front()) + ": " + first : first;
}

RenderedChart render_request(const ChartLibrary& library, const Tree& tree, const ChartRequest& request) {
    ChartRendering into;
    SourceFiles files(into.store, tree);
    RenderedChart made;
    const auto stop = [&](std::string message) {
        made.problems.push_back({std::move(message), {}});
        return std::move(made);
    };
    const Result<LoadedChart*> chart = load_requested(library, into, request);
    if (!chart) return stop(chart.error().message);
    into.chart = *chart;
    made.loaded = true;
    made.kubernetes_known = !request.kube_version.empty();
    made.name = into.chart->name();
    made.version = into.chart->meta.version;
    made.dependencies = complete_dependencies(into.arena, into.store, *into.chart, library.shelf());
    for (DependencyOutcome& outcome : made.dependencies)
        outcome.at = files.in_tree(outcome.at);
    for (const auto& one : into.store.charts)
        for (const ChartFile& file : one->templates)
            if (file.name.ends_with(".tpl") && file.text.find_first_not_of(" \r\n\t") == std::string_view::npos)
                made.empty_helpers = true;
    if (auto wrong = take_values_files(library, into, files, tree, request)) {
        made.problems.push_back(std::move(*wrong));
        return made;
    }
    GoValue values = make_map(into.arena);
    if (auto wrong = merge_values(into, files, request.values, values)) {
        made.problems.push_back(std::move(*wrong));
        return made;
    }
    RenderOptions options;
    options.release = request.release;
    options.release_namespace = request.ns;
    if (!request.kube_version.empty()) options.kube_version = request.kube_version;
    options.include_crds = request.crds;
    options.helm = request.helm;
    options.skip_schema = request.skip_schema;
    options.missing_dependency_is_gap = options.keep_going = options.open_api_versions = true;
    render_chart(into, deep_copy(into.arena, values), options);
    for (const RenderGap& gap : into.gaps) {
        DependencyOutcome missing;
        missing.name = gap.chart;
        missing.range = gap.version;
        missing.repository = gap.repository;
        missing.at = files.in_tree(gap.at);
        for (const DependencyOutcome& sought : made.dependencies)
            if (sought.name == missing.name && sought.range == missing.range && sought.at == missing.at)
                missing.near = sought.near;
        made.missing.push_back(std::move(missing));
    }
    if (into.failure) made.problems.push_back(problem_of(*into.failure, files));
    for (const RenderFailure& failure : into.more_failures)
        made.problems.push_back(problem_of(failure, files));
    for (const Place place : into.undecided)
        made.undecided.push_back(files.in_tree(place));
    for (const TemplateUse& use : into.undefined)
        if (const Place there = files.in_tree(use.place); is_there(there)) made.undefined.push_back({use.name, there});
    for (const PrintedRead& read : into.reads)
        if (const Place there = files.in_tree(read.at); is_there(there) && there.span.end > there.span.begin)
            made.reads.push_back({read.path, there, files.in_tree(read.parent), read.missing, read.defined});
    Flattener flattener(files);
    for (const RenderedManifest& manifest : into.manifests)
        made.documents.push_back(flattener.document(manifest));
    return made;
}

namespace {

class Placer {
public:
    Placer(FileId rendered, const RenderedDocument& document) : rendered_(rendered), document_(document) {}

    void place(Value& value) {
        if (value.place.file == rendered_) {
            const Span span = value.place.span;
            value.place = {};
            auto piece = std::upper_bound(document_.pieces.begin(), document_.pieces.end(), span.begin,
                                          [](std::uint32_t at, const RenderedPiece& one) { return at < one.end; });
            if (value.is_scalar())
                place_scalar(value, span, piece);
            else if (piece != document_.pieces.end())
                value.place = part(*piece, {span.begin, std::min(span.end, piece->end)});
        }
        for (Value* child : value.all())
            place(*child);
    }

private:
    using Piece = std::vector<RenderedPiece>::const_iterator;

    static Place part(const RenderedPiece& piece, Span span) {
        if (!piece.linear) return piece.from;
        const std::uint32_t begin = piece.from.span.begin + (std::max(span.begin, piece.begin) - piece.begin);
        return {piece.from.file, {begin, std::max(begin, begin + (span.end - std::max(span.begin, piece.begin)))}};
    }

    void place_scalar(Value& value, Span span, Piece piece) const {
        Place from;
        bool several = false;
        for (; piece != document_.pieces.end() && (piece->begin < span.end || piece->begin == span.begin); ++piece) {
            if (!is_there(value.place)) value.place = part(*piece, {span.begin, std::min(span.end, piece->end)});
            value.unknown = value.unknown || piece->unknown;
            if (!is_there(piece->value)) continue;
            several = several || (is_there(from) && from != piece->value);
            from = piece->value;
        }
        if (!several && is_there(from) && !is_there(value.changed_by)) value.changed_by = from;
        if (!is_there(value.place)) value.place = from;
    }

    FileId rendered_;
    const RenderedDocument& document_;
};

} // namespace

void place_rendered(Value& tree, FileId rendered, const RenderedDocument& document) {
    Placer(rendered, document).place(tree);
}

} // namespace lockstep
