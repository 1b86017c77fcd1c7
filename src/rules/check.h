// The face of a native check: what it is given, and the table it is found in by name.
#pragma once
#include "config/config.h"
#include "index/text_of_file.h"
#include "rules/outcome.h"
#include "rules/read.h"
#include <functional>
#include <span>

namespace lockstep {

// Facts of one rule, by their names in its file.
struct RuleFacts {
    const Rule* rule = nullptr;
    std::vector<const Table*> tables;

    // One that the check declares: the loader has seen that it is there, with its columns.
    const Table& operator[](std::string_view name) const {
        static const Table nothing;
        const Table* found = find(name);
        return found ? *found : nothing;
    }
    const Table* find(std::string_view name) const {
        for (std::size_t i = 0; rule && i < tables.size(); ++i)
            if (rule->facts[i].name == name) return tables[i];
        return nullptr;
    }
};

struct CheckInput {
    const Rule& rule; // metadata, params
    const Repository& repository;
    const Config& config;
    RuleFacts facts;       // the rule's own
    bool catalyst = false; // the catalyst pack is on
    // The repository before the change, as it was understood; always there for rules that say `needs: base`, else null
    // where there is none. Its files have other numbers: no place of a finding may come from here.
    const Repository* base = nullptr;
    std::vector<const RuleOutcome*> replaced = {}; // of the rules under `replaces`, which have run already
    // Those of another rule, for checks that start from the same things: what flux-version-split sees tells which Flux
    // is pinned. Nothing for an id that is not there.
    std::function<RuleFacts(std::string_view id)> facts_of = {};

    RuleFacts own_facts() const { return facts; }
    // The text of a file that every run reads, or that this rule's own facts ask for. What other rules happen to have
    // read is not there, and the view is null: an unrelated rule must not change this one's verdict.
    std::string_view text(FileId file) const;
    TextOfFile texts() const {
        return [this](FileId file) { return text(file); };
    }
};

struct NativeCheck {
    void (*run)(const CheckInput& input, RuleOutcome& outcome);
    // The facts it takes with the columns it reads: `charts: group chart first; scripts`. The loader holds every rule
    // that names the check to it.
    std::string_view takes = {};
    std::string_view name = {}; // of the rule; ci/gather_checks.py takes it from the file's name
};
CheckSignature signature_of(const NativeCheck& check);

} // namespace lockstep
