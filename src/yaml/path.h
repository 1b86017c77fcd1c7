// Paths into YAML: `spec.chart.spec.version`, `dependencies[name=flux2].version`, `list[*].x`, `list[0]`, `**.$patch`,
// `*.version`, `metadata.annotations["a.b/c"]`. A key step looks through aliases and merge keys. `*` is every own key
// of a mapping, `x-*` every own key that starts so, `[*]` every item of a list. `**` is any depth, none included; it
// follows no alias and looks through no merge key, so that its cost is the number of nodes.
#pragma once
#include "base/result.h"
#include "yaml/node.h"
#include <optional>

namespace lockstep {

class YamlPath {
public:
    static Result<YamlPath> parse(std::string_view text);

    struct Match {
        NodeRef key;   // the key (empty for an item of a list)
        NodeRef value; // aliases resolved
    };
    // In document order, each pair of key and value once. An empty path matches the root itself.
    std::vector<Match> find(NodeRef root) const;
    std::optional<Match> find_first(NodeRef root) const;
    // The deepest key (or item) that exists on the way; the root when not even the first step does.
    NodeRef deepest(NodeRef root) const;
    const std::string& text() const { return text_; }

    struct Step {
        enum class Kind : std::uint8_t { key, any_key, index, any_item, where, descend } kind;
        std::string name;  // key; for `any_key`: how it starts; for `where`: the field
        std::string value; // for `where`
        std::size_t index = 0;
    };

    const std::vector<Step>& steps() const { return steps_; }

private:
    std::string text_;
    std::vector<Step> steps_;
};

} // namespace lockstep
