// Values of maps that Kubernetes declares as strings, as YAML reads them: a plain `true` or `8080` is no string.
#include "checks/checks.h"
#include "checks/listed_paths.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lockstep {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// As go-yaml resolves plain scalars; `y` and `n` alone differ between its versions and are left alone.
bool reads_as_bool(std::string_view text) {
    for (std::string_view word : {"true", "True", "TRUE", "false", "False", "FALSE", "yes", "Yes", "YES", "no", "No",
                                  "NO", "on", "On", "ON", "off", "Off", "OFF"})
        if (text == word) return true;
    return false;
}

bool all_of(std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

bool reads_as_number(std::string_view text) {
    if (text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" || text == ".NAN")
        return true;
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    std::string plain(text); // 1_000 is a number
    if (plain.empty() || plain.front() == '_') return false;
    std::erase(plain, '_');
    text = plain;
    if (text.starts_with("0x")) return all_of(text.substr(2), "0123456789abcdefABCDEF");
    if (text.starts_with("0o")) return all_of(text.substr(2), "01234567");
    if (text.starts_with("0b")) return all_of(text.substr(2), "01");
    std::size_t i = 0, digits = 0;
    for (; i < text.size() && is_digit(text[i]); ++i)
        ++digits;
    if (i < text.size() && text[i] == '.')
        for (++i; i < text.size() && is_digit(text[i]); ++i)
            ++digits;
    if (digits == 0) return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
        // An exponent beyond a double stays text: a short commit id such as 12e4567.
        return all_of(text.substr(i), "0123456789") && std::isfinite(std::strtod(plain.c_str(), nullptr));
    }
    return i == text.size();
}

// What the value is instead of a string; empty for a string.
std::string_view other_type(const Cell& value, std::string_view file) {
    const std::string_view source = file.substr(value.place.span.begin, value.place.span.end - value.place.span.begin);
    if (source != value.text) {
        // Not as it stands: in quotes, a block, tagged; or a collection, shown by its key.
        const bool templates = file.find("{{") != std::string_view::npos;
        if (value.text == "{…}") return templates ? "" : "a mapping";
        if (value.text == "[…]") return templates ? "" : "a list";
        return "";
    }
    const std::string_view before = file.substr(0, value.place.span.begin);
    if (before.substr(0, before.find_last_not_of(" \t") + 1).ends_with("!!str")) return "";
    if (reads_as_bool(source)) return "a boolean";
    return reads_as_number(source) ? "a number" : "";
}

std::string_view last_step(std::string_view subject) {
    // `…:metadata.annotations["a.b/c"]` or `…:data.key`
    if (subject.ends_with("\"]")) {
        const auto open = subject.rfind("[\"");
        if (open != std::string_view::npos) return subject.substr(open + 2, subject.size() - open - 4);
    }
    const auto dot = subject.rfind('.');
    return dot == std::string_view::npos ? subject : subject.substr(dot + 1);
}

} // namespace

void check_metadata_strings(const CheckInput& input, RuleOutcome& outcome) {
    for (std::size_t fact = 0; fact < input.facts.size(); ++fact) {
        const std::string& what = input.rule.facts[fact].name;
        for (const Row& row : input.facts[fact]->rows) {
            const Cell& value = row.cells.front();
            if (value.state == State::templated) {
                outcome.undecided(value.place, row.subject, "a templated value");
                continue;
            }
            if (is_test_data(input.repository.tree->files[row.anchor.file].path)) {
                outcome.undecided(value.place, row.subject, "it belongs to test data");
                continue;
            }
            const std::string_view file = input.repository.tree->files[row.anchor.file].text;
            const std::string_view type = value.state == State::absent ? "" : other_type(value, file);
            if (type.empty()) {
                outcome.pass(value.place, row.subject);
                continue;
            }
            std::string shown = what;
            std::replace(shown.begin(), shown.end(), '-', ' ');
            Finding finding;
            const bool collection = type == "a mapping" || type == "a list";
            finding.message = shown + " " + std::string(last_step(row.subject)) + " is " + std::string(type) +
                              ", it must be a string" + (collection ? "" : ": write \"" + value.text + "\"");
            finding.place = collection ? row.anchor : value.place;
            outcome.fail(row.subject, std::move(finding));
        }
    }
}

} // namespace lockstep
