// Looks up names of resources in rules/data/resource-names.yaml.
#include "index/kube_resources.h"
#include "yaml/data_table.h"
#include <algorithm>

namespace lockstep {
namespace {

struct KnownResource {
    std::string plural, group, kind, shorts;
};

const std::vector<KnownResource>& known_resources() {
    static const std::vector<KnownResource> known = [] {
        std::vector<KnownResource> rows;
        for (const DataRow& row : data_table("resource-names"))
            if (row.size() == 4) rows.push_back({row[0], row[1], row[2], row[3]});
        return rows;
    }();
    return known;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

bool answers_to(const KnownResource& type, std::string_view word) {
    if (word == type.plural || word == lower(type.kind)) return true;
    for (std::size_t at = 0; at < type.shorts.size();) {
        const std::size_t end = std::min(type.shorts.find(' ', at), type.shorts.size());
        if (type.shorts.substr(at, end - at) == word) return true;
        at = end + 1;
    }
    return false;
}

// `v1`, `v2beta1`: the part between plural and group.
bool is_version(std::string_view part) {
    return part.size() > 1 && part[0] == 'v' && part[1] >= '0' && part[1] <= '9';
}

} // namespace

std::optional<ResourceType> resource_type(std::string_view word) {
    const std::string typed = lower(word);
    const std::size_t dot = typed.find('.');
    const std::string_view first = std::string_view(typed).substr(0, dot);
    const auto& known = known_resources();
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const KnownResource& type) { return answers_to(type, first); });
    const bool listed = found != known.end();
    const auto as_listed = [&] { return ResourceType{found->plural, found->group, found->kind}; };
    if (dot == std::string::npos) return listed ? std::optional(as_listed()) : std::nullopt;
    std::string group = typed.substr(dot + 1);
    const std::size_t next = group.find('.');
    if (is_version(std::string_view(group).substr(0, next)))
        group = next == std::string::npos ? std::string() : group.substr(next + 1);
    if (listed && group == found->group) return as_listed();
    // Custom resources are spelled out as `plural.group`; a singular would not end in `s`.
    if (first.ends_with('s')) return ResourceType{std::string(first), group, {}};
    return std::nullopt;
}

} // namespace lockstep
