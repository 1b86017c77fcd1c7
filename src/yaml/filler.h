// What masking writes in place of actions: blanks, or a word that YAML reads as part of a plain scalar. Only bytes of
// actions are ever written.
#pragma once
#include "yaml/sketch.h"
#include <algorithm>

namespace lockstep {

class Filler {
public:
    Filler(std::string_view text, const Sketch& sketch) : text_(text), sketch_(sketch), out_(text) {}

    void blanks(const TemplateAction& action); // line breaks stay
    void word(const TemplateAction& action);   // line breaks go, so that it is one scalar with one span
    // For a line of a block scalar with this indentation: line breaks stay, unless what follows the action (up to
    // `line_end`) would fall out of the scalar.
    void word_in_block(const TemplateAction& action, std::size_t line_end, std::size_t indent);
    // For an action alone on its lines: blanks before `column`, a word from there on, line by line.
    void word_from(const TemplateAction& action, std::size_t column);

    // The same for all actions that start in [begin, end).
    void all_blanks(std::size_t begin, std::size_t end);
    void words(std::size_t begin, std::size_t end);
    template <class Visit> void each(std::size_t begin, std::size_t end, Visit visit) const {
        const auto& actions = sketch_.actions();
        auto at = std::lower_bound(actions.begin(), actions.end(), begin,
                                   [](const TemplateAction& a, std::size_t offset) { return a.begin < offset; });
        for (; at != actions.end() && at->begin < end; ++at)
            visit(*at);
    }

    void put(std::size_t offset, char byte) { out_[offset] = byte; }
    std::string take() { return std::move(out_); }

private:
    std::string_view text_;
    const Sketch& sketch_;
    std::string out_;
};

} // namespace lockstep
