// The lexer of text/template: the same tokens, lines and complaints.
#include "helm/template_lex.h"
#include "helm/runes.h"
#include <algorithm>
#include <cstdio>

namespace lockstep {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr char32_t no_rune = 0xffffffffU;

bool is_template_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Of a word, without the table of all letters.
bool is_plain_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_word(char32_t rune) {
    return rune != no_rune && (rune == '_' || is_letter_rune(rune) || is_digit_rune(rune));
}

bool trims_left(std::string_view text) {
    return text.size() >= 2 && text[0] == '-' && is_template_blank(text[1]);
}

bool trims_right(std::string_view text) {
    return text.size() >= 2 && is_template_blank(text[0]) && text[1] == '-';
}

std::size_t blanks_at_end(std::string_view text) {
    const std::size_t last = text.find_last_not_of(blanks);
    return last == std::string_view::npos ? text.size() : text.size() - last - 1;
}

std::size_t blanks_at_begin(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size() && is_template_blank(text[count]))
        ++count;
    return count;
}

Token keyword_of(std::string_view word) {
    constexpr std::pair<std::string_view, Token> words[] = {{"block", Token::block},
                                                            {"break", Token::break_},
                                                            {"continue", Token::continue_},
                                                            {"define", Token::define},
                                                            {"else", Token::else_},
                                                            {"end", Token::end},
                                                            {"if", Token::if_},
                                                            {"nil", Token::nil},
                                                            {"range", Token::range},
                                                            {"template", Token::template_},
                                                            {"with", Token::with}};
    for (const auto& [name, token] : words)
        if (name == word) return token;
    return Token::identifier;
}

// %#U: U+0025 '%'
std::string shown(char32_t rune) {
    char code[16];
    std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(rune));
    std::string out = code;
    if (is_printable(rune)) {
        out += " '";
        append_rune(out, rune);
        out += "'";
    }
    return out;
}

} // namespace

std::string to_string(const TemplateItem& item) {
    if (item.type == Token::eof) return "EOF";
    if (item.type == Token::error) return std::string(item.text);
    if (item.type > Token::keyword) return "<" + std::string(item.text) + ">";
    if (item.text.size() <= 10) return quoted(item.text);
    std::size_t end = 0; // %.10q counts runes
    for (int runes = 0; runes < 10 && end < item.text.size(); ++runes)
        end += decode_rune(item.text, end).size;
    return quoted(item.text.substr(0, end)) + "...";
}

char32_t TemplateLexer::peek(std::uint32_t* size) const {
    if (pos_ >= input_.size()) return no_rune;
    const Rune rune = decode_rune(input_, pos_);
    if (size != nullptr) *size = rune.size;
    return rune.value;
}

void TemplateLexer::advance(std::size_t bytes) {
    line_ += static_cast<std::uint32_t>(std::count(input_.begin() + static_cast<std::ptrdiff_t>(pos_),
                                                   input_.begin() + static_cast<std::ptrdiff_t>(pos_ + bytes), '\n'));
    pos_ += bytes;
}

void TemplateLexer::ignore() {
    start_ = pos_;
    start_line_ = line_;
}

TemplateItem TemplateLexer::make(Token type) {
    const TemplateItem item{type, static_cast<std::uint32_t>(start_), input_.substr(start_, pos_ - start_),
                            start_line_};
    ignore();
    return item;
}

TemplateItem TemplateLexer::fail(std::string message) {
    error_ = std::move(message);
    const TemplateItem item{Token::error, static_cast<std::uint32_t>(start_), error_, start_line_};
    input_ = {};
    pos_ = start_ = 0;
    inside_ = false;
    return item;
}

TemplateItem TemplateLexer::next() {
    if (inside_) return lex_action();
    TemplateItem item;
    while (!lex_text(item)) {
    }
    return item;
}

bool TemplateLexer::lex_text(TemplateItem& item) {
    const std::size_t found = rest().find("{{");
    if (found == std::string_view::npos) {
        if (pos_ == input_.size() && start_ == pos_) {
            item = {Token::eof, static_cast<std::uint32_t>(pos_), "EOF", start_line_};
            return true;
        }
        advance(input_.size() - pos_);
        item = make(Token::text);
        return true;
    }
    if (found == 0) return lex_left_delim(item);
    const std::size_t delim = pos_ + found;
    const std::size_t trimmed =
        trims_left(input_.substr(delim + 2)) ? blanks_at_end(input_.substr(start_, delim - start_)) : 0;
    advance(found - std::min(found, trimmed));
    item = make(Token::text);
    advance(delim - pos_);
    ignore();
    return !item.text.empty() || lex_left_delim(item);
}

bool TemplateLexer::lex_left_delim(TemplateItem& item) {
    advance(2);
    const std::size_t marker = trims_left(rest()) ? 2 : 0;
    if (rest().substr(marker).starts_with("/*")) {
        advance(marker);
        ignore();
        return lex_comment(item);
    }
    item = make(Token::left_delim);
    inside_ = true;
    advance(marker);
    ignore();
    parens_ = 0;
    return true;
}

// False: the comment is passed over, text goes on.
bool TemplateLexer::lex_comment(TemplateItem& item) {
    const std::size_t close = rest().find("*/", 2);
    if (close == std::string_view::npos) {
        item = fail("unclosed comment");
        return true;
    }
    const std::size_t end = pos_ + close + 2;
    bool trims = false;
    const std::size_t here = pos_;
    pos_ = end;
    const bool closed = at_right_delim(trims);
    pos_ = here;
    if (!closed) {
        item = fail("comment ends before closing delimiter");
        return true;
    }
    advance(end - pos_ + (trims ? 4 : 2));
    if (trims) advance(blanks_at_begin(rest()));
    ignore();
    return false;
}

bool TemplateLexer::at_right_delim(bool& trims) const {
    trims = trims_right(rest()) && rest().substr(2).starts_with("}}");
    return trims || rest().starts_with("}}");
}

TemplateItem TemplateLexer::lex_right_delim() {
    bool trims = false;
    at_right_delim(trims);
    if (trims) {
        advance(2);
        ignore();
    }
    advance(2);
    const TemplateItem item = make(Token::right_delim);
    if (trims) {
        advance(blanks_at_begin(rest()));
        ignore();
    }
    inside_ = false;
    return item;
}

TemplateItem TemplateLexer::lex_action() {
    bool trims = false;
    if (at_right_delim(trims)) return parens_ == 0 ? lex_right_delim() : fail("unclosed left paren");
    std::uint32_t size = 0;
    const char32_t rune = peek(&size);
    if (rune == no_rune) return fail("unclosed action");
    if (rune < 0x80 && is_template_blank(static_cast<char>(rune))) return lex_space();
    if (is_word(rune) && !(rune >= '0' && rune <= '9')) return lex_word();
    if (rune == '+' || rune == '-' || (rune >= '0' && rune <= '9')) return lex_number();
    if (rune == '.' && pos_ + 1 < input_.size() && input_[pos_ + 1] >= '0' && input_[pos_ + 1] <= '9')
        return lex_number();
    if (rune == '.' && pos_ + 1 >= input_.size()) return lex_number();
    advance(size);
    switch (rune) {
    case '=':
        return make(Token::assign);
    case ':':
        if (!accept("=")) {
            if (peek(&size) != no_rune) advance(size);
            return fail("expected :=");
        }
        return make(Token::declare);
    case '|':
        return make(Token::pipe);
    case '"':
        return lex_quoted('"');
    case '`':
        return lex_quoted('`');
    case '\'':
        return lex_quoted('\'');
    case '$':
        return lex_name(Token::variable);
    case '.':
        return lex_name(Token::field);
    case '(':
        ++parens_;
        return make(Token::left_paren);
    case ')':
        if (--parens_ < 0) return fail("unexpected right paren");
        return make(Token::right_paren);
    default:
        if (rune < 0x80 && is_printable(rune)) return make(Token::character);
        return fail("unrecognized character in action: " + shown(rune));
    }
}

TemplateItem TemplateLexer::lex_space() {
    const std::size_t count = blanks_at_begin(rest());
    advance(count);
    // The last blank may belong to ` -}}`.
    if (const std::string_view last = input_.substr(pos_ - 1); trims_right(last) && last.substr(2).starts_with("}}")) {
        --pos_;
        if (input_[pos_] == '\n') --line_;
        if (count == 1) return lex_right_delim();
    }
    return make(Token::space);
}

TemplateItem TemplateLexer::lex_word() {
    pass_word();
    if (!at_terminator()) return fail("bad character " + shown(peek()));
    const std::string_view word = input_.substr(start_, pos_ - start_);
    if (const Token token = keyword_of(word); token != Token::identifier) return make(token);
    return make(word == "true" || word == "false" ? Token::boolean : Token::identifier);
}

TemplateItem TemplateLexer::lex_name(Token type) {
    if (at_terminator()) return make(type == Token::variable ? type : Token::dot);
    pass_word();
    if (!at_terminator()) return fail("bad character " + shown(peek()));
    return make(type);
}

void TemplateLexer::pass_word() {
    while (true) {
        while (pos_ < input_.size() && is_plain_letter(input_[pos_]))
            ++pos_;
        std::uint32_t size = 0;
        if (!is_word(peek(&size))) return;
        pos_ += size; // no line break is a letter
    }
}

bool TemplateLexer::at_terminator() const {
    if (pos_ >= input_.size()) return true;
    switch (input_[pos_]) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case '.':
    case ',':
    case '|':
    case ':':
    case ')':
    case '(':
        return true;
    default:
        return rest().starts_with("}}");
    }
}

TemplateItem TemplateLexer::lex_quoted(char quote) {
    const std::size_t begin = pos_;
    std::size_t end = pos_;
    for (; end < input_.size() && input_[end] != quote; ++end) {
        if (quote == '`') continue;
        if (input_[end] == '\n') break;
        if (input_[end] != '\\') continue;
        ++end;
        if (end >= input_.size() || input_[end] == '\n') break;
    }
    advance(std::min(end, input_.size()) - begin);
    if (pos_ >= input_.size() || input_[pos_] != quote)
        return fail(quote == '`'   ? "unterminated raw quoted string"
                    : quote == '"' ? "unterminated quoted string"
                                   : "unterminated character constant");
    advance(1);
    return make(quote == '`' ? Token::raw_string : quote == '"' ? Token::string : Token::char_constant);
}

bool TemplateLexer::accept(std::string_view set) {
    if (pos_ >= input_.size() || set.find(input_[pos_]) == std::string_view::npos) return false;
    advance(1);
    return true;
}

void TemplateLexer::accept_run(std::string_view set) {
    while (accept(set)) {
    }
}

bool TemplateLexer::scan_number() {
    constexpr std::string_view decimal = "0123456789_";
    accept("+-");
    std::string_view allowed = decimal;
    if (accept("0")) {
        if (accept("xX"))
            allowed = "0123456789abcdefABCDEF_";
        else if (accept("oO"))
            allowed = "01234567_";
        else if (accept("bB"))
            allowed = "01_";
    }
    accept_run(allowed);
    if (accept(".")) accept_run(allowed);
    if ((allowed.size() == 11 && accept("eE")) || (allowed.size() == 23 && accept("pP"))) {
        accept("+-");
        accept_run(decimal);
    }
    accept("i");
    std::uint32_t size = 0;
    if (!is_word(peek(&size))) return true;
    advance(size);
    return false;
}

TemplateItem TemplateLexer::lex_number() {
    const auto bad = [&] { return fail("bad number syntax: " + quoted(input_.substr(start_, pos_ - start_))); };
    if (!scan_number()) return bad();
    if (const char32_t sign = peek(); sign == '+' || sign == '-') {
        if (!scan_number() || input_[pos_ - 1] != 'i') return bad();
        return make(Token::complex);
    }
    return make(Token::number);
}

} // namespace lockstep
