// Globs by way of a regular expression.
#include "helm/file_glob.h"
#include "base/pattern.h"

namespace lockstep {

bool matches_file_glob(std::string_view pattern, std::string_view path) {
    std::string expression = "(?s)^";
    int choices = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '*') {
            const bool twice = i + 1 < pattern.size() && pattern[i + 1] == '*';
            expression += twice ? ".*" : "[^/]*";
            i += twice ? 1 : 0;
        } else if (c == '?') {
            expression += "[^/]";
        } else if (c == '[') {
            const std::size_t close = pattern.find(']', i);
            if (close == std::string_view::npos) return true;
            std::string inside(pattern.substr(i + 1, close - i - 1));
            if (!inside.empty() && inside[0] == '!') inside[0] = '^';
            expression += "[" + inside + "]";
            i = close;
        } else if (c == '{') {
            expression += "(?:";
            ++choices;
        } else if (c == '}' && choices > 0) {
            expression += ")";
            --choices;
        } else if (c == ',' && choices > 0) {
            expression += "|";
        } else {
            const char literal = c == '\\' && i + 1 < pattern.size() ? pattern[++i] : c;
            if (std::string_view("\\.+*?()|[]{}^$").find(literal) != std::string_view::npos) expression += '\\';
            expression += literal;
        }
    }
    const Result<GoPattern> compiled = GoPattern::compile(expression + "$");
    return !compiled || compiled->search(path).has_value();
}

} // namespace lockstep
