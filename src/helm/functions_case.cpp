// sprig's functions that change case, wrap and shorten words.
#include "helm/functions.h"
#include "helm/runes.h"
#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {
namespace {

bool is_upper(char32_t rune) {
    return to_lower(rune) != rune;
}

bool is_lower(char32_t rune) {
    return to_upper(rune) != rune;
}

bool is_connector(char32_t rune) {
    return rune == '-' || rune == '_' || is_space_rune(rune);
}

// Go's unicode.IsPunct for ASCII: symbols such as = and + are none.
bool is_punct(char32_t rune) {
    if (rune < 0x80)
        return rune > ' ' &&
               std::string_view("!\"#%&'()*,-./:;?@[\\]_{}").find(static_cast<char>(rune)) != std::string_view::npos;
    return (rune >= 0x2010 && rune <= 0x2027) ||
           (rune >= 0x2030 && rune <= 0x205e && rune != 0x2044 && rune != 0x2052) || rune == 0xa1 || rune == 0xa7 ||
           rune == 0xab || rune == 0xb6 || rune == 0xb7 || rune == 0xbb || rune == 0xbf;
}

bool is_alphabet(char32_t rune) {
    if (!is_letter_rune(rune)) return false;
    return !((rune >= 0x3034 && rune < 0x30ff) || (rune >= 0x3131 && rune <= 0x318e) ||
             (rune >= 0x4e00 && rune <= 0x9fff) || (rune >= 0xac00 && rune <= 0xd7a3));
}

enum class WordType : std::uint8_t { invalid, number, upper, alphabet, connector, punct, other };

struct Word {
    WordType type = WordType::invalid;
    std::string_view text;
};

Word next_word(std::string_view& rest) {
    if (rest.empty()) return {};
    const std::string_view all = rest;
    std::size_t end = 0;
    const auto peek = [&] { return decode_rune(all, end); };
    const auto run = [&](auto wanted) {
        while (end < all.size() && wanted(peek().value))
            end += peek().size;
    };
    const Rune first = peek();
    Word word;
    end += first.size;
    const auto small = [](char32_t r) { return is_alphabet(r) && !is_upper(r); };
    if (first.value == bad_rune) {
        word.type = WordType::invalid;
    } else if (is_connector(first.value)) {
        word.type = WordType::connector;
        run(is_connector);
    } else if (is_punct(first.value)) {
        word.type = WordType::punct;
        run(is_punct);
    } else if (is_upper(first.value)) {
        word.type = WordType::upper;
        if (end < all.size() && is_upper(peek().value)) {
            std::size_t last = end;
            while (end < all.size() && is_upper(peek().value)) {
                last = end;
                end += peek().size;
            }
            if (end < all.size() && is_alphabet(peek().value)) end = last; // HTTPStatus: the S begins a word
        } else {
            run(small);
        }
    } else if (is_alphabet(first.value)) {
        word.type = WordType::alphabet;
        run(small);
    } else if (is_digit_rune(first.value)) {
        word.type = WordType::number;
        run(is_digit_rune);
    } else {
        word.type = WordType::other;
        run([](char32_t r) { return !is_connector(r) && !is_alphabet(r) && !is_digit_rune(r) && !is_punct(r); });
    }
    word.text = all.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

void add_lower(std::string& out, const Word& word, char connector) {
    if (word.type != WordType::upper && word.type != WordType::connector) {
        out += word.text;
        return;
    }
    for (std::size_t at = 0; at < word.text.size();) {
        const Rune rune = decode_rune(word.text, at);
        append_rune(out, is_connector(rune.value) ? static_cast<char32_t>(connector) : to_lower(rune.value));
        at += rune.size;
    }
}

std::string joined_lower(std::string_view text, char connector) {
    std::string out;
    const auto breaks = [](WordType type) { return type != WordType::connector && type != WordType::punct; };
    const auto in_word = [](WordType type) { return type == WordType::alphabet || type == WordType::number; };
    Word word = next_word(text);
    while (!text.empty()) {
        if (word.type != WordType::connector) add_lower(out, word, connector);
        const Word before = word;
        word = next_word(text);
        if (before.type == WordType::number) {
            while (in_word(word.type)) {
                add_lower(out, word, connector);
                word = next_word(text);
            }
            if (word.type != WordType::invalid && breaks(word.type)) out += connector;
        } else if (before.type == WordType::connector) {
            add_lower(out, before, connector);
        } else if (before.type == WordType::punct) {
            continue;
        } else if (word.type != WordType::number) {
            if (breaks(word.type)) out += connector;
        } else if (!text.empty()) {
            const Word number = word;
            word = next_word(text);
            if (word.type != WordType::alphabet) {
                add_lower(out, number, connector);
                if (breaks(word.type)) out += connector;
                continue;
            }
            out += connector; // HTTP2xx: the number belongs to what follows
            add_lower(out, number, connector);
            while (in_word(word.type)) {
                add_lower(out, word, connector);
                word = next_word(text);
            }
            if (word.type != WordType::invalid && breaks(word.type)) out += connector;
        }
    }
    add_lower(out, word, connector);
    return out;
}

std::string pascal(std::string_view text) {
    std::string out;
    std::size_t at = 0;
    char32_t rune = 0;
    bool upper = false, found = false;
    while (at < text.size() && !found) {
        const Rune next = decode_rune(text, at);
        at += next.size;
        rune = next.value;
        if (is_connector(rune)) {
            append_rune(out, rune);
            continue;
        }
        found = true;
        upper = is_upper(rune);
        rune = to_upper(rune);
    }
    if (at >= text.size()) {
        if (!text.empty()) append_rune(out, rune); // a connector is there twice: so does xstrings
        return out;
    }
    while (at < text.size()) {
        const char32_t before = rune;
        const Rune next = decode_rune(text, at);
        at += next.size;
        rune = next.value;
        if (is_connector(rune) && is_connector(before)) {
            append_rune(out, before);
            continue;
        }
        if (is_connector(before)) {
            upper = is_upper(rune);
            rune = to_upper(rune);
        } else {
            if (upper) {
                if (is_upper(rune))
                    rune = to_lower(rune);
                else
                    upper = false;
            }
            append_rune(out, before);
        }
    }
    append_rune(out, rune);
    return out;
}

template <class F> std::string each_rune(std::string_view text, F change) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Rune rune = decode_rune(text, at);
        append_rune(out, change(rune.value));
        at += rune.size;
    }
    return out;
}

GoValue snakecase(FunctionCall& call) {
    return make_string(call.arena, joined_lower(call.args[0].str(), '_'));
}

GoValue kebabcase(FunctionCall& call) {
    return make_string(call.arena, joined_lower(call.args[0].str(), '-'));
}

GoValue camelcase(FunctionCall& call) {
    return make_string(call.arena, pascal(call.args[0].str()));
}

GoValue swapcase(FunctionCall& call) {
    return make_string(call.arena, each_rune(call.args[0].str(), [](char32_t r) {
                           return is_upper(r) ? to_lower(r) : is_lower(r) ? to_upper(r) : r;
                       }));
}

GoValue title(FunctionCall& call) {
    char32_t before = ' ';
    return make_string(call.arena, each_rune(call.args[0].str(), [&](char32_t r) {
                           const bool separator =
                               before < 0x80
                                   ? !is_letter_rune(before) && !is_digit_rune(before) && before != '_'
                                   : !is_letter_rune(before) && !is_digit_rune(before) && is_space_rune(before);
                           before = r;
                           return separator ? to_upper(r) : r;
                       }));
}

GoValue untitle(FunctionCall& call) {
    bool starts = true;
    return make_string(call.arena, each_rune(call.args[0].str(), [&](char32_t r) {
                           if (is_space_rune(r)) {
                               starts = true;
                               return r;
                           }
                           const bool first = std::exchange(starts, false);
                           return first ? to_lower(r) : r;
                       }));
}

// By bytes, each taken for a rune, as goutils does.
GoValue initials(FunctionCall& call) {
    std::string out;
    bool gap = true;
    for (char c : call.args[0].str()) {
        const char32_t rune = static_cast<unsigned char>(c);
        if (is_space_rune(rune)) {
            gap = true;
        } else if (gap) {
            append_rune(out, rune);
            gap = false;
        }
    }
    return make_string(call.arena, out);
}

GoValue nospace(FunctionCall& call) {
    std::string out;
    const std::string_view text = call.args[0].str();
    std::size_t count = 0;
    for (char c : text) {
        const char32_t rune = static_cast<unsigned char>(c);
        if (is_space_rune(rune)) continue;
        append_rune(out, rune);
        ++count;
    }
    if (count == text.size()) return call.args[0];
    return make_string(call.arena, out);
}

GoValue abbreviated(FunctionCall& call, std::string_view text, std::int64_t offset, std::int64_t width) {
    const auto size = static_cast<std::int64_t>(text.size());
    const auto part = [&](std::int64_t from, std::int64_t count) {
        return std::string(text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(count)));
    };
    if (size <= width) return make_string(call.arena, text);
    offset = std::min(offset, size);
    if (size - offset < width - 3) offset = size - (width - 3);
    if (offset <= 4) return make_string(call.arena, part(0, width - 3) + "...");
    if (width < 7) return make_string(call.arena, "");
    if (offset + width - 3 < size) {
        const std::string rest = part(offset, size - offset);
        const auto inner = static_cast<std::int64_t>(rest.size()) <= width - 3
                               ? rest
                               : rest.substr(0, static_cast<std::size_t>(width - 6)) + "...";
        return make_string(call.arena, "..." + inner);
    }
    return make_string(call.arena, "..." + part(size - (width - 3), width - 3));
}

GoValue abbrev(FunctionCall& call) {
    if (call.args[0].integer < 4) return call.args[1];
    return abbreviated(call, call.args[1].str(), 0, call.args[0].integer);
}

GoValue abbrevboth(FunctionCall& call) {
    const std::int64_t left = call.args[0].integer, right = call.args[1].integer;
    if (right < 4 || (left > 0 && right < 7)) return call.args[2];
    return abbreviated(call, call.args[2].str(), left, right);
}

std::string wrapped(std::string_view text, std::int64_t width, std::string_view separator, bool cuts) {
    if (separator.empty()) separator = "\n";
    const auto room = static_cast<std::size_t>(std::max<std::int64_t>(width, 1));
    std::string out;
    std::size_t at = 0;
    while (text.size() - at > room) {
        if (text[at] == ' ') {
            ++at;
            continue;
        }
        std::size_t blank = text.substr(at, room + 1).rfind(' ');
        if (blank != std::string_view::npos) {
            out += text.substr(at, blank);
            out += separator;
            at += blank + 1;
        } else if (cuts) {
            out += text.substr(at, room);
            out += separator;
            at += room;
        } else {
            blank = text.find(' ', at + room);
            if (blank == std::string_view::npos) {
                out += text.substr(at);
                return out;
            }
            out += text.substr(at, blank - at);
            out += separator;
            at = blank + 1;
        }
    }
    return out + std::string(text.substr(at));
}

GoValue wrap(FunctionCall& call) {
    return make_string(call.arena, wrapped(call.args[1].str(), call.args[0].integer, "", false));
}

GoValue wrap_with(FunctionCall& call) {
    return make_string(call.arena, wrapped(call.args[2].str(), call.args[0].integer, call.args[1].str(), true));
}

constexpr std::array case_functions_table = {
    TemplateFunction{"abbrev", "is", abbrev},      TemplateFunction{"abbrevboth", "iis", abbrevboth},
    TemplateFunction{"camelcase", "s", camelcase}, TemplateFunction{"initials", "s", initials},
    TemplateFunction{"kebabcase", "s", kebabcase}, TemplateFunction{"nospace", "s", nospace},
    TemplateFunction{"snakecase", "s", snakecase}, TemplateFunction{"swapcase", "s", swapcase},
    TemplateFunction{"title", "s", title},         TemplateFunction{"untitle", "s", untitle},
    TemplateFunction{"wrap", "is", wrap},          TemplateFunction{"wrapWith", "iss", wrap_with},
};

} // namespace

std::span<const TemplateFunction> case_functions() {
    return case_functions_table;
}

} // namespace lockstep
