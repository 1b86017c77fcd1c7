// Versions and ranges against the version of a chart.
#include "index/pin_order.h"
#include "base/semver.h"
#include <algorithm>

namespace lockstep {

PinOrder pin_order(const Cell& pin, const Cell& version) {
    const auto have = parse_version(version.text);
    const auto range = Range::parse(pin.text);
    if (plain_version(pin.text) == plain_version(version.text)) return PinOrder::same;
    if (!range || !have) return PinOrder::floating;
    // An exact pin is compared as a version: a chart version with a pre-release is in no range that names none.
    const auto want = parse_version(pin.text);
    if (!range->is_exact() || !want) return range->contains(*have) ? PinOrder::same : PinOrder::outside;
    const int order = compare(*want, *have);
    return order == 0 ? PinOrder::same : order > 0 ? PinOrder::ahead : PinOrder::behind;
}

bool any_namesake_fits(const Index& index, const Chart& chosen, const Cell& pin) {
    const auto found = index.charts_by_name.find(chosen.name.text);
    if (found == index.charts_by_name.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [&](EntityId id) {
        const Cell& version = index.charts[id].version;
        return version.state == State::known && pin_order(pin, version) == PinOrder::same;
    });
}

bool is_stamped_later(const Index& index, const Cell& chart_version) {
    if (index.published.stamped) return true;
    const auto version = parse_version(chart_version.text);
    return version && version->major == 0 && version->minor == 0 && version->patch == 0;
}

std::string plain_version(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
        text.remove_suffix(1);
    if (text.size() > 1 && (text[0] == 'v' || text[0] == 'V') && text[1] >= '0' && text[1] <= '9')
        text.remove_prefix(1);
    return std::string(text);
}

std::string in_quotes(std::string_view text) {
    return "`" + std::string(text) + "`";
}

} // namespace lockstep
