// Template actions of a text: where each `{{ }}` (Go), `${ }` or `%{ }` (Terraform) is and what it is for. mask.cpp
// decides from this what is in its place.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep {

struct TemplateAction {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    enum class Kind : std::uint8_t { output, control, comment };

    std::size_t begin = 0, end = 0; // bytes, delimiters included
    Kind kind = Kind::output;
    bool opens = false;        // if, with, range, define, block; if, for
    bool otherwise = false;    // else, else if
    bool defines = false;      // define: its body is no part of the document around it
    bool branched = false;     // of an opener: it has an else
    bool trims_right = false;  // `-}}`, `~}`
    bool breaks = false;       // nindent: the output starts with a line break
    std::size_t indent = 0;    // the N of `indent N`, `nindent N`
    std::size_t opener = none; // of else and end: index of the action that opened the block
    std::size_t closer = none; // of an opener: index of its end
};

// In file order, never overlapping. Text that looks like the start of an action but never ends is no action.
std::vector<TemplateAction> go_actions(std::string_view text);
std::vector<TemplateAction> terraform_actions(std::string_view text);

} // namespace lockstep
