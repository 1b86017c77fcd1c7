// Who brings the CRDs of a group to a cluster: charts of this tree, charts of others by their names, manifests, what
// people run before Flux does; and what waits for what. For checks about custom resources.
#pragma once
#include "base/table.h"
#include "deploy/fleet.h"
#include "index/text_of_file.h"
#include <map>
#include <set>

namespace lockstep {

struct CrdProvider { // a chart of somebody else, by its name
    std::string chart;
    bool first = false;   // in crds/: Helm installs it before any template
    bool network = false; // Flux cannot run before it: it is there first
};

struct OwnCrds { // of a chart of this tree
    bool first = false, among_templates = false;
};

class CrdProviders {
public:
    // `charts` is rules/data/crd-charts.yaml; `text` gives the files that may prepare a cluster.
    CrdProviders(const Index& index, const Fleet& fleet, const Table& charts, TextOfFile text);

    bool is_of_interest(std::string_view group) const { return known.count(group) || own_groups_.count(group); }
    // Files that prepare a cluster before Flux runs and that mention the CRDs: they may be there already.
    bool is_prepared(const std::string& group);
    // Another repository or a remote base that the cluster takes, and whose name, path or url mentions the CRDs:
    // nobody here sees what is in it.
    bool may_come_from_outside(std::uint32_t cluster, const std::string& group) const;
    // Whether a release brings the CRDs of a group. A chart of the tree is judged by what it has, not by its name.
    const CrdProvider* brings(const Instance& one, std::string_view group) const;
    // Everything a release waits for, itself included; and what the Flux Kustomizations above it wait for.
    bool waits_for(const Instance& one, const Instance& other) const;

    std::map<std::string, std::vector<CrdProvider>, std::less<>> known; // by group
    std::map<std::pair<EntityId, std::string>, OwnCrds> own;            // by chart and group
    std::set<std::string> declared;                                     // groups with CRDs outside of charts
    std::set<std::pair<std::uint32_t, std::string>> given;              // cluster and group: CRDs it gets
    std::map<EntityId, EntityId> release_of;                            // by object
    std::map<std::uint32_t, std::vector<std::uint32_t>> releases;       // by cluster: instances

private:
    void take_rendered(const Instance& one);
    std::vector<std::string> words_of(const std::string& group) const;
    bool runs_lost_helmfile() const;

    const Index& index_;
    const Tree& tree_;
    const Fleet& fleet_;
    TextOfFile text_;
    std::set<std::string, std::less<>> own_groups_;
    std::map<std::string, bool> prepared_; // by group
};

} // namespace lockstep
