// Sources of an own registry that carry no credentials while their neighbours do.
#include "checks/checks.h"
#include "checks/overlay.h"
#include "index/cells.h"
#include "index/relations.h"
#include <map>

namespace lockstep {
namespace {

struct Puller {
    const Source& source;
    Field secret;
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
bool has_other_way(NodeRef spec) {
    const NodeRef provider = spec.get("provider");
    return (provider && provider.text() != "generic") || spec.get("serviceAccountName") || spec.get("certSecretRef");
}

} // namespace

void check_registry_secret(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    Overlay overlay(input.repository);
    std::map<Kit, std::vector<Puller>> kits;
    for (const Source& source : index.sources) {
        if (source.kind != "HelmRepository" && source.kind != "OCIRepository") continue;
        const Object& object = index.objects[source.object];
        if (object.partial || object.as_patch || !is_known(source.url)) continue;
        const std::string key = registry_key(source.url.text);
        if (!is_own_source(index, source, key)) continue;
        Puller puller{source, {}, subject_of(index, object)};
        const FieldPath path{"spec", "secretRef", "name"};
        const auto routes = object.embedded ? std::vector<Route>() : overlay.routes(object);
        puller.secret = routes.empty() ? overlay.own(object, path) : overlay.look(object, routes.front(), path);
        if (puller.secret.unsure.empty() && has_other_way(overlay.nodes().root(object).get("spec").resolved()))
            puller.secret.unsure = "it is let in by another way than a secret";
        const std::string folder(directory_of(index.tree->files[object.file].path));
        kits[{object.tree.empty() ? folder : object.tree, organisation(key)}].push_back(std::move(puller));
    }
    for (const auto& [kit, pullers] : kits) {
        std::size_t with = 0, without = 0;
        const Puller* neighbour = nullptr;
        for (const Puller& puller : pullers) {
            const bool has = is_set(puller.secret.cell);
            with += has ? 1 : 0;
            without += !has && puller.secret.unsure.empty() ? 1 : 0;
            if (has && !neighbour) neighbour = &puller;
        }
        for (const Puller& puller : pullers) {
            const Place place = puller.source.url.place;
            if (is_set(puller.secret.cell)) {
                outcome.pass(place, puller.subject);
            } else if (!puller.secret.unsure.empty()) {
                outcome.undecided(place, puller.subject, puller.secret.unsure);
            } else if (with < 2 || with <= without) {
                outcome.undecided(place, puller.subject, "most of its neighbours have no secret either");
            } else {
                Finding finding;
                finding.message = puller.source.name.text + " pulls from " + kit.second + " without a secretRef, " +
                                  std::to_string(with) + " of its neighbours have one (" + neighbour->secret.cell.text +
                                  ")";
                finding.place = place;
                finding.related.push_back({neighbour->secret.cell.place, "as here"});
                outcome.fail(puller.subject, std::move(finding));
            }
        }
    }
}

} // namespace lockstep
