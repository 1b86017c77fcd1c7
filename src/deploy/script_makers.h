// Objects that scripts and Terraform files make: `kubectl create secret generic NAME`, `flux create source helm NAME`,
// `kubernetes_secret`, a manifest in a heredoc. A file that only mentions a name makes nothing.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct ScriptText {
    std::string_view path, text;
};

class ScriptMakers {
public:
    explicit ScriptMakers(std::vector<ScriptText> scripts) : scripts_(std::move(scripts)) {}
    // The path of a script that makes it; empty when none does.
    std::string_view find(std::string_view kind, std::string_view name);
    // The path of a script that applies a file by hand, or a folder that it is in; empty when none does.
    std::string_view applier_of(std::string_view file) const;

private:
    const std::vector<const ScriptText*>& makers_of(std::string_view kind);

    std::vector<ScriptText> scripts_;
    std::map<std::string, std::vector<const ScriptText*>, std::less<>> by_kind_;
};

// Scripts of tests, and those that are kept as samples: what they make is gone afterwards.
bool is_test_script(std::string_view path);

} // namespace lockstep
