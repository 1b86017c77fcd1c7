// Targets of patches and replacements: regular expressions over ids, label and annotation selectors.
#pragma once
#include "base/pattern.h"
#include "kustomize/context.h"

namespace lockstep {

class Selector {
public:
    // A mapping with group, version, kind, name, namespace, labelSelector, annotationSelector. An error, or empty.
    static std::string parse(const Value& entry, Selector& selector);

    bool matches_kind(const ResourceId& id) const;
    bool matches_name(std::string_view name) const { return one(name_, name); }
    bool matches_namespace(std::string_view ns) const { return one(ns_, ns); }
    bool by_content() const { return !labels_.empty() || !annotations_.empty(); }
    // Labels and annotations; an error in kustomize's words goes to `error`.
    bool matches_content(const Value& tree, std::string& error) const;
    bool names_nothing() const; // no id part at all
    const std::string& label_selector() const { return labels_; }
    const std::string& annotation_selector() const { return annotations_; }
    std::string shown() const;

private:
    struct Part {
        std::string text;
        std::optional<Pattern> pattern; // where the text is more than letters
    };
    static bool one(const Part& part, std::string_view text);
    static std::string compile(Part& part, std::string_view text);
    Part group_, version_, kind_, name_, ns_;
    std::string labels_, annotations_;
};

// The resources that a target selects, as positions. A failure when a selector cannot be read.
Failure select(const BuildContext& context, const std::vector<Resource>& resources, const Value& target,
               std::vector<std::size_t>& out);

// A selector of Kubernetes: `a=b,c!=d,e in (f,g),!h`. Nothing, with an error, when it cannot be read.
std::optional<bool> matches_label_selector(std::string_view selector, const Value* labels, std::string& error);

} // namespace lockstep
