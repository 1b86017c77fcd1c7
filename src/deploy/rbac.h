// Who a pod acts as and what that account may do: serviceAccountName, bindings, roles. For checks that hold what
// scripts do against what is granted.
#pragma once
#include "deploy/fleet.h"
#include "deploy/nodes.h"
#include "index/shell.h"
#include <deque>
#include <span>
#include <unordered_map>

namespace lockstep {

struct RbacRule {
    std::vector<Cell> groups, resources, verbs, names;
    Place place;
};

struct RbacRole {
    EntityId object = no_entity; // as written; none for one that is rendered
    std::string title;           // `Role web`
    std::vector<RbacRule> rules;
    Place rules_key;    // or the whole object
    std::string unsure; // why the rules are not all that it grants
};

struct RbacBinding {
    Cell role_kind, role_name;
    std::vector<std::size_t> roles; // numbers into RbacGrants::roles
    std::string unsure;             // why its role is unknown
    bool everything = false;        // cluster-admin
    bool absent = false;            // the role ought to be in the same chart or folder and is not
};

// What one account has. Bindings that may or may not be its own are counted, not listed.
struct Account {
    bool there = false;                // the ServiceAccount is in the tree
    bool near = false;                 // and made by what makes the pod
    std::vector<std::size_t> bindings; // numbers into RbacGrants::bindings
    std::string unsure;                // why there may be more bindings
};

// A ConfigMap or Secret that a pod has as a volume, and where its containers find it.
struct MountedMap {
    Cell name;
    std::vector<std::pair<std::string, std::string>> items;  // key and file; none: each key is a file of its name
    std::vector<std::pair<std::string, std::string>> mounts; // mountPath and subPath
};

// A key of a ConfigMap and its text.
using KeyText = std::pair<std::string_view, std::string_view>;

// A pod in a workload, or a PodSpec inside a ConfigMap.
struct PodRun {
    EntityId object = no_entity; // as written; none for one that is rendered
    std::string subject, title;  // of the object: `Job web`
    Place place;
    Cell name; // serviceAccountName
    Account account;
    std::vector<MountedMap> maps;
    std::vector<std::string_view> spoken; // what its containers say, mounts aside
    bool kubeconfig = false;              // it brings credentials of its own
    bool held = false;                    // inside a ConfigMap
    std::uint32_t root = no_number;       // of one that is rendered
};

struct RbacGrants {
    std::vector<RbacRole> roles;
    std::vector<RbacBinding> bindings;
};

// As files say it. What clusters get is left to AppliedRbac.
class Rbac : public RbacGrants {
public:
    explicit Rbac(const Repository& repository);
    std::vector<PodRun> pods_of(const Object& object, EntityId id);

private:
    Account account_of(const PodRun& pod) const;
    std::string key(EntityId object, std::string_view kind, const Cell& name) const;
    NodeRef root(const Object& object);
    void read_role(EntityId id);
    void read_binding(EntityId id);

    const Repository& repository_;
    Nodes nodes_;
    std::deque<YamlText> documents_; // of large files
    std::unordered_map<std::string, std::vector<std::size_t>> roles_by_name_, bindings_by_account_;
    std::unordered_map<std::string, EntityId> accounts_;
    std::unordered_map<std::string, std::string> unsure_bindings_; // by chart
    std::unordered_map<std::string, std::size_t> roles_in_chart_;  // literal ones, by chart and kind
    std::unordered_map<std::string, std::string> unsure_roles_;    // by chart
};

// What one instance of a workload runs.
struct AppliedScript {
    PodRun pod;
    FileId file = no_file;
    std::vector<ShellCommand> commands;
    bool unknown = false; // a value that only the cluster knows is part of it
    Place place;
};

// As clusters get it: what Helm makes of workloads, and all that is granted beside them.
class AppliedRbac : public RbacGrants {
public:
    explicit AppliedRbac(const Repository& repository);
    std::vector<AppliedScript> scripts; // those that call kubectl
    // Whether scripts of such an instance are among them; else files say all that is known.
    bool is_judged(const Instance& one) const;

private:
    bool may_call_kubectl(const Instance& one, bool mounted) const;
    std::string key(const Instance& beside, std::string_view kind, std::string_view ns, std::string_view name) const;
    void read_pods(const Instance& one, const Value& value);
    void read_script(const Instance& one, const PodRun& pod, const Value* text);
    void read_role(const Instance& one);
    void read_binding(const Instance& one);
    bool is_known_here(const Instance& binding, std::string_view kind) const;
    void find_accounts();

    const Repository& repository_;
    const Fleet& fleet_;
    std::vector<const Instance*> runs_; // by script: the workload
    std::unordered_map<std::string, std::vector<std::size_t>> roles_by_name_, bindings_by_account_;
    std::unordered_map<std::string, const Instance*> accounts_, config_maps_;
    std::unordered_map<std::uint32_t, std::string> unsure_; // by cluster
};

// Numbers of the scripts that some container finds in the mounted map and that something calls: a container by its
// command, its probes or its hooks, or a script that is called itself.
std::vector<std::size_t> called_scripts(const MountedMap& map, std::span<const KeyText> scripts,
                                        std::span<const std::string_view> spoken);

// What makes an object: its chart, or the folder of its file.
std::string scope_of(const Index& index, const Object& object);
bool is_workload(std::string_view kind);
bool is_built_in_role(std::string_view name);

// Two templates of one chart that say the same: blanks and trim marks do not matter.
std::string plain_template(std::string_view text);

} // namespace lockstep
