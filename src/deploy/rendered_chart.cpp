// Renders, and keeps of Helm's graph of origins what findings need: for each stretch the template's place and the
// value's.
#include "deploy/rendered_chart.h"
#include "helm/render.h"
#include "helm/text_builder.h"
#include "helm/yaml_read.h"
#include "index/cells.h"
#include <algorithm>
#include <unordered_map>

namespace lockstep {
namespace {

// Files of a rendering and files of the tree.
class SourceFiles {
public:
    SourceFiles(ChartStore& store, const Tree& tree) : sources_(store.sources), tree_(tree) {}

    // A file of the tree that values come from.
    FileId source_of(FileId tree_file) {
        const auto [known, fresh] = of_tree_.try_emplace(tree_file, no_file);
        if (fresh) {
            known->second = sources_.add(std::string(), nullptr);
            known_[known->second] = {tree_file, 0, false};
        }
        return known->second;
    }
    bool is_template(FileId source) { return look(source).is_template; }
    Place in_tree(Place place) {
        if (place.file == no_file) return {};
        const Known& file = look(place.file);
        if (file.file == no_file) return {};
        if (file.packed) return {file.file, {}};
        return {file.file, {place.span.begin + file.shift, place.span.end + file.shift}};
    }

private:
    struct Known {
        FileId file = no_file;
        std::uint32_t shift = 0; // Helm drops a byte order mark
        bool is_template = false, packed = false;
    };
    const Known& look(FileId source) {
        const auto [known, fresh] = known_.try_emplace(source);
        if (!fresh) return known->second;
        const std::string& path = sources_.paths[source];
        known->second.is_template = path.find("templates/") != std::string::npos;
        const std::size_t mark = path.find('!');
        known->second.packed = mark != std::string::npos;
        const auto file = tree_.find(std::string_view(path).substr(0, mark));
        if (!file) return known->second;
        known->second.file = *file;
        if (tree_.files[*file].indexed && std::string_view(tree_.files[*file].text).starts_with("\xef\xbb\xbf"))
            known->second.shift = 3;
        return known->second;
    }
    ChartSources& sources_;
    const Tree& tree_;
    std::unordered_map<FileId, FileId> of_tree_;
    std::unordered_map<FileId, Known> known_;
};

const ValueOrigin* marked(ValueArena& arena, const ValueOrigin* origin) {
    ValueOrigin made;
    made.unknown = true;
    made.left = origin;
    return arena.make<ValueOrigin>(made);
}

// `below`: the key that holds the value.
GoValue go_value_of(ValueArena& arena, SourceFiles& files, const Value& value, const ValueOrigin* below, int depth) {
    const auto origin_at = [&](Place place) -> const ValueOrigin* {
        if (!is_there(place)) return nullptr;
        ValueOrigin at;
        at.at = {files.source_of(place.file), place.span};
        at.left = below;
        return arena.make<ValueOrigin>(at);
    };
    const ValueOrigin* origin = origin_at(is_there(value.changed_by) ? value.changed_by : value.place);
    if (value.unknown) origin = marked(arena, origin);
    GoValue made = make_nil(origin);
    if (depth > 300) return made;
    if (value.is_mapping()) {
        made = make_map(arena);
        for (std::size_t i = 0; i < value.size(); ++i) {
            const Value& key = *value.key_at(i);
            const ValueOrigin* key_origin = origin_at(key.place);
            put(arena, *made.map, arena.copy(key.text),
                go_value_of(arena, files, *value.value_at(i), key_origin, depth + 1), key_origin);
        }
        made.origin = origin;
        return made;
    }
    if (value.is_sequence()) {
        made = make_list(arena);
        for (const Value* item : value.items())
            push(arena, *made.list, go_value_of(arena, files, *item, below, depth + 1));
        made.origin = origin;
        return made;
    }
    if (value.is_null()) return made;
    if (value.is_string() || value.unknown) return make_string(arena, value.text, origin);
    const YamlRead read = read_yaml(arena, value.text, no_file); // a number or a truth value
    made = read.error.empty() && !read.value.is_nil() ? read.value : make_string(arena, value.text);
    made.origin = origin;
    return made;
}

// Empty: all went well.
std::string add_values(ChartRendering& into, SourceFiles& files, const ValuesPart& part, GoValue& values) {
    ValueArena& arena = into.arena;
    if (part.tree) {
        values = merge_maps(arena, values, go_value_of(arena, files, *part.tree, nullptr, 0));
        return {};
    }
    const ValueOrigin* origin =
        is_there(part.place) ? make_origin(arena, {files.source_of(part.place.file), part.place.span}, part.linear)
                             : nullptr;
    if (!part.known) origin = marked(arena, origin);
    if (!part.target_path.empty()) {
        values = deep_copy(arena, values);
        std::string text = part.target_path + "=";
        for (const char c : part.known ? part.text : std::string("unknown")) {
            if (c == ',' || c == '{' || c == '}' || c == '\\') text += '\\';
            text += c;
        }
        return set_values(arena, values, arena.copy(text), false, origin);
    }
    if (!part.known) return {};
    GoValue text = make_string(arena, part.text, origin);
    const YamlRead read = read_yaml(arena, text);
    if (!read.error.empty()) return read.error;
    if (std::string wrong = wrong_for_map(read.value); !wrong.empty()) return wrong;
    values = merge_maps(arena, values, read.value);
    return {};
}

// The place that a stretch of text was copied from, or that says what was printed.
const ValueOrigin* nearest(const ValueOrigin* origin) {
    for (int depth = 0; origin != nullptr && depth < 100'000; ++depth) {
        if (origin->at.file != no_file) return origin;
        const ValueOrigin* next = origin->left != nullptr ? origin->left : origin->right;
        origin = next;
    }
    return nullptr;
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
        for (const RenderedPiece& piece : made.pieces)
            if (is_there(piece.from)) {
                made.at = piece.from;
                break;
            }
        made.unknown = !made.pieces.empty() && made.pieces.front().unknown;
        return made;
    }

private:
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

std::string take_values_files(const ChartLibrary& library, ChartRendering& into, SourceFiles& files,
                              const ChartRequest& request) {
    if (request.values_files.empty()) return {};
    GoValue values = make_map(into.arena);
    for (const FileId file : request.values_files) {
        auto text = library.bytes(file);
        if (!text) return "a values file cannot be read";
        ValuesPart part;
        part.place = {file, {0, static_cast<std::uint32_t>(text->size())}};
        part.text = std::move(*text);
        part.linear = true;
        if (std::string wrong = add_values(into, files, part, values); !wrong.empty()) return wrong;
    }
    into.chart->values = values;
    return {};
}

} // namespace

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
    if (std::string wrong = take_values_files(library, into, files, request); !wrong.empty()) return stop(wrong);
    GoValue values = make_map(into.arena);
    for (const ValuesPart& part : request.values)
        if (std::string wrong = add_values(into, files, part, values); !wrong.empty()) {
            made.problems.push_back({"the values cannot be read: " + wrong, {part.place}});
            return made;
        }
    RenderOptions options;
    options.release = request.release;
    options.release_namespace = request.ns;
    if (!request.kube_version.empty()) options.kube_version = request.kube_version;
    options.include_crds = request.crds;
    options.helm4 = request.helm4;
    options.missing_dependency_is_gap = options.keep_going = options.open_api_versions = true;
    render_chart(into, deep_copy(into.arena, values), options);
    for (const RenderGap& gap : into.gaps) {
        DependencyOutcome missing;
        missing.name = gap.chart;
        missing.range = gap.version;
        missing.repository = gap.repository;
        missing.at = files.in_tree(gap.at);
        made.missing.push_back(std::move(missing));
    }
    if (into.failure) made.problems.push_back(problem_of(*into.failure, files));
    for (const RenderFailure& failure : into.more_failures)
        made.problems.push_back(problem_of(failure, files));
    for (const Place place : into.undecided)
        made.undecided.push_back(files.in_tree(place));
    for (const TemplateUse& use : into.undefined)
        if (const Place there = files.in_tree(use.place); is_there(there)) made.undefined.push_back({use.name, there});
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
