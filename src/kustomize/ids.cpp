// Comparison of resources by their ids.
#include "kustomize/ids.h"
#include "yaml/data_table.h"
#include <algorithm>
#include <unordered_map>

namespace lockstep {
namespace {

struct KnownKind {
    std::string definition;
    bool cluster_scoped = false;
};
struct KindHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using KnownKinds = std::unordered_map<std::string, KnownKind, KindHash, std::equal_to<>>;

const KnownKinds& known_kinds() {
    static const KnownKinds kinds = [] {
        KnownKinds made;
        for (const DataRow& row : data_table("kustomize-kinds"))
            made[row[0] + "/" + row[1]] = {row[2], row[3] == "no"};
        return made;
    }();
    return kinds;
}

const KnownKind* find_kind(std::string_view group, std::string_view version, std::string_view kind) {
    char buffer[256];
    if (group.size() + version.size() + kind.size() + 3 > sizeof buffer) return nullptr;
    char* end = buffer;
    const auto add = [&end](std::string_view text) { end = std::copy(text.begin(), text.end(), end); };
    if (!group.empty()) {
        add(group);
        add("/");
    }
    add(version);
    add("/");
    add(kind);
    const auto found = known_kinds().find(std::string_view(buffer, static_cast<std::size_t>(end - buffer)));
    return found == known_kinds().end() ? nullptr : &found->second;
}

std::string_view or_else(std::string_view text, std::string_view other) {
    return text.empty() ? other : text;
}

using KindRanks = std::unordered_map<std::string, int, KindHash, std::equal_to<>>;

const KindRanks& kind_ranks() {
    static const KindRanks ranks = [] {
        KindRanks made;
        const std::vector<DataRow> rows = data_table("kustomize-order");
        const auto count = [&](std::string_view where) {
            return static_cast<int>(
                std::count_if(rows.begin(), rows.end(), [&](const DataRow& row) { return row[1] == where; }));
        };
        int first = -count("first"), last = 1;
        for (const DataRow& row : rows)
            made[row[0]] = row[1] == "first" ? first++ : last++;
        return made;
    }();
    return ranks;
}

} // namespace

bool is_cluster_scoped(std::string_view group, std::string_view version, std::string_view kind) {
    const KnownKind* known = find_kind(group, version, kind);
    return known && known->cluster_scoped;
}

std::string_view definition_of(std::string_view api_version, std::string_view kind) {
    std::string_view group, version;
    split_api_version(api_version, group, version);
    const KnownKind* known = find_kind(group, version, kind);
    return known ? std::string_view(known->definition) : std::string_view();
}

std::string_view effective_namespace(const ResourceId& id) {
    if (is_cluster_scoped(id)) return "_non_namespaceable_";
    return or_else(id.ns, "default");
}

bool same_kind(const ResourceId& a, const ResourceId& b) {
    return a.kind == b.kind && a.group == b.group && a.version == b.version;
}

bool same_object(const ResourceId& a, const ResourceId& b) {
    return a.name == b.name && same_kind(a, b) && (a.ns == b.ns || effective_namespace(a) == effective_namespace(b));
}

std::size_t hash_of(const ResourceId& id) {
    const std::hash<std::string_view> hash;
    std::size_t value = hash(id.name);
    for (std::string_view part : {id.kind, id.group, id.version, effective_namespace(id)})
        value = value * 1099511628211ULL + hash(part);
    return value;
}

void split_api_version(std::string_view api_version, std::string_view& group, std::string_view& version) {
    const std::size_t slash = api_version.find('/');
    group = slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
    version = slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
}

std::string api_version_of(const ResourceId& id) {
    return id.group.empty() ? std::string(id.version) : std::string(id.group) + "/" + std::string(id.version);
}

std::string kind_text(const ResourceId& id) {
    return std::string(or_else(id.kind, "[noKind]")) + "." + std::string(or_else(id.version, "[noVer]")) + "." +
           std::string(or_else(id.group, "[noGrp]"));
}

std::string to_string(const ResourceId& id) {
    return kind_text(id) + "/" + std::string(or_else(id.name, "[noName]")) + "." +
           std::string(or_else(id.ns, "[noNs]"));
}

std::vector<ResourceId> earlier_ids(const Resource& resource) {
    std::vector<ResourceId> ids;
    for (const EarlierId* one = resource.earlier; one; one = one->before)
        ids.push_back({resource.id.group, resource.id.version, one->kind, one->ns, one->name});
    std::reverse(ids.begin(), ids.end());
    return ids;
}

ResourceId original_id(const Resource& resource) {
    const EarlierId* oldest = resource.earlier;
    if (!oldest) return resource.id;
    while (oldest->before)
        oldest = oldest->before;
    return {resource.id.group, resource.id.version, oldest->kind, oldest->ns, oldest->name};
}

std::vector<Place> patches_of(const Resource& resource) {
    std::vector<Place> places;
    for (const Touch* one = resource.patches; one; one = one->before)
        places.push_back(one->by);
    std::reverse(places.begin(), places.end());
    return places;
}

int legacy_rank(std::string_view kind) {
    const auto found = kind_ranks().find(kind);
    return found == kind_ranks().end() ? 0 : found->second;
}

std::string legacy_kind_text(std::string_view group, std::string_view version, std::string_view kind) {
    return std::string(or_else(group, "~G")) + "_" + std::string(or_else(version, "~V")) + "_" +
           std::string(or_else(kind, "~K"));
}

} // namespace lockstep
