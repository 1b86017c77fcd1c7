// The lines of a template as YAML would see them if every action were one word: what masking decides from. Lines that
// an action runs across are one line here.
#pragma once
#include "yaml/actions.h"
#include <string>

namespace lockstep {

struct SketchLine {
    std::size_t begin = 0, end = 0; // without the line break
    std::size_t first = 0;          // first byte that is not blank, `end` when there is none
    std::size_t comment = 0;        // where its `#` comment starts, `end` when it has none
    std::size_t column = 0;         // of `first`; when that is an action with text behind it, where its output starts
    std::size_t actions_begin = 0, actions_end = 0;
    bool visible = false; // something outside of actions, a comment included
    bool text = false;    // something outside of actions and comments

    bool has_actions() const { return actions_begin != actions_end; }
};

// How a line, or the rest of one, starts: `- `, `key:`, `---`.
struct LineShape {
    bool item = false, key = false, marker = false;
    bool glued = false;     // the value is an action that touches the `:` or `-` before it
    std::size_t column = 0; // of the key, or else of the last `-`
    std::size_t value = 0;  // offset behind all that

    bool structural() const { return item || key || marker; }
};

class Sketch {
public:
    Sketch(std::string_view text, std::vector<TemplateAction> actions);

    static constexpr char action_byte = '\x01';
    const std::string& bytes() const { return bytes_; } // the text with every byte of an action as action_byte
    const std::vector<TemplateAction>& actions() const { return actions_; }
    const std::vector<SketchLine>& lines() const { return lines_; }

    // Index of the action that starts at `offset`, TemplateAction::none when there is none.
    std::size_t action_at(std::size_t offset) const;
    // The column in which the output of an action at `column` starts, by its `indent N` or `nindent N`.
    static std::size_t output_column(const TemplateAction& action, std::size_t column);
    // The shape of [begin, end) as if `begin` was in `column`.
    LineShape shape(std::size_t begin, std::size_t end, std::size_t column) const;
    std::size_t skip_blanks(std::size_t from, std::size_t end) const;
    // Behind the control actions and comments that [begin, end) starts with, and the blanks behind them.
    std::size_t skip_controls(std::size_t begin, std::size_t end) const;
    bool only_actions(std::size_t begin, std::size_t end) const; // actions and blanks, or nothing at all
    std::size_t comment_start(std::size_t from, std::size_t end) const;
    std::size_t next_text_line(std::size_t line) const { return next_text_[line]; } // lines().size() when none

private:
    std::size_t key_colon(std::size_t begin, std::size_t end) const;
    bool ends_word(std::size_t offset, std::size_t end) const;
    void read_lines();

    std::vector<TemplateAction> actions_;
    std::string bytes_;
    std::vector<SketchLine> lines_;
    std::vector<std::size_t> next_text_;
};

} // namespace lockstep
