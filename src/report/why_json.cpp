// The answer of `lockstep why` for programs.
#include "index/cells.h"
#include "report/why_report.h"
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

Json value(const Cell& cell) {
    if (cell.state == State::absent) return nullptr;
    if (cell.state == State::known) return cell.text;
    return {{"templated", cell.text}};
}

Json place_json(Place place, Locator& locator) {
    if (!is_there(place)) return nullptr;
    const Location at = locator.locate(place);
    return {{"file", at.path}, {"line", at.begin.line}, {"column", at.begin.column}};
}

Json way_json(const Index& index, const Part& part, const Way& way, Locator& locator) {
    Json steps = Json::array();
    for (const WayStep& step : way.steps)
        steps.push_back({{"by", word_for(step.by)},
                         {"name", name_of(index, step)},
                         {"written", step.text},
                         {"place", place_json(step.place, locator)}});
    Json made = {{"cluster", way.cluster}, {"sure", way.sure}, {"steps", std::move(steps)}};
    if (part.as == Part::As::object) {
        made["namespace"] = value(way.ns);
        made["name"] = value(way.name);
    }
    return made;
}

} // namespace

std::string why_json(const Index& index, FileId file, const FileWays& found, Locator& locator) {
    Json parts = Json::array();
    for (const Part& part : found.parts) {
        Json ways = Json::array(), removed = Json::array();
        for (const Way& way : part.ways.ways)
            ways.push_back(way_json(index, part, way, locator));
        for (Place patch : part.removed_by)
            removed.push_back(place_json(patch, locator));
        Json made = {{"as", word_for(part.as)}};
        if (part.as == Part::As::object) {
            const Object& object = index.objects[part.id];
            made["kind"] = value(object.kind);
            made["namespace"] = value(object.ns);
            made["name"] = value(object.name);
            made["place"] = place_json(object.name.place, locator);
        }
        made["ways"] = std::move(ways);
        made["more"] = part.ways.more;
        made["removedBy"] = std::move(removed);
        parts.push_back(std::move(made));
    }
    Json hints = Json::array();
    for (const Hint& hint : found.hints)
        hints.push_back({{"text", hint.text}, {"place", place_json(hint.place, locator)}});
    const Json made = {{"version", 1},
                       {"file", index.tree->files[file].path},
                       {"parts", std::move(parts)},
                       {"hints", std::move(hints)}};
    return made.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace lockstep
