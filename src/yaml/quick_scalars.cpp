// Plain, quoted and block scalars, as libyaml reads them.
#include "yaml/quick_scalars.h"
#include <algorithm>
#include <array>

namespace lockstep {
namespace {

// What can end or spoil a plain scalar.
constexpr std::array<bool, 256> special_bytes(std::string_view bytes) {
    std::array<bool, 256> table{};
    for (const char c : bytes)
        table[static_cast<unsigned char>(c)] = true;
    return table;
}
constexpr auto ends_plain = special_bytes(":#\n\t");
constexpr auto ends_flow_plain = special_bytes(":#\n\t,[]{}?");
constexpr auto starts_no_plain = special_bytes("-?:,[]{}#&*!|>'\"%@` \t\n");
constexpr auto ends_double_quoted = special_bytes("\"\\\n");

} // namespace

bool QuickScalars::ends_line() {
    while (at(here_) == ' ')
        ++here_;
    if (at_end() || bytes_[here_] == '\n') return true;
    return bytes_[here_] == '#' && bytes_[here_ - 1] == ' ';
}

bool QuickScalars::read_scalar(Scalar& scalar, bool flow) {
    scalar = {here_, here_, NodeStyle::plain, {}};
    const char c = at(here_);
    if (c == '"') return read_double_quoted(scalar);
    if (c == '\'') return read_single_quoted(scalar);
    // `-` may start a number or a word, but no entry.
    const bool dash = c == '-' && !is_blankz(here_ + 1) && !starts_no_plain[static_cast<unsigned char>(at(here_ + 1))];
    if (at_end() || (starts_no_plain[static_cast<unsigned char>(c)] && !dash)) return fail();
    const auto& ends = flow ? ends_flow_plain : ends_plain;
    Offset i = here_ + 1;
    for (; i < size_; ++i) {
        const char d = bytes_[i];
        if (!ends[static_cast<unsigned char>(d)]) continue;
        if (d == '\n') break;
        if (d == '\t' || (flow && d == '?')) return fail();
        if (d == '#' && bytes_[i - 1] != ' ') continue;
        if (d == ':' && !is_blankz(i + 1)) continue; // in brackets too, as go-yaml: `fd00::,`
        break;
    }
    here_ = i;
    while (bytes_[i - 1] == ' ')
        --i;
    scalar.end = i;
    scalar.value = bytes_.substr(scalar.begin, i - scalar.begin);
    return true;
}

bool QuickScalars::read_single_quoted(Scalar& scalar) {
    scalar.style = NodeStyle::single_quoted;
    const Offset begin = ++here_;
    bool escaped = false;
    for (; at(here_) != '\'' || at(here_ + 1) == '\''; ++here_) {
        if (at_end() || bytes_[here_] == '\n') return fail();
        if (bytes_[here_] == '\'') {
            escaped = true;
            ++here_;
        }
    }
    scalar.value = bytes_.substr(begin, here_ - begin);
    scalar.end = ++here_;
    if (!escaped) return true;
    decoded_.clear();
    for (std::size_t i = 0; i < scalar.value.size(); ++i) {
        decoded_ += scalar.value[i];
        if (scalar.value[i] == '\'') ++i;
    }
    scalar.value = decoded_;
    return true;
}

bool QuickScalars::read_double_quoted(Scalar& scalar) {
    scalar.style = NodeStyle::double_quoted;
    const Offset begin = ++here_;
    while (here_ < size_ && !ends_double_quoted[static_cast<unsigned char>(bytes_[here_])])
        ++here_;
    scalar.value = bytes_.substr(begin, here_ - begin);
    if (at(here_) == '\\') {
        decoded_ = scalar.value;
        if (!decode_double_quoted()) return false;
        scalar.value = decoded_;
    }
    if (at(here_) != '"') return fail();
    scalar.end = ++here_;
    return true;
}

bool QuickScalars::decode_double_quoted() {
    for (; at(here_) != '"'; ++here_) {
        if (at_end() || bytes_[here_] == '\n') return fail();
        if (bytes_[here_] != '\\') {
            decoded_ += bytes_[here_];
            continue;
        }
        switch (at(++here_)) {
        case '"':
        case '\\':
        case '/':
            decoded_ += bytes_[here_];
            break;
        case 'n':
            decoded_ += '\n';
            break;
        case 't':
            decoded_ += '\t';
            break;
        default:
            return fail();
        }
    }
    return true;
}

// As libyaml's scan_block_scalar, with LF as the only line break.
bool QuickScalars::read_block_text(Scalar& scalar, int parent) {
    scalar = {here_, here_, bytes_[here_] == '|' ? NodeStyle::literal : NodeStyle::folded, {}};
    char chomping = '\0';
    ++here_;
    if (at(here_) == '-' || at(here_) == '+') chomping = bytes_[here_++];
    if (!ends_line()) return fail(); // an indentation indicator, too
    here_ = line_end(here_);
    if (at_end()) return fail();
    line_ = ++here_;
    if (!read_block_lines(scalar.style == NodeStyle::literal, parent, chomping)) return false;
    scalar.value = decoded_;
    scalar.end = here_;
    return true;
}

// `here_` is at the start of the first line behind the header; leaves it at the start of the first line behind the
// scalar.
bool QuickScalars::read_block_lines(bool literal, int parent, char chomping) {
    decoded_.clear();
    Offset breaks = 0; // line breaks since the last line with content, its own left out
    Offset indent = 0; // 0: not known yet
    Offset widest = 0;
    bool first = true, deeper_before = false;
    bool broken = false; // the last line with content had a line break
    while (true) {
        Offset text = here_;
        while (text < size_ && bytes_[text] == ' ' && (indent == 0 || text - here_ < indent))
            ++text;
        widest = std::max(widest, text - here_);
        if (at(text) == '\t' && (indent == 0 || text - here_ < indent)) return fail();
        if (at(text) == '\n') {
            ++breaks;
            here_ = line_ = text + 1;
            continue;
        }
        if (indent == 0) indent = std::max({widest, static_cast<Offset>(parent + 1), Offset{1}});
        if (text >= size_ || text - here_ != indent) break;

        const bool deeper = bytes_[text] == ' ' || bytes_[text] == '\t';
        if (!first) {
            if (literal || deeper || deeper_before)
                decoded_ += '\n';
            else if (breaks == 0)
                decoded_ += ' ';
        }
        decoded_.append(breaks, '\n');
        breaks = 0;
        first = false;
        deeper_before = deeper;
        const Offset end = line_end(text);
        broken = end < size_;
        decoded_.append(bytes_.substr(text, end - text));
        here_ = line_ = broken ? end + 1 : end;
    }
    if (chomping != '-' && broken) decoded_ += '\n';
    if (chomping == '+') decoded_.append(breaks, '\n');
    return true;
}

} // namespace lockstep
