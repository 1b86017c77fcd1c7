// JSON's grammar (RFC 8259).
#include "kustomize/json_syntax.h"
#include <cctype>

namespace lockstep {
namespace {

constexpr unsigned most_nested = 1000;

class JsonChecker {
public:
    explicit JsonChecker(std::string_view text) : text_(text) {}

    bool read_all() { return value(0) && (skip_blanks(), at_ == text_.size()); }

private:
    void skip_blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    bool take(char wanted) {
        skip_blanks();
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    bool take_word(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    bool digits() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9')
            ++at_;
        return at_ > begin;
    }

    bool number() {
        take_word("-");
        if (!take_word("0") && !digits()) return false;
        if (take_word(".") && !digits()) return false;
        if (take_word("e") || take_word("E")) {
            if (!take_word("+")) take_word("-");
            return digits();
        }
        return true;
    }

    bool string() {
        if (!take('"')) return false;
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (static_cast<unsigned char>(text_[at_]) < 0x20) return false;
            if (text_[at_] != '\\') continue;
            if (++at_ == text_.size()) return false;
            if (text_[at_] == 'u') {
                for (int i = 0; i < 4; ++i)
                    if (++at_ == text_.size() || !std::isxdigit(static_cast<unsigned char>(text_[at_]))) return false;
            } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos)
                return false;
        }
        return take('"');
    }

    bool items(char end, bool named, unsigned depth) {
        if (take(end)) return true;
        do {
            if (named && !(string() && take(':'))) return false;
            if (!value(depth + 1)) return false;
        } while (take(','));
        return take(end);
    }

    bool value(unsigned depth) {
        if (depth > most_nested) return false;
        if (take('{')) return items('}', true, depth);
        if (take('[')) return items(']', false, depth);
        if (at_ < text_.size() && text_[at_] == '"') return string();
        return take_word("true") || take_word("false") || take_word("null") || number();
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

bool is_json(std::string_view text) {
    return JsonChecker(text).read_all();
}

} // namespace lockstep
