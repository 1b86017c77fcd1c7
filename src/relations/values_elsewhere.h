// Who else sets values of a chart: other tools that install it, other charts, files that try it out. What its own
// values leave open is theirs to fill.
#pragma once
#include "relations/chart_problems.h"
#include "relations/relation.h"
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace lockstep {

class ValuesElsewhere {
public:
    explicit ValuesElsewhere(const RelationInput& input);
    // A chart of one's own may leave a value to whoever installs it: the reason, or nothing.
    std::string left_to_others(const ChartProblem& one, ProblemKind kind);
    // A helmfile names charts of this tree, and not this one.
    bool is_left_out_by_helmfile(EntityId chart);
    // A document of the chart, or a comment of its values, tells whoever installs it to define this template.
    bool is_documented(EntityId chart, std::string_view helper) const;
    // A values file beside the chart's own that has a key of this name.
    FileId other_values_with(EntityId chart, const std::string& key);

private:
    const std::string& installer_of(EntityId chart);
    std::string look_for_installer(EntityId chart) const;
    bool is_told_or_filled_in(EntityId chart) const;
    std::string version_writer(EntityId chart) const;
    bool has_key(FileId file, const std::string& key, bool at_top);
    bool takes_globals(EntityId chart);
    FileId file_with(const std::string& key);
    void read_keys();

    const RelationInput& input_;
    const Index& index_;
    std::set<FileId> installers_; // files of other tools, which may install a chart of this tree
    std::unordered_map<EntityId, std::string> known_installers_;
    std::unordered_map<EntityId, bool> takes_globals_;
    std::optional<bool> helmfile_names_charts_;
    std::map<std::pair<FileId, bool>, std::unordered_set<std::string_view>> keys_of_; // at the top alone: true
    bool keys_read_ = false;
    std::unordered_map<std::string_view, FileId>
        keys_; // of files outside of all charts, each with the first that has it
};

} // namespace lockstep
