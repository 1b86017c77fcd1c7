// The words in which main tells why a run could not go on.
#include "base/result.h"
#include "base/printable.h"

namespace lockstep {

namespace {

// A message has one line; the parser of the command line writes several, and they stay apart.
void append_lines(std::string& out, std::string_view text) {
    for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(end + 1)) {
        end = text.find('\n');
        append_printable(out, text.substr(0, end));
        if (end == std::string_view::npos) break;
        out += "\n  ";
    }
}

} // namespace

std::string to_string(const Error& error) {
    std::string text;
    if (!error.path.empty()) {
        append_path(text, error.path);
        if (error.at.line > 0) {
            text += ':' + std::to_string(error.at.line);
            if (error.at.column > 0) text += ':' + std::to_string(error.at.column);
        }
        text += ": ";
    }
    text += "error: ";
    append_lines(text, error.message);
    if (!error.hint.empty()) append_lines(text += "\n  hint: ", error.hint);
    return text;
}

} // namespace lockstep
