// Origin and transformation annotations.
#include "kustomize/origin.h"
#include "kustomize/tree_edit.h"

namespace lockstep {
namespace {

std::string configured(std::string_view in, std::string_view api_version, std::string_view kind, std::string_view name,
                       std::string_view ns, std::string_view indent) {
    const std::string pad(indent);
    std::string text = "configuredIn: " + std::string(in) + "\n" + pad + "configuredBy:\n" + pad +
                       "  apiVersion: " + std::string(api_version) + "\n" + pad + "  kind: " + std::string(kind) + "\n";
    if (!name.empty()) text += pad + "  name: " + std::string(name) + "\n";
    if (!ns.empty()) text += pad + "  namespace: " + std::string(ns) + "\n";
    return text;
}

const TreeOperation* set_origin(const BuildContext& context, std::string text, bool only_when_missing) {
    const std::string_view kept = context.arena().keep(text);
    return context.work.add([kept, only_when_missing](TreeWork& work) {
        const Value* annotations = metadata_map(*work.tree, "annotations");
        if (!only_when_missing || !annotations || !annotations->get(origin_annotation))
            set_annotation(*work.tree, origin_annotation, kept, work.arena);
        return true;
    });
}

void add_transformation(const BuildContext& context, Resources& resources, const std::string& first,
                        const std::string& item) {
    const std::string_view origin = context.arena().keep(first), entry = context.arena().keep("- " + item);
    const TreeOperation* change = context.work.add([origin, entry](TreeWork& work) {
        const Value* annotations = metadata_map(*work.tree, "annotations");
        if (!annotations || !annotations->get(origin_annotation)) {
            set_annotation(*work.tree, origin_annotation, origin, work.arena);
            return true;
        }
        const Value* old = annotations->get(transformations_annotation);
        const std::string text = (old ? std::string(old->text) : std::string()) + std::string(entry);
        set_annotation(*work.tree, transformations_annotation, work.arena.keep(text), work.arena);
        return true;
    });
    for (Resource& resource : resources)
        context.add_change(resource, change);
}

} // namespace

std::string join_origin(std::string_view path, std::string_view more) {
    std::vector<std::string> parts;
    for (std::string_view text : {path, more})
        while (!text.empty()) {
            const std::size_t slash = std::min(text.find('/'), text.size());
            const std::string_view part = text.substr(0, slash);
            text.remove_prefix(std::min(slash + 1, text.size()));
            if (part.empty() || part == ".") continue;
            if (part == ".." && !parts.empty() && parts.back() != "..")
                parts.pop_back();
            else
                parts.emplace_back(part);
        }
    std::string out;
    for (const std::string& part : parts)
        out += (out.empty() ? "" : "/") + part;
    return out;
}

void add_origin(const BuildContext& context, Resource& resource, const Origin& origin, std::string_view path) {
    context.add_change(resource, set_origin(context, "path: " + join_origin(origin.path, path) + "\n", false));
}

void add_generator_origin(const BuildContext& context, Resource& resource, const Origin& origin,
                          std::string_view file_name, std::string_view kind) {
    const std::string in = join_origin(origin.path, file_name);
    context.add_change(resource, set_origin(context, configured(in, "builtin", kind, {}, {}, {}), true));
}

void add_transformer_origin(const BuildContext& context, Resources& resources, const Origin& origin,
                            std::string_view file_name, std::string_view kind) {
    const std::string in = join_origin(origin.path, file_name);
    add_transformation(context, resources, configured(in, "builtin", kind, {}, {}, {}),
                       configured(in, "builtin", kind, {}, {}, "  "));
}

void add_plugin_origin(const BuildContext& context, Resource& resource, const PluginOrigin& origin) {
    context.add_change(resource, set_origin(context,
                                            configured(origin.configured_in, origin.api_version, origin.kind,
                                                       origin.name, origin.ns, {}),
                                            true));
}

void add_plugin_transformer(const BuildContext& context, Resources& resources, const PluginOrigin& origin) {
    const auto text = [&](std::string_view indent) {
        return configured(origin.configured_in, origin.api_version, origin.kind, origin.name, origin.ns, indent);
    };
    add_transformation(context, resources, text({}), text("  "));
}

} // namespace lockstep
