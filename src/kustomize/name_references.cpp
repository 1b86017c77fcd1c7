// Name references.
#include "kustomize/name_references.h"
#include "kustomize/field_walk.h"
#include "kustomize/ids.h"
#include "kustomize/tree_edit.h"
#include "yaml/emit.h"
#include <algorithm>
#include <unordered_set>

namespace lockstep {
namespace {

std::vector<std::string_view> list_of(const Affix* list) {
    std::vector<std::string_view> all; // oldest first
    for (; list; list = list->before)
        all.push_back(list->text);
    std::reverse(all.begin(), all.end());
    return all;
}

bool same_ending(const Affix* first, const Affix* second) {
    std::vector<std::string_view> a = list_of(first), b = list_of(second);
    if (a.size() > b.size()) std::swap(a, b);
    if (a.empty()) return b.empty();
    return std::equal(a.rbegin(), a.rend(), b.rbegin());
}

bool same_affixes(const Resource& a, const Resource& b, bool allow_empty) {
    const bool prefix = (allow_empty && (!a.prefixes || !b.prefixes)) || same_ending(a.prefixes, b.prefixes);
    const bool suffix = (allow_empty && (!a.suffixes || !b.suffixes)) || same_ending(a.suffixes, b.suffixes);
    return prefix && suffix;
}

// All resources of the build as they were when references were fixed, by the names that they had before.
struct Snapshot {
    Resources resources;
    ConfigPointer config;
    std::vector<std::pair<std::string_view, std::uint32_t>> by_earlier_name; // sorted
};

using Candidates = std::vector<const Resource*>;

class Referrer {
public:
    Referrer(const Snapshot& all, const Resource& self, Value& tree, Arena& arena)
        : all_(all), self_(self), tree_(tree), arena_(arena) {}

    std::string run() {
        if (std::string error = find_binding_namespaces(); !error.empty()) return error;
        const ResourceId original = original_id(self_);
        for (const BackReferences& back : all_.config->name_reference)
            for (const FieldRow& row : back.referrers) {
                if (!row.of.selects(original.group, original.version, original.kind)) continue;
                row_ = &row;
                target_ = &back.target;
                FieldRow own = row;
                own.of = {};
                own.create = false;
                std::string error = walk_field(tree_, own, {}, arena_, [this](Value& node) { return set_value(node); });
                if (!error.empty())
                    return "updating name reference in '" + row.path + "' field of '" + to_string(self_.id) +
                           "': " + error;
            }
        return {};
    }

private:
    // A RoleBinding may name service accounts of other namespaces.
    std::string find_binding_namespaces() {
        if (self_.id.kind != "RoleBinding") return {};
        const Value* subjects = tree_.get("subjects");
        if (!subjects || !subjects->is_sequence()) return {};
        for (const Value* subject : subjects->items()) {
            const Value* ns = subject->get("namespace");
            if (!ns || subject->text_of("kind") != "ServiceAccount") continue;
            if (!ns->is_scalar() || ns->is_null())
                return "Invalid Input: namespace is blank for resource \"" + to_string(self_.id) + "\"\n";
            binding_namespaces_.insert(ns->text);
        }
        return {};
    }

    bool may_refer_to(const Resource& other) const {
        if (is_cluster_scoped(self_.id) || is_cluster_scoped(other.id)) return true;
        if (effective_namespace(self_.id) == effective_namespace(other.id)) return true;
        return binding_namespaces_.contains(other.id.ns);
    }

    std::string set_value(Value& node) {
        if (node.is_null()) return {};
        if (node.is_scalar()) return set_name_of(node);
        if (node.is_mapping()) return set_mapping(node);
        for (Value* item : node.items()) {
            if (item->is_null()) continue;
            std::string error = item->is_scalar()    ? set_name_of(*item)
                                : item->is_mapping() ? set_mapping(*item)
                                                     : "a list is expected to be either a string or a map of string";
            if (!error.empty()) return error;
        }
        return {};
    }

    std::string set_name_of(Value& node) {
        const Resource* referral = nullptr;
        if (std::string error = select(node.text, named(node.text), false, referral); !error.empty()) return error;
        if (!referral || referral->id.name == node.text) return {};
        return set_scalar(node, referral->id.name, {}, place_of(*referral));
    }

    std::string set_mapping(Value& node) {
        const Value* name = node.get("name");
        if (!name) return "path config error; no 'name' field in node";
        if (name->is_null()) return {};
        const Resource* referral = nullptr;
        const std::string old(name->text);
        if (std::string error = select(old, in_namespace(node, named(old)), true, referral); !error.empty())
            return error;
        if (!referral || (referral->id.name == old && referral->id.ns.empty())) return {};
        set_entry(node, "name", referral->id.name, {}, arena_, place_of(*referral));
        if (!referral->id.ns.empty()) set_entry(node, "namespace", referral->id.ns, {}, arena_, place_of(*referral));
        return {};
    }

    static Place place_of(const Resource& referral) { return referral.document; }

    Candidates named(std::string_view name) const {
        Candidates out;
        const auto& all = all_.by_earlier_name;
        for (auto at = std::lower_bound(all.begin(), all.end(), std::pair(name, std::uint32_t{0}));
             at != all.end() && at->first == name; ++at)
            if (may_refer_to(all_.resources[at->second])) out.push_back(&all_.resources[at->second]);
        return out;
    }

    // Those of the namespace that is beside the name: as it was, else as it is.
    Candidates in_namespace(const Value& node, const Candidates& candidates) const {
        const Value* ns = node.get("namespace");
        if (!ns) return candidates;
        bool any_original = false;
        for (const Resource& one : all_.resources)
            if (effective_namespace(original_id(one)) == ns->text && may_refer_to(one)) {
                any_original = true;
                break;
            }
        Candidates out;
        for (const Resource* one : candidates)
            if (effective_namespace(any_original ? original_id(*one) : one->id) == ns->text &&
                effective_namespace(any_original ? original_id(*one) : one->id) != "_non_namespaceable_")
                out.push_back(one);
        return out;
    }

    bool role_matches(const Resource& one) const {
        if (!row_->path.ends_with("roleRef/name")) return true;
        const Value* role = tree_.get("roleRef");
        const Value *group = role ? role->get("apiGroup") : nullptr, *kind = role ? role->get("kind") : nullptr;
        if (!group || group->is_null() || !kind || kind->is_null()) return true;
        const KindFilter wanted{std::string(group->text), "", std::string(kind->text)};
        for (const EarlierId* id = one.earlier; id; id = id->before)
            if (wanted.selects(one.id.group, one.id.version, id->kind)) return true;
        return false;
    }

    bool in_reach(const Resource& one) const {
        if (is_cluster_scoped(self_.id) || is_cluster_scoped(one.id) || one.id.kind == "ServiceAccount") return true;
        return effective_namespace(self_.id) == effective_namespace(one.id);
    }

    std::string select(std::string_view old, Candidates candidates, bool with_namespace,
                       const Resource*& referral) const {
        const auto keep = [&candidates](const auto& wanted) {
            candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                            [&](const Resource* one) { return !wanted(*one); }),
                             candidates.end());
        };
        keep([&](const Resource& one) {
            for (const EarlierId* id = one.earlier; id; id = id->before)
                if (target_->selects(one.id.group, one.id.version, id->kind)) return true;
            return false;
        });
        keep([&](const Resource& one) { return role_matches(one); });
        keep([&](const Resource& one) { return in_reach(one); });
        if (candidates.size() != 1) keep([&](const Resource& one) { return same_affixes(self_, one, true); });
        if (candidates.size() > 1) keep([&](const Resource& one) { return same_affixes(self_, one, false); });
        if (candidates.empty()) return {};
        referral = candidates.front();
        std::string ids;
        bool same = true;
        for (const Resource* one : candidates) {
            ids += (ids.empty() ? "" : ", ") + to_string(one->id);
            same = same && one->id.name == referral->id.name && (!with_namespace || one->id.ns == referral->id.ns);
        }
        if (same) return {};
        std::string self_text;
        emit_yaml(tree_, self_text);
        (void)old;
        return "found multiple possible referrals: " + ids +
               "\n\n**** Too many possible referral targets to referrer:\n" + self_text;
    }

    const Snapshot& all_;
    const Resource& self_;
    Value& tree_;
    Arena& arena_;
    const FieldRow* row_ = nullptr;
    const KindFilter* target_ = nullptr;
    std::unordered_set<std::string_view> binding_namespaces_;
};

} // namespace

void fix_references(const BuildContext& context, Resources& resources, ConfigPointer config) {
    auto all = std::make_shared<Snapshot>();
    all->config = std::move(config);
    for (std::uint32_t i = 0; i < resources.size(); ++i)
        for (const EarlierId* one = resources[i].earlier; one; one = one->before)
            all->by_earlier_name.emplace_back(one->name, i);
    auto& names = all->by_earlier_name;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    names.shrink_to_fit();
    // Without a name that changed only a malformed binding can still fail.
    const bool none = all->by_earlier_name.empty();
    const std::shared_ptr<const Snapshot> snapshot = all;
    const TreeOperation* change = nullptr;
    for (Resource& resource : resources) {
        const ResourceId original = original_id(resource);
        bool refers = resource.id.kind == "RoleBinding";
        for (const BackReferences& back : snapshot->config->name_reference) {
            if (none || refers) break;
            for (const FieldRow& row : back.referrers)
                if (row.of.selects(original.group, original.version, original.kind)) {
                    refers = true;
                    break;
                }
        }
        if (!refers) continue;
        if (!change) {
            all->resources = resources; // none of them has the change yet
            change = context.work.add([snapshot](TreeWork& work) {
                std::string error = Referrer(*snapshot, *work.self, *work.tree, work.arena).run();
                if (error.empty()) return true;
                work.error = {std::move(error), work.self->document};
                return false;
            });
        }
        context.add_change(resource, change, true);
    }
}

} // namespace lockstep
