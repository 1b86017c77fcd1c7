// Selection of resources.
#include "kustomize/selector.h"
#include "base/text.h"
#include "kustomize/ids.h"
#include "kustomize/tree_edit.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string_view trimmed_part(std::string_view text) {
    return trimmed(text, " \t\n");
}

// Parts between commas that are in no parentheses.
std::vector<std::string_view> requirements(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] == '(') ++depth;
        if (i < text.size() && text[i] == ')') --depth;
        if (i == text.size() || (text[i] == ',' && depth == 0)) {
            parts.push_back(trimmed_part(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    return parts;
}

bool in_set(std::string_view set, std::string_view value) {
    set = trimmed_part(set);
    if (set.starts_with('(') && set.ends_with(')')) set = set.substr(1, set.size() - 2);
    for (std::string_view one : requirements(set))
        if (one == value) return true;
    return false;
}

bool is_label_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == '.' || c == '/';
    });
}

std::optional<bool> requirement_holds(std::string_view part, const Value* labels) {
    const auto value_of_key = [&](std::string_view key) -> const Value* {
        return labels && labels->is_mapping() ? labels->get(trimmed_part(key)) : nullptr;
    };
    const auto holds = [&](std::string_view key, std::string_view value, bool equal) -> std::optional<bool> {
        if (!is_label_key(trimmed_part(key))) return std::nullopt;
        const Value* label = value_of_key(key);
        return equal ? label && label->text == trimmed_part(value) : !label || label->text != trimmed_part(value);
    };
    if (part.starts_with('!')) {
        if (!is_label_key(trimmed_part(part.substr(1)))) return std::nullopt;
        return value_of_key(part.substr(1)) == nullptr;
    }
    if (const std::size_t at = part.find("!="); at != std::string_view::npos)
        return holds(part.substr(0, at), part.substr(at + 2), false);
    if (const std::size_t at = part.find("=="); at != std::string_view::npos)
        return holds(part.substr(0, at), part.substr(at + 2), true);
    if (const std::size_t at = part.find('='); at != std::string_view::npos)
        return holds(part.substr(0, at), part.substr(at + 1), true);
    for (const auto& [word, wanted] : {std::pair<std::string_view, bool>{" notin", false}, {" in", true}})
        if (const std::size_t at = part.find(word);
            at != std::string_view::npos && part.find('(') != std::string_view::npos) {
            const Value* label = value_of_key(part.substr(0, at));
            const bool inside = label && in_set(part.substr(at + word.size()), label->text);
            return wanted ? inside : !inside;
        }
    if (!is_label_key(part)) return std::nullopt;
    return value_of_key(part) != nullptr;
}

} // namespace

std::optional<bool> matches_label_selector(std::string_view selector, const Value* labels, std::string& error) {
    if (trimmed_part(selector).empty()) return true;
    for (std::string_view part : requirements(selector)) {
        const auto holds = requirement_holds(part, labels);
        if (!holds) {
            error = "unable to parse requirement: " + std::string(part);
            return std::nullopt;
        }
        if (!*holds) return false;
    }
    return true;
}

std::string Selector::compile(Part& part, std::string_view text) {
    part.text = text;
    if (text.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos) return {};
    auto made = Pattern::compile("^(?:" + part.text + ")$", linted_pattern_memory);
    if (!made) return "error parsing regexp: `" + part.text + "`: " + made.error().message;
    part.pattern = *made;
    return {};
}

bool Selector::one(const Part& part, std::string_view text) {
    if (part.text.empty()) return true;
    return part.pattern ? part.pattern->occurs_in(text) : part.text == text;
}

std::string Selector::parse(const Value& entry, Selector& selector) {
    for (const auto& [part, key] : {std::pair<Part*, std::string_view>{&selector.group_, "group"},
                                    {&selector.version_, "version"},
                                    {&selector.kind_, "kind"},
                                    {&selector.name_, "name"},
                                    {&selector.ns_, "namespace"}})
        if (std::string error = compile(*part, entry.text_of(key)); !error.empty()) return error;
    selector.labels_ = entry.text_of("labelSelector");
    selector.annotations_ = entry.text_of("annotationSelector");
    return {};
}

bool Selector::matches_kind(const ResourceId& id) const {
    return one(group_, id.group) && one(version_, id.version) && one(kind_, id.kind);
}

bool Selector::names_nothing() const {
    return group_.text.empty() && version_.text.empty() && kind_.text.empty() && name_.text.empty() && ns_.text.empty();
}

std::string Selector::shown() const {
    return to_string(ResourceId{group_.text, version_.text, kind_.text, ns_.text, name_.text}) + ":a=" + annotations_ +
           ":l=" + labels_;
}

bool Selector::matches_content(const Value& tree, std::string& error) const {
    const auto labels = matches_label_selector(labels_, metadata_map(tree, "labels"), error);
    if (!labels || !*labels) return false;
    const auto annotations = matches_label_selector(annotations_, metadata_map(tree, "annotations"), error);
    return annotations && *annotations;
}

Failure select(const BuildContext& context, const std::vector<Resource>& resources, const Value& target,
               std::vector<std::size_t>& out) {
    Selector selector;
    if (std::string error = Selector::parse(target, selector); !error.empty()) return failure(error, target.place);
    for (std::size_t i = 0; i < resources.size(); ++i) {
        const Resource& resource = resources[i];
        if (!selector.matches_kind(resource.id)) continue;
        const ResourceId original = original_id(resource);
        if (!selector.matches_name(original.name) && !selector.matches_name(resource.id.name)) continue;
        if (!selector.matches_namespace(effective_namespace(original)) &&
            !selector.matches_namespace(effective_namespace(resource.id)))
            continue;
        if (selector.by_content()) {
            BuildError error;
            const Value* tree = context.look(resource, error);
            if (!tree && !context.options.keep_going) return error;
            if (!tree) continue; // only the one that cannot be read is lost
            std::string why;
            const bool matched = selector.matches_content(*tree, why);
            if (!why.empty()) return failure(why, target.place);
            if (!matched) continue;
        }
        out.push_back(i);
    }
    return {};
}

} // namespace lockstep
