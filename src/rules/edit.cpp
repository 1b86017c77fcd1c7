// Offers an edit only where nobody could write another one.
#include "rules/edit.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// `1.2.3`, `v1.2.3+k3s1`: three numbers, then what versions may have behind them. No range, nothing YAML would quote.
bool is_exact_version(std::string_view text) {
    if (text.starts_with('v')) text.remove_prefix(1);
    for (int part = 0; part < 3; ++part) {
        if (part > 0 && !text.starts_with('.')) return false;
        if (part > 0) text.remove_prefix(1);
        if (text.empty() || !is_digit(text.front())) return false;
        while (!text.empty() && is_digit(text.front()))
            text.remove_prefix(1);
    }
    if (!text.empty() && text.front() != '-' && text.front() != '+') return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '+';
    });
}

} // namespace

std::vector<Edit> same_version_edit(const Cell& wrong, const Cell& right) {
    if (wrong.state != State::known || right.state != State::known || wrong.place.file == no_file) return {};
    if (!is_exact_version(wrong.text) || !is_exact_version(right.text) || wrong.text == right.text) return {};
    if (wrong.text.starts_with('v') != right.text.starts_with('v')) return {};
    const Span span = wrong.place.span;
    if (span.end - span.begin != wrong.text.size()) return {};
    return {{wrong.place, right.text}};
}

} // namespace lockstep
