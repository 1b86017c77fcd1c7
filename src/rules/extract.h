// From one parsed file to the rows of every fact that asks for it. The plan is made once and shared by all threads.
#pragma once
#include "index/layout.h"
#include "index/view.h"
#include "rules/rule.h"
#include <map>

namespace lockstep {

struct FileContext;

// Whether a fact over files asks for this path.
bool asks_for_file(const FactSpec& fact, std::string_view path);

struct FactRow {
    std::size_t fact = 0; // number in the plan
    Row row;
};

class FactPlan {
public:
    explicit FactPlan(const std::vector<Rule>& rules);

    std::size_t size() const { return facts_.size(); }
    std::size_t number(std::size_t rule, std::size_t fact) const { return first_[rule] + fact; }

    struct FileMatch {
        std::size_t fact = 0;
        std::vector<std::string> captures; // in the order of FactSpec::captures; a name this glob lacks is empty
    };
    // Facts whose `files` take this path.
    std::vector<FileMatch> match(std::string_view path) const;
    // `view` is null for a file that is no YAML.
    void extract(FileId id, const File& file, const std::vector<FileMatch>& matches, const FileView* view,
                 const Layout& layout, std::vector<FactRow>& rows) const;

private:
    void add_to_group(std::size_t number);
    void extract_resources(const FileContext& context, const FileView& view, std::vector<FactRow>& rows) const;

    std::vector<const FactSpec*> facts_;
    std::vector<std::size_t> first_;                                       // of each rule
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_kind_; // facts over resources
    std::vector<std::vector<std::size_t>>
        by_files_;                     // facts with files and no kinds; those of one list of globs together
    std::vector<std::string> needles_; // per fact: a key without which `each` finds nothing; may be empty
};

} // namespace lockstep
