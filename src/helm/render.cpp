// The steps of a rendering: dependencies, values, schema, templates, documents.
#include "helm/render.h"
#include "helm/runes.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

struct Renderable {
    std::string name;
    const ChartFile* file = nullptr;
    const LoadedChart* chart = nullptr;
    GoValue dot;
};

std::size_t parse_index(std::string_view text) {
    std::size_t index = 0;
    for (const char c : text) {
        if (c < '0' || c > '9' || index > 100'000'000) return static_cast<std::size_t>(-1);
        index = index * 10 + static_cast<std::size_t>(c - '0');
    }
    return index;
}

std::size_t slashes(std::string_view path) {
    return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
}

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

// Deeper paths first, then by name backwards: what is higher is parsed later, and so wins.
std::vector<Renderable> all_templates(const std::vector<std::pair<const LoadedChart*, GoValue>>& scopes) {
    std::map<std::string, Renderable> by_name;
    for (const auto& [chart, dot] : scopes) {
        const bool library = lower_text(chart->meta.type) == "library";
        for (const ChartFile& file : chart->templates) {
            if (library && !base_name(file.name).starts_with('_')) continue;
            std::string name = chart->full_path() + "/" + file.name;
            by_name[name] = {name, &file, chart, dot};
        }
    }
    std::vector<Renderable> all;
    for (auto& [name, one] : by_name)
        all.push_back(std::move(one));
    std::sort(all.begin(), all.end(), [](const Renderable& a, const Renderable& b) {
        const std::size_t x = slashes(a.name), y = slashes(b.name);
        return x != y ? x > y : a.name > b.name;
    });
    return all;
}

// Helm's short form: the place, and the last part of the chain.
std::string parse_error(const std::string& message) {
    const std::size_t begin = message.find(": ");
    if (begin == std::string::npos) return "parse error: " + message;
    const std::size_t end = message.find(": ", begin + 2);
    return "parse error at (" + message.substr(begin + 2, end - begin - 2) +
           "): " + message.substr(message.rfind(": ") + 2);
}

std::string exec_error(const std::string& message) {
    constexpr std::string_view open = "HELM_ERR_START", close = "HELM_ERR_END";
    const std::size_t words = message.find(open), end = message.rfind(close);
    const std::size_t begin = message.find(": ");
    if (words == std::string::npos || end == std::string::npos || begin == std::string::npos) return message;
    const std::size_t behind = message.find(": ", begin + 2);
    return "execution error at (" + message.substr(begin + 2, behind - begin - 2) +
           "): " + message.substr(words + open.size(), end - words - open.size());
}

void add_failure(ChartRendering& into, const TemplateFailure& failure, std::string message) {
    RenderFailure made{std::move(message), failure.places, true, failure.unknown, failure.limit};
    if (into.failure)
        into.more_failures.push_back(std::move(made));
    else
        into.failure = std::move(made);
}

// Among the chart's own templates. A chart that is switched off defines what its users guard by the same switch.
void find_undefined(ChartRendering& into, const TemplateSet& templates) {
    into.undefined = undefined_uses(templates);
    if (into.undefined.empty()) return;
    std::set<std::string_view> elsewhere;
    for (const auto& chart : into.store.charts)
        for (const ChartFile& file : chart->templates)
            for (const std::string_view name : defined_names(file.text))
                elsewhere.insert(name);
    std::set<FileId> own;
    for (const ChartFile& file : into.chart->templates)
        own.insert(file.file);
    std::erase_if(into.undefined, [&](const TemplateUse& use) {
        return elsewhere.contains(use.name) || !own.contains(use.place.file);
    });
}

void run_templates(ChartRendering& into, const std::vector<Renderable>& all, const RenderOptions& options) {
    ValueArena& arena = into.arena;
    TemplateRunOptions run_options;
    run_options.limits = options.limits;
    run_options.helm4 = options.helm.is_4();
    run_options.note_reads = options.keep_going;
    TemplateRun run(arena, run_options);
    for (const Renderable& one : all) {
        auto* source = arena.make<TemplateSource>();
        source->name = arena.copy(one.name);
        source->text = one.file->text;
        source->file = one.file->file;
        source->helm4 = options.helm.is_4();
        if (!run.add(*source)) {
            add_failure(into, run.failure(), parse_error(run.failure().message));
            if (!options.keep_going) return;
        }
    }
    if (into.failure) return;
    if (options.keep_going) find_undefined(into, run.templates());
    std::vector<std::pair<std::string, GoValue>> rendered;
    for (const Renderable& one : all) {
        if (base_name(one.name).starts_with('_')) continue;
        GoValue about = make_map(arena, GoType::values_map);
        put(arena, *about.map, "Name", make_string(arena, one.name));
        put(arena, *about.map, "BasePath", make_string(arena, one.chart->full_path() + "/templates"));
        put(arena, *one.dot.map, "Template", about);
        TextBuilder out(arena);
        if (!run.execute(one.name, one.dot, out, one.chart->decided_by)) {
            add_failure(into, run.failure(), exec_error(run.failure().message));
            if (options.keep_going && !run.failure().limit) continue;
            into.undecided = run.undecided();
            into.reads = run.printed_reads();
            return;
        }
        if (one.name.ends_with("NOTES.txt")) continue;
        rendered.emplace_back(one.name, without_no_value(arena, out));
    }
    into.undecided = run.undecided();
    into.reads = run.printed_reads();
    std::sort(rendered.begin(), rendered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    sort_manifests(into, std::move(rendered), options);
}

void add_crds(ChartRendering& into, const LoadedChart& chart) {
    for (const ChartFile& file : chart.files) {
        if (!file.name.starts_with("crds/")) continue;
        const std::string lower = lower_text(file.name);
        if (!lower.ends_with(".yaml") && !lower.ends_with(".yml") && !lower.ends_with(".json")) continue;
        const auto size = static_cast<std::uint32_t>(file.text.size());
        RenderedManifest crd;
        crd.template_path = chart.full_path() + "/" + file.name;
        crd.text = make_text(into.arena, {file.text, {}}, make_origin(into.arena, {file.file, {0, size}}, true));
        crd.crd = true;
        into.manifests.push_back(std::move(crd));
    }
    for (const LoadedChart* inner : chart.dependencies)
        add_crds(into, *inner);
}

void find_gaps(ChartRendering& into, const LoadedChart& chart) {
    for (const auto& wanted : chart.meta.dependencies) {
        const bool there = std::any_of(chart.dependencies.begin(), chart.dependencies.end(),
                                       [&](const LoadedChart* one) { return one->name() == wanted->name; });
        if (!there) into.gaps.push_back({wanted->name, wanted->version, wanted->repository, wanted->at});
    }
}

void find_all_gaps(ChartRendering& into, const LoadedChart& chart) {
    find_gaps(into, chart);
    for (const LoadedChart* inner : chart.dependencies)
        find_all_gaps(into, *inner);
}

// Where the value is that the first complaint names: `name:`, then `- at '/a/b': …`; the deepest key that has a place.
std::vector<Place> schema_places(const LoadedChart& chart, const GoValue& all, std::string_view wrong) {
    const std::string_view name = wrong.substr(0, wrong.find(":\n"));
    GoValue here = name == chart.name() ? all : element(all, name);
    const std::size_t mark = wrong.find("- at '");
    if (mark == std::string_view::npos || !here.is_map()) return {};
    std::string_view path = wrong.substr(mark + 6);
    path = path.substr(0, path.find('\''));
    const ValueOrigin* origin = here.origin;
    while (path.starts_with('/')) {
        path.remove_prefix(1);
        const std::string_view step = path.substr(0, path.find('/'));
        path.remove_prefix(step.size());
        if (here.is_list()) {
            const std::size_t index = parse_index(step);
            here = index < items(here).size() ? items(here)[index] : GoValue{};
        } else {
            here = here.is_map() ? element(here, step) : GoValue{};
        }
        if (here.origin != nullptr) origin = here.origin;
    }
    return origin_places(origin, origin != nullptr && origin->at.file != no_file ? 1 : 2); // not the keys above it
}

// What Helm checks before it renders; the reason why it would not, or nothing.
std::string refusal(ChartRendering& into, const RenderOptions& options) {
    const ChartMetadata& meta = into.chart->meta;
    if (!meta.type.empty() && meta.type != "application") return meta.type + " charts are not installable";
    if (meta.deprecated) into.warnings.push_back("This chart is deprecated");
    find_gaps(into, *into.chart);
    if (into.gaps.empty() || options.missing_dependency_is_gap) return {};
    std::string names;
    for (const RenderGap& gap : into.gaps)
        names += (names.empty() ? "" : ", ") + gap.chart;
    return "An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to "
           "fetch "
           "missing dependencies: found in Chart.yaml, but missing in charts/ directory: " +
           names;
}

} // namespace

void render_chart(ChartRendering& into, const GoValue& values, const RenderOptions& options) {
    ValueArena& arena = into.arena;
    const auto stop = [&](std::string message, bool rendering) {
        RenderFailure failure;
        failure.message = std::move(message);
        failure.rendering = rendering;
        if (!into.gaps.empty()) failure.places.push_back(into.gaps[0].at);
        into.failure = std::move(failure);
    };
    if (std::string wrong = refusal(into, options); !wrong.empty()) return stop(std::move(wrong), false);
    LoadedChart& chart = *into.chart;
    const auto refuse = [&](const ValuesRefusal& refusal, const char* by) {
        stop(options.helm.is_4() ? by + refusal.message : refusal.message, false);
        into.failure->places = origin_places(refusal.origin, 4);
    };
    if (const ValuesRefusal refusal = process_dependencies(arena, into.store, chart, values, options.helm);
        !refusal.message.empty())
        return refuse(refusal, "chart dependencies processing failed: ");
    if (options.missing_dependency_is_gap) { // those that a condition switches off are none
        into.gaps.clear();
        find_all_gaps(into, chart);
    }
    ValuesRefusal refusal;
    const GoValue all = coalesce_values(arena, chart, values, options.helm, refusal);
    if (!refusal.message.empty()) return refuse(refusal, "");
    if (!options.skip_schema) {
        const SchemaVerdict verdict = validate_schemas(arena, chart, all);
        if (!verdict.limit.empty()) {
            stop(verdict.limit, false);
            into.failure->limit = true;
            return;
        }
        if (!verdict.complaints.empty()) {
            stop("values don't meet the specifications of the schema(s) in the following chart(s):\n" +
                     verdict.complaints,
                 false);
            into.failure->places = schema_places(chart, all, verdict.complaints);
            return;
        }
    }
    std::string kube = options.kube_version;
    if (!kube.starts_with('v')) kube = "v" + kube;
    if (!chart.meta.kube_version.empty() && !version_in_range(chart.meta.kube_version, kube))
        return stop("chart requires kubeVersion: " + chart.meta.kube_version +
                        " which is incompatible with Kubernetes " + kube,
                    true);
    std::vector<std::pair<const LoadedChart*, GoValue>> scopes;
    render_values(into, chart, all, options, scopes);
    if (options.include_crds) add_crds(into, chart);
    run_templates(into, all_templates(scopes), options);
}

std::string template_output(const ChartRendering& rendering) {
    std::string release, hooks;
    for (const RenderedManifest& one : rendering.manifests) {
        std::string& out = one.hooks.empty() ? release : hooks;
        out += "---\n# Source: " + one.template_path + "\n" + std::string(one.text.str()) + "\n";
    }
    return std::string(trim_space(release)) + "\n" + hooks;
}

} // namespace lockstep
