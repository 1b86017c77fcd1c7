// Reads the pattern of a sed substitution and writes it anew in RE2's words.
#include "index/sed_pattern.h"

namespace lockstep {
namespace {

// Characters that are operators in an extended expression and plain text in a basic one, where a backslash makes them
// operators.
bool swaps_meaning(char c) {
    return std::string_view("(){}|+?").find(c) != std::string_view::npos;
}

bool is_escaped_by_re2(char c) {
    return std::string_view(".*^$[]\\").find(c) != std::string_view::npos || swaps_meaning(c);
}

class Translator {
public:
    Translator(std::string_view pattern, char delimiter, bool extended)
        : in_(pattern), delimiter_(delimiter), extended_(extended) {}

    std::optional<std::string> run() {
        for (at_ = 0; at_ < in_.size(); ++at_)
            if (!take()) return std::nullopt;
        return plain_ >= least_text ? std::optional(out_) : std::nullopt;
    }

private:
    static constexpr std::size_t least_text = 4; // plain characters, below which a hit or a miss says nothing

    bool take() {
        const char c = in_[at_];
        if (c == '\\') return take_escape();
        if (c == '[') return take_class();
        if (c == '$' && at_ + 1 < in_.size() && in_[at_ + 1] != ')') return false; // a variable of the shell
        if (c == '*' && at_ == 0) return literal(c);
        if (swaps_meaning(c) && !extended_) return literal(c);
        if (!is_escaped_by_re2(c)) return literal(c);
        out_ += c; // an operator in both languages
        return true;
    }

    bool take_escape() {
        if (++at_ >= in_.size()) return false;
        const char c = in_[at_];
        if (c >= '0' && c <= '9') return false; // a back reference
        if (c == delimiter_) return literal(c);
        if (swaps_meaning(c) && !extended_) {
            out_ += c;
            return true;
        }
        if (std::string_view("sSwWb").find(c) != std::string_view::npos) {
            out_ += {'\\', c};
            return true;
        }
        return is_escaped_by_re2(c) || c == '/' || c == '-' ? literal(c) : false;
    }

    // A set is the same in both, but for a backslash, which is plain in sed's.
    bool take_class() {
        std::size_t end = at_ + 1;
        if (end < in_.size() && in_[end] == '^') ++end;
        if (end < in_.size() && in_[end] == ']') ++end;
        for (; end < in_.size() && in_[end] != ']'; ++end)
            if (in_.substr(end, 2) == "[:") {
                end = in_.find(":]", end);
                if (end == std::string_view::npos) return false;
                ++end;
            }
        if (end >= in_.size()) return false;
        for (; at_ <= end; ++at_)
            out_ += in_[at_] == '\\' ? std::string("\\\\") : std::string(1, in_[at_]);
        at_ = end;
        return true;
    }

    bool literal(char c) {
        if (is_escaped_by_re2(c)) out_ += '\\';
        out_ += c;
        ++plain_;
        return true;
    }

    std::string_view in_;
    std::size_t at_ = 0, plain_ = 0;
    char delimiter_;
    bool extended_;
    std::string out_;
};

} // namespace

std::optional<SedPattern> sed_pattern(const ShellWord& word, bool extended) {
    const std::string& program = word.text;
    if (program.size() < 4 || program[0] != 's') return std::nullopt;
    const char delimiter = program[1];
    if (std::string_view("/|#,@!~%:").find(delimiter) == std::string_view::npos) return std::nullopt;
    std::size_t end = 2;
    while (end < program.size() && program[end] != delimiter)
        end += program[end] == '\\' ? 2 : 1;
    if (end >= program.size() || program.find(delimiter, end + 1) == std::string::npos) return std::nullopt;
    SedPattern found;
    found.begin = 2;
    found.end = end;
    found.shown = program.substr(2, end - 2);
    auto expression = Translator(found.shown, delimiter, extended).run();
    if (!expression) return std::nullopt;
    found.expression = std::move(*expression);
    return found;
}

} // namespace lockstep
