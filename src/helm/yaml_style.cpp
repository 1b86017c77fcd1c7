// What may be plain, in quotes or as a block; the order of keys.
#include "helm/yaml_style.h"
#include "helm/runes.h"

namespace lockstep {

bool is_yaml_printable(char32_t c) {
    return c == '\n' || (c >= ' ' && c <= '~') || (c >= 0xa0 && c < 0xd800) ||
           (c >= 0xe000 && c < 0xfffe && c != 0xfeff);
}

bool is_yaml_break(char32_t c) {
    return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

ScalarAnalysis analyse_scalar(std::string_view text, YamlFlavour flavour) {
    ScalarAnalysis result;
    if (text.empty()) {
        result.block = false;
        return result;
    }
    bool indicators = text.starts_with("---") || text.starts_with("...");
    bool special = false, tabs = false, leading = false, trailing = false, trailing_space = false;
    bool break_space = false, space_break = false, after_break = false, after_space = false, after_white = true;
    for (std::size_t at = 0; at < text.size();) {
        const Rune rune = decode_rune(text, at);
        const char32_t c = rune.value;
        const std::size_t next = at + rune.size;
        const bool last = next >= text.size();
        const char32_t following = last ? 0 : decode_rune(text, next).value;
        const bool before_white = last || following == ' ' || following == '\t' || is_yaml_break(following);
        if (c < 0x80) {
            const char byte = static_cast<char>(c);
            if (at == 0) {
                if (std::string_view("#,[]{}&*!|>'\"%@`").find(byte) != std::string_view::npos) indicators = true;
                if ((c == '?' || c == ':' || c == '-') && before_white) indicators = true;
            } else if ((c == ':' && before_white) || (c == '#' && after_white)) {
                indicators = true;
            }
        }
        if (c == '\t' && flavour == YamlFlavour::v3)
            tabs = true;
        else if (!is_yaml_printable(c) || (c == bad_rune && rune.size == 1))
            special = true;
        if (c == ' ') {
            leading = leading || at == 0;
            trailing = trailing || last;
            trailing_space = trailing_space || last;
            break_space = break_space || after_break;
            after_space = true;
            after_break = false;
        } else if (is_yaml_break(c)) {
            result.multiline = true;
            leading = leading || at == 0;
            trailing = trailing || last;
            space_break = space_break || after_space;
            after_break = true;
            after_space = false;
        } else {
            after_space = after_break = false;
        }
        after_white = c == ' ' || c == '\t' || is_yaml_break(c);
        at = next;
    }
    if (leading || trailing || result.multiline || indicators || tabs) result.block_plain = false;
    if (trailing_space) result.block = false;
    if (break_space || tabs) result.block_plain = result.single = false;
    if (space_break || special) result.block_plain = result.single = result.block = false;
    return result;
}

bool yaml_key_less(std::string_view a, std::string_view b) {
    std::vector<char32_t> x, y;
    for (std::size_t at = 0; at < a.size();) {
        const Rune rune = decode_rune(a, at);
        x.push_back(rune.value);
        at += rune.size;
    }
    for (std::size_t at = 0; at < b.size();) {
        const Rune rune = decode_rune(b, at);
        y.push_back(rune.value);
        at += rune.size;
    }
    bool digits = false;
    for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
        if (x[i] == y[i]) {
            digits = is_digit_rune(x[i]);
            continue;
        }
        const bool left = is_letter_rune(x[i]), right = is_letter_rune(y[i]);
        if (left && right) return x[i] < y[i];
        if (left || right) return digits ? left : right;
        std::size_t end_x = i, end_y = i;
        std::int64_t n = 0, m = 0;
        if (x[i] == '0' || y[i] == '0')
            for (std::size_t j = i; j > 0 && is_digit_rune(x[j - 1]); --j)
                if (x[j - 1] != '0') {
                    n = m = 1;
                    break;
                }
        for (; end_x < x.size() && is_digit_rune(x[end_x]); ++end_x)
            n = static_cast<std::int64_t>(static_cast<std::uint64_t>(n) * 10 + (x[end_x] - '0'));
        for (; end_y < y.size() && is_digit_rune(y[end_y]); ++end_y)
            m = static_cast<std::int64_t>(static_cast<std::uint64_t>(m) * 10 + (y[end_y] - '0'));
        if (n != m) return n < m;
        if (end_x != end_y) return end_x < end_y;
        return x[i] < y[i];
    }
    return x.size() < y.size();
}

} // namespace lockstep
