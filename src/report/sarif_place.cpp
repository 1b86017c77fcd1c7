// Places as SARIF has them: a percent-encoded path from the repository's root, and a region on one line.
#include "report/json_text.h"
#include "report/sarif.h"

namespace lockstep {
namespace {

bool stands_for_itself(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~/").find(c) != std::string_view::npos;
}

std::uint32_t code_points(std::string_view text) {
    std::uint32_t count = 0;
    for (const char c : text)
        count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
    return count;
}

} // namespace

std::string cut_to(std::string_view text, std::size_t limit) {
    std::size_t count = 0, end = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U) continue;
        if (count++ == limit - 1) end = i;
    }
    return count <= limit ? std::string(text) : std::string(text.substr(0, end)) + "…";
}

void append_uri(std::string& out, std::string_view path) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char c : path) {
        if (stands_for_itself(c)) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += digits[byte >> 4U];
        out += digits[byte & 0xfU];
    }
}

void append_artifact(std::string& out, const Report& report, std::string_view path) {
    out += R"("artifactLocation":{"uri":")";
    append_uri(out, report.prefix);
    append_uri(out, path);
    out += R"(","uriBaseId":"%SRCROOT%"})";
}

void append_physical(std::string& out, const Report& report, const Place& place) {
    const Location location = report.locator.locate(place);
    out += R"("physicalLocation":{)";
    append_artifact(out, report, location.path.empty() ? std::string_view(".lockstep.yaml") : location.path);
    out += R"(,"region":{"startLine":)" + std::to_string(location.begin.line);
    if (!report.locator.text(place.file).empty()) {
        const bool one_line = location.begin.line == location.end.line;
        const std::uint32_t end =
            one_line ? location.end.column : code_points(report.locator.line(place.file, location.begin.line)) + 1;
        out += R"(,"startColumn":)" + std::to_string(location.begin.column);
        out += R"(,"endLine":)" + std::to_string(location.begin.line);
        out += R"(,"endColumn":)" + std::to_string(end);
    }
    out += "}}";
}

} // namespace lockstep
