// Puts something of equal length in the place of every template action, so that what is left reads as YAML. Nothing
// outside of actions changes. What is in an action's place depends on where it is:
//  - alone on its line: blanks. Inside a block scalar: a word at the scalar's indentation. As the only thing below
//    `key:`: a word, since the value exists and is not known. Right behind a block scalar: a `#` first, or the blanks
//    would be more lines of the scalar. `define` and its `end`: `---`, since the body is no part of the document.
//  - as the whole value of a key or item: blanks when the lines below are the value, else a word.
//  - inside a value or key: a word. Line breaks inside such an action go, so that the value is one scalar; in a block
//    scalar they stay, since there they are lines of it.
//  - an `if`, `end` … before a key or item on one line: a line break and the indentation the line would have.
#include "yaml/mask.h"
#include "base/text.h"
#include "yaml/filler.h"

namespace lockstep {
namespace {

constexpr std::size_t longest_line = std::size_t{16} * 1024;

class Masker {
public:
    Masker(std::string_view text, std::vector<TemplateAction> actions)
        : sketch_(text, std::move(actions)), fill_(text, sketch_) {}

    std::string run() {
        for (std::size_t line = 0; line < lines().size();)
            line = mask_line(line);
        return fill_.take();
    }

private:
    using Kind = TemplateAction::Kind;
    const std::vector<SketchLine>& lines() const { return sketch_.lines(); }
    const std::string& bytes() const { return sketch_.bytes(); }
    const TemplateAction& action(std::size_t index) const { return sketch_.actions()[index]; }

    std::size_t mask_line(std::size_t index); // returns the next line to mask
    void mask_lone_actions(const SketchLine& line, std::size_t index);
    bool separates_definitions(const SketchLine& line) const;
    bool is_lone(std::size_t action_index) const;
    std::size_t mask_text_line(const SketchLine& line, std::size_t index);
    std::size_t mask_leading_controls(std::size_t& begin, const SketchLine& line);
    std::size_t mask_part(std::size_t begin, std::size_t end, std::size_t column, const SketchLine& line,
                          std::size_t index);
    void mask_whole_value(std::size_t begin, std::size_t end, std::size_t index);
    void mask_plain_value(std::size_t begin, std::size_t end, const SketchLine& line);
    std::size_t mask_flow(std::size_t begin, std::size_t end);
    std::size_t mask_block_scalar(std::size_t header_line, std::size_t header_end, std::size_t given_indent);
    void mask_value_in_header(std::size_t begin, const SketchLine& line, std::size_t indent);
    bool value_continues_below(std::size_t index);

    Sketch sketch_;
    Filler fill_;                // reads sketch_
    LineShape owner_;            // the key or item that the last text line started
    bool open_value_ = false;    // and whether its value is still to come
    bool behind_block_ = false;  // the line before was the last of a block scalar
    std::size_t flow_depth_ = 0; // brackets and quotes of owner_'s value that are still open
    char flow_quote_ = 0;
    std::size_t shape_line_ = npos; // many actions ask for the same line below
    LineShape shape_below_;
};

std::size_t Masker::mask_line(std::size_t index) {
    const SketchLine& line = lines()[index];
    if (line.first == line.end) return index + 1;
    if (line.text) return mask_text_line(line, index);
    if (line.has_actions()) mask_lone_actions(line, index);
    behind_block_ = false;
    return index + 1;
}

bool Masker::is_lone(std::size_t action_index) const {
    const std::size_t offset = action(action_index).begin;
    const auto after = std::upper_bound(lines().begin(), lines().end(), offset,
                                        [](std::size_t value, const SketchLine& l) { return value < l.begin; });
    const SketchLine& line = *(after - 1);
    return line.column == 0 && !line.visible;
}

bool Masker::separates_definitions(const SketchLine& line) const {
    for (std::size_t i = line.actions_begin; i < line.actions_end; ++i) {
        const std::size_t opener = action(i).opens ? i : action(i).opener;
        if (opener == TemplateAction::none || action(i).otherwise || !action(opener).defines) continue;
        if (action(opener).closer != TemplateAction::none && is_lone(opener) && is_lone(action(opener).closer))
            return true;
    }
    return false;
}

void Masker::mask_lone_actions(const SketchLine& line, std::size_t index) {
    fill_.words(line.comment, line.end);
    fill_.all_blanks(line.first, line.comment);
    if (bytes()[line.first] != Sketch::action_byte) return; // nothing but a comment
    if (separates_definitions(line)) {
        for (std::size_t i = 0; i < 3; ++i)
            fill_.put(line.first + i, '-');
        open_value_ = false;
    } else if (behind_block_) {
        fill_.put(line.first, '#');
    } else if (open_value_ && !value_continues_below(index)) {
        for (std::size_t i = line.actions_begin; i < line.actions_end && open_value_; ++i) {
            const TemplateAction& a = action(i);
            const std::size_t column = Sketch::output_column(a, line.column);
            if (a.kind != Kind::output || a.begin >= line.comment || column <= owner_.column) continue;
            if (column > line.column)
                fill_.word_from(a, column);
            else
                fill_.word(a);
            open_value_ = false;
        }
    }
}

// True when the text below is the value of owner_: deeper, or a list right under its key.
bool Masker::value_continues_below(std::size_t index) {
    const std::size_t next = sketch_.next_text_line(index);
    if (next == lines().size()) return false;
    const SketchLine& line = lines()[next];
    if (next != shape_line_) {
        shape_line_ = next;
        shape_below_ = sketch_.shape(sketch_.skip_controls(line.first, line.comment), line.end, line.column);
    }
    if (!shape_below_.item && !shape_below_.key) return false;
    return line.column > owner_.column || (line.column == owner_.column && owner_.key && shape_below_.item);
}

std::size_t Masker::mask_text_line(const SketchLine& line, std::size_t index) {
    const LineShape start = sketch_.shape(line.first, line.end, line.column);
    if (flow_depth_ > 0 || flow_quote_ != 0) {
        const char c = bytes()[line.first];
        if (!start.marker && (!start.structural() || line.column > owner_.column || c == '"' || c == '\'')) {
            fill_.all_blanks(mask_flow(line.first, line.end), line.end);
            return index + 1;
        }
        flow_depth_ = 0; // whatever was open, this is a new key
        flow_quote_ = 0;
    }
    if (line.end - line.begin > longest_line) { // nobody wrote this by hand: no second look at its parts
        fill_.words(line.first, line.end);
        return index + 1;
    }
    const bool was_behind_block = behind_block_;
    open_value_ = behind_block_ = false;
    std::size_t begin = line.first, next_line = index + 1;
    while (begin < line.end) {
        const std::size_t opener = mask_leading_controls(begin, line);
        if (opener != TemplateAction::none && was_behind_block) fill_.put(line.first, '#');
        std::size_t end = line.end;
        // An else of the same block, on the same line, starts anew.
        for (std::size_t i = line.actions_begin; opener != TemplateAction::none && i < line.actions_end; ++i) {
            const TemplateAction& a = action(i);
            if (a.begin < begin || !a.otherwise || a.opener != opener) continue;
            if (!sketch_.shape(sketch_.skip_controls(a.begin, line.end), line.end, 0).structural()) continue;
            end = a.begin;
            break;
        }
        next_line = mask_part(begin, end, line.column, line, index);
        begin = end;
    }
    return next_line;
}

// Masks the control actions before a key, an item or a closing bracket and moves `begin` behind them. They leave a
// line break and the indentation that the template would: that of the first of them. Returns the block they open or
// continue; none when nothing was done, as for actions that belong to a value or to a part of the key.
std::size_t Masker::mask_leading_controls(std::size_t& begin, const SketchLine& line) {
    const std::size_t rest = sketch_.skip_controls(begin, line.end);
    if (rest == begin || rest == line.end) return TemplateAction::none;
    const std::size_t from = begin, column = line.column;
    if (std::string_view(",]}").find(bytes()[rest]) != npos) {
        fill_.all_blanks(from, rest);
        begin = rest;
        return TemplateAction::none;
    }
    std::size_t last = TemplateAction::none;
    fill_.each(from, rest, [&](const TemplateAction& a) { last = sketch_.action_at(a.begin); });
    const TemplateAction& a = action(last);
    const LineShape shape = sketch_.shape(rest, line.end, column);
    const bool part_of_key = a.opens && a.closer != TemplateAction::none && action(a.closer).begin < shape.value;
    const std::size_t trimmed = a.trims_right ? rest - a.end : 0;
    if (!shape.structural() || part_of_key || trimmed > column || a.end - a.begin <= column - trimmed)
        return TemplateAction::none;
    fill_.all_blanks(from, rest);
    fill_.put(a.end - 1 - (column - trimmed), '\n');
    begin = rest;
    return a.opener != TemplateAction::none ? a.opener : last;
}

std::size_t Masker::mask_part(std::size_t begin, std::size_t end, std::size_t column, const SketchLine& line,
                              std::size_t index) {
    const LineShape shape = owner_ = sketch_.shape(begin, end, column);
    fill_.words(begin, shape.value);
    if (begin == line.first && column > line.first - line.begin && shape.value > begin)
        fill_.word_from(action(line.actions_begin), column); // `{{ $key | indent 4 }}: …` in column 0
    std::size_t value = shape.value;
    while (value < end && (bytes()[value] == '!' || bytes()[value] == '&')) {
        while (value < end && !is_blank_or_return(bytes()[value]))
            ++value;
        value = sketch_.skip_blanks(value, end);
    }
    fill_.words(shape.value, value);
    const char c = value < end ? bytes()[value] : '\0';
    std::size_t next_line = index + 1;
    if (c == '"' || c == '\'' || c == '[' || c == '{') {
        const std::size_t close = mask_flow(value, end);
        const std::size_t comment = sketch_.comment_start(close, end);
        fill_.all_blanks(close, comment);
        fill_.words(comment, end);
        return next_line;
    }
    const std::size_t comment = sketch_.comment_start(value, end);
    fill_.words(comment, end);
    if (shape.marker) {
        fill_.all_blanks(value, comment);
    } else if (sketch_.skip_blanks(value, comment) == comment) {
        open_value_ = shape.structural();
    } else if (sketch_.only_actions(value, comment)) {
        mask_whole_value(value, comment, index);
    } else {
        std::size_t header = value;
        std::size_t indent = 0;
        if (c == '|' || c == '>') {
            while (++header < comment && (bytes()[header] == '+' || bytes()[header] == '-' ||
                                          (bytes()[header] >= '1' && bytes()[header] <= '9')))
                if (bytes()[header] > '0') indent = static_cast<std::size_t>(bytes()[header] - '0');
        }
        if (header > value && sketch_.only_actions(header, comment) && shape.structural()) {
            fill_.all_blanks(header, comment);
            next_line = mask_block_scalar(index, header, indent);
        } else {
            mask_plain_value(value, comment, line);
        }
    }
    if (shape.glued) fill_.put(shape.value, ' ');
    return next_line;
}

void Masker::mask_whole_value(std::size_t begin, std::size_t end, std::size_t index) {
    bool says_something = false; // assignments and comments alone leave nothing behind
    fill_.each(begin, end, [&](const TemplateAction& a) { says_something |= a.kind == Kind::output || a.opens; });
    open_value_ = !says_something && owner_.structural();
    if (!says_something || (owner_.structural() && value_continues_below(index)))
        fill_.all_blanks(begin, end);
    else
        fill_.words(begin, end);
}

// Words all along, but for an `{{ end }}` and the like at the end that has nothing to do with this value.
void Masker::mask_plain_value(std::size_t begin, std::size_t end, const SketchLine& line) {
    fill_.words(begin, end);
    std::size_t tail = end;
    for (std::size_t i = line.actions_end; i-- > line.actions_begin;) {
        const TemplateAction& a = action(i);
        if (a.begin >= end) continue;
        if (a.begin < begin || a.kind == Kind::output || !sketch_.only_actions(a.end, tail)) break;
        const bool inline_end = a.opener != TemplateAction::none && action(a.opener).begin >= begin;
        const bool inline_start = a.opens && a.closer != TemplateAction::none && action(a.closer).begin < end;
        if (inline_end || inline_start) break;
        fill_.blanks(a);
        tail = a.begin;
    }
}

// Quoted scalars and flow collections, which may go on for many lines. Returns where the value closes, or `end`.
std::size_t Masker::mask_flow(std::size_t begin, std::size_t end) {
    char before = '\0'; // the last byte that is not blank
    for (std::size_t i = begin; i < end; ++i) {
        const char c = bytes()[i];
        const std::size_t index = c == Sketch::action_byte ? sketch_.action_at(i) : TemplateAction::none;
        if (index != TemplateAction::none) {
            const TemplateAction& a = action(index);
            const std::size_t opener = a.opens ? index : a.opener;
            const bool branches = opener != TemplateAction::none && action(opener).branched;
            if (flow_quote_ != 0 || a.kind == Kind::output || branches || before == ':')
                fill_.word(a);
            else
                fill_.blanks(a);
            i = a.end - 1;
        } else if (flow_quote_ != 0) {
            if (c == '\\' && flow_quote_ == '"' && i + 1 < end && bytes()[i + 1] != Sketch::action_byte) {
                ++i;
            } else if (c == '\'' && flow_quote_ == c && i + 1 < end && bytes()[i + 1] == c) {
                ++i;
            } else if (c == flow_quote_) {
                flow_quote_ = 0;
                if (flow_depth_ == 0) return i + 1;
            }
        } else if ((c == '"' || c == '\'') && (before == '\0' || std::string_view("[{,:").find(before) != npos)) {
            flow_quote_ = c;
        } else if (c == '[' || c == '{') {
            ++flow_depth_;
        } else if (c == ']' || c == '}') {
            if (flow_depth_ > 0) --flow_depth_;
            if (flow_depth_ == 0) return i + 1;
        } else if (c == '#' && i > begin && is_blank_or_return(bytes()[i - 1])) {
            fill_.words(i, end);
            return end;
        }
        if (!is_blank_or_return(c)) before = c;
    }
    return end;
}

// The lines of owner_'s block scalar, whose header (`|-`) ends at `header_end`. Returns the first line behind it.
std::size_t Masker::mask_block_scalar(std::size_t header_line, std::size_t header_end, std::size_t given_indent) {
    const std::size_t parent = owner_.column;
    std::size_t first = npos, last = header_line, least_text = npos;
    bool starts_with_actions = false;
    for (std::size_t at = header_line + 1; at < lines().size(); ++at) {
        const SketchLine& line = lines()[at];
        if (line.first == line.end) continue;
        const std::size_t column = line.column;
        const bool lone = !line.visible || (!line.text && line.has_actions() && column <= parent);
        if (!lone && column <= parent) break;
        bool inside = column > parent;
        for (std::size_t i = line.actions_begin; lone && i < line.actions_end; ++i)
            inside |= action(i).indent > parent;
        if (!lone) least_text = std::min(least_text, column);
        if (first == npos) starts_with_actions = lone;
        if (first == npos) first = at;
        if (inside) last = at;
    }
    behind_block_ = true;
    const SketchLine& start = lines()[last == header_line ? header_line : first];
    std::size_t indent = start.column;
    if (given_indent > 0) {
        indent = parent + given_indent;
    } else if (starts_with_actions && least_text != npos) {
        indent = least_text;
    } else if (last == header_line || (starts_with_actions && indent <= parent)) {
        indent = parent + 1;
        for (std::size_t i = start.actions_begin; i < start.actions_end; ++i)
            if (action(i).begin >= header_end) indent = std::max(indent, action(i).indent);
    }
    mask_value_in_header(header_end, lines()[header_line], indent);
    for (std::size_t i = header_line + 1; i <= last; ++i) {
        const SketchLine& line = lines()[i];
        fill_.each(line.begin, line.end, [&](const TemplateAction& a) {
            if (line.visible && a.begin - line.begin >= indent)
                fill_.word_in_block(a, line.end, indent);
            else
                fill_.word_from(a, indent);
        });
    }
    return last + 1;
}

// `key: |{{ .x | nindent 4 }}`: the output starts on the next line, and so does the word for it.
void Masker::mask_value_in_header(std::size_t begin, const SketchLine& line, std::size_t indent) {
    const std::size_t index = sketch_.action_at(sketch_.skip_blanks(begin, line.end));
    if (index == TemplateAction::none || !action(index).breaks) return;
    const TemplateAction& a = action(index);
    if (a.end - a.begin < indent + 2 || sketch_.skip_blanks(a.end, line.end) != line.end) return;
    fill_.word(a);
    fill_.put(a.begin, '\n');
    for (std::size_t i = 1; i <= indent; ++i)
        fill_.put(a.begin + i, ' ');
}

} // namespace

bool has_template_action(std::string_view text) {
    return text.find("{{") != std::string_view::npos;
}

std::string mask_go_template(std::string_view text) {
    return Masker(text, go_actions(text)).run();
}

std::string mask_terraform(std::string_view text) {
    return Masker(text, terraform_actions(text)).run();
}

} // namespace lockstep
