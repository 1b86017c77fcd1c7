// The steps of reading one text: look at the bytes, read the events, mask template actions where that is nonsense, look
// for keys given twice.
#include "yaml/parse.h"
#include "yaml/bytes.h"
#include "yaml/duplicates.h"
#include "yaml/events.h"
#include "yaml/mask.h"
#include "yaml/quick.h"
#include <algorithm>

namespace lockstep {
namespace {

std::size_t count_syntax(const YamlText& yaml) {
    return static_cast<std::size_t>(std::count_if(yaml.problems.begin(), yaml.problems.end(), [](const YamlProblem& p) {
        return p.kind == YamlProblem::Kind::syntax;
    }));
}

EventResult read_nodes(const EventInput& input) {
    if (auto quick = read_quickly(input)) return std::move(*quick);
    return read_events(input);
}

EventResult read_masked(EventInput input, const std::string& masked) {
    input.parsed = masked;
    input.masked = true;
    EventResult result = read_nodes(input);
    result.yaml.masked = true;
    return result;
}

// Most files with actions are YAML as they are: the mask is for those that are not. `a: {{ .x }}` is YAML, too, but
// means a mapping with a mapping as its key.
EventResult read_with_templates(const EventInput& input, const ByteScan& scan) {
    if (input.dialect == Dialect::terraform && scan.directive) return read_masked(input, mask_terraform(input.parsed));
    EventResult raw = read_nodes(input);
    const std::size_t problems = count_syntax(raw.yaml);
    const bool terraform = input.dialect == Dialect::terraform && scan.reference && problems > 0;
    const bool go = input.dialect == Dialect::yaml && scan.go_action && (problems > 0 || raw.mapping_as_key);
    if (!terraform && !go) return raw;
    EventResult masked = read_masked(input, terraform ? mask_terraform(input.parsed) : mask_go_template(input.parsed));
    return count_syntax(masked.yaml) <= problems ? std::move(masked) : std::move(raw);
}

void shift(Span& span, std::uint32_t by) {
    span.begin += by;
    span.end += by;
}

// From offsets in the slice to offsets in the file.
void shift(YamlText& yaml, std::uint32_t by) {
    if (by == 0) return;
    for (Node& node : yaml.nodes) {
        node.begin += by;
        node.end += by;
        if (node.kind == NodeKind::scalar && !node.decoded) node.text_begin += by;
    }
    for (YamlDocument& document : yaml.documents)
        shift(document.span, by);
    for (YamlProblem& problem : yaml.problems) {
        shift(problem.span, by);
        if (!problem.other_message.empty()) shift(problem.other, by);
    }
}

} // namespace

YamlText parse_yaml(std::string_view text, Dialect dialect, const YamlLimits& limits) {
    // What is too large for a span is not read at all: scan_bytes says so.
    const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), 0xffffffffU));
    return parse_yaml_slice(text, {0, size}, 0, dialect, limits);
}

YamlText parse_yaml_slice(std::string_view text, Span slice, std::uint32_t indent, Dialect dialect,
                          const YamlLimits& limits) {
    const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), 0xffffffffU));
    slice.end = std::min(slice.end, size);
    slice.begin = std::min(slice.begin, slice.end);
    // A slice that starts at the first line's content takes its indentation along: the other lines have theirs.
    for (std::uint32_t i = 0; i < indent && slice.begin > 0 && text[slice.begin - 1] == ' '; ++i)
        --slice.begin;
    const std::string_view bytes = text.substr(slice.begin, slice.end - slice.begin);

    ByteScan scan = scan_bytes(bytes);
    EventResult result;
    if (scan.readable) {
        EventInput input;
        input.source = bytes;
        input.parsed = scan.blanked.empty() ? bytes : std::string_view(scan.blanked);
        input.indent = indent;
        input.dialect = dialect;
        input.limits = limits;
        input.ascii = scan.ascii;
        input.odd_breaks = scan.odd_breaks;
        input.templates = scan.go_action || scan.reference || scan.directive;
        result = read_with_templates(input, scan);
    }
    YamlText& yaml = result.yaml;
    yaml.problems.insert(yaml.problems.end(), std::make_move_iterator(scan.problems.begin()),
                         std::make_move_iterator(scan.problems.end()));
    shift(yaml, slice.begin);
    yaml.text = text;
    yaml.region = slice;
    if (!yaml.masked) find_duplicate_keys(yaml);
    std::stable_sort(yaml.problems.begin(), yaml.problems.end(),
                     [](const YamlProblem& a, const YamlProblem& b) { return a.span < b.span; });
    return std::move(yaml);
}

} // namespace lockstep
