// Writes blanks and words over actions, at equal length, and keeps an eye on the line breaks inside them.
#include "yaml/filler.h"
#include "base/text.h"

namespace lockstep {
namespace {

constexpr char word_byte = 'x';

} // namespace

void Filler::blanks(const TemplateAction& action) {
    for (std::size_t i = action.begin; i < action.end; ++i)
        out_[i] = is_break(text_[i]) ? text_[i] : ' ';
}

void Filler::word(const TemplateAction& action) {
    for (std::size_t i = action.begin; i < action.end; ++i)
        out_[i] = word_byte;
}

void Filler::word_in_block(const TemplateAction& action, std::size_t line_end, std::size_t indent) {
    const std::size_t line_break = text_.substr(action.begin, action.end - action.begin).find_first_of("\r\n");
    const bool followed = sketch_.skip_blanks(action.end, line_end) < line_end;
    word(action);
    if (line_break == std::string_view::npos) return;
    if (followed && action.end - (text_.rfind('\n', action.end - 1) + 1) < indent) return;
    blanks(action);
    for (std::size_t i = 0; i < line_break; ++i)
        out_[action.begin + i] = word_byte;
}

void Filler::word_from(const TemplateAction& action, std::size_t column) {
    std::size_t at_column = action.begin - (action.begin == 0 ? 0 : text_.rfind('\n', action.begin - 1) + 1);
    for (std::size_t i = action.begin; i < action.end; ++i) {
        if (is_break(text_[i]))
            at_column = 0;
        else
            out_[i] = at_column++ < column ? ' ' : word_byte;
    }
}

void Filler::all_blanks(std::size_t begin, std::size_t end) {
    each(begin, end, [this](const TemplateAction& action) { blanks(action); });
}

void Filler::words(std::size_t begin, std::size_t end) {
    each(begin, end, [this](const TemplateAction& action) { word(action); });
}

} // namespace lockstep
