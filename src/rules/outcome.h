// What became of a rule: the verdict on every row it looked at, and its findings.
#pragma once
#include "rules/rule.h"
#include <type_traits>

namespace lockstep {

enum class Verdict : std::uint8_t {
    pass,
    fail,
    undecided, // a value is templated
    lost,      // the thing is there, the value the rule needs is not
    unmatched, // no partner to compare with
};

std::string_view to_string(Verdict verdict);

struct Subject {
    Place place;
    std::string name; // stable, as in Row::subject
    Verdict verdict = Verdict::pass;
    std::string why; // for undecided and unmatched
    std::size_t row = 0;
};

struct RuleOutcome {
    const Rule* rule = nullptr;
    bool ran = true;
    std::string why_not; // when it did not run
    std::vector<Subject> subjects;
    std::vector<Finding> findings;
    bool lists_passes = true; // else what passes is counted and not kept: mostly nobody asks for its names
    std::size_t unlisted_passes = 0;
    std::size_t most_findings = 250'000; // a join of some thousand rows has millions of pairs
    bool too_many = false;               // there were more, which are not kept
    // Related places beyond the first most_related of each finding, for all findings together: one cause in 800 files
    // shows them all, and thousands of findings that name each other do not.
    std::size_t spare_related = 10'000;

    void pass(Place place, std::string subject);
    // The same, for a name that is made only where it is kept.
    template <class MakeName>
    requires std::is_invocable_r_v<std::string, MakeName>
    void pass(Place place, const MakeName& subject) {
        if (lists_passes)
            pass(place, std::string(subject()));
        else
            ++unlisted_passes;
    }
    void undecided(Place place, std::string subject, std::string why);
    // The finding's rule, severity and key are filled in from the rule and the subject where they are empty.
    void fail(std::string subject, Finding finding);
    void add(Finding finding);

    std::size_t count(Verdict verdict) const;
    bool applied() const; // it looked at something
};

} // namespace lockstep
