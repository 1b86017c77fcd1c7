// Compiles and runs one ignore pattern. Only the last `*` and the last `**` need to be retried, which keeps hostile
// patterns from taking exponential time.
#include "tree/wildmatch.h"
#include <algorithm>
#include <cctype>
#include <utility>

namespace lockstep {

namespace {

constexpr std::size_t none = std::string_view::npos;

unsigned char unsigned_of(char c) {
    return static_cast<unsigned char>(c);
}

using Test = int (*)(int);

Test named_class(std::string_view name) {
    static constexpr std::pair<std::string_view, Test> classes[] = {
        {"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank}, {"cntrl", std::iscntrl},
        {"digit", std::isdigit}, {"graph", std::isgraph}, {"lower", std::islower}, {"print", std::isprint},
        {"punct", std::ispunct}, {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit},
    };
    for (const auto& [known, test] : classes)
        if (known == name) return test;
    return nullptr;
}

} // namespace

WildPattern::WildPattern(std::string_view pattern) {
    std::size_t plain = std::min(pattern.find_first_of("*?[\\"), pattern.size());
    prefix_ = pattern.substr(0, plain);
    // git compares the plain part first and hands on the rest as a pattern of its own: `foo**/x` is read as `**/x`
    // behind `foo`.
    compile(pattern.substr(plain));
    suffix_only_ =
        !tokens_.empty() && tokens_[0].kind == Kind::star &&
        std::all_of(tokens_.begin() + 1, tokens_.end(), [](const Token& t) { return t.kind == Kind::literal; });
    if (suffix_only_)
        for (std::size_t i = 1; i < tokens_.size(); ++i)
            suffix_ += tokens_[i].literal;
}

void WildPattern::compile(std::string_view pattern) {
    for (std::size_t at = 0; at < pattern.size() && well_formed_;) {
        char c = pattern[at];
        if (c == '*') {
            at = compile_stars(pattern, at);
        } else if (c == '[') {
            at = compile_set(pattern, at);
        } else if (c == '\\') {
            if (at + 1 == pattern.size()) {
                well_formed_ = false;
                return;
            }
            tokens_.push_back({Kind::literal, pattern[at + 1]});
            at += 2;
        } else {
            tokens_.push_back({c == '?' ? Kind::any : Kind::literal, c});
            ++at;
        }
    }
}

std::size_t WildPattern::compile_stars(std::string_view pattern, std::size_t at) {
    std::size_t end = std::min(pattern.find_first_not_of('*', at), pattern.size());
    bool opens_segment = at == 0 || pattern[at - 1] == '/';
    std::string_view behind = pattern.substr(end);
    if (end - at >= 2 && opens_segment && behind.empty()) {
        tokens_.push_back({Kind::rest});
    } else if (end - at >= 2 && opens_segment && behind.starts_with('/')) {
        tokens_.push_back({Kind::deep});
        end += 1;
    } else if (end - at >= 2 && opens_segment && behind.starts_with("\\/")) {
        tokens_.push_back({Kind::deep_some});
        end += 2;
    } else {
        tokens_.push_back({Kind::star});
    }
    return end;
}

std::size_t WildPattern::compile_set(std::string_view pattern, std::size_t at) {
    // Past the end reads as NUL, which ends a malformed set everywhere below.
    auto look = [&](std::size_t i) { return i < pattern.size() ? pattern[i] : '\0'; };
    Set set;
    std::size_t i = at + 1;
    bool negated = look(i) == '!' || look(i) == '^';
    if (negated) ++i;
    char previous = 0; // what a `-` would count from
    bool first = true;
    for (; first || look(i) != ']'; ++i, first = false) {
        char c = look(i);
        if (c == '\\')
            c = look(++i);
        else if (c == '-' && previous && look(i + 1) && look(i + 1) != ']') {
            char last = look(++i);
            if (last == '\\') last = look(++i);
            if (!last) break;
            for (unsigned b = unsigned_of(previous); b <= unsigned_of(last); ++b)
                set.set(b);
            previous = 0;
            continue;
        } else if (c == '[' && look(i + 1) == ':') {
            std::size_t close = pattern.find(']', i + 2);
            if (close == none) {
                well_formed_ = false;
                return pattern.size();
            }
            if (close > i + 2 && pattern[close - 1] == ':') {
                Test test = named_class(pattern.substr(i + 2, close - i - 3));
                if (!test) {
                    well_formed_ = false;
                    return pattern.size();
                }
                for (int b = 0; b < 128; ++b)
                    if (test(b)) set.set(static_cast<std::size_t>(b));
                i = close;
                previous = 0;
                continue;
            }
        }
        if (!c) break;
        set.set(unsigned_of(c));
        previous = c;
    }
    if (look(i) != ']') {
        well_formed_ = false;
        return pattern.size();
    }
    if (negated) set.flip();
    set.reset('/');
    tokens_.push_back({Kind::set, 0, static_cast<std::uint32_t>(sets_.size())});
    sets_.push_back(set);
    return i + 1;
}

bool WildPattern::accepts(const Token& token, char c) const {
    switch (token.kind) {
    case Kind::literal:
        return c == token.literal;
    case Kind::any:
        return c != '/';
    case Kind::set:
        return sets_[token.set].test(unsigned_of(c));
    default:
        return false;
    }
}

bool WildPattern::matches(std::string_view text) const {
    if (!well_formed_ || !text.starts_with(prefix_)) return false;
    text.remove_prefix(prefix_.size());
    if (tokens_.empty()) return text.empty();
    if (suffix_only_) {
        if (!text.ends_with(suffix_)) return false;
        text.remove_suffix(suffix_.size());
        return text.find('/') == none;
    }
    return run(text);
}

// From where a star could let the token behind it match, or none before the next `/`.
std::size_t WildPattern::next_start(std::string_view text, std::size_t token, std::size_t from) const {
    if (token == tokens_.size() || tokens_[token].kind != Kind::literal) return from;
    const std::size_t found = text.find(tokens_[token].literal, from);
    return found == none || text.substr(from, found - from).find('/') != none ? none : found;
}

bool WildPattern::run(std::string_view text) const {
    std::size_t p = 0, t = 0;
    struct Retry {
        std::size_t token = 0, text = none; // the token behind the star, and how far the star has reached
    } star, deep;
    for (;;) {
        bool fits = false;
        if (p == tokens_.size()) {
            if (t == text.size()) return true;
        } else if (const Token& token = tokens_[p]; token.kind == Kind::rest) {
            return true;
        } else if (token.kind == Kind::star) {
            ++p;
            star = {p, t};
            fits = true;
        } else if (token.kind == Kind::deep || token.kind == Kind::deep_some) {
            fits = token.kind == Kind::deep;
            star = {};
            ++p;
            deep = {p, t};
        } else if (t < text.size() && accepts(token, text[t])) {
            ++p;
            ++t;
            fits = true;
        }
        if (fits) continue;
        if (star.text < text.size() && text[star.text] != '/') {
            p = star.token;
            t = star.text = next_start(text, star.token, star.text + 1);
            if (t != none) continue;
        }
        star = {};
        std::size_t slash = text.find('/', deep.text); // nothing from `none` on
        if (slash == none) return false;
        p = deep.token;
        t = deep.text = slash + 1;
    }
}

} // namespace lockstep
