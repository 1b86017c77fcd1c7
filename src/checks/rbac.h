// Who a pod acts as and what that account may do: serviceAccountName, bindings, roles. For checks that hold what
// scripts do against what is granted.
#pragma once
#include "checks/nodes.h"
#include <deque>
#include <unordered_map>

namespace lockstep {

struct RbacRule {
    std::vector<Cell> groups, resources, verbs, names;
    Place place;
};

struct RbacRole {
    EntityId object = no_entity;
    std::vector<RbacRule> rules;
    Place rules_key;    // or the whole object
    std::string unsure; // why the rules are not all that it grants
};

struct RbacBinding {
    EntityId object = no_entity;
    Cell role_kind, role_name;
    std::vector<EntityId> roles; // numbers into Rbac::roles
    std::string unsure;          // why its role cannot be told
    bool everything = false;     // cluster-admin
    bool absent = false;         // the role ought to be in the same chart or folder and is not
};

// A pod in a workload, or a PodSpec inside a ConfigMap.
struct PodRun {
    EntityId object = no_entity;
    Place place;
    Cell account;
    std::vector<Cell> config_maps; // that it mounts
    bool kubeconfig = false;       // it brings credentials of its own
};

// What one account has. Bindings that may or may not be its own are counted, not listed.
struct Account {
    EntityId object = no_entity;       // the ServiceAccount, when it is in the tree
    std::vector<std::size_t> bindings; // numbers into Rbac::bindings
    std::string unsure;                // why there may be more bindings
};

class Rbac {
public:
    explicit Rbac(const Repository& repository);
    std::vector<PodRun> pods_of(const Object& object, EntityId id);
    Account account_of(const PodRun& pod) const;

    std::vector<RbacRole> roles;
    std::vector<RbacBinding> bindings;

private:
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

// Two templates of one chart that say the same: blanks and trim marks do not matter.
std::string plain_template(std::string_view text);

} // namespace lockstep
