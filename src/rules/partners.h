// One combination of joined rows, and the look-up of a partner by the values of its join columns.
#pragma once
#include "rules/rule.h"
#include <unordered_map>

namespace lockstep {

using Rows = std::vector<const Row*>; // one per fact of the rule; null where nothing is joined

// A text with fields in it, filled in; templated or absent where one of them is.
Cell filled_cell(const MessagePart& text, const Rows& rows);
// The cell an operand names; an absent one for literals and rows that are not there.
const Cell& cell_of(const Operand& operand, const Rows& rows);

class PartnerIndex {
public:
    PartnerIndex(const Join& join, const FactSpec& fact, const Table& table);

    struct Found {
        const std::vector<const Row*>* rows = nullptr;
        bool unknown = false; // a templated key on either side: there may be a partner
    };
    Found find(const Rows& rows);
    bool any_lost() const { return any_lost_; }

private:
    Cell wanted(std::size_t i, const Rows& rows) const;
    std::string key_part(const std::string& text, std::size_t i, bool wildcard = false) const;
    bool joins_hosts() const;
    const std::vector<const Row*>* with_wildcards(const std::string& key, const std::string& wild);
    const Join& join_;
    const FactSpec& fact_;
    std::unordered_map<std::string, std::vector<const Row*>> rows_;
    std::unordered_map<std::string, std::vector<const Row*>> wild_; // hosts, by the wildcard that covers them
    std::unordered_map<std::string, std::vector<const Row*>>
        merged_; // what was found with wildcards, by what was asked
    bool any_lost_ = false, any_templated_ = false;
};

} // namespace lockstep
