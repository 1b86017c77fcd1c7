// One text for two readers, and their tables field by field. For what compares the quick reader with libyaml.
#pragma once
#include "yaml/bytes.h"
#include "yaml/events.h"
#include <string>

namespace lockstep {

// A text as parse.cpp hands it to a reader.
inline EventInput input_of(std::string_view text, const ByteScan& scan) {
    EventInput input;
    input.source = text;
    input.parsed = scan.blanked.empty() ? text : std::string_view(scan.blanked);
    input.ascii = scan.ascii;
    input.odd_breaks = scan.odd_breaks;
    input.templates = scan.go_action || scan.reference || scan.directive;
    return input;
}

// What differs first, in words; empty when nothing does.
inline std::string first_difference(const EventResult& a, const EventResult& b) {
    const auto number = [](std::size_t value) { return std::to_string(value); };
    if (a.mapping_as_key != b.mapping_as_key) return "mapping_as_key";
    if (a.yaml.problems.size() != b.yaml.problems.size()) return "number of problems";
    for (std::size_t i = 0; i < a.yaml.nodes.size() && i < b.yaml.nodes.size(); ++i) {
        const Node &x = a.yaml.nodes[i], &y = b.yaml.nodes[i];
        const std::string node = "node " + number(i) + " at " + number(x.begin) + ": ";
        if (x.kind != y.kind || x.style != y.style) return node + "kind or style";
        if (x.begin != y.begin || x.end != y.end)
            return node + "ends at " + number(x.end) + ", not [" + number(y.begin) + ", " + number(y.end) + ")";
        if (x.parent != y.parent || x.after != y.after) return node + "parent or next";
        if (x.text_begin != y.text_begin || x.text_size != y.text_size || x.decoded != y.decoded) return node + "text";
        if (x.templated != y.templated || x.tag != y.tag || x.anchor != y.anchor) return node + "marks";
    }
    if (a.yaml.nodes.size() != b.yaml.nodes.size())
        return number(a.yaml.nodes.size()) + " nodes, not " + number(b.yaml.nodes.size());
    if (a.yaml.decoded != b.yaml.decoded) return "decoded texts";
    if (a.yaml.documents.size() != b.yaml.documents.size()) return "number of documents";
    for (std::size_t i = 0; i < a.yaml.documents.size(); ++i)
        if (a.yaml.documents[i].root != b.yaml.documents[i].root ||
            a.yaml.documents[i].span != b.yaml.documents[i].span)
            return "document " + number(i);
    return {};
}

} // namespace lockstep
