// Compares the keys of each mapping: small ones by pairs, large ones by hash, so that 300,000 keys take no longer than
// 300,000 keys in small mappings.
#include "yaml/duplicates.h"
#include <algorithm>
#include <functional>

namespace lockstep {
namespace {

constexpr std::size_t most_problems = 100;
constexpr std::size_t pairs_up_to = 12;
constexpr std::size_t longest_shown = 60;

bool is_digits(std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

bool is_number(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" || text == ".NAN")
        return true;
    if (text.starts_with("0x")) return is_digits(text.substr(2), "0123456789abcdefABCDEF_");
    if (text.starts_with("0o") || text.starts_with("0b")) return is_digits(text.substr(2), "01234567_");
    const std::size_t exponent = text.find_first_of("eE");
    if (exponent != std::string_view::npos) {
        std::string_view power = text.substr(exponent + 1);
        if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
        if (!is_digits(power, "0123456789")) return false;
        text = text.substr(0, exponent);
    }
    return is_digits(text, "0123456789_.") && std::count(text.begin(), text.end(), '.') <= 1 && text != ".";
}

bool is_boolean(std::string_view text) {
    static constexpr std::string_view words[] = {"y", "n", "yes", "no", "on", "off", "true", "false"};
    if (text.size() > 5) return false;
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return std::find(std::begin(words), std::end(words), lower) != std::end(words);
}

// `1` and `"1"` are two keys, `a` and `"a"` are one.
bool is_string(NodeRef key) {
    if (key.node().tag != 0) return key.tag() == "tag:yaml.org,2002:str" || key.tag() == "!";
    if (key.node().style != NodeStyle::plain) return true;
    return !key.is_null() && !is_boolean(key.text()) && !is_number(key.text());
}

bool is_same_key(NodeRef a, NodeRef b) {
    return a.text() == b.text() && is_string(a) == is_string(b);
}

// Two keys in two branches of a template, where the template is in comments and the file is YAML as it is.
bool has_branch_between(std::string_view text, NodeRef first, NodeRef second) {
    const std::string_view between = text.substr(first.span().end, second.span().begin - first.span().end);
    for (std::size_t at = between.find('{'); at != std::string_view::npos; at = between.find('{', at + 1)) {
        const std::string_view rest = between.substr(at + 1);
        if (!rest.starts_with('{') && !rest.starts_with('%')) continue;
        const std::size_t word = std::min(rest.find_first_not_of("-~ \t", 1), rest.size());
        for (const std::string_view branch : {"else", "end", "if", "elif", "range", "for", "with"})
            if (rest.substr(word).starts_with(branch)) return true;
    }
    return false;
}

// Node by node: a second `memory: 64Mi` like the first, not a `"1"` like a `1`.
bool is_same_value(NodeRef a, NodeRef b) {
    const YamlText& yaml = a.yaml();
    const NodeId count = a.node().after - a.id();
    if (b.node().after - b.id() != count) return false;
    for (NodeId i = 0; i < count; ++i) {
        const NodeRef one(&yaml, a.id() + i), other(&yaml, b.id() + i);
        if (one.node().kind != other.node().kind || one.node().tag != other.node().tag) return false;
        if (one.node().kind == NodeKind::alias && one.node().anchor != other.node().anchor) return false;
        if (one.is_scalar() && !is_same_key(one, other)) return false;
    }
    return true;
}

std::string shown(std::string_view text) {
    std::size_t size = std::min(text.size(), longest_shown);
    while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U)
        --size;
    std::string out(text.substr(0, size));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return size < text.size() ? out + "…" : out;
}

class DuplicateSearch {
public:
    explicit DuplicateSearch(YamlText& yaml) : yaml_(yaml) {}

    void run() {
        for (NodeId id = 0; id < yaml_.nodes.size() && found_ < most_problems; ++id)
            if (yaml_.nodes[id].kind == NodeKind::mapping) look_at(id);
    }

private:
    void look_at(NodeId mapping) {
        keys_.clear();
        const NodeId end = yaml_.nodes[mapping].after;
        for (NodeId key = mapping + 1; key < end; key = yaml_.nodes[yaml_.nodes[key].after].after)
            if (yaml_.nodes[key].kind == NodeKind::scalar) keys_.emplace_back(&yaml_, key);
        if (keys_.size() > pairs_up_to) return look_by_hash();
        for (std::size_t i = 1; i < keys_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (is_same_key(keys_[j], keys_[i])) {
                    report(keys_[j], keys_[i]);
                    break;
                }
    }

    // An open table of key numbers (1-based), at most half full; a key meets the first one like it.
    void look_by_hash() {
        std::size_t size = 64;
        while (size < keys_.size() * 2)
            size *= 2;
        slots_.assign(size, 0);
        for (std::size_t i = 0; i < keys_.size() && found_ < most_problems; ++i) {
            std::size_t slot = std::hash<std::string_view>()(keys_[i].text()) & (size - 1);
            while (slots_[slot] != 0 && !is_same_key(keys_[slots_[slot] - 1], keys_[i]))
                slot = (slot + 1) & (size - 1);
            if (slots_[slot] == 0)
                slots_[slot] = static_cast<std::uint32_t>(i + 1);
            else
                report(keys_[slots_[slot] - 1], keys_[i]);
        }
    }

    NodeRef value_of(NodeRef key) const { return {&yaml_, key.node().after}; }

    void report(NodeRef first, NodeRef second) {
        if (found_ >= most_problems || has_branch_between(yaml_.text, first, second)) return;
        ++found_;
        YamlProblem problem{YamlProblem::Kind::duplicate_key, second.span(),
                            "key \"" + shown(second.text()) + "\" is given twice in one mapping", first.span(),
                            "it is given here first"};
        problem.same_value = is_same_value(value_of(first), value_of(second));
        if (problem.same_value) problem.message += ", with the same value";
        yaml_.problems.push_back(std::move(problem));
    }

    YamlText& yaml_;
    std::vector<NodeRef> keys_;
    std::vector<std::uint32_t> slots_;
    std::size_t found_ = 0;
};

} // namespace

void find_duplicate_keys(YamlText& yaml) {
    DuplicateSearch(yaml).run();
}

} // namespace lockstep
