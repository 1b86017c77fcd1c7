// Methods by receiver. Files are matched by Helm's globs.
#include "helm/methods.h"
#include "helm/file_glob.h"
#include "helm/hashes.h"
#include "helm/objects.h"
#include "helm/text_builder.h"
#include "helm/yaml_write.h"
#include <algorithm>
#include <array>

namespace lockstep {
namespace {

GoValue as_type(GoValue value, GoType type) {
    value.type = type;
    return value;
}

GoValue file_text(FunctionCall& call, GoType type) {
    const GoEntry* found = call.args[0].map == nullptr ? nullptr : call.args[0].map->find(call.args[1].str());
    call.keep_origin = true;
    if (found == nullptr) return as_type(make_string(call.arena, "", call.args[1].origin), type);
    return as_type(with_origin(call.arena, found->value, whole_origin(call.arena, call.args[1])), type);
}

GoValue files_get(FunctionCall& call) {
    return file_text(call, GoType::string);
}

GoValue files_get_bytes(FunctionCall& call) {
    return file_text(call, GoType::bytes);
}

GoValue files_glob(FunctionCall& call) {
    GoValue made = make_map(call.arena, GoType::files);
    call.arena.spend(entries(call.args[0]).size() * 1024); // a pattern is made for each
    for (const GoEntry& entry : entries(call.args[0]))
        if (matches_file_glob(call.args[1].str(), entry.key)) put(call.arena, *made.map, entry.key, entry.value);
    made.origin = whole_origin(call.arena, call.args[1]);
    call.keep_origin = true;
    return made;
}

GoValue files_lines(FunctionCall& call) {
    GoValue list = make_list(call.arena, GoType::string_list);
    call.keep_origin = true;
    GoValue text = file_text(call, GoType::string);
    std::string_view bytes = text.str();
    if (bytes.empty()) return list;
    if (bytes.ends_with('\n')) bytes.remove_suffix(1);
    for (std::size_t at = 0; at <= bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
        push(call.arena, *list.list, part_of(call.arena, text, at, end));
        at = end + 1;
    }
    return list;
}

GoValue files_as(FunctionCall& call, bool secret) {
    GoValue map = make_map(call.arena);
    for (const GoEntry& entry : entries(call.args[0])) {
        const std::size_t slash = entry.key.rfind('/');
        const std::string_view name = slash == std::string_view::npos ? entry.key : entry.key.substr(slash + 1);
        const GoValue text = as_type(entry.value, GoType::string);
        put(call.arena, *map.map, name, secret ? make_string(call.arena, base64_text(text.str()), text.origin) : text);
    }
    TextBuilder out(call.arena);
    write_yaml(out, map, YamlFlavour::v2);
    out.truncate(out.size() - 1);
    out.join_from(0, call.args[0].origin);
    call.keep_origin = true;
    return out.finish();
}

GoValue files_as_config(FunctionCall& call) {
    return files_as(call, false);
}

GoValue files_as_secrets(FunctionCall& call) {
    return files_as(call, true);
}

GoValue versions_has(FunctionCall& call) {
    for (const GoValue& item : items(call.args[0]))
        if (item.str() == call.args[1].str()) {
            call.keep_origin = true; // what is in the list is served, whatever else is
            return make_bool(true);
        }
    return make_bool(false);
}

GoValue first_field(FunctionCall& call) {
    return call.args[0].object->fields[0].value;
}

template <std::size_t index> GoValue version_part(FunctionCall& call) {
    return call.args[0].object->fields[index].value;
}

template <int low, int high> GoValue version_compare(FunctionCall& call) {
    if (call.args[1].type != GoType::object || call.args[1].object->kind != StructKind::semver)
        return call.fail("reflect: Call using " + type_name(call.args[1]) + " as type *semver.Version");
    const auto a = parse_version(call.args[0].object->fields[0].value.str());
    const auto b = parse_version(call.args[1].object->fields[0].value.str());
    const int order = compare(*a, *b);
    if (low > high) return make_int(order);
    return make_bool(order >= low && order <= high);
}

GoValue values_as_map(FunctionCall& call) {
    call.keep_origin = true;
    return as_type(call.args[0], GoType::any_map);
}

GoValue values_yaml(FunctionCall& call) {
    TextBuilder out(call.arena);
    write_yaml(out, call.args[0], YamlFlavour::v2);
    call.keep_origin = true;
    return out.finish();
}

constexpr std::array file_methods = {
    TemplateFunction{"AsConfig", "", files_as_config}, TemplateFunction{"AsSecrets", "", files_as_secrets},
    TemplateFunction{"Get", "s", files_get},           TemplateFunction{"GetBytes", "s", files_get_bytes},
    TemplateFunction{"Glob", "s", files_glob},         TemplateFunction{"Lines", "s", files_lines},
};
constexpr std::array set_methods = {TemplateFunction{"Has", "s", versions_has}};
constexpr std::array kube_methods = {TemplateFunction{"GitVersion", "", first_field},
                                     TemplateFunction{"String", "", first_field}};
constexpr std::array values_methods = {TemplateFunction{"AsMap", "", values_as_map},
                                       TemplateFunction{"YAML", "", values_yaml}};
constexpr std::array version_methods = {
    TemplateFunction{"Compare", "a", version_compare<1, 0>},
    TemplateFunction{"Equal", "a", version_compare<0, 0>},
    TemplateFunction{"GreaterThan", "a", version_compare<1, 1>},
    TemplateFunction{"LessThan", "a", version_compare<-1, -1>},
    TemplateFunction{"GreaterThanEqual", "a", version_compare<0, 1>},
    TemplateFunction{"LessThanEqual", "a", version_compare<-1, 0>},
    TemplateFunction{"Major", "", version_part<1>},
    TemplateFunction{"Metadata", "", version_part<5>},
    TemplateFunction{"Minor", "", version_part<2>},
    TemplateFunction{"Original", "", version_part<6>},
    TemplateFunction{"Patch", "", version_part<3>},
    TemplateFunction{"Prerelease", "", version_part<4>},
    TemplateFunction{"String", "", version_part<0>},
};

template <std::size_t N>
const TemplateFunction* named(const std::array<TemplateFunction, N>& methods, std::string_view name) {
    for (const TemplateFunction& method : methods)
        if (method.name == name) return &method;
    return nullptr;
}

} // namespace

const TemplateFunction* find_method(const GoValue& receiver, std::string_view name) {
    switch (receiver.type) {
    case GoType::files:
        return named(file_methods, name);
    case GoType::version_set:
        return named(set_methods, name);
    case GoType::values_map:
        return named(values_methods, name);
    case GoType::object:
        if (receiver.object->kind == StructKind::kube_version) return named(kube_methods, name);
        if (receiver.object->kind == StructKind::semver) return named(version_methods, name);
        return nullptr;
    default:
        return nullptr;
    }
}

} // namespace lockstep
