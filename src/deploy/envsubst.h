// Variables in texts as Flux puts them in after a build: `${NAME}` with the operators of drone's envsubst, which is not
// quite the shell's language. `$NAME` is left alone, `$$` is a dollar.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct Substituted {
    std::string text;
    std::string error;                // Flux's words; `text` is what was given then
    std::vector<std::string> used;    // names it read, in order
    std::vector<std::string> unknown; // names of which nobody knows whether they are set, or to what
};

struct Variable {
    enum class Is : std::uint8_t { set, unset, unknown } is = Is::unset;
    std::string value = {};
};

using Variables = std::function<Variable(std::string_view name)>;

// With `strict`, as of Flux 2.9, a variable that is not set and has no default is an error.
Substituted substitute(std::string_view text, const Variables& variables, bool strict);

} // namespace lockstep
