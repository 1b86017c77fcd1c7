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

const ValueOrigin* origin_of(ValueArena& arena, SourceFiles& files, const ValuesPart& part) {
    const ValueOrigin* origin =
        is_there(part.place) ? make_origin(arena, {files.source_of(part.place.file), part.place.span}, part.linear)
                             : nullptr;
    return part.known ? origin : marked(arena, origin);
}

std::string escaped(std::string_view text, std::string_view what) {
    std::string out;
    for (const char c : text) {
        if (what.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

// One value at its path, in the words of `--set`: a comma in it begins another one, and quotes around it make a text.
std::string set_at_path(ValueArena& arena, const ValuesPart& part, const ValueOrigin* origin, GoValue& values) {
    std::string_view text = part.known ? std::string_view(part.text) : "unknown";
    const auto within = [&](char quote) { return text.starts_with(quote) && text.ends_with(quote); };
    const bool quoted = within('"') || within('\'');
    while (quoted && !text.empty() && (text.front() == '"' || text.front() == '\''))
        text.remove_prefix(1);
    while (quoted && !text.empty() && (text.back() == '"' || text.back() == '\''))
        text.remove_suffix(1);
    const std::string value = part.literal ? escaped(part.text, "\\,[]{}") : std::string(text);
    return set_values(arena, values, arena.copy(part.target_path + "=" + value), quoted || part.literal, newest_helm3,
                      origin);
}

// Lays the text of one source over the values so far. Empty: all went well.
std::string add_text(ValueArena& arena, const ValuesPart& part, const ValueOrigin* origin, GoValue& values) {
    if (!part.known) return {};
    GoValue text = make_string(arena, part.text, origin);
    const YamlRead read = read_yaml(arena, text);
    if (!read.error.empty()) return read.error;
    if (std::string wrong = wrong_for_map(read.value); !wrong.empty()) return wrong;
    values = merge_maps(arena, values, read.value);
    return {};
}

} // namespace

// What the release says itself comes last; but it is laid under each value at a path, too, and tables that only it has
// are not copied then. So such a value stays below them, and gives way at the top.
std::optional<RenderProblem> merge_values(ChartRendering& into, SourceFiles& files,
                                          const std::vector<ValuesPart>& parts, GoValue& values) {
    ValueArena& arena = into.arena;
    std::optional<GoValue> own;
    if (!parts.empty() && parts.back().tree) own = go_value_of(arena, files, *parts.back().tree, nullptr, 0);
    for (const ValuesPart& part : parts) {
        if (part.tree) {
            values = merge_maps(arena, values,
                                &part == &parts.back() ? *own : go_value_of(arena, files, *part.tree, nullptr, 0));
            continue;
        }
        const ValueOrigin* origin = origin_of(arena, files, part);
        if (!part.target_path.empty() && own) values = merge_maps(arena, values, *own);
        const std::string wrong =
            part.target_path.empty() ? add_text(arena, part, origin, values) : set_at_path(arena, part, origin, values);
        if (!wrong.empty()) return RenderProblem{"the values cannot be read: " + wrong, {part.place}};
    }
    return std::nullopt;
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
    const std::string wrong = add_text(into.arena, part, origin_of(into.arena, files, part), values);
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
