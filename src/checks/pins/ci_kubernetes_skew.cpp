// The Kubernetes that CI tests on against the k3s that bootstrap installs.
#include "index/cells.h"
#include "index/flux_sites.h"
#include "rules/check.h"
#include <set>

namespace lockstep::ci_kubernetes_skew {
namespace {

struct NodePin {
    Version version;
    const BootstrapPin* pin = nullptr;
};

const NodePin* node_of(const Version& version, const std::vector<NodePin>& nodes) {
    for (const NodePin& node : nodes)
        if (node.version.major == version.major && node.version.minor == version.minor) return &node;
    return nullptr;
}

// A matrix of several minors is in order as long as the nodes' own is one of them.
using Tested = std::set<std::pair<FileId, std::string>>; // by image

Tested tested_on_nodes(const Table& images, const std::vector<NodePin>& nodes) {
    Tested tested;
    for (const Row& row : images.rows) {
        const auto version = parse_version(images.at(row, "version").text);
        if (version && node_of(*version, nodes)) tested.emplace(row.anchor.file, images.at(row, "image").text);
    }
    return tested;
}

void judge(const Row& row, const Table& images, const std::vector<NodePin>& nodes, bool more, const Tested& tested,
           RuleOutcome& outcome) {
    const Cell& cell = images.at(row, "version");
    const std::string& image = images.at(row, "image").text;
    const auto version = parse_version(cell.text);
    if (!version || nodes.empty())
        return outcome.undecided(cell.place, row.subject,
                                 more ? "the version of k3s is not written out" : "no k3s is pinned");
    if (tested.count({row.anchor.file, image}) != 0) return outcome.pass(cell.place, row.subject);
    if (more) return outcome.undecided(cell.place, row.subject, "another k3s is not written out");
    Finding finding;
    finding.place = cell.place;
    finding.message =
        "CI uses " + image + " " + without_v(cell.text) + ", the nodes run k3s " + nodes.front().pin->version.text;
    for (std::size_t i = 0; i < nodes.size() && i < most_related; ++i)
        finding.related.push_back({nodes[i].pin->version.place, "k3s " + nodes[i].pin->version.text});
    outcome.fail(row.subject, std::move(finding));
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Table* images = input.own_facts().find("image");
    if (!images) return;
    std::vector<NodePin> nodes;
    bool more = false; // a k3s whose version a variable or a channel decides
    for (const BootstrapPin& pin : input.repository.index.bootstrap_pins) {
        const bool channel = pin.kind == BootstrapPin::Kind::k3s_channel;
        if (pin.kind != BootstrapPin::Kind::k3s_version && !channel) continue;
        if (is_side_script(input.repository.index, pin)) continue;
        const auto version = is_known(pin.version) && !channel ? parse_version(pin.version.text) : std::nullopt;
        if (version)
            nodes.push_back({*version, &pin});
        else
            more = true;
    }
    const Tested tested = tested_on_nodes(*images, nodes);
    for (const Row& row : images->rows)
        judge(row, *images, nodes, more, tested, outcome);
}

} // namespace

constexpr NativeCheck check{run, "image: image version"};

} // namespace lockstep::ci_kubernetes_skew
