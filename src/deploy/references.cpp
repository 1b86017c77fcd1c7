// Reads references out of the trees of instances, after patches and substitution.
#include "deploy/references.h"
#include "deploy/name_pattern.h"
#include "index/cells.h"
#include <algorithm>
#include <tuple>

namespace lockstep {
namespace {

// Flux fills in what the reference leaves out for its own kinds.
std::string_view implied_group(std::string_view kind) {
    if (kind == "HelmRelease") return "helm.toolkit.fluxcd.io";
    if (kind == "Kustomization") return "kustomize.toolkit.fluxcd.io";
    return {};
}

bool may_be_missing(const ReferenceRow& row, const Value& reference) {
    return !row.optional.empty() && reference.is_mapping() && reference.text_of(row.optional) == "true";
}

} // namespace

References::References(Input input)
    : in_(std::move(input)), made_(in_.fleet, in_.index, std::move(in_.makers), ScriptMakers(in_.scripts),
                                   [this](std::uint32_t cluster) { return openings_.begins_unseen(cluster); }),
      openings_(in_.fleet, in_.index, made_.makers(), installed_charts(in_.index, in_.files, in_.scripts)) {}

std::vector<ResolvedReference> References::of_set(std::string_view set) {
    std::vector<ResolvedReference> found;
    std::map<std::pair<std::string_view, std::string_view>, std::vector<const ReferenceRow*>> rows; // by kind, group
    for (const ReferenceRow& row : in_.rows)
        if (row.set == set) rows[{row.from.kind, row.from.group}].push_back(&row);
    found.reserve(static_cast<std::size_t>(
        std::count_if(in_.fleet.instances.begin(), in_.fleet.instances.end(), [&](const Instance& one) {
            return rows.contains({one.id().kind, one.id().group});
        }))); // most have one
    // Many roots that build one folder apply one object many times: what it says is the same each time.
    std::set<std::tuple<std::uint32_t, const TreeStep*, Certainty>> read;
    for (std::uint32_t number = 0; number < in_.fleet.instances.size(); ++number) {
        const Instance& from = in_.fleet.instances[number];
        const auto own = rows.find({from.id().kind, from.id().group});
        if (own == rows.end()) continue;
        const Root& root = in_.fleet.root_of(from);
        if (from.resource.step && !read.emplace(root.cluster, from.resource.step, root.certainty).second) continue;
        Arena arena; // all trees at once would take more than the texts of the repository
        const Value* tree = nullptr;
        for (const ReferenceRow* row : own->second) {
            if (!may_hold(number, row->field)) continue;
            if (!tree) tree = in_.fleet.tree_of(from, arena);
            if (tree) add_references(number, *row, *tree, found);
        }
    }
    add_unapplied(set, found);
    return found;
}

std::string References::namespace_for(const ReferenceRow& row, const Value& reference, const Instance& from,
                                      const Value* tree) const {
    using Where = ReferenceRow::Where;
    const std::string own = from.ns_known ? std::string(from.id().ns) : std::string();
    const Cell field = cell_at(&reference, {"namespace"});
    auto known = [](const Cell& cell) {
        return is_known(cell) && !is_placeholder(cell.text) ? cell.text : std::string();
    };
    switch (row.where) {
    case Where::own:
        return own;
    case Where::field:
        return is_set(field) ? known(field) : own;
    case Where::named:
        return known(field);
    case Where::cluster:
        return {};
    case Where::release: {
        const Cell target = cell_at(tree, {"spec", "targetNamespace"});
        return is_set(target) ? known(target) : own;
    }
    }
    return own;
}

// What a Flux Kustomization watches is mostly what it applies itself.
bool References::shows_all(std::uint32_t number, std::string_view group) {
    if (!makers_read_) {
        makers_read_ = true;
        for (const Root& root : in_.fleet.roots)
            if (root.maker != no_number && !root.complete()) {
                incomplete_.insert(root.maker);
                if (std::any_of(root.gaps.begin(), root.gaps.end(),
                                [](const Gap& gap) { return gap.why == Gap::Why::missing; }))
                    without_folder_.insert(root.maker);
            }
    }
    // Where a remote base or a chart is missing, releases and sources are still those that are here.
    return !(is_flux_group(group) ? without_folder_ : incomplete_).contains(number);
}

// Only patches bring fields that the document has not.
bool References::may_hold(std::uint32_t number, std::string_view field) const {
    const Instance& one = in_.fleet.instances[number];
    const Place& document = one.resource.document;
    if (one.resource.patches || one.object == no_entity || document.file == no_file) return true;
    const std::string_view text = in_.index.tree->files[document.file].text;
    return text.substr(document.span.begin, document.span.end - document.span.begin).find(field) !=
           std::string_view::npos;
}

void References::add_references(std::uint32_t number, const ReferenceRow& row, const Value& tree,
                                std::vector<ResolvedReference>& found) {
    const Instance& from = in_.fleet.instances[number];
    const Root& root = in_.fleet.root_of(from);
    for (const ValueMatch& match : find(row.path, const_cast<Value*>(&tree))) {
        const Value& reference = *match.value;
        const Value* name = reference.is_mapping()  ? reference.get(row.name)
                            : reference.is_scalar() ? &reference
                                                    : nullptr;
        if (!name || !name->is_scalar() || name->is_null()) continue;
        ResolvedReference made;
        made.row = &row;
        made.from = number;
        made.object = from.object;
        made.cluster = root.cluster;
        made.name = name->text;
        made.place = name->place.file == no_file ? from.resource.document : name->place;
        made.optional = may_be_missing(row, reference);
        made.wanted = row.to;
        const Cell kind = cell_at(&reference, {"kind"});
        if (row.kind_in_field) made.wanted.kind = kind.text;
        if (row.group_in_field) {
            made.wanted.group = split_api_version(reference.text_of("apiVersion")).group;
            if (made.wanted.group.empty()) made.wanted.group = implied_group(kind.text);
        }
        made.ns = namespace_for(row, reference, from, &tree);
        if (root.certainty != Certainty::proven)
            made.is = &unsure(root.why.empty() ? "nothing in this tree applies it" : root.why);
        else if (name->unknown || is_placeholder(name->text))
            made.is = &unsure("a templated name");
        else if (row.where == ReferenceRow::Where::named && value_at(&tree, {"spec", "kubeConfig"}))
            made.is = &unsure("it is in another cluster");
        else if (row.where == ReferenceRow::Where::named && !shows_all(number, made.wanted.group))
            made.is = &unsure("this tree does not show all that the Kustomization applies");
        else if (row.kind_in_field && (!is_known(kind) || is_placeholder(kind.text)))
            made.is = &unsure("a templated kind, or none");
        else
            made.is = &resolve(made.cluster, made.wanted, made.ns, made.name);
        found.push_back(std::move(made));
    }
}

// Objects that are in no build at all: they count as looked at, and nothing is said about them.
void References::add_unapplied(std::string_view set, std::vector<ResolvedReference>& found) {
    for (const ReferenceRow& row : in_.rows) {
        if (row.set != set) continue;
        for (EntityId id = 0; id < in_.index.objects.size(); ++id) {
            const Object& object = in_.index.objects[id];
            if (object.kind.text != row.from.kind || object.group != row.from.group || object.partial ||
                object.as_patch || !in_.fleet.of_object(id).empty())
                continue;
            const std::string_view text = in_.index.tree->files[object.file].text;
            const Span span = object.document;
            if (text.substr(span.begin, span.end - span.begin).find(row.field) == std::string_view::npos) continue;
            const auto& documents = in_.files.view(object.file).documents;
            if (object.ordinal >= documents.size()) continue;
            for (const YamlPath::Match& match : row.path.find(documents[object.ordinal].root)) {
                const NodeRef name = match.value.is_mapping() ? match.value.get(row.name).resolved() : match.value;
                if (!name || !name.is_scalar()) continue;
                ResolvedReference made;
                made.row = &row;
                made.object = id;
                made.name = name.text();
                made.place = {object.file, name.span()};
                made.wanted = row.to;
                made.is = &unsure(object.embedded       ? "a text inside another object"
                                  : object.in_templates ? "only Helm can render it"
                                                        : "nothing in this tree applies it");
                found.push_back(std::move(made));
            }
        }
    }
}

std::optional<std::string> References::name_near(const ResolvedReference& reference) {
    if (reference.cluster == no_number) return std::nullopt;
    return names(reference.cluster, reference.wanted, reference.ns).closest(reference.name);
}

} // namespace lockstep
