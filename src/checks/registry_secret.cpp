// Sources of an own registry that carry no credentials while their neighbours do.
#include "checks/checks.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/relations.h"
#include <map>

namespace lockstep {
namespace {

struct Puller {
    const Source& source;
    Cell secret;
    std::string unsure; // why nobody knows
    std::string subject;
};

// A kit is a cluster tree, or a folder outside of one; its sources of one registry and organisation are neighbours.
using Kit = std::pair<std::string, std::string>;

std::string organisation(const std::string& key) {
    const std::size_t host = key.find('/');
    return host == std::string::npos ? key : key.substr(0, key.find('/', host + 1));
}

bool is_own_source(const Index& index, const Source& source, const std::string& key) {
    if (is_own_registry(index, key)) return true;
    const std::size_t slash = key.rfind('/');
    return slash != std::string::npos && source.url.text.starts_with("oci://") &&
           is_own_registry(index, key.substr(0, slash));
}

// Another way to be let in than a secret of the source.
bool has_other_way(const Value* tree) {
    const Cell provider = cell_at(tree, {"spec", "provider"});
    return (is_set(provider) && provider.text != "generic") || value_at(tree, {"spec", "serviceAccountName"}) ||
           value_at(tree, {"spec", "certSecretRef"});
}

} // namespace

void check_registry_secret(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    std::map<Kit, std::vector<Puller>> kits;
    for (const Source& source : index.sources) {
        if (source.kind != "HelmRepository" && source.kind != "OCIRepository") continue;
        const Object& object = index.objects[source.object];
        if (object.partial || object.as_patch || !is_known(source.url)) continue;
        const std::string key = registry_key(source.url.text);
        if (!is_own_source(index, source, key)) continue;
        Puller puller{source, {}, {}, subject_of(index, object)};
        const auto instances = fleet.of_object(source.object);
        const Value* tree =
            instances.empty() ? fleet.declared_tree(source.object) : fleet.tree_of(fleet.instances[instances.front()]);
        puller.secret = cell_at(tree, {"spec", "secretRef", "name"});
        if (!tree) puller.unsure = "it cannot be built";
        if (has_other_way(tree)) puller.unsure = "it is let in by another way than a secret";
        const std::string folder(directory_of(index.tree->files[object.file].path));
        kits[{tree_of(index, object).empty() ? folder : tree_of(index, object), organisation(key)}].push_back(
            std::move(puller));
    }
    for (const auto& [kit, pullers] : kits) {
        std::size_t with = 0, without = 0;
        const Puller* neighbour = nullptr;
        for (const Puller& puller : pullers) {
            const bool has = is_set(puller.secret);
            with += has ? 1 : 0;
            without += !has && puller.unsure.empty() ? 1 : 0;
            if (has && !neighbour) neighbour = &puller;
        }
        for (const Puller& puller : pullers) {
            const Place place = puller.source.url.place;
            if (is_set(puller.secret)) {
                outcome.pass(place, puller.subject);
            } else if (!puller.unsure.empty()) {
                outcome.undecided(place, puller.subject, puller.unsure);
            } else if (with < 2 || with <= without) {
                outcome.undecided(place, puller.subject, "most of its neighbours have no secret either");
            } else {
                Finding finding;
                finding.message = puller.source.name.text + " pulls from " + kit.second + " without a secretRef, " +
                                  std::to_string(with) + " of its neighbours have one (" + neighbour->secret.text + ")";
                finding.place = place;
                finding.related.push_back({neighbour->secret.place, "as here"});
                outcome.fail(puller.subject, std::move(finding));
            }
        }
    }
}

} // namespace lockstep
