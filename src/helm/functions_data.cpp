// YAML, JSON and TOML to and from template values.
#include "helm/functions.h"
#include "helm/json_io.h"
#include "helm/runes.h"
#include "helm/toml_io.h"
#include "helm/yaml_read.h"
#include "helm/yaml_write.h"
#include <array>

namespace lockstep {
namespace {

GoValue trimmed(TextBuilder& out) {
    if (out.bytes.ends_with('\n')) out.truncate(out.size() - 1);
    return out.finish();
}

bool is_forbidden(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x7f) {
            ++at;
            continue;
        }
        const Rune rune = decode_rune(text, at);
        const char32_t c = rune.value;
        if (c == 0x7f || (c >= 0x80 && c < 0xa0 && c != 0x85) || c == 0xfffe || c == 0xffff) return true;
        at += rune.size;
    }
    return false;
}

bool has_forbidden(ValueArena& arena, const GoValue& value, int depth) {
    if (depth > 300 || !arena.spend(1)) return false;
    if (value.is_string()) return is_forbidden(value.str());
    if (value.is_list())
        for (const GoValue& item : items(value))
            if (has_forbidden(arena, item, depth + 1)) return true;
    if (value.is_map())
        for (const GoEntry& entry : entries(value))
            if (is_forbidden(entry.key) || has_forbidden(arena, entry.value, depth + 1)) return true;
    return false;
}

GoValue to_yaml(FunctionCall& call) {
    TextBuilder out(call.arena);
    // Helm goes by way of JSON, and the YAML reader refuses what JSON leaves as it is.
    if (has_forbidden(call.arena, call.args[0], 0)) return make_string(call.arena, "");
    write_yaml(out, call.args[0], YamlFlavour::v2);
    return trimmed(out);
}

GoValue to_yaml_pretty(FunctionCall& call) {
    TextBuilder out(call.arena);
    write_yaml(out, call.args[0], YamlFlavour::v3);
    return trimmed(out);
}

GoValue error_map(FunctionCall& call, const std::string& error) {
    GoValue map = make_map(call.arena);
    put(call.arena, *map.map, "Error", make_string(call.arena, error, call.args[0].origin));
    return map;
}

GoValue error_list(FunctionCall& call, const std::string& error) {
    GoValue list = make_list(call.arena);
    push(call.arena, *list.list, make_string(call.arena, error, call.args[0].origin));
    return list;
}

GoValue nil_of(GoType type) {
    GoValue none;
    none.type = type;
    none.map = nullptr;
    return none;
}

GoValue from_yaml(FunctionCall& call) {
    YamlRead read = read_yaml(call.arena, call.args[0]);
    if (read.error.empty()) read.error = wrong_for_map(read.value);
    if (!read.error.empty()) return error_map(call, read.error);
    return read.value.is_nil() ? make_map(call.arena) : read.value;
}

GoValue from_yaml_array(FunctionCall& call) {
    const YamlRead read = read_yaml(call.arena, call.args[0]);
    if (!read.error.empty()) return error_list(call, read.error);
    if (read.value.is_nil()) return nil_of(GoType::any_list);
    if (!read.value.is_list())
        return error_list(call, "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
                                    std::string(json_kind(read.value)) + " into Go value of type []interface {}");
    return read.value;
}

GoValue to_json(FunctionCall& call) {
    TextBuilder out(call.arena);
    write_json(out, call.args[0]);
    return out.finish();
}

GoValue to_pretty_json(FunctionCall& call) {
    TextBuilder out(call.arena);
    write_json(out, call.args[0], {true, true});
    return out.finish();
}

GoValue to_raw_json(FunctionCall& call) {
    TextBuilder out(call.arena);
    write_json(out, call.args[0], {false, false});
    return out.finish();
}

GoValue from_json(FunctionCall& call) {
    const JsonRead read = read_json(call.arena, call.args[0]);
    if (!read.error.empty()) return error_map(call, read.error);
    if (read.value.is_nil()) return nil_of(GoType::any_map);
    if (!read.value.is_map())
        return error_map(call, "json: cannot unmarshal " + std::string(json_kind(read.value)) +
                                   " into Go value of type map[string]interface {}");
    return read.value;
}

GoValue from_json_array(FunctionCall& call) {
    const JsonRead read = read_json(call.arena, call.args[0]);
    if (!read.error.empty()) return error_list(call, read.error);
    if (read.value.is_nil()) return nil_of(GoType::any_list);
    if (!read.value.is_list())
        return error_list(call, "json: cannot unmarshal " + std::string(json_kind(read.value)) +
                                    " into Go value of type []interface {}");
    return read.value;
}

GoValue must_from_json(FunctionCall& call) {
    const JsonRead read = read_json(call.arena, call.args[0]);
    if (!read.error.empty()) return call.fail(read.error);
    return read.value;
}

GoValue to_toml(FunctionCall& call) {
    TextBuilder out(call.arena);
    if (call.args[0].is_nil()) return call.fail("reflect: call of reflect.Value.Type on zero Value");
    const std::string error = write_toml(out, call.args[0]);
    if (!error.empty()) return make_string(call.arena, error);
    return out.finish();
}

GoValue must_to_toml(FunctionCall& call) {
    TextBuilder out(call.arena);
    if (std::string error = write_toml(out, call.args[0]); !error.empty()) return call.fail(std::move(error));
    return out.finish();
}

GoValue from_toml(FunctionCall& call) {
    const TomlRead read = read_toml(call.arena, call.args[0]);
    if (!read.error.empty()) return error_map(call, read.error);
    return read.value;
}

constexpr std::array data_functions_table = {
    TemplateFunction{"fromJson", "s", from_json},
    TemplateFunction{"fromJsonArray", "s", from_json_array},
    TemplateFunction{"fromToml", "s", from_toml},
    TemplateFunction{"fromYaml", "s", from_yaml},
    TemplateFunction{"fromYamlArray", "s", from_yaml_array},
    TemplateFunction{"mustFromJson", "s", must_from_json},
    TemplateFunction{"mustToJson", "a", to_json},
    TemplateFunction{"mustToPrettyJson", "a", to_pretty_json},
    TemplateFunction{"mustToRawJson", "a", to_raw_json},
    TemplateFunction{"mustToToml", "a", must_to_toml, false, true},
    TemplateFunction{"mustToYaml", "a", to_yaml, false, true},
    TemplateFunction{"toJson", "a", to_json},
    TemplateFunction{"toPrettyJson", "a", to_pretty_json},
    TemplateFunction{"toRawJson", "a", to_raw_json},
    TemplateFunction{"toToml", "a", to_toml},
    TemplateFunction{"toYaml", "a", to_yaml},
    TemplateFunction{"toYamlPretty", "a", to_yaml_pretty},
};

} // namespace

std::span<const TemplateFunction> data_functions() {
    return data_functions_table;
}

} // namespace lockstep
