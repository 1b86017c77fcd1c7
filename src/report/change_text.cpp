// What the text report says about the change: suppressions it adds, loudly, and what it was compared with.
#include "base/printable.h"
#include "report/summary.h"

namespace lockstep {

void append_added_suppressions(std::string& out, const ChangeStats& change, Locator& locator) {
    if (!change.softened.empty()) {
        out += "more passes after this change:\n";
        for (const std::string& line : change.softened) {
            out += "  ";
            append_printable(out, line);
            out += '\n';
        }
        out += '\n';
    }
    if (change.suppressions.empty()) return;
    out += "suppressions that this change adds, moves or widens:\n";
    for (const ChangeStats::Added& one : change.suppressions) {
        const Location at = locator.locate(one.place);
        out += "  ";
        append_path(out, at.path);
        out += ":" + std::to_string(at.begin.line) + ": ignore[";
        for (std::size_t i = 0; i < one.rules.size(); ++i) {
            if (i > 0) out += ", ";
            append_printable(out, one.rules[i]);
        }
        out += "] ";
        append_printable(out, one.reason);
        if (!one.until.empty()) {
            out += " until=";
            append_printable(out, one.until);
        }
        out += '\n';
    }
    out += '\n';
}

void append_comparison(std::string& out, const ChangeStats& change) {
    out += "compared with ";
    append_printable(out, change.base_shown);
    out += ": " + std::to_string(change.files_changed) + (change.files_changed == 1 ? " file" : " files") + " changed";
    if (change.all_shown)
        out += "; config, rules or baseline are among it, so all findings are shown";
    else if (change.changed_only && change.untouched > 0)
        out += "; " + std::to_string(change.untouched) + (change.untouched == 1 ? " finding" : " findings") +
               " that this change does not touch not shown (--changed-only)";
    for (std::size_t i = 0; i < change.submodules.size(); ++i) {
        out += i == 0 ? "; submodules not looked into: " : ", ";
        append_printable(out, change.submodules[i]);
    }
    out += '\n';
}

} // namespace lockstep
