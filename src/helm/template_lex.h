// Tokens of a Go template, one at a time.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

enum class Token : std::uint8_t {
    error, // the text says what is wrong
    boolean,
    character,
    char_constant,
    complex,
    assign,
    declare,
    eof,
    field,
    identifier,
    left_delim,
    left_paren,
    number,
    pipe,
    raw_string,
    right_delim,
    right_paren,
    space,
    string,
    text,
    variable,
    keyword, // below: words of the language
    block,
    break_,
    continue_,
    dot,
    define,
    else_,
    end,
    if_,
    nil,
    range,
    template_,
    with,
};

struct TemplateItem {
    Token type = Token::eof;
    std::uint32_t at = 0;
    std::string_view text = {};
    std::uint32_t line = 1;
};

// As Go's errors show a token.
std::string to_string(const TemplateItem& item);

class TemplateLexer {
public:
    explicit TemplateLexer(std::string_view input) : input_(input) {}
    TemplateItem next();

private:
    TemplateItem make(Token type);
    TemplateItem fail(std::string message);
    bool lex_text(TemplateItem& item);
    bool lex_left_delim(TemplateItem& item);
    bool lex_comment(TemplateItem& item);
    TemplateItem lex_right_delim();
    TemplateItem lex_action();
    TemplateItem lex_space();
    TemplateItem lex_word();
    void pass_word();
    TemplateItem lex_name(Token type);
    TemplateItem lex_quoted(char quote);
    TemplateItem lex_number();
    bool scan_number();
    bool accept(std::string_view set);
    void accept_run(std::string_view set);
    bool at_terminator() const;
    bool at_right_delim(bool& trims) const;
    char32_t peek(std::uint32_t* size = nullptr) const;
    void advance(std::size_t bytes);
    void ignore();
    std::string_view rest() const { return input_.substr(pos_); }

    std::string_view input_;
    std::size_t pos_ = 0, start_ = 0;
    std::uint32_t line_ = 1, start_line_ = 1;
    int parens_ = 0;
    bool inside_ = false;
    std::string error_;
};

} // namespace lockstep
