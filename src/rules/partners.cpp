// Finds the partners of a row by equal values, versions, urls and hosts in their normal form.
#include "rules/partners.h"
#include "rules/compare.h"
#include <algorithm>

namespace lockstep {

const Cell& cell_of(const Operand& operand, const Rows& rows) {
    static const Cell none;
    const Row* row = operand.literal || operand.counted ? nullptr : rows[operand.fact];
    return row ? row->cell(operand.column) : none;
}

Cell filled_cell(const MessagePart& text, const Rows& rows) {
    Cell made{State::known, text.texts.front(), {}};
    for (std::size_t i = 0; i < text.operands.size(); ++i) {
        const Cell& cell = cell_of(text.operands[i], rows);
        if (cell.state == State::absent) return {};
        if (cell.state == State::templated) made.state = State::templated;
        made.text += cell.text + text.texts[i + 1];
    }
    return made;
}

PartnerIndex::PartnerIndex(const Join& join, const FactSpec& fact, const Table& table) : join_(join), fact_(fact) {
    for (const auto& row : table.rows) {
        if (!row.lost.empty()) {
            any_lost_ = true;
            continue;
        }
        std::string key, wild;
        bool templated = false, absent = false;
        for (std::size_t i = 0; i < join.columns.size(); ++i) {
            const Cell& cell = row.cell(join.columns[i]);
            templated = templated || cell.state == State::templated;
            absent = absent || cell.state == State::absent;
            key += key_part(cell.text, i);
            if (joins_hosts()) wild += key_part(cell.text, i, true);
        }
        if (templated) {
            any_templated_ = true;
        } else if (!absent) {
            rows_[key].push_back(&row);
            if (joins_hosts()) wild_[wild].push_back(&row);
        }
    }
}

Cell PartnerIndex::wanted(std::size_t i, const Rows& rows) const {
    return join_.written[i] ? filled_cell(*join_.written[i], rows) : cell_of(join_.keys[i], rows);
}

PartnerIndex::Found PartnerIndex::find(const Rows& rows) {
    std::string key, wild;
    for (std::size_t i = 0; i < join_.keys.size(); ++i) {
        const Cell& cell = join_.written[i] ? wanted(i, rows) : cell_of(join_.keys[i], rows);
        if (cell.state == State::templated) return {nullptr, true};
        if (cell.state == State::absent) return {nullptr, false};
        key += key_part(cell.text, i);
        if (joins_hosts()) wild += key_part(cell.text, i, true);
    }
    if (joins_hosts()) {
        const auto* found = with_wildcards(key, wild);
        return found ? Found{found, false} : Found{nullptr, any_templated_};
    }
    const auto found = rows_.find(key);
    if (found == rows_.end()) return {nullptr, any_templated_};
    return {&found->second, false};
}

// A host, the wildcard that covers it, and of a wildcard all hosts that it covers.
const std::vector<const Row*>* PartnerIndex::with_wildcards(const std::string& key, const std::string& wild) {
    const auto [known, fresh] = merged_.try_emplace(key);
    std::vector<const Row*>& all = known->second;
    if (fresh) {
        const auto add = [&](const auto& rows, const std::string& asked) {
            if (const auto found = rows.find(asked); found != rows.end())
                for (const Row* row : found->second)
                    if (std::find(all.begin(), all.end(), row) == all.end()) all.push_back(row);
        };
        add(rows_, key);
        add(key == wild ? wild_ : rows_, wild);
    }
    return all.empty() ? nullptr : &all;
}

bool PartnerIndex::joins_hosts() const {
    for (std::size_t i = 0; i < join_.columns.size(); ++i)
        if (fact_.readings[join_.columns[i]] == Reading::host || join_.keys[i].reading == Reading::host) return true;
    return false;
}

// `wildcard`: a host as the wildcard that covers it, and a wildcard as it is.
std::string PartnerIndex::key_part(const std::string& text, std::size_t i, bool wildcard) const {
    const Reading partner = fact_.readings[join_.columns[i]];
    const Reading reading = partner != Reading::text ? partner : join_.keys[i].reading;
    std::string part = normalised(text, reading);
    if (wildcard && reading == Reading::host && !part.starts_with("*.")) part = wildcard_of(part);
    return part + '\x1f';
}

} // namespace lockstep
