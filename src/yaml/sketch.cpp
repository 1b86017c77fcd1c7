// Splits a template into lines and reads how each starts, without reading YAML: masking must work before YAML can.
#include "yaml/sketch.h"
#include "base/text.h"
#include <algorithm>

namespace lockstep {
namespace {

std::size_t closing_quote(const std::string& bytes, std::size_t open, std::size_t end) {
    for (std::size_t i = open + 1; i < end; ++i) {
        if (bytes[i] == '\\' && bytes[open] == '"') {
            ++i;
        } else if (bytes[i] == bytes[open]) {
            if (bytes[open] == '"' || i + 1 >= end || bytes[i + 1] != '\'') return i;
            ++i; // '' inside single quotes
        }
    }
    return npos;
}

} // namespace

Sketch::Sketch(std::string_view text, std::vector<TemplateAction> actions)
    : actions_(std::move(actions)), bytes_(text) {
    std::replace(bytes_.begin(), bytes_.end(), action_byte, '?'); // no YAML has that byte
    for (const TemplateAction& action : actions_)
        std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(action.begin),
                  bytes_.begin() + static_cast<std::ptrdiff_t>(action.end), action_byte);
    read_lines();
}

void Sketch::read_lines() {
    std::size_t action = 0;
    for (std::size_t begin = 0; begin < bytes_.size();) {
        SketchLine line;
        line.begin = begin;
        line.end = std::min(bytes_.find('\n', begin), bytes_.size());
        line.first = skip_blanks(begin, line.end);
        line.actions_begin = action;
        while (action < actions_.size() && actions_[action].begin < line.end)
            ++action;
        line.actions_end = action;
        line.comment = comment_start(line.first, line.end);
        line.visible = !only_actions(line.first, line.end);
        line.text = !only_actions(line.first, line.comment);
        line.column = line.first - line.begin;
        if (line.text && bytes_[line.first] == action_byte)
            line.column = output_column(actions_[line.actions_begin], line.column);
        lines_.push_back(line);
        begin = line.end + 1;
    }
    next_text_.assign(lines_.size(), lines_.size());
    for (std::size_t i = lines_.size(); i-- > 1;)
        next_text_[i - 1] = lines_[i].text ? i : next_text_[i];
}

std::size_t Sketch::output_column(const TemplateAction& action, std::size_t column) {
    if (action.indent == 0) return column;
    return action.breaks ? action.indent : column + action.indent;
}

std::size_t Sketch::action_at(std::size_t offset) const {
    const auto at =
        std::lower_bound(actions_.begin(), actions_.end(), offset,
                         [](const TemplateAction& action, std::size_t value) { return action.begin < value; });
    if (at == actions_.end() || at->begin != offset) return TemplateAction::none;
    return static_cast<std::size_t>(at - actions_.begin());
}

std::size_t Sketch::skip_blanks(std::size_t from, std::size_t end) const {
    while (from < end && is_blank_or_return(bytes_[from]))
        ++from;
    return from;
}

std::size_t Sketch::skip_controls(std::size_t begin, std::size_t end) const {
    while (begin < end && bytes_[begin] == action_byte) {
        const std::size_t action = action_at(begin);
        if (action == TemplateAction::none || actions_[action].kind == TemplateAction::Kind::output) break;
        begin = skip_blanks(actions_[action].end, end);
    }
    return begin;
}

bool Sketch::only_actions(std::size_t begin, std::size_t end) const {
    for (; begin < end; ++begin)
        if (bytes_[begin] != action_byte && !is_blank_or_return(bytes_[begin])) return false;
    return true;
}

std::size_t Sketch::comment_start(std::size_t from, std::size_t end) const {
    bool only_controls = true; // they leave nothing behind, so a `#` right behind them starts the line
    for (std::size_t i = from; i < end;) {
        if (bytes_[i] == '#' && (only_controls || is_blank_or_return(bytes_[i - 1]))) return i;
        const std::size_t action = bytes_[i] == action_byte ? action_at(i) : TemplateAction::none;
        if (action != TemplateAction::none) {
            only_controls = only_controls && actions_[action].kind != TemplateAction::Kind::output;
            i = actions_[action].end;
        } else {
            only_controls = only_controls && is_blank_or_return(bytes_[i]);
            ++i;
        }
    }
    return end;
}

// What may follow the `:` of a key: a blank, the end, an action that brings its own line break, or an `{{ if }}` that
// has one of these behind it.
bool Sketch::ends_word(std::size_t offset, std::size_t end) const {
    for (;;) {
        if (offset >= end || is_blank_or_return(bytes_[offset])) return true;
        const std::size_t action = bytes_[offset] == action_byte ? action_at(offset) : TemplateAction::none;
        if (action == TemplateAction::none) return false;
        if (actions_[action].breaks) return true;
        if (!actions_[action].opens) return false;
        offset = actions_[action].end;
    }
}

std::size_t Sketch::key_colon(std::size_t begin, std::size_t end) const {
    if (begin >= end) return npos;
    const char c = bytes_[begin];
    if (c == '"' || c == '\'') {
        const std::size_t close = closing_quote(bytes_, begin, end);
        if (close == npos) return npos;
        const std::size_t colon = skip_blanks(close + 1, end);
        return colon < end && bytes_[colon] == ':' && ends_word(colon + 1, end) ? colon : npos;
    }
    if (c == '[' || c == '{' || c == '#') return npos;
    for (std::size_t i = begin; i < end; ++i) {
        if (bytes_[i] == ':' && ends_word(i + 1, end)) return i;
        if (bytes_[i] == '#' && is_blank_or_return(bytes_[i - 1])) return npos;
    }
    return npos;
}

LineShape Sketch::shape(std::size_t begin, std::size_t end, std::size_t column) const {
    LineShape shape;
    shape.column = column;
    std::size_t at = begin;
    if (column == 0 && bytes_.compare(begin, 3, "---") == 0 &&
        (begin + 3 >= end || is_blank_or_return(bytes_[begin + 3]) || bytes_[begin + 3] == action_byte)) {
        shape.marker = true;
        shape.glued = begin + 3 < end && bytes_[begin + 3] == action_byte;
        shape.value = skip_blanks(begin + 3, end);
        return shape;
    }
    while (at < end && bytes_[at] == '-' && ends_word(at + 1, end)) {
        shape.item = true;
        shape.column = column + (at - begin);
        shape.glued = at + 1 < end && bytes_[at + 1] == action_byte;
        at = skip_blanks(at + 1, end);
    }
    const std::size_t colon = key_colon(at, end);
    if (colon != npos) {
        shape.key = true;
        shape.column = column + (at - begin);
        shape.glued = colon + 1 < end && bytes_[colon + 1] == action_byte;
        at = skip_blanks(colon + 1, end);
    }
    shape.value = at;
    return shape;
}

} // namespace lockstep
