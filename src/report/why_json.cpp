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

Json applied_value(std::string_view text, bool known) {
    if (text.empty()) return nullptr;
    if (known) return std::string(text);
    return {{"templated", std::string(text)}};
}

Json place_json(Place place, Locator& locator) {
    if (!is_there(place)) return nullptr;
    const Location at = locator.locate(place);
    return {{"file", at.path}, {"line", at.begin.line}, {"column", at.begin.column}};
}

Json places_json(const std::vector<Place>& places, Locator& locator) {
    Json made = Json::array();
    for (Place place : places)
        made.push_back(place_json(place, locator));
    return made;
}

Json chain_json(const Index& index, const Fleet& fleet, const WhyChain& chain, Locator& locator) {
    Json links = Json::array();
    for (const ChainLink& link : chain.links)
        links.push_back({{"by", word_for(link.by)},
                         {"name", name_of(index, fleet, link)},
                         {"written", written_in(index, fleet, link)},
                         {"place", place_json(link.place, locator)}});
    Json made = {{"cluster", chain.cluster},
                 {"certainty", word_for(chain.certainty)},
                 {"reason", chain.why},
                 {"links", std::move(links)},
                 {"patches", places_json(chain.patches, locator)}};
    if (!chain.refused.empty()) made["refused"] = chain.refused;
    if (chain.instance != no_number) {
        const Instance& one = fleet.instances[chain.instance];
        made["namespace"] = applied_value(one.id().ns, one.ns_known);
        made["name"] = applied_value(one.id().name, one.name_known);
    }
    return made;
}

} // namespace

std::string why_json(const Index& index, const Fleet& fleet, FileId file, const FileChains& found, Locator& locator) {
    Json parts = Json::array();
    for (const Part& part : found.parts) {
        Json chains = Json::array();
        for (const WhyChain& chain : part.found.chains)
            chains.push_back(chain_json(index, fleet, chain, locator));
        Json made = {{"as", word_for(part.as)}};
        if (part.as == Part::As::object) {
            const Object& object = index.objects[part.id];
            made["kind"] = value(object.kind);
            made["namespace"] = value(object.ns);
            made["name"] = value(object.name);
            made["place"] = place_json(object.name.place, locator);
        }
        if (part.as == Part::As::rendered) {
            made["kind"] = part.kind;
            made["name"] = part.name;
            made["place"] = place_json(part.place, locator);
        }
        made["chains"] = std::move(chains);
        made["more"] = part.found.more;
        made["removedBy"] = places_json(part.removed_by, locator);
        parts.push_back(std::move(made));
    }
    Json hints = Json::array();
    for (const Hint& hint : found.hints)
        hints.push_back({{"text", hint.text}, {"place", place_json(hint.place, locator)}});
    const Json made = {{"version", 2},
                       {"file", index.tree->files[file].path},
                       {"parts", std::move(parts)},
                       {"hints", std::move(hints)}};
    return made.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

} // namespace lockstep
