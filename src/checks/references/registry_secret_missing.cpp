// Sources of an own registry that carry no credentials while their neighbours do.
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>
#include <map>

namespace lockstep::registry_secret_missing {
namespace {

struct Puller {
    Place place; // of the url, in the object
    std::string name;
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

bool is_own_source(const Index& index, const std::string& url, const std::string& key) {
    if (is_own_registry(index, key)) return true;
    const std::size_t slash = key.rfind('/');
    return slash != std::string::npos && url.starts_with("oci://") && is_own_registry(index, key.substr(0, slash));
}

// Another way to be let in than a secret of the source.
bool has_other_way(const Value* tree) {
    const Cell provider = cell_at(tree, {"spec", "provider"});
    return (is_set(provider) && provider.text != "generic") || value_at(tree, {"spec", "serviceAccountName"}) ||
           value_at(tree, {"spec", "certSecretRef"});
}

class Pullers {
public:
    explicit Pullers(const Repository& repository) : index_(repository.index), fleet_(fleet_of(repository)) {
        for (const Source& source : index_.sources) {
            const Object& object = index_.objects[source.object];
            if (source.generated || object.partial || object.as_patch || fleet_.is_shown(object)) continue;
            const auto instances = fleet_.of_object(source.object);
            const Value* tree = instances.empty() ? fleet_.declared_tree(source.object)
                                                  : fleet_.tree_of(fleet_.instances[instances.front()]);
            take(source.kind, object.name.text, object.file, source.url, tree, subject_of(index_, object));
        }
        for (const Instance& one : fleet_.instances) { // of a template, as many as it makes
            if (one.id().group != "source.toolkit.fluxcd.io" || !fleet_.is_rendered(one)) continue;
            const Object* object = one.object == no_entity ? nullptr : &index_.objects[one.object];
            const FileId file = one.resource.document.file;
            if (fleet_.certainty_of(one) == Certainty::possible || file >= index_.tree->files.size()) continue;
            if (object && !fleet_.is_shown(*object)) continue;
            const Value* tree = fleet_.tree_of(one);
            const Value* url = value_at(tree, {"spec", "url"});
            Cell cell = cell_of(url);
            if (url && is_there(url->place)) cell.place = url->place;
            const std::string name(one.id().name);
            take(std::string(one.id().kind), name, file, cell, tree,
                 subject_of(index_, one) + (object && !is_known(object->name) ? ":" + name : std::string()));
        }
    }
    std::map<Kit, std::vector<Puller>> kits = {};

private:
    void take(const std::string& kind, const std::string& name, FileId file, const Cell& url, const Value* tree,
              std::string subject) {
        if ((kind != "HelmRepository" && kind != "OCIRepository") || !is_known(url)) return;
        const std::string key = registry_key(url.text);
        if (!is_own_source(index_, url.text, key)) return;
        Puller puller{url.place, name, cell_at(tree, {"spec", "secretRef", "name"}), {}, std::move(subject)};
        if (!tree) puller.unsure = "it cannot be built";
        if (has_other_way(tree)) puller.unsure = "it authenticates without a secret";
        const std::string folder(directory_of(index_.tree->files[file].path));
        const std::string& where = index_.file_trees[file].empty() ? folder : index_.file_trees[file];
        std::vector<Puller>& kit = kits[{where, organisation(key)}];
        const bool again = std::any_of(kit.begin(), kit.end(), [&](const Puller& one) { // another release, as this one
            return one.place == puller.place && one.name == name && one.secret.text == puller.secret.text;
        });
        if (!again) kit.push_back(std::move(puller));
    }

    const Index& index_;
    const Fleet& fleet_;
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Pullers all(input.repository);
    for (const auto& [kit, pullers] : all.kits) {
        std::size_t with = 0, without = 0;
        const Puller* neighbour = nullptr;
        for (const Puller& puller : pullers) {
            const bool has = is_set(puller.secret);
            with += has ? 1 : 0;
            without += !has && puller.unsure.empty() ? 1 : 0;
            if (has && !neighbour) neighbour = &puller;
        }
        for (const Puller& puller : pullers) {
            const Place place = puller.place;
            if (is_set(puller.secret)) {
                outcome.pass(place, puller.subject);
            } else if (!puller.unsure.empty()) {
                outcome.undecided(place, puller.subject, puller.unsure);
            } else if (with < 2 || with <= without) {
                outcome.undecided(place, puller.subject, "most of its neighbours have no secret either");
            } else {
                Finding finding;
                finding.message = puller.name + " pulls from " + kit.second + " without a secretRef, " +
                                  std::to_string(with) + " of its neighbours have one (" + neighbour->secret.text + ")";
                finding.place = place;
                finding.related.push_back({neighbour->secret.place, "as here"});
                outcome.fail(puller.subject, std::move(finding));
            }
        }
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::registry_secret_missing
