// Holds the items of two trees against each other.
#include "cli/diff_items.h"
#include "index/cells.h"
#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep {
namespace {

using Sides = std::pair<std::vector<const DiffItem*>, std::vector<const DiffItem*>>; // base, head

// Takes out of both what is the same in both, whatever the order.
void cancel(Sides& sides) {
    auto& [base, head] = sides;
    for (auto it = base.begin(); it != base.end();) {
        const auto same = std::find_if(head.begin(), head.end(),
                                       [&](const DiffItem* other) { return other->side.value == (*it)->side.value; });
        if (same == head.end()) {
            ++it;
            continue;
        }
        head.erase(same);
        it = base.erase(it);
    }
}

Difference difference(const DiffItem* before, const DiffItem* after) {
    const DiffItem& one = after ? *after : *before;
    Difference result{one.section, one.what + (one.changed_on ? " (as written)" : ""), {}, {}};
    if (before) result.before = before->side;
    if (after) result.after = after->side;
    return result;
}

// Places of one tree at which what clusters get is told already.
class Told {
public:
    explicit Told(const std::vector<Place>& places) {
        for (const Place& place : places)
            if (is_there(place)) spans_[place.file].push_back(place.span);
    }
    bool has(Place place) const {
        const auto found = spans_.find(place.file);
        return found != spans_.end() && std::any_of(found->second.begin(), found->second.end(), [&](const Span& span) {
                   return span.begin < place.span.end && place.span.begin < span.end;
               });
    }

private:
    std::map<FileId, std::vector<Span>> spans_;
};

} // namespace

std::vector<Difference> differences(const std::vector<DiffItem>& base, const std::vector<DiffItem>& head,
                                    const Tree& base_tree, const Tree& head_tree) {
    AppliedDifferences applied = applied_differences(base, head, base_tree, head_tree);
    const Told told_base(applied.base), told_head(applied.head);
    std::map<std::pair<Difference::Section, std::string>, Sides> by_identity, by_name;
    for (const DiffItem& item : base)
        if (!item.applied) by_identity[{item.section, item.identity}].first.push_back(&item);
    for (const DiffItem& item : head)
        if (!item.applied) by_identity[{item.section, item.identity}].second.push_back(&item);
    std::vector<Difference> found = std::move(applied.found);
    const auto add = [&](const DiffItem* before, const DiffItem* after) {
        const bool told = (before && told_base.has(before->side.place)) || (after && told_head.has(after->side.place));
        const bool field = (before ? before : after)->section <= Difference::Section::depends_on;
        if (told && field) return;
        found.push_back(difference(before, after));
    };
    for (auto& [identity, sides] : by_identity) {
        cancel(sides);
        auto& [before, after] = sides;
        const std::size_t both = std::min(before.size(), after.size());
        for (std::size_t i = 0; i < both; ++i)
            add(before[i], after[i]);
        for (std::size_t i = both; i < before.size(); ++i)
            by_name[{before[i]->section, before[i]->what}].first.push_back(before[i]);
        for (std::size_t i = both; i < after.size(); ++i)
            by_name[{after[i]->section, after[i]->what}].second.push_back(after[i]);
    }
    // One that went and one of the same name that came are one that moved to another file.
    for (auto& [name, sides] : by_name) {
        auto& [before, after] = sides;
        if (before.size() == 1 && after.size() == 1) {
            const bool same = before[0]->side.value == after[0]->side.value;
            if (!same || name.first == Difference::Section::objects) add(before[0], after[0]);
            continue;
        }
        for (const DiffItem* item : before)
            add(item, nullptr);
        for (const DiffItem* item : after)
            add(nullptr, item);
    }
    auto order = [&](const Difference& one) {
        const Place place = one.after ? one.after->place : one.before->place;
        const Tree& tree = one.after ? head_tree : base_tree;
        const std::string_view path =
            place.file == no_file ? std::string_view() : std::string_view(tree.files[place.file].path);
        return std::tuple(one.section, path, place.span.begin, std::string_view(one.what));
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](const Difference& a, const Difference& b) { return order(a) < order(b); });
    return found;
}

} // namespace lockstep
