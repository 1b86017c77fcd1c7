// Writes the reviewer's page, as lines for a terminal or as tables for a pull request.
#include "report/change_page.h"
#include "base/printable.h"
#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 5> titles = {"Pins", "Sources", "dependsOn", "Objects", "What clusters get"};

std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

struct Words {
    std::string what, before, after, where;
};

std::string place_text(const Difference::Side& side, Locator& locator) {
    const Location at = locator.locate(side.place);
    return at.path.empty() ? std::string() : printable(at.path) + ":" + std::to_string(at.begin.line);
}

Words words_of(const Difference& one, Locator& base, Locator& head) {
    auto value = [](const std::optional<Difference::Side>& side) {
        return !side ? std::string("(none)") : side->value.empty() ? std::string("there") : printable(side->value);
    };
    Words words{printable(one.what), value(one.before), value(one.after), {}};
    const std::string was = one.before ? place_text(*one.before, base) : std::string();
    words.where = one.after ? place_text(*one.after, head) : was;
    if (!one.after || !one.before || was == words.where) return words;
    const Location before = base.locate(one.before->place);
    const bool same_file = before.path == head.locate(one.after->place).path;
    words.where += " (was " + (same_file ? "line " + std::to_string(before.begin.line) : was) + ")";
    return words;
}

std::string files_line(const ChangePage& page) {
    std::string out = "compared with " + printable(page.base) + ": ";
    if (page.changed + page.added + page.removed == 0) return out + "no file differs";
    return out + counted(page.changed, "file") + " changed, " + std::to_string(page.added) + " added, " +
           std::to_string(page.removed) + " removed";
}

constexpr std::string_view nothing =
    "nothing changed: no pin, source, dependsOn edge or object differs, neither as written nor as clusters get it\n";

std::string submodules_line(const ChangePage& page) {
    if (page.submodules.empty()) return {};
    std::string out = "not looked into (submodules):";
    for (const std::string& path : page.submodules)
        out += " " + printable(path);
    return out + "\n";
}

// In a table cell; a code span keeps what is in it as it is, but for `|` and the backtick that would end it.
std::string code(std::string text) {
    std::replace(text.begin(), text.end(), '`', '\'');
    for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return "`" + text + "`";
}

} // namespace

std::string change_page_text(const ChangePage& page, Locator& base, Locator& head) {
    std::string out = files_line(page) + "\n" + submodules_line(page);
    for (std::size_t section = 0; section < titles.size(); ++section) {
        std::vector<Words> lines;
        std::size_t width = 0;
        for (const Difference& one : page.differences)
            if (static_cast<std::size_t>(one.section) == section) lines.push_back(words_of(one, base, head));
        for (const Words& line : lines)
            width = std::max(width, line.what.size());
        if (!lines.empty()) out += "\n" + std::string(titles[section]) + "\n";
        for (const Words& line : lines) {
            out += "  " + line.what + std::string(width - line.what.size() + 2, ' ');
            if (line.before == "there" || line.after == "there")
                out += line.before == "(none)" ? "added" : line.after == "(none)" ? "removed" : "moved";
            else
                out += line.before + " -> " + line.after;
            out += "  " + line.where + "\n";
        }
    }
    if (page.differences.empty()) out += std::string(nothing);
    return out;
}

std::string change_page_markdown(const ChangePage& page, Locator& base, Locator& head) {
    std::string out = "## What this change moves\n\n" + files_line(page) + ".\n";
    if (const std::string line = submodules_line(page); !line.empty()) out += "\n" + line;
    for (std::size_t section = 0; section < titles.size(); ++section) {
        std::string rows;
        for (const Difference& one : page.differences) {
            if (static_cast<std::size_t>(one.section) != section) continue;
            const Words line = words_of(one, base, head);
            auto cell = [](const std::string& text, bool there) { return there ? code(text) : std::string("–"); };
            rows += "| " + code(line.what) + " | " + cell(line.before, one.before.has_value()) + " | " +
                    cell(line.after, one.after.has_value()) + " | " + code(line.where) + " |\n";
        }
        if (rows.empty()) continue;
        out += "\n### " + std::string(titles[section]) + "\n\n| what | before | after | where |\n|---|---|---|---|\n" +
               rows;
    }
    if (page.differences.empty()) out += "\n" + std::string(nothing);
    return out;
}

} // namespace lockstep
