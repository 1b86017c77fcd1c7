// Escapes for XML on top of what is spelled out for terminals.
#include "report/xml.h"
#include "base/printable.h"

namespace lockstep {

void append_xml(std::string& out, std::string_view text) {
    std::string printable;
    append_printable(printable, text); // valid UTF-8 without controls from here on
    for (std::size_t at = 0; at < printable.size(); ++at) {
        const char c = printable[at];
        const std::string_view rest = std::string_view(printable).substr(at, 3);
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '"') {
            out += "&quot;";
        } else if (rest == "\xef\xbf\xbe" || rest == "\xef\xbf\xbf") { // U+FFFE and U+FFFF are UTF-8 but not XML
            out += rest[2] == '\xbe' ? "\\u{fffe}" : "\\u{ffff}";
            at += 2;
        } else {
            out += c;
        }
    }
}

} // namespace lockstep
