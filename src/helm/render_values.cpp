// What templates see as their dot: .Values, .Chart, .Release, .Capabilities, .Files, .Subcharts.
#include "helm/objects.h"
#include "helm/render.h"

namespace lockstep {
namespace {

GoValue text(ValueArena& arena, std::string_view bytes, Place at = {}) {
    return make_string(arena, bytes, at.file == no_file ? nullptr : make_origin(arena, at));
}

GoValue texts(ValueArena& arena, const std::vector<std::string>& all) {
    GoValue list = make_list(arena, GoType::string_list);
    for (const std::string& one : all)
        push(arena, *list.list, text(arena, one));
    if (all.empty()) list.list = nullptr;
    return list;
}

GoValue dependency_list(ValueArena& arena, const ChartMetadata& meta) {
    GoValue list = make_list(arena, GoType::object_list);
    for (const auto& declared : meta.dependencies) {
        const DeclaredDependency& one = *declared;
        push(arena, *list.list,
             make_struct(make_struct_of(arena, "*chart.Dependency",
                                        {{"Name", text(arena, one.name, one.at), "name"},
                                         {"Version", text(arena, one.version, one.at), "version", true},
                                         {"Repository", text(arena, one.repository, one.at), "repository"},
                                         {"Condition", text(arena, one.condition), "condition", true},
                                         {"Tags", texts(arena, one.tags), "tags", true},
                                         {"Enabled", make_bool(one.enabled), "enabled", true},
                                         {"ImportValues", one.import_values, "import-values", true},
                                         {"Alias", text(arena, one.alias), "alias", true}},
                                        StructKind::plain, true)));
    }
    if (meta.dependencies.empty()) list.list = nullptr;
    return list;
}

GoValue chart_value(ValueArena& arena, const LoadedChart& chart) {
    const ChartMetadata& meta = chart.meta;
    GoValue maintainers = make_list(arena, GoType::object_list);
    for (const auto& one : meta.maintainers)
        push(arena, *maintainers.list,
             make_struct(make_struct_of(arena, "*chart.Maintainer",
                                        {{"Name", text(arena, one.name), "name", true},
                                         {"Email", text(arena, one.email), "email", true},
                                         {"URL", text(arena, one.url), "url", true}},
                                        StructKind::plain, true)));
    if (meta.maintainers.empty()) maintainers.list = nullptr;
    GoValue annotations = meta.annotations;
    if (annotations.is_nil()) {
        annotations.type = GoType::string_map;
        annotations.map = nullptr;
    }
    return make_struct(
        make_struct_of(arena, "struct { chart.Metadata; IsRoot bool }",
                       {{"Name", text(arena, meta.name, meta.name_at), "name", true},
                        {"Home", text(arena, meta.home), "home", true},
                        {"Sources", texts(arena, meta.sources), "sources", true},
                        {"Version", text(arena, meta.version, meta.version_at), "version", true},
                        {"Description", text(arena, meta.description), "description", true},
                        {"Keywords", texts(arena, meta.keywords), "keywords", true},
                        {"Maintainers", maintainers, "maintainers", true},
                        {"Icon", text(arena, meta.icon), "icon", true},
                        {"APIVersion", text(arena, meta.api_version), "apiVersion", true},
                        {"Condition", text(arena, meta.condition), "condition", true},
                        {"Tags", text(arena, meta.tags), "tags", true},
                        {"AppVersion", text(arena, meta.app_version, meta.app_version_at), "appVersion", true},
                        {"Deprecated", make_bool(meta.deprecated), "deprecated", true},
                        {"Annotations", annotations, "annotations", true},
                        {"KubeVersion", text(arena, meta.kube_version), "kubeVersion", true},
                        {"Dependencies", dependency_list(arena, meta), "dependencies", true},
                        {"Type", text(arena, meta.type), "type", true},
                        {"IsRoot", make_bool(chart.parent == nullptr)}},
                       StructKind::chart));
}

std::string written(HelmVersion helm) {
    return "v" + std::to_string(helm.major) + "." + std::to_string(helm.minor) + "." + std::to_string(helm.patch);
}

GoValue capabilities(ValueArena& arena, const RenderOptions& options) {
    std::string version = options.kube_version;
    if (version.starts_with('v')) version.erase(0, 1);
    const auto parsed = parse_version(version);
    const std::string major = parsed ? std::to_string(parsed->major) : "",
                      minor = parsed ? std::to_string(parsed->minor) : "";
    std::string full = parsed ? major + "." + minor + "." + std::to_string(parsed->patch) : version;
    if (parsed && !parsed->prerelease.empty()) full += "-" + parsed->prerelease;
    if (parsed && !parsed->build.empty()) full += "+" + parsed->build;
    GoValue set = make_list(arena, GoType::version_set);
    for (std::string_view api : default_api_versions())
        push(arena, *set.list, text(arena, api));
    for (const std::string& api : options.api_versions)
        push(arena, *set.list, text(arena, api));
    if (options.open_api_versions) {
        ValueOrigin open;
        open.unknown = true;
        set.origin = arena.make<ValueOrigin>(open);
    }
    const GoValue kube = make_struct(make_struct_of(
        arena, "chartutil.KubeVersion",
        {{"Version", text(arena, "v" + full)}, {"Major", text(arena, major)}, {"Minor", text(arena, minor)}},
        StructKind::kube_version));
    const GoValue helm = make_struct(make_struct_of(arena, "version.BuildInfo",
                                                    {{"Version", text(arena, written(options.helm)), "version"},
                                                     {"GitCommit", text(arena, ""), "git_commit"},
                                                     {"GitTreeState", text(arena, "clean"), "git_tree_state"},
                                                     {"GoVersion", text(arena, "go1.26"), "go_version"}}));
    return make_struct(make_struct_of(arena, "*chartutil.Capabilities",
                                      {{"KubeVersion", kube}, {"APIVersions", set}, {"HelmVersion", helm}},
                                      StructKind::capabilities, true));
}

GoValue files_value(ValueArena& arena, const LoadedChart& chart) {
    GoValue files = make_map(arena, GoType::files);
    for (const ChartFile& file : chart.files) {
        const auto size = static_cast<std::uint32_t>(file.text.size());
        GoValue bytes = make_text(arena, {file.text, {}}, make_origin(arena, {file.file, {0, size}}, true));
        bytes.type = GoType::bytes;
        put(arena, *files.map, file.name, bytes);
    }
    return files;
}

struct Scopes {
    ValueArena& arena;
    GoValue release, capabilities;
    std::vector<std::pair<const LoadedChart*, GoValue>>& all;

    GoValue add(const LoadedChart& chart, GoValue values) {
        if (!values.is_any_map()) values = make_map(arena);
        values.type = GoType::values_map;
        GoValue next = make_map(arena);
        GoValue inner = make_map(arena);
        put(arena, *next.map, "Chart", chart_value(arena, chart));
        put(arena, *next.map, "Files", files_value(arena, chart));
        put(arena, *next.map, "Release", release);
        put(arena, *next.map, "Capabilities", capabilities);
        put(arena, *next.map, "Values", values);
        put(arena, *next.map, "Subcharts", inner);
        for (const LoadedChart* child : chart.dependencies)
            put(arena, *inner.map, child->name(), add(*child, element(values, child->name())));
        all.emplace_back(&chart, next);
        return next;
    }
};

} // namespace

GoValue render_values(ChartRendering& into, const LoadedChart& chart, const GoValue& values,
                      const RenderOptions& options, std::vector<std::pair<const LoadedChart*, GoValue>>& scopes) {
    ValueArena& arena = into.arena;
    GoValue release = make_map(arena);
    put(arena, *release.map, "Name", text(arena, options.release));
    put(arena, *release.map, "Namespace", text(arena, options.release_namespace));
    put(arena, *release.map, "IsUpgrade", make_bool(options.is_upgrade));
    put(arena, *release.map, "IsInstall", make_bool(!options.is_upgrade));
    put(arena, *release.map, "Revision", make_int(1));
    put(arena, *release.map, "Service", text(arena, "Helm"));
    Scopes all{arena, release, capabilities(arena, options), scopes};
    return all.add(chart, values);
}

} // namespace lockstep
