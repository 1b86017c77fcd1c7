// Findings as commands to the runner of GitHub Actions (Gitea's reads them too), which shows them beside the lines.
#include "base/printable.h"
#include "report/in_repository.h"

namespace lockstep {
namespace {

constexpr std::size_t shown_per_level = 10; // GitHub drops what a step sends beyond that, in the order it comes
constexpr std::size_t related_in_message = 10;

struct Level {
    Severity severity;
    std::string_view command, noun;
};
constexpr Level levels[] = {
    {Severity::error, "error", "error"}, {Severity::warning, "warning", "warning"}, {Severity::note, "notice", "note"}};

// What follows the second `::` may hold anything but line breaks; a property also ends at `,` and `:`.
void append_escaped(std::string& out, std::string_view text, bool is_property) {
    std::string printable;
    append_printable(printable, text);
    for (const char c : printable) {
        if (c == '%')
            out += "%25";
        else if (is_property && c == ':')
            out += "%3A";
        else if (is_property && c == ',')
            out += "%2C";
        else
            out += c;
    }
}

void append_number(std::string& out, std::string_view name, std::uint32_t number) {
    out += name;
    out += std::to_string(number);
}

void append_place(std::string& out, const RepositoryPlace& place) {
    if (place.path.empty()) return;
    out += "file=";
    append_escaped(out, place.path, true);
    append_number(out, ",line=", place.begin.line);
    append_number(out, ",endLine=", place.end.line);
    append_number(out, ",col=", place.begin.column);
    if (place.end.line == place.begin.line) append_number(out, ",endColumn=", place.end.column); // else it is refused
    out += ',';
}

void append_related(std::string& out, const Finding& finding, const Report& report) {
    std::size_t shown = 0;
    for (const Related& related : finding.related) {
        if (shown++ == related_in_message) {
            append_number(out, "%0Aand ", static_cast<std::uint32_t>(finding.related.size() - related_in_message));
            out += " more places";
            return;
        }
        const RepositoryPlace place = place_in_repository(report, related.place);
        out += "%0A";
        append_escaped(out, place.path, false);
        append_number(out, ":", place.begin.line);
        append_number(out, ":", place.begin.column);
        out += ": ";
        append_escaped(out, related.message.empty() ? "also here" : related.message, false);
    }
}

void append_finding(std::string& out, const Finding& finding, std::string_view command, const Report& report) {
    out += "::";
    out += command;
    out += ' ';
    append_place(out, place_in_repository(report, finding.place));
    out += "title=lockstep ";
    append_escaped(out, finding.rule, true);
    out += "::";
    append_escaped(out, finding.message, false);
    append_related(out, finding, report);
    out += '\n';
}

} // namespace

Written write_github(const Report& report) {
    std::string out;
    for (const Level& level : levels) {
        std::size_t count = 0;
        for (const Finding& finding : report.findings) {
            if (finding.severity != level.severity) continue;
            if (count++ < shown_per_level) append_finding(out, finding, level.command, report);
        }
        if (count <= shown_per_level) continue;
        const std::size_t more = count - shown_per_level;
        out += "lockstep: " + std::to_string(more) + " more " + std::string(level.noun) + (more == 1 ? "" : "s") +
               " without an annotation: GitHub shows " + std::to_string(shown_per_level) + " of a kind\n";
    }
    return {std::move(out)};
}

} // namespace lockstep
