// Decides one comparison.
#include "rules/compare.h"
#include "base/semver.h"
#include <algorithm>

namespace lockstep {
namespace {

using Op = Comparison::Op;

Truth truth(bool value) {
    return value ? Truth::yes : Truth::no;
}

Truth in_order(Op op, std::string_view left, std::string_view right) {
    const auto a = parse_version(left), b = parse_version(right);
    if (!a || !b) return Truth::unknown;
    const int order = compare(*a, *b);
    switch (op) {
    case Op::less:
        return truth(order < 0);
    case Op::less_equal:
        return truth(order <= 0);
    case Op::greater:
        return truth(order > 0);
    case Op::greater_equal:
        return truth(order >= 0);
    default:
        return truth(a->major == b->major && a->minor == b->minor);
    }
}

std::string_view without_end(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
        text.remove_suffix(1);
    return text;
}

// Most comparisons are of plain texts, and of them there are many.
bool is_same(std::string_view a, std::string_view b, Reading reading) {
    if (reading == Reading::text) return without_end(a) == without_end(b);
    return normalised(a, reading) == normalised(b, reading) || (reading == Reading::host && is_same_host(a, b));
}

Truth satisfies(std::string_view version, std::string_view range) {
    const auto parsed = parse_version(version);
    const auto limits = Range::parse(range);
    if (!parsed || !limits) return Truth::unknown;
    return truth(limits->contains(*parsed));
}

} // namespace

std::string normalised(std::string_view text, Reading reading) {
    text = without_end(text);
    if (reading == Reading::url)
        while (text.ends_with('/'))
            text.remove_suffix(1);
    if (reading == Reading::host) {
        std::string lower(text);
        for (char& c : lower)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return lower;
    }
    if (reading == Reading::version && text.size() > 1 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9')
        text.remove_prefix(1);
    return std::string(text);
}

Truth holds(const Comparison& comparison, const Cell& left, const Cell& right) {
    const bool known_left = left.state != State::absent;
    const bool may_be_absent = left.state == State::templated && left.text.empty();
    if (may_be_absent && (comparison.op == Op::exists || comparison.op == Op::absent)) return Truth::unknown;
    if (comparison.op == Op::exists) return truth(known_left);
    if (comparison.op == Op::absent) return truth(!known_left);

    const bool known_right = comparison.right.literal || right.state != State::absent;
    if (left.state == State::templated || (!comparison.right.literal && right.state == State::templated))
        return Truth::unknown;
    if (!known_left || !known_right) // nothing equals nothing, and differs from everything else
        return truth(comparison.op == Op::equal       ? known_left == known_right
                     : comparison.op == Op::not_equal ? known_left != known_right
                                                      : comparison.op == Op::not_in);

    const Reading reading =
        comparison.left.reading != Reading::text ? comparison.left.reading : comparison.right.reading;
    const std::string& other = comparison.right.literal ? comparison.right.values.front() : right.text;
    switch (comparison.op) {
    case Op::equal:
        return truth(is_same(left.text, other, reading));
    case Op::not_equal:
        return truth(!is_same(left.text, other, reading));
    case Op::matches:
        return truth(comparison.pattern->occurs_in(left.text));
    case Op::satisfies:
        return satisfies(left.text, other);
    case Op::in:
    case Op::not_in: {
        const auto& list = comparison.right.values;
        const bool listed =
            std::any_of(list.begin(), list.end(), [&](const auto& item) { return is_same(left.text, item, reading); });
        return truth(listed == (comparison.op == Op::in));
    }
    default:
        return in_order(comparison.op, left.text, other);
    }
}

const Operand* unreadable_side(const Comparison& comparison, const Cell& left, const Cell& right) {
    const Op op = comparison.op;
    const bool ordered = op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal ||
                         op == Op::same_minor || op == Op::satisfies;
    if (!ordered) return nullptr;
    if (left.state == State::known && !parse_version(left.text)) return &comparison.left;
    if (comparison.right.literal || right.state != State::known) return nullptr;
    const bool readable =
        op == Op::satisfies ? Range::parse(right.text).has_value() : parse_version(right.text).has_value();
    return readable ? nullptr : &comparison.right;
}

std::string wildcard_of(std::string_view host) {
    const auto dot = host.find('.');
    return dot == std::string_view::npos ? std::string() : "*" + std::string(host.substr(dot));
}

bool is_same_host(std::string_view a, std::string_view b) {
    const std::string one = normalised(a, Reading::host), other = normalised(b, Reading::host);
    return one == other || (one.starts_with("*.") && one == wildcard_of(other)) ||
           (other.starts_with("*.") && other == wildcard_of(one));
}

Truth any_holds(const Comparison& comparison, const std::function<Truth(const Comparison&)>& ask) {
    Truth result = Truth::no;
    for (const auto& all : comparison.any) {
        Truth way = Truth::yes;
        for (const auto& one : all) {
            const Truth truth = ask(one);
            if (truth == Truth::no || way == Truth::yes) way = truth;
            if (way == Truth::no) break;
        }
        if (way == Truth::yes) return way;
        if (way == Truth::unknown) result = way;
    }
    return result;
}

bool keeps(const FactSpec& fact, const Row& row, bool& unsure) {
    const std::function<Truth(const Comparison&)> ask = [&](const Comparison& one) {
        static const Cell none;
        if (one.op == Comparison::Op::any) return any_holds(one, ask);
        return holds(one, row.cell(one.left.column), one.right.literal ? none : row.cell(one.right.column));
    };
    for (const auto& comparison : fact.where) {
        const Truth verdict = ask(comparison);
        if (verdict == Truth::no) return false;
        if (verdict == Truth::unknown) unsure = true;
    }
    return true;
}

bool belongs(const FactSpec& fact, Row& row) {
    return keeps(fact, row, row.unsure);
}

} // namespace lockstep
