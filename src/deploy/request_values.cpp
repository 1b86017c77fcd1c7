// Lays the sources of values over each other.
#include "deploy/request_values.h"
#include "helm/text_builder.h"
#include "helm/yaml_read.h"
#include "index/cells.h"
#include "index/links.h"

namespace lockstep {
namespace {

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

} // namespace

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
        return set_values(arena, values, arena.copy(text), false, newest_helm3, origin);
    }
    if (!part.known) return {};
    GoValue text = make_string(arena, part.text, origin);
    const YamlRead read = read_yaml(arena, text);
    if (!read.error.empty()) return read.error;
    if (std::string wrong = wrong_for_map(read.value); !wrong.empty()) return wrong;
    values = merge_maps(arena, values, read.value);
    return {};
}

namespace {

// source-controller takes this one path for the chart's own values, wherever the chart is.
bool asks_for_own_values(const ChartRequest& request) {
    return request.values_files.size() == 1 && request.values_files[0].path.find("..") == std::string::npos &&
           clamp_path(request.values_files[0].path) == "values.yaml";
}

// What stands in for the chart's own values, as source-controller packs it; the words of its error.
std::string merge_values_file(const ChartLibrary& library, ChartRendering& into, SourceFiles& files, const Tree& tree,
                              const ChartRequest& request, const std::string& path, GoValue& values) {
    const std::string clean = clamp_path(path);
    ValuesPart part;
    part.linear = true;
    if (request.files_of_chart) {
        if (clean == "values.yaml") {
            values = merge_maps(into.arena, values, into.chart->values);
            return {};
        }
        for (const ChartFile& file : into.chart->files)
            if (file.name == clean) {
                const YamlRead read = read_yaml(into.arena, file.text, file.file);
                const std::string wrong = read.error.empty() ? wrong_for_map(read.value) : read.error;
                if (!wrong.empty()) return "unmarshaling values from '" + path + "' failed: " + wrong;
                values = merge_maps(into.arena, values, read.value);
                return {};
            }
        return request.skip_missing_files ? std::string() : "no values file found at path '" + path + "'";
    }
    const auto file = tree.find(clean);
    if (!file)
        return request.skip_missing_files ? std::string()
                                          : "no values file found at path '/" + clean + "' (reference '" + path + "')";
    auto text = library.bytes(*file);
    if (!text) return "could not read values from file '" + path + "'";
    part.place = {*file, {0, static_cast<std::uint32_t>(text->size())}};
    part.text = std::move(*text);
    const std::string wrong = add_values(into, files, part, values);
    return wrong.empty() ? wrong : "unmarshaling values from '" + path + "' failed: " + wrong;
}

} // namespace

std::optional<RenderProblem> take_values_files(const ChartLibrary& library, ChartRendering& into, SourceFiles& files,
                                               const Tree& tree, const ChartRequest& request) {
    if (request.values_files.empty() || asks_for_own_values(request)) return std::nullopt;
    GoValue values = make_map(into.arena);
    const auto problem = [](std::string message, Place at) {
        RenderProblem made;
        made.message = std::move(message);
        made.places = {at};
        return made;
    };
    for (const ChartRequest::ValuesFile& asked : request.values_files)
        if (std::string wrong = merge_values_file(library, into, files, tree, request, asked.path, values);
            !wrong.empty())
            return problem(std::move(wrong), asked.at);
    if (into.chart->values.is_nil())
        return problem("failed to locate values file: values.yaml", request.values_files[0].at);
    into.chart->values = values;
    return std::nullopt;
}

} // namespace lockstep
