// One combination of joined rows, and the look-up of a partner by the values of its join columns.
#pragma once
#include "rules/rule.h"
#include <unordered_map>

namespace lockstep {

using Rows = std::vector<const Row*>; // one per fact of the rule; null where nothing is joined

// The cell an operand names; an absent one for literals and rows that are not there.
const Cell& cell_of(const Operand& operand, const Rows& rows);

class PartnerIndex {
public:
    PartnerIndex(const Join& join, const FactSpec& fact, const Table& table);

    struct Found {
        const std::vector<const Row*>* rows = nullptr;
        bool unknown = false; // a templated key on either side: there may be a partner
    };
    Found find(const Rows& rows) const;
    bool any_lost() const { return any_lost_; }

private:
    std::string key_part(const std::string& text, std::size_t i) const;
    const Join& join_;
    const FactSpec& fact_;
    std::unordered_map<std::string, std::vector<const Row*>> rows_;
    bool any_lost_ = false, any_templated_ = false;
};

} // namespace lockstep
