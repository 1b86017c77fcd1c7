// The words in which main tells why a run could not go on.
#include "base/result.h"

namespace lockstep {

std::string to_string(const Error& error) {
    std::string text;
    if (!error.path.empty()) {
        text = error.path;
        if (error.at.line > 0) {
            text += ':' + std::to_string(error.at.line);
            if (error.at.column > 0) text += ':' + std::to_string(error.at.column);
        }
        text += ": ";
    }
    text += "error: " + error.message;
    if (!error.hint.empty()) text += "\n  hint: " + error.hint;
    return text;
}

} // namespace lockstep
