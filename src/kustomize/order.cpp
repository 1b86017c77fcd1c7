// Legacy and first-in-first-out order.
#include "kustomize/order.h"
#include "kustomize/ids.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Ranks = std::map<std::string, int, std::less<>>;

struct SortKey {
    int rank;
    std::string kind, object;
    std::size_t index;
};

bool kind_before(const SortKey& a, const SortKey& b, const ResourceId& first, const ResourceId& second) {
    if (a.rank != b.rank) return a.rank < b.rank;
    // Namespaces of the core group are before those of others, whatever their texts say.
    if (first.kind == "Namespace" && second.kind == "Namespace" && (first.group.empty() || second.group.empty()))
        return a.kind > b.kind;
    return a.kind < b.kind;
}

void sort_legacy(Resources& resources, const Ranks* ranks) {
    std::vector<SortKey> keys;
    for (std::size_t i = 0; i < resources.size(); ++i) {
        const ResourceId& id = resources[i].id;
        int rank = 0;
        if (!ranks)
            rank = legacy_rank(id.kind);
        else if (const auto found = ranks->find(id.kind); found != ranks->end())
            rank = found->second;
        const auto or_else = [](std::string_view text, std::string_view other) { return text.empty() ? other : text; };
        keys.push_back(
            {rank, legacy_kind_text(id.group, id.version, id.kind),
             kind_text(id) + "|" + std::string(or_else(id.ns, "~X")) + "|" + std::string(or_else(id.name, "~N")), i});
    }
    std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
        const ResourceId &first = resources[a.index].id, &second = resources[b.index].id;
        if (!same_kind(first, second)) {
            if (kind_before(a, b, first, second)) return true;
            if (kind_before(b, a, second, first)) return false;
            return a.index < b.index;
        }
        return a.object != b.object ? a.object < b.object : a.index < b.index;
    });
    Resources sorted;
    sorted.reserve(resources.size());
    for (const SortKey& key : keys)
        sorted.push_back(resources[key.index]);
    resources = std::move(sorted);
}

} // namespace

Failure sort_resources(Resources& resources, const Value* options, bool keep) {
    if (!options) {
        if (!keep) sort_legacy(resources, nullptr);
        return {};
    }
    const std::string_view order = options->text_of("order");
    const Value* lists = options->get("legacySortOptions");
    if (order != "fifo" && order != "legacy")
        return failure("the field 'sortOptions.order' must be one of [fifo, legacy]", options->place);
    if (order == "fifo") {
        if (lists && !lists->is_null())
            return failure(
                "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not "
                "'legacy'",
                options->place);
        return {};
    }
    if (!lists || lists->is_null()) {
        sort_legacy(resources, nullptr);
        return {};
    }
    Ranks ranks;
    const Value *first = lists->get("orderFirst"), *last = lists->get("orderLast");
    if (first)
        for (std::size_t i = 0; i < first->items().size(); ++i)
            ranks[std::string(first->items()[i]->text)] = static_cast<int>(i) - static_cast<int>(first->items().size());
    if (last)
        for (std::size_t i = 0; i < last->items().size(); ++i)
            ranks[std::string(last->items()[i]->text)] = 1 + static_cast<int>(i);
    sort_legacy(resources, &ranks);
    return {};
}

} // namespace lockstep
