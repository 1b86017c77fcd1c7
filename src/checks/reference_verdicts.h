// From resolved references to verdicts, for the rules whose references differ only in their words: one finding for each
// place in the tree, whatever the number of clusters that read it.
#pragma once
#include "deploy/references.h"
#include "rules/check.h"

namespace lockstep {

struct ReferenceWords {
    std::string_view set;
    // `Kustomization web waits for db`.
    std::string (*says)(const ResolvedReference& reference, const std::string& who, const std::string& target);
    std::string_view absent;      // `, which this repository does not have`
    std::string_view role;        // of the object that refers, for its related place
    bool target_with_kind = true; // `Secret apps/login` in place of `apps/login`
    // Ends the key of a finding; `:field/name` where it is not given.
    std::string (*key)(const ResolvedReference& reference) = nullptr;
    // Nothing reads it: not judged at all where this is true.
    bool (*is_idle)(const CheckInput& input, const ResolvedReference& reference) = nullptr;
    bool one_per_object = false;    // several that nothing is known of are one finding of the object that refers
    bool hand_made_secrets = false; // a missing Secret is no fault by convention alone
};

// The files of the fact `scripts`, and the scripts inside manifests; those of tests left out.
std::vector<ScriptText> scripts_of(const CheckInput& input);
// With the tables `references` and `makers` and the files of `scripts`, which the rule must have as facts.
References references_of(const CheckInput& input);

void judge_references(const CheckInput& input, RuleOutcome& outcome, const ReferenceWords& words);

// `a`, `a and b` or `a, b, c and 7 more`.
std::string listed(const std::set<std::string>& names);
// `path#Kind/namespace/name` of what an instance or an object that nothing applies was declared as.
std::string subject_of_reference(const CheckInput& input, const ResolvedReference& reference);

} // namespace lockstep
