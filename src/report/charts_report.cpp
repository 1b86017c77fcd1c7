// Needed charts for people and for programs.
#include "report/charts_report.h"
#include "base/printable.h"
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

std::string_view word_for(ChartNeed::At at) {
    switch (at) {
    case ChartNeed::At::tree:
        return "in this repository";
    case ChartNeed::At::vendored:
        return "vendored";
    case ChartNeed::At::packed:
        return "packed";
    case ChartNeed::At::nowhere:
        return "not at hand";
    }
    return "";
}

std::string shown(std::string_view text) {
    std::string out;
    append_printable(out, text);
    return out;
}

} // namespace

std::string charts_text(const std::vector<ChartNeed>& needs, std::string_view folder, Locator& locator) {
    if (needs.empty()) return "no release and no chart asks for a chart\n";
    std::string out, pulls;
    for (const ChartNeed& need : needs) {
        out += shown(need.name) + (need.version.empty() ? "" : " " + shown(need.version)) + ": " +
               std::string(word_for(need.at));
        if (!need.where.empty()) out += ", " + shown(need.where);
        if (!need.near.empty()) out += "; this repository has " + shown(need.near);
        out += '\n';
        if (need.at == ChartNeed::At::nowhere && !need.repository.empty())
            out += "    from " + shown(need.repository) + '\n';
        std::size_t told = 0;
        for (const Place& place : need.asked_by) {
            if (told++ == 3) {
                out += "    … and " + std::to_string(need.asked_by.size() - 3) + " more\n";
                break;
            }
            const Location at = locator.locate(place);
            out += "    " + shown(at.path) + ":" + std::to_string(at.begin.line) + '\n';
        }
        if (const std::string line = pull_line(need, folder); !line.empty()) pulls += shown(line) + '\n';
    }
    if (!pulls.empty())
        out += "\nto have the others at hand, with `charts: [" + shown(folder) + "]` in the config:\n" + pulls;
    return out;
}

std::string charts_json(const std::vector<ChartNeed>& needs, std::string_view folder, Locator& locator) {
    using Json = nlohmann::ordered_json;
    Json charts = Json::array();
    for (const ChartNeed& need : needs) {
        Json places = Json::array();
        for (const Place& place : need.asked_by) {
            const Location at = locator.locate(place);
            places.push_back({{"file", at.path}, {"line", at.begin.line}, {"column", at.begin.column}});
        }
        Json one = {{"name", need.name},           {"version", need.version}, {"repository", need.repository},
                    {"at", word_for(need.at)},     {"where", need.where},     {"near", need.near},
                    {"askedBy", std::move(places)}};
        if (const std::string line = pull_line(need, folder); !line.empty()) one["pull"] = line;
        charts.push_back(std::move(one));
    }
    const Json made = {{"version", 1}, {"charts", std::move(charts)}};
    return made.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

} // namespace lockstep
