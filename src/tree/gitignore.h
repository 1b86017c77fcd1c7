// Ignore files as git reads them: the walk asks for every entry it meets, from the folder's own rules outwards.
#pragma once
#include "tree/wildmatch.h"
#include <memory>
#include <optional>

namespace lockstep {

// The rules of one ignore file.
class IgnoreRules {
public:
    explicit IgnoreRules(std::string_view text);
    bool empty() const { return rules_.empty(); }
    // Every file is compared with every pattern. Beyond this many none counts, so that more is read and not less.
    static constexpr std::size_t most_patterns = 4096;
    bool too_many() const { return too_many_; }
    // `path` counts from the folder of the ignore file. True: ignored; false: a `!` rule takes it back; nothing: no
    // rule matches it. `is_directory` is for real folders only, not for links to one.
    std::optional<bool> verdict(std::string_view path, bool is_directory) const;
    // As Flux reads them: of a file, the last rule that matches it or of a folder around it. What is below an ignored
    // folder can be taken back.
    std::optional<bool> verdict_with_folders(std::string_view file) const { return flux_verdict(file).said; }
    struct Verdict {
        std::optional<bool> said;
        std::uint32_t begin = 0, end = 0; // the line that says it, in the text
    };
    Verdict flux_verdict(std::string_view file) const;

private:
    struct Rule {
        WildPattern pattern;
        bool negated, directories_only, name_only;
        std::uint32_t begin, end; // the line, in the text
    };
    std::vector<Rule> rules_;
    bool too_many_ = false;
};

// An ignore file in force for a folder, and the ones further out that it overrules.
struct IgnoreScope {
    std::string directory; // relative to the root, "" for the root
    IgnoreRules rules;
    std::shared_ptr<const IgnoreScope> outer;
    std::string above = {}; // for a file above the root: the root's path from its folder, with the last '/'
};

// For a path from the root, inside the innermost scope's folder. Whoever asks must not enter an ignored folder: nothing
// below it can be taken back.
bool is_ignored(const IgnoreScope* innermost, std::string_view path, bool is_directory);

} // namespace lockstep
