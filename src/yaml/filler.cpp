// Writes blanks and words over actions, at equal length, and keeps an eye on the line breaks inside them.
#include "yaml/filler.h"

namespace lockstep {
namespace {

constexpr char word_byte = 'x';

bool is_break(char c) {
    return c == '\n' || c == '\r';
}

} // namespace

void Filler::blanks(const TemplateAction& action) {
    for (std::size_t i = action.begin; i < action.end; ++i)
        out_[i] = is_break(text_[i]) ? text_[i] : ' ';
}

void Filler::word(const TemplateAction& action, std::size_t line_end, std::size_t least_column) {
    std::size_t word_end = action.end;
    const std::size_t line_break = text_.substr(action.begin, action.end - action.begin).find_first_of("\r\n");
    if (line_break != std::string_view::npos) {
        const std::size_t next = sketch_.skip_blanks(action.end, line_end);
        const bool followed = next < line_end && !(sketch_.bytes()[next] == '#' && next > action.end);
        const std::size_t tail = action.end - (text_.rfind('\n', action.end - 1) + 1);
        if (!followed || tail >= least_column) {
            blanks(action);
            word_end = action.begin + line_break;
        }
    }
    for (std::size_t i = action.begin; i < word_end; ++i)
        out_[i] = word_byte;
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

void Filler::words(std::size_t begin, std::size_t end, std::size_t line_end) {
    each(begin, end, [&](const TemplateAction& action) { word(action, line_end); });
}

} // namespace lockstep
