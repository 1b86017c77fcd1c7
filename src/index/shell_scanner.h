// The scanner behind shell.h: lists and commands are read by shell.cpp, words and what a shell expands by
// shell_words.cpp. One pass over the text, every byte passed once, with a limit on nesting.
#pragma once
#include "index/shell.h"

namespace lockstep {

class ShellScanner {
public:
    // `expanded`: the text was expanded by an outer shell, its substitutions are already among the commands.
    ShellScanner(const PlacedText& in, std::vector<ShellCommand>& out, unsigned depth, bool expanded)
        : in_(in), s_(in.text), out_(out), depth_(depth), expanded_(expanded) {}

    void run() { list('\0'); }
    std::uint32_t push(ShellCommand command, std::size_t first_inner);

private:
    enum class Case : std::uint8_t { pattern, body };
    struct Heredoc {
        std::string end;
        bool tabs = false;
        std::uint32_t command = no_command;
    };

    static constexpr unsigned depth_limit = 40;
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
    static bool in_name(char c) { return starts_name(c) || is_digit(c); }
    char peek(std::size_t ahead = 0) const { return i_ + ahead < s_.size() ? s_[i_ + ahead] : '\0'; }
    bool starts(std::string_view text) const { return s_.substr(i_, text.size()) == text; }
    bool more() const { return i_ < s_.size(); }
    bool continued_line() const { return peek() == '\\' && peek(1) == '\n'; }
    bool ends_command(char c) const {
        return c == '\n' || c == ';' || c == '|' || c == ')' || (c == '&' && peek(1) != '>') ||
               (c == '`' && close_ == '`');
    }
    bool ends_word(char c) const {
        return is_blank(c) || c == '\n' || c == ';' || c == '|' || c == '&' || c == '<' || c == '>' || c == '(' ||
               c == ')' || (c == '`' && close_ == '`');
    }
    void skip_to(char c) {
        const std::size_t found = s_.find(c, i_);
        i_ = found == std::string_view::npos ? s_.size() : found;
    }
    void skip_blanks();
    void newline();
    void nested(char close);
    void substitution(ShellWord& word, char close);
    void arithmetic();
    bool directive();
    std::size_t action_end(std::size_t from);
    bool action(ShellWord& word, bool in_quotes);

    void list(char close);
    void case_pattern();
    std::uint32_t command(bool conditional);
    bool keyword(std::string_view text);
    void for_header();
    bool redirect(ShellCommand& command);
    bool assignment(ShellCommand& command);
    void test_words(ShellCommand& command);

    ShellWord word();
    void quoted(ShellWord& word);
    void single_quoted(ShellWord& word, bool escapes);
    void dollar(ShellWord& word, bool in_quotes);
    void braces(ShellWord& word, std::size_t begin, std::size_t skip, bool in_quotes);
    void variable(ShellWord& word, std::size_t begin, std::string_view name, bool in_quotes);
    void take_opaque(ShellWord& word, std::size_t begin, bool in_quotes);
    void take(ShellWord& word, std::size_t begin) { word.append(in_, begin, i_); }

    const PlacedText& in_;
    std::string_view s_;
    std::vector<ShellCommand>& out_;
    std::size_t i_ = 0;
    unsigned depth_;
    bool expanded_;
    bool muted_ = false;      // what is read here is thrown away
    bool actions_end_ = true; // a `}}` may still come
    char close_ = '\0';
    std::size_t case_base_ = 0; // cases of the list at hand are from here on
    unsigned branches_ = 0;     // open if, for, while, case
    std::vector<Case> cases_;
    std::vector<Heredoc> pending_;
};

} // namespace lockstep
