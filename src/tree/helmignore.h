// `.helmignore` as Helm reads it: which files of a chart's folder are no part of the chart. Not git's rules: no `**`,
// and a line with `!` ignores everything that it does not match.
#pragma once
#include "tree/wildmatch.h"

namespace lockstep {

class HelmIgnore {
public:
    explicit HelmIgnore(std::string_view text = {});
    // `path` counts from the chart's folder. An ignored folder takes all below it along.
    bool ignores(std::string_view path) const;

private:
    struct Rule {
        WildPattern pattern;
        bool negated, directories_only, name_only;
    };
    bool verdict(std::string_view path, bool is_directory) const;
    std::vector<Rule> rules_;
};

} // namespace lockstep
