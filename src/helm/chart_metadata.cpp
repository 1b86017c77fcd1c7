// Chart.yaml and requirements.yaml into metadata.
#include "base/semver.h"
#include "helm/chart.h"
#include "helm/go_number.h"
#include "helm/runes.h"
#include "helm/yaml_read.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

// A scalar where Go has a string: numbers and booleans are written out.
std::string scalar_text(const GoValue& value) {
    if (value.is_string()) return std::string(value.str());
    if (value.type == GoType::boolean) return value.boolean ? "true" : "false";
    if (value.type == GoType::int64) return std::to_string(value.integer);
    if (value.type == GoType::uint64) return std::to_string(value.natural);
    if (value.type == GoType::float64) return format_float(value.number, 'g', -1);
    return {};
}

struct MetadataReader {
    ValueArena& arena;
    std::string error = {};

    void wrong(const GoValue& value, std::string_view field, std::string_view type) {
        if (error.empty())
            error = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
                    std::string(json_kind(value)) + " into Go struct field " + std::string(field) + " of type " +
                    std::string(type);
    }
    void text(const GoValue& map, std::string_view key, std::string& into, Place* at = nullptr) {
        const GoEntry* found = map.map->find(key);
        if (found == nullptr || found->value.is_nil()) return;
        if (found->value.is_list() || found->value.is_map())
            return wrong(found->value, "Metadata." + std::string(key), "string");
        into = scalar_text(found->value);
        if (at != nullptr && found->value.origin != nullptr) *at = found->value.origin->at;
    }
    void texts(const GoValue& map, std::string_view key, std::vector<std::string>& into) {
        const GoEntry* found = map.map->find(key);
        if (found == nullptr || found->value.is_nil()) return;
        if (!found->value.is_list()) return wrong(found->value, "Metadata." + std::string(key), "[]string");
        into.clear();
        for (const GoValue& item : items(found->value))
            into.push_back(scalar_text(item));
    }
    void dependencies(const GoValue& map, ChartMetadata& meta) {
        const GoEntry* found = map.map->find("dependencies");
        if (found == nullptr || found->value.is_nil()) return;
        if (!found->value.is_list()) return wrong(found->value, "Metadata.dependencies", "[]*chart.Dependency");
        meta.dependencies.clear();
        meta.has_dependencies = true;
        for (const GoValue& item : items(found->value)) {
            if (!item.is_map()) {
                if (item.is_nil() && error.empty()) error = "dependencies must not contain empty or null nodes";
                return wrong(item, "Metadata.dependencies", "chart.Dependency");
            }
            DeclaredDependency one;
            text(item, "name", one.name);
            text(item, "version", one.version);
            text(item, "repository", one.repository);
            text(item, "condition", one.condition);
            text(item, "alias", one.alias);
            texts(item, "tags", one.tags);
            one.import_values = element(item, "import-values");
            if (item.origin != nullptr) one.at = item.origin->at;
            meta.dependencies.push_back(std::make_shared<DeclaredDependency>(std::move(one)));
        }
    }
    void annotations(const GoValue& map, ChartMetadata& meta) {
        const GoEntry* found = map.map->find("annotations");
        if (found == nullptr || found->value.is_nil()) return;
        if (!found->value.is_map()) return wrong(found->value, "Metadata.annotations", "map[string]string");
        meta.annotations = make_map(arena, GoType::string_map);
        for (const GoEntry& entry : entries(found->value)) {
            if (entry.value.is_list() || entry.value.is_map())
                return wrong(entry.value, "Metadata.annotations", "string");
            put(arena, *meta.annotations.map, entry.key,
                entry.value.is_string() ? entry.value
                                        : make_string(arena, scalar_text(entry.value), entry.value.origin),
                entry.key_origin);
        }
    }
    void maintainers(const GoValue& map, ChartMetadata& meta) {
        const GoEntry* found = map.map->find("maintainers");
        if (found == nullptr || found->value.is_nil()) return;
        if (!found->value.is_list()) return wrong(found->value, "Metadata.maintainers", "[]*chart.Maintainer");
        meta.maintainers.clear();
        for (const GoValue& item : items(found->value)) {
            if (!item.is_map()) return wrong(item, "Metadata.maintainers", "chart.Maintainer");
            ChartMetadata::Maintainer one;
            text(item, "name", one.name);
            text(item, "email", one.email);
            text(item, "url", one.url);
            meta.maintainers.push_back(std::move(one));
        }
    }
};

// Blanks of any kind become one blank each; what cannot be printed goes.
void sanitize(std::string& text) {
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
    if (plain) return;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Rune rune = decode_rune(text, at);
        if (is_space_rune(rune.value))
            out += ' ';
        else if (is_printable(rune.value))
            append_rune(out, rune.value);
        at += rune.size;
    }
    text = out;
}

} // namespace

std::string read_metadata(ValueArena& arena, const ChartFile& file, ChartMetadata& meta) {
    YamlRead read = read_yaml(arena, file.text, file.file, true);
    if (!read.error.empty()) return read.error;
    if (const std::string wrong = wrong_for_map(read.value, "chart.Metadata"); !wrong.empty()) return wrong;
    if (read.value.is_nil()) return {};
    MetadataReader reader{arena};
    const GoValue& map = read.value;
    reader.text(map, "apiVersion", meta.api_version);
    reader.text(map, "name", meta.name, &meta.name_at);
    reader.text(map, "version", meta.version, &meta.version_at);
    reader.text(map, "appVersion", meta.app_version, &meta.app_version_at);
    reader.text(map, "kubeVersion", meta.kube_version);
    reader.text(map, "type", meta.type);
    reader.text(map, "description", meta.description);
    reader.text(map, "home", meta.home);
    reader.text(map, "icon", meta.icon);
    reader.text(map, "condition", meta.condition);
    reader.text(map, "tags", meta.tags);
    reader.texts(map, "sources", meta.sources);
    reader.texts(map, "keywords", meta.keywords);
    reader.maintainers(map, meta);
    reader.annotations(map, meta);
    reader.dependencies(map, meta);
    if (const GoValue deprecated = element(map, "deprecated"); deprecated.type == GoType::boolean)
        meta.deprecated = deprecated.boolean;
    else if (!deprecated.is_nil())
        reader.wrong(deprecated, "Metadata.deprecated", "bool");
    return reader.error;
}

std::string validate_metadata(ChartMetadata& meta) {
    for (std::string* text : {&meta.name, &meta.description, &meta.home, &meta.icon, &meta.condition, &meta.tags,
                              &meta.app_version, &meta.kube_version})
        sanitize(*text);
    for (auto* list : {&meta.sources, &meta.keywords})
        for (std::string& text : *list)
            sanitize(text);
    if (meta.api_version.empty()) return "chart.metadata.apiVersion is required";
    if (meta.name.empty()) return "chart.metadata.name is required";
    if (meta.name == "." || meta.name == "..")
        return "chart.metadata.name " + lockstep::quoted(meta.name) + " is not allowed";
    if (meta.name.find('/') != std::string::npos)
        return "chart.metadata.name " + lockstep::quoted(meta.name) + " is invalid";
    if (meta.version.empty()) return "chart.metadata.version is required";
    if (!parse_version(meta.version)) return "chart.metadata.version " + lockstep::quoted(meta.version) + " is invalid";
    if (!meta.type.empty() && meta.type != "application" && meta.type != "library")
        return "chart.metadata.type must be application or library";
    std::set<std::string> names;
    for (const auto& declared : meta.dependencies) {
        DeclaredDependency& one = *declared;
        for (std::string* text : {&one.name, &one.version, &one.repository, &one.condition})
            sanitize(*text);
        const bool legal = std::all_of(one.alias.begin(), one.alias.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
        if (!legal) return "dependency " + lockstep::quoted(one.name) + " has disallowed characters in the alias";
        const std::string& key = one.alias.empty() ? one.name : one.alias;
        if (!names.insert(key).second) return "more than one dependency with name or alias " + lockstep::quoted(key);
    }
    return {};
}

} // namespace lockstep
