// Kubernetes label selectors as patches write them: `app=web,tier!=db`, `env in (a, b)`, `app`, `!app`.
#include "checks/patch_set.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\n");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

// At commas outside of parentheses.
std::vector<std::string_view> requirements_of(std::string_view selector) {
    std::vector<std::string_view> found;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= selector.size(); ++i) {
        if (i < selector.size() && selector[i] == '(') ++depth;
        if (i < selector.size() && selector[i] == ')') --depth;
        if (i < selector.size() && (selector[i] != ',' || depth > 0)) continue;
        if (const auto one = trimmed(selector.substr(begin, i - begin)); !one.empty()) found.push_back(one);
        begin = i + 1;
    }
    return found;
}

struct Requirement {
    std::string_view key;
    std::vector<std::string_view> values; // none: the key alone
    bool negated = false;
};

std::optional<Requirement> parse_set(std::string_view text) {
    const auto open = text.find('('), close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    const std::string_view head = trimmed(text.substr(0, open));
    const auto blank = head.find_last_of(" \t");
    if (blank == std::string_view::npos) return std::nullopt;
    const std::string_view word = head.substr(blank + 1);
    if (word != "in" && word != "notin") return std::nullopt;
    return Requirement{trimmed(head.substr(0, blank)), requirements_of(text.substr(open + 1, close - open - 1)),
                       word == "notin"};
}

std::optional<Requirement> parse_requirement(std::string_view text) {
    if (text.find('(') != std::string_view::npos) return parse_set(text);
    if (const auto equals = text.find('='); equals != std::string_view::npos) {
        const bool negated = equals > 0 && text[equals - 1] == '!';
        std::string_view value = text.substr(equals + 1);
        if (value.starts_with('=')) value.remove_prefix(1);
        return Requirement{trimmed(text.substr(0, negated ? equals - 1 : equals)), {trimmed(value)}, negated};
    }
    if (text.starts_with('!')) return Requirement{trimmed(text.substr(1)), {}, true};
    if (text.find_first_of(" \t<>") != std::string_view::npos) return std::nullopt;
    return Requirement{text, {}, false};
}

} // namespace

Match match_selector(std::string_view selector, NodeRef labels, const std::vector<Pair>& added) {
    Match match = Match::yes;
    for (const std::string_view text : requirements_of(selector)) {
        const std::optional<Requirement> asked = parse_requirement(text);
        const bool from_above = asked && std::any_of(added.begin(), added.end(),
                                                     [&](const Pair& pair) { return pair.key.text == asked->key; });
        const NodeRef value = asked ? labels.get(asked->key).resolved() : NodeRef();
        if (!asked || from_above || value.templated() || labels.templated()) {
            match = std::min(match, Match::maybe);
            continue;
        }
        const bool holds = value && (asked->values.empty() || std::find(asked->values.begin(), asked->values.end(),
                                                                        value.text()) != asked->values.end());
        if (holds == asked->negated) return Match::no;
    }
    return match;
}

} // namespace lockstep
