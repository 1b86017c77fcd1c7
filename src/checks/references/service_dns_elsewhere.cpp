// Names such as `redis.cache.svc` in values and settings, where the release redis is installed in another namespace and
// nothing could make a Service of that name in the one that is named.
#include "base/text.h"
#include "deploy/fleet.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "rules/check.h"
#include <map>
#include <set>

namespace lockstep::service_dns_elsewhere {
namespace {

bool is_label(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

struct Host {
    std::string_view service, ns;
    std::size_t at = 0; // of the service in the text
};

std::vector<Host> hosts_in(std::string_view text) {
    std::vector<Host> found;
    for (auto at = text.find(".svc"); at != npos; at = text.find(".svc", at + 1)) {
        const std::size_t end = at + 4;
        if (end < text.size() && (is_label(text[end]) || text[end] == '_')) continue;
        std::size_t ns = at;
        while (ns > 0 && is_label(text[ns - 1]))
            --ns;
        if (ns == at || ns == 0 || text[ns - 1] != '.') continue;
        std::size_t service = ns - 1;
        while (service > 0 && is_label(text[service - 1]))
            --service;
        if (service == ns - 1) continue;
        if (service > 0 && std::string_view("}$)_{").find(text[service - 1]) != npos) continue;
        found.push_back({text.substr(service, ns - 1 - service), text.substr(ns, at - ns), service});
    }
    return found;
}

struct Install {
    std::string ns, tree;
    Place place;
};

struct Dns {
    const CheckInput& input;
    RuleOutcome& outcome;
    Nodes nodes;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    std::map<std::string, std::vector<Install>, std::less<>> installs = {}; // by the release's name in the cluster
    std::set<std::string, std::less<>> busy = {};     // namespaces in which a release or an operator may make Services
    std::set<std::string, std::less<>> services = {}; // `ns/name`, or `/name` where the namespace is not known
    bool unsure = false;                              // a release that may be anywhere
    const Fleet& fleet = fleet_of(input.repository);

    // As clusters get it; not known where they differ.
    Cell namespace_of(EntityId id) const {
        Cell found = index.objects[id].ns;
        const auto numbers = fleet.of_object(id);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const Instance& one = fleet.instances[numbers[i]];
            const bool known = one.ns_known && !one.id().ns.empty() && (i == 0 || found.text == one.id().ns);
            found = {known ? State::known : State::templated, std::string(one.id().ns), found.place};
            if (!known) break;
        }
        return found;
    }

    void collect() {
        for (const Instance& one : fleet.instances)
            if (one.id().kind == "Service" && one.id().group.empty() && one.name_known)
                services.insert((one.ns_known ? std::string(one.id().ns) : "") + "/" + std::string(one.id().name));
        for (const HelmRelease& release : index.releases) {
            const Object& object = index.objects[release.object];
            if (object.partial || object.as_patch) continue;
            const Cell ns = is_set(release.target_namespace) ? release.target_namespace : namespace_of(release.object);
            if (!is_known(ns)) {
                unsure = true;
                continue;
            }
            busy.insert(ns.text);
            if (!is_known(object.name) || release.release_name.state == State::templated) continue;
            const std::string name = is_known(release.release_name)     ? release.release_name.text
                                     : is_set(release.target_namespace) ? ns.text + "-" + object.name.text
                                                                        : object.name.text;
            installs[name].push_back({ns.text, tree_of(index, object), object.name.place});
        }
        for (const Object& object : index.objects) {
            const bool flux = object.group.ends_with(".toolkit.fluxcd.io");
            if (object.group.find('.') != npos && !object.group.ends_with(".k8s.io") && !flux && is_known(object.ns))
                busy.insert(object.ns.text);
            if (object.kind.text == "Service" && object.group.empty() && is_known(object.name))
                services.insert((is_known(object.ns) ? object.ns.text : "") + "/" + object.name.text);
        }
        for (const Kustomization& made : index.kustomizations)
            if (is_known(made.ns)) busy.insert(made.ns.text); // may move any object there
        for (const FluxKustomization& made : index.flux_kustomizations)
            if (is_known(made.target_namespace)) busy.insert(made.target_namespace.text);
    }

    void judge(FileId file, NodeRef scalar, const Host& host) {
        const auto known = installs.find(host.service);
        if (known == installs.end()) return;
        const std::string& own_tree = index.file_trees[file];
        const Install* elsewhere = nullptr;
        std::set<std::string> namespaces;
        for (const Install& install : known->second) {
            if (!own_tree.empty() && install.tree != own_tree) continue;
            namespaces.insert(install.ns);
            elsewhere = &install;
        }
        if (!elsewhere) return;
        const Place place{file, scalar.span()};
        const std::string name(host.service), ns(host.ns);
        const std::string subject = tree.files[file].path + "#" + path_of(scalar) + ":" + name + "." + ns;
        if (namespaces.count(ns)) return outcome.pass(place, subject);
        if (unsure || namespaces.size() != 1)
            return outcome.undecided(place, subject, "where the release is installed is not known for certain");
        if (busy.count(ns) || services.count(ns + "/" + name) || services.count("/" + name))
            return outcome.undecided(place, subject, "something may make a Service of that name there");
        Finding finding;
        finding.message = "`" + name + "." + ns + ".svc` leads nowhere: the release " + name + " is installed in " +
                          elsewhere->ns + ", and nothing in the tree makes a Service " + name + " in " + ns;
        finding.place = place;
        finding.related.push_back({elsewhere->place, "installed in " + elsewhere->ns});
        finding.cause = name + "." + ns;
        outcome.fail(subject, std::move(finding));
    }

    void read(FileId file) {
        const FileView& view = nodes.view(file);
        for (const DocumentView& document : view.documents) {
            if (document.embedded || document.list_item || !document.root) continue;
            const YamlText& yaml = document.root.yaml();
            for (NodeId id = document.root.id(); id < document.root.node().after && id < yaml.nodes.size(); ++id)
                if (const NodeRef node(&yaml, id); node.is_scalar())
                    for (const Host& host : hosts_in(node.source()))
                        judge(file, node, host);
        }
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Dns dns{input, outcome, Nodes(input.repository)};
    dns.collect();
    if (dns.installs.empty()) return;
    for (FileId file = 0; file < dns.tree.files.size(); ++file) {
        const File& source = dns.tree.files[file];
        if (source.state == FileState::read && is_indexable(source) && !is_workflow_path(source.path) &&
            source.text.find(".svc") != npos)
            dns.read(file);
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::service_dns_elsewhere
