// Compares what clusters get before and after, cluster by cluster, and tells what is the same for many of them once.
#include "cli/diff_items.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

constexpr std::size_t most_named = 3;

using Sides = std::pair<std::vector<const DiffItem*>, std::vector<const DiffItem*>>; // base, head

// One change of one field, in all clusters that see it.
struct Row {
    const DiffItem *before = nullptr, *after = nullptr; // of the first cluster
    std::vector<std::string> clusters = {};
    std::size_t objects = 1; // that name the image
};

std::string in_clusters(const std::vector<std::string>& clusters, std::size_t all) {
    if (clusters.size() == all) return {};
    if (clusters.size() > most_named)
        return " in " + std::to_string(clusters.size()) + " of " + std::to_string(all) + " clusters";
    std::string names;
    for (const std::string& name : clusters)
        names += (names.empty() ? " in " : ", ") + (name.empty() ? "the cluster" : name);
    return names;
}

class ClusterComparison {
public:
    ClusterComparison(const std::vector<DiffItem>& base, const std::vector<DiffItem>& head) {
        for (const DiffItem& item : base)
            if (item.applied) {
                by_identity_[{item.section, item.identity}].in[item.cluster].first.push_back(&item);
                base_objects_.emplace(item.cluster, item.object);
            }
        for (const DiffItem& item : head)
            if (item.applied) {
                by_identity_[{item.section, item.identity}].in[item.cluster].second.push_back(&item);
                head_objects_.emplace(item.cluster, item.object);
            }
    }

    AppliedDifferences compare(const Tree& base_tree, const Tree& head_tree) {
        for (auto& [identity, field] : by_identity_)
            leave_out_same(field);
        leave_out_renamed(base_tree, head_tree);
        for (const auto& [identity, field] : by_identity_)
            tell(field);
        for (const auto& [words, row] : rows_)
            add(words, row);
        return std::move(made_);
    }

private:
    struct Field {
        std::map<std::string, Sides> in; // clusters
    };

    static void mark_told(const DiffItem& item, std::vector<Place>& places) {
        places.insert(places.end(), {item.side.place, item.written});
    }

    // What is the same, and what only says that one cluster more gets the object, or one less: that is told of the
    // object, and new here is only a value that no other cluster had.
    void leave_out_same(Field& field) {
        std::set<std::string_view> base_values, head_values; // in any cluster
        for (auto& [cluster, sides] : field.in) {
            auto& [base, head] = sides;
            for (const DiffItem* item : base)
                base_values.insert(item->side.value);
            for (const DiffItem* item : head)
                head_values.insert(item->side.value);
            std::erase_if(base, [&, &now = head](const DiffItem* one) {
                const auto same = std::find_if(now.begin(), now.end(), [&](const DiffItem* other) {
                    return other->side.value == one->side.value;
                });
                if (same == now.end()) return false;
                now.erase(same);
                return true;
            });
        }
        for (auto& [cluster, sides] : field.in) {
            std::erase_if(sides.first, [&, &in = cluster](const DiffItem* one) {
                const bool same = !head_objects_.count({in, one->object}) && head_values.count(one->side.value);
                if (same) mark_told(*one, made_.base);
                return same;
            });
            std::erase_if(sides.second, [&, &in = cluster](const DiffItem* one) {
                const bool same = !base_objects_.count({in, one->object}) && base_values.count(one->side.value);
                if (same) mark_told(*one, made_.head);
                return same;
            });
        }
    }

    // An object that goes and one that comes from the same file with the same values: that, too, is told of the object.
    void leave_out_renamed(const Tree& base_tree, const Tree& head_tree) {
        const auto key = [](const DiffItem& item, const Tree& tree) {
            std::string field = item.what;
            field.erase(field.find(item.object), item.object.size());
            const FileId file = item.side.place.file;
            return std::to_string(static_cast<int>(item.section)) + field + "\n" + item.cluster + "\n" +
                   item.side.value + "\n" + (file == no_file ? "" : tree.files[file].path);
        };
        std::map<std::string, std::vector<const DiffItem*>> went;
        for (const auto& [identity, field] : by_identity_)
            for (const auto& [cluster, sides] : field.in)
                for (const DiffItem* item : sides.first)
                    if (!head_objects_.count({cluster, item->object})) went[key(*item, base_tree)].push_back(item);
        std::set<const DiffItem*> renamed;
        for (auto& [identity, field] : by_identity_)
            for (auto& [cluster, sides] : field.in)
                std::erase_if(sides.second, [&, &in = cluster](const DiffItem* item) {
                    if (base_objects_.count({in, item->object})) return false;
                    const auto before = went.find(key(*item, head_tree));
                    if (before == went.end() || before->second.empty()) return false;
                    mark_told(*item, made_.head);
                    mark_told(*before->second.back(), made_.base);
                    renamed.insert(before->second.back());
                    before->second.pop_back();
                    return true;
                });
        for (auto& [identity, field] : by_identity_)
            for (auto& [cluster, sides] : field.in)
                std::erase_if(sides.first, [&](const DiffItem* item) { return renamed.count(item) > 0; });
    }

    void tell(const Field& field) {
        std::map<std::pair<std::string, std::string>, Row> found; // by both values
        const auto take = [&](const DiffItem* before, const DiffItem* after) {
            const auto text = [](const DiffItem* item) { return item ? "=" + item->side.value : std::string(); };
            const auto [row, fresh] = found.try_emplace({text(before), text(after)}, Row{before, after});
            row->second.clusters.push_back((before ? before : after)->cluster);
            if (before) mark_told(*before, made_.base);
            if (after) mark_told(*after, made_.head);
        };
        for (const auto& [cluster, sides] : field.in) {
            const auto& [before, after] = sides;
            for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i)
                take(i < before.size() ? before[i] : nullptr, i < after.size() ? after[i] : nullptr);
        }
        for (const auto& [values, row] : found)
            keep(values, row, field.in.size());
    }

    // Ten objects with one image that moves are one line.
    void keep(const std::pair<std::string, std::string>& values, const Row& row, std::size_t all) {
        const DiffItem& one = *(row.after ? row.after : row.before);
        const std::string in = in_clusters(row.clusters, all);
        const bool image = one.what.starts_with("image ") && one.what.ends_with(one.object);
        const std::string same =
            image ? one.what.substr(0, one.what.size() - one.object.size()) : one.what + "\n" + one.identity;
        const auto [known, fresh] = rows_.try_emplace({one.section, same, in, values}, row);
        if (!fresh) ++known->second.objects;
    }

    using Words = std::tuple<Difference::Section, std::string, std::string, std::pair<std::string, std::string>>;
    void add(const Words& words, const Row& row) {
        const DiffItem& one = *(row.after ? row.after : row.before);
        Difference made{one.section, one.what, {}, {}};
        if (row.objects > 1)
            made.what +=
                ", and " + std::to_string(row.objects - 1) + (row.objects > 2 ? " more objects" : " more object");
        made.what += std::get<2>(words); // in which clusters
        if (row.before) made.before = row.before->side;
        if (row.after) made.after = row.after->side;
        made_.found.push_back(std::move(made));
    }

    std::map<std::pair<Difference::Section, std::string>, Field> by_identity_;
    std::set<std::pair<std::string, std::string>> base_objects_, head_objects_; // cluster and object
    std::map<Words, Row> rows_;
    AppliedDifferences made_;
};

} // namespace

AppliedDifferences applied_differences(const std::vector<DiffItem>& base, const std::vector<DiffItem>& head,
                                       const Tree& base_tree, const Tree& head_tree) {
    return ClusterComparison(base, head).compare(base_tree, head_tree);
}

} // namespace lockstep
