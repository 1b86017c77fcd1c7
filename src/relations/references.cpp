// What objects refer to, as clusters resolve it: one row for each place in the tree, whatever the number of clusters
// that read it.
#include "deploy/reference_input.h"
#include "index/cells.h"
#include "index/relations.h"
#include "relations/relation.h"
#include <algorithm>

namespace lockstep::references {
namespace {

using Is = Resolution::Is;

// Where only convention can tell: when nearly all such references lead to something in this repository, one that does
// not is a fault; when many do not, the rest lives elsewhere.
struct Convention {
    std::set<std::string> names; // of what is here
    std::size_t here = 0, missing = 0;
    bool is_to_declare(bool by_names) const {
        const std::size_t found = by_names ? names.size() : here;
        return found >= 3 && missing * 10 <= found;
    }
};

using Group = std::vector<const ResolvedReference*>; // of one place

class Rows {
public:
    Rows(const RelationInput& input, RelationRows& rows, References& references, std::string_view set)
        : input_(input), rows_(rows), references_(references), all_(references.of_set(set)) {
        std::map<Place, Group> by_place;
        for (const ResolvedReference& one : all_)
            by_place[one.place].push_back(&one);
        for (const auto& [place, group] : by_place)
            judge(group);
        for (const Group& group : pending_)
            settle(group);
    }

private:
    const Value* tree_of(const ResolvedReference& one) const {
        return one.from != no_number     ? fleet_.tree_of(fleet_.instances[one.from])
               : one.object != no_entity ? fleet_.declared_tree(one.object)
                                         : nullptr;
    }

    std::string ends_with(const ResolvedReference& one) const { // of the stable name
        if (one.row->set == "source") return one.row->field;
        const std::string kind = one.row->set == "health-check" ? one.wanted.kind + "/" + one.ns + "/" : "";
        return one.row->field + "/" + kind + one.name;
    }

    NewRow start(const ResolvedReference& one, std::string_view resolved) const {
        const std::string from = subject_of_reference(input_.repository, one);
        NewRow row = rows_.start(one.place, from + ":" + ends_with(one));
        row.set("set", one.row->set).set("field", one.row->field).set("kind", one.wanted.kind);
        row.set("resolved", std::string(resolved));
        if (one.row->set == "health-check") row.set("waits", cell_at(tree_of(one), {"spec", "wait"}));
        return row;
    }

    std::string clusters_of(const Group& group) const {
        std::set<std::string> proven, concerned;
        for (const Root& root : fleet_.roots)
            if (root.certainty == Certainty::proven) proven.insert(fleet_.clusters[root.cluster].name);
        for (const ResolvedReference* one : group)
            concerned.insert(fleet_.clusters[one->cluster].name);
        return proven.size() > 1 && !concerned.contains("") ? listed(concerned) : std::string();
    }

    Place name_place(std::uint32_t instance) const {
        const EntityId object = fleet_.instances[instance].object;
        return object == no_entity ? fleet_.instances[instance].resource.document : index_.objects[object].name.place;
    }

    // What there is instead of it.
    void add_instead(const ResolvedReference& one, NewRow& row) {
        const std::vector<File>& files = input_.repository.tree->files;
        if (one.is->hashed != no_number) {
            row.also(fleet_.instances[one.is->hashed].resource.document,
                     "generated here, with a hash appended to its name");
            row.set("instead", "the generator calls it " + one.name +
                                   "-<hash>, and kustomize does not carry that into " + one.row->field +
                                   " without a nameReference");
            return;
        }
        if (!one.is->others.empty()) {
            std::set<std::string> spaces;
            for (std::uint32_t other : one.is->others) {
                spaces.emplace(fleet_.instances[other].id().ns);
                row.also(name_place(other), "the one of that name");
            }
            row.set("instead", one.name + " is in namespace " + listed(spaces));
            return;
        }
        if (one.is->unapplied != no_entity) {
            const Object& object = index_.objects[one.is->unapplied];
            row.also(object.name.place, "declared here, but nothing applies it");
            row.set("instead", "nothing applies the one in " + files[object.file].path);
            return;
        }
        for (EntityId id : find_objects(index_, one.wanted.kind, one.ns, one.name)) {
            const Object& object = index_.objects[id];
            if (object.group != one.wanted.group || object.partial || object.as_patch) continue;
            row.also(object.name.place, "declared here, for another cluster or for none");
            row.set("instead", "this cluster does not get the one in " + files[object.file].path);
            return;
        }
        std::optional<std::string> other;
        if (!one.is->near.empty())
            other = one.is->near;
        else if (hints_++ < most_hints)
            other = references_.name_near(one);
        if (!other) return;
        std::size_t shown = name_place(one.from) != one.place ? 1 : 0; // the one that refers is shown, too
        for (std::uint32_t number : fleet_.find(one.cluster, one.wanted.group, one.wanted.kind, one.ns, *other))
            if (shown++ < 2) row.also(name_place(number), "maybe this one was meant");
        row.set("near", *other);
    }

    // `sure`: nothing may bring it; else something much like it is there, or convention alone asks for it.
    void add_missing(const Group& group, bool sure) {
        const ResolvedReference& one = *group.front();
        const Instance& from = fleet_.instances[one.from];
        NewRow row = start(one, "missing");
        row.set("sure", sure ? "yes" : "no");
        row.set("from", std::string(from.id().kind) + " " + std::string(from.id().name), name_place(one.from));
        row.set("from_object", subject_of_reference(input_.repository, one));
        row.set("namespace", one.ns).set("name", one.name);
        const std::string path = one.ns.empty() ? one.name : one.ns + "/" + one.name;
        row.set("to", one.wanted.kind + " " + path);
        row.set("short_to", one.is->others.empty() ? one.name : path);
        if (std::string clusters = clusters_of(group); !clusters.empty()) row.set("clusters", std::move(clusters));
        if (one.is->near.empty() && one.is->others.empty() && one.is->unapplied == no_entity) row.set("alone", "yes");
        add_instead(one, row);
        for (const ResolvedReference* other : group)
            if (other->from != no_number) row.more().instances.push_back(other->from);
        rows_.add(std::move(row));
    }

    void add_possible(const ResolvedReference& one, std::string why) {
        rows_.add(start(one, "possible").set("why", std::move(why)));
    }

    // The tree makes it, for another namespace; a Secret may be made by hand all the same.
    static bool is_misplaced(const ResolvedReference& one) {
        return one.is->by_convention && !one.is->others.empty() && one.wanted.kind != "Secret";
    }

    // Beside `wait: true` Flux does not read the list of health checks.
    bool is_idle(const ResolvedReference& one) const {
        return one.row->set == "health-check" && cell_at(tree_of(one), {"spec", "wait"}).text == "true";
    }

    void judge(const Group& group) {
        Group missing, similar, by_convention; // `similar`: something much like it is there
        const ResolvedReference* unsure = nullptr;
        const ResolvedReference* found = nullptr;
        const bool idle = is_idle(*group.front());
        for (const ResolvedReference* one : group) {
            const Resolution& is = *one->is;
            const bool excused = one->optional && is.hashed == no_number;
            if (is.is == Is::here || is.is == Is::elsewhere || (excused && one->from != no_number))
                found = one;
            else if (is.is == Is::missing)
                missing.push_back(one);
            else if (is.open && (!is.near.empty() || is.near_ns || is_misplaced(*one)))
                similar.push_back(one);
            else if (is.by_convention && one->wanted.kind != "Secret") // those are often made by hand
                by_convention.push_back(one);
            else
                unsure = one;
        }
        const ResolvedReference& first = *group.front();
        if (!missing.empty()) return add_missing(missing, true);
        if (!similar.empty()) return add_missing(similar, false);
        Convention& convention = conventions_[first.wanted];
        if (!by_convention.empty()) {
            if (!idle) ++convention.missing;
            pending_.push_back(group);
        } else if (found) {
            if (!idle) ++convention.here;
            if (!idle) convention.names.insert(first.name);
            rows_.add(start(first, found->is->is == Is::elsewhere ? "elsewhere" : "here"));
        } else {
            add_possible(first, unsure ? unsure->is->why : std::string());
        }
    }

    void settle(const Group& group) {
        Group concerned;
        for (const ResolvedReference* one : group)
            if (one->is->by_convention) concerned.push_back(one);
        const ResolvedReference& first = *concerned.front();
        const bool by_names = first.wanted.group.empty(); // one ConfigMap of settings has many readers
        if (conventions_[first.wanted].is_to_declare(by_names))
            add_missing(concerned, false);
        else
            add_possible(first, first.is->why);
    }

    const RelationInput& input_;
    RelationRows& rows_;
    References& references_;
    const std::vector<ResolvedReference> all_;
    const Fleet& fleet_ = fleet_of(input_.repository);
    const Index& index_ = input_.repository.index;
    std::map<GroupKind, Convention> conventions_ = {};
    std::vector<Group> pending_ = {}; // for convention to settle
    std::size_t hints_ = 0;
};

void fill(const RelationInput& input, RelationRows& rows) {
    References resolver =
        references_of(input.repository, input.config, input.table("references"), input.table("makers"),
                      script_texts(input.repository, input.asked(), input.texts));
    std::set<std::string> sets;
    const Table& table = input.table("references");
    for (const Row& row : table.rows)
        sets.insert(table.at(row, "set").text);
    for (const std::string& set : sets)
        Rows(input, rows, resolver, set);
}

} // namespace

constexpr Relation relation{
    "references",
    "set field from from_object kind namespace name to short_to resolved sure why instead near alone clusters waits",
    "**/{*.{sh,bash,tf,tofu,tfvars,hcl,py,just,gotmpl},Makefile,justfile,.justfile,Justfile} "
    "**/Taskfile*",
    fill};

} // namespace lockstep::references
