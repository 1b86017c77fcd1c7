// What a kubectl command does: its verb and the objects it names. Between the shell scanner and the checks that hold
// scripts against RBAC and against what Git declares.
#pragma once
#include "index/index.h"
#include "index/kube_resources.h"
#include "index/shell.h"

namespace lockstep {

struct KubectlTarget {
    ResourceType type;
    std::string name;        // empty: none is named, or it is not known
    bool named = false;      // one object, by its name
    bool name_known = false; // and the name is written out
    Span span;
};

struct KubectlCall {
    const ShellCommand* command = nullptr;
    std::string verb; // `patch`, `set env`, `rollout restart`, `create secret`
    std::vector<KubectlTarget> targets;
    std::vector<const ShellWord*> pairs; // `KEY=value` and `key-` words behind the objects
    std::string subresource;
    std::optional<ShellWord> ns;
    bool all_namespaces = false;
    bool harmless = false; // changes and asks nothing: `version`, `--dry-run=client`
    std::string unclear;   // why it is unknown what the command does; then targets may be missing
};

// Nothing when the command is not kubectl.
std::optional<KubectlCall> read_kubectl(const ShellCommand& command);
std::string shown(const KubectlCall& call); // `kubectl patch helmreleases --subresource=status`

// The commands of a script of the index.
std::vector<ShellCommand> commands_of(const Index& index, const Script& script);
bool pushes_to_git(const std::vector<ShellCommand>& commands);

} // namespace lockstep
