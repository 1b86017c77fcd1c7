// Compares what rules name with what is known.
#include "rules/unknown_kinds.h"
#include "base/suggest.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

std::set<std::string> known_kinds(const RuleSet& rules, const Index& index) {
    std::set<std::string> kinds;
    for (std::string_view name : {"scopes", "resource-names"})
        if (const auto table = rules.tables.find(std::string(name)); table != rules.tables.end())
            for (const Row& row : table->second.rows)
                kinds.insert(table->second.at(row, "kind").text);
    if (const auto table = rules.tables.find("flux-apis"); table != rules.tables.end())
        for (const Row& row : table->second.rows) {
            const std::string& api = table->second.at(row, "api").text;
            kinds.insert(api.substr(api.rfind('/') + 1)); // npos + 1 is 0
        }
    for (const CustomKind& custom : index.custom_kinds)
        kinds.insert(custom.kind);
    for (const Object& object : index.objects)
        kinds.insert(object.kind.text);
    return kinds;
}

} // namespace

std::vector<std::string> unknown_kinds(const RuleSet& rules, const Index& index) {
    std::vector<std::string> lines;
    std::set<std::string> known; // looked for when a rule of the repository asks
    for (const Rule& rule : rules.rules)
        for (const FactSpec& fact : rule.facts)
            for (const KindSpec& kind : fact.kinds) {
                if (rule.pack != "local") continue;
                if (known.empty()) known = known_kinds(rules, index);
                if (known.contains(kind.kind)) continue;
                const auto near = nearest(kind.kind, {known.begin(), known.end()});
                lines.push_back(rule.path + ": warning: the fact `" + fact.name + "` asks for the kind `" + kind.kind +
                                "`, which neither Kubernetes, Flux nor anything in this repository has" +
                                (near ? "; did you mean `" + *near + "`?" : ""));
            }
    return lines;
}

} // namespace lockstep
