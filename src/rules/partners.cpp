// Finds the partners of a row by equal values, versions and urls in their normal form.
#include "rules/partners.h"
#include "rules/compare.h"

namespace lockstep {

const Cell& cell_of(const Operand& operand, const Rows& rows) {
    static const Cell none;
    const Row* row = operand.literal ? nullptr : rows[operand.fact];
    return row ? row->cells[operand.column] : none;
}

PartnerIndex::PartnerIndex(const Join& join, const FactSpec& fact, const Table& table) : join_(join), fact_(fact) {
    for (const auto& row : table.rows) {
        if (!row.lost.empty()) {
            any_lost_ = true;
            continue;
        }
        std::string key;
        bool templated = false, absent = false;
        for (std::size_t i = 0; i < join.columns.size(); ++i) {
            const Cell& cell = row.cells[join.columns[i]];
            templated = templated || cell.state == State::templated;
            absent = absent || cell.state == State::absent;
            key += key_part(cell.text, i);
        }
        if (templated)
            any_templated_ = true;
        else if (!absent)
            rows_[key].push_back(&row);
    }
}

PartnerIndex::Found PartnerIndex::find(const Rows& rows) const {
    std::string key;
    for (std::size_t i = 0; i < join_.keys.size(); ++i) {
        const Cell& cell = cell_of(join_.keys[i], rows);
        if (cell.state == State::templated) return {nullptr, true};
        if (cell.state == State::absent) return {nullptr, false};
        key += key_part(cell.text, i);
    }
    const auto found = rows_.find(key);
    if (found == rows_.end()) return {nullptr, any_templated_};
    return {&found->second, false};
}

std::string PartnerIndex::key_part(const std::string& text, std::size_t i) const {
    const Reading partner = fact_.readings[join_.columns[i]];
    return normalised(text, partner != Reading::text ? partner : join_.keys[i].reading) + '\x1f';
}

} // namespace lockstep
