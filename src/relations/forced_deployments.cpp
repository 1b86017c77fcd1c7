// Deployments whose force mark counts, with the Services that send traffic to them.
#include "deploy/force_mark.h"
#include "deploy/nodes.h"
#include "deploy/service_selection.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/text_search.h"
#include "relations/relation.h"
#include "yaml/comments.h"

namespace lockstep::forced_deployments {
namespace {

bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A word about what a recreate does to those who call.
bool tells_of_recreate(std::string_view comment) {
    for (std::string_view stem :
         {"recreat", "interrupt", "downtime", "blast", "unavailab", "outage", "disrupt", "delet"})
        for (auto at = comment.find(stem.substr(1)); at != std::string_view::npos;
             at = comment.find(stem.substr(1), at + 1))
            if (at > 0 && (comment[at - 1] | 0x20) == stem.front() && (at < 2 || !is_word_char(comment[at - 2])))
                return true;
    return false;
}

// Comments in front of the object, and those inside its metadata.
bool is_documented(Nodes& nodes, const Object& object) {
    const NodeRef root = nodes.root(object);
    const NodeRef::Entry* last = nullptr;
    const auto entries = root.entries();
    for (const auto& entry : entries)
        if (entry.key.text() == "metadata") last = &entry;
    if (!last) return false;
    std::uint32_t from = 0;
    for (const DocumentView& document : nodes.view(object.file).documents)
        if (document.root && document.root.span().end < root.span().begin)
            from = std::max(from, document.root.span().end);
    const std::string_view text = root.yaml().text;
    for (const Span& comment : yaml_comments(root.yaml()))
        if (comment.begin >= from && comment.begin < last->value.span().end &&
            tells_of_recreate(text.substr(comment.begin, comment.end - comment.begin)))
            return true;
    return false;
}

void add(const Object& object, const Index& index, const Value* tree, const ForceMark& mark, Nodes& nodes,
         const ServiceSelection& selection, RelationRows& rows) {
    NewRow row = rows.start(mark.cell.place, subject_of(index, object));
    row.set("name", object.name).set("force", mark.cell).set("strategy", cell_at(tree, {"spec", "strategy", "type"}));
    const auto services = selection.selecting(object);
    if (!services.empty()) {
        row.set("service", services.front()->name).set("documented", is_documented(nodes, object) ? "yes" : "no");
        for (const SelectingService* service : services)
            if (is_there(service->place)) row.also(service->place, "this Service selects its pods");
    }
    rows.add(std::move(row));
}

void fill(const RelationInput& input, RelationRows& rows) {
    const Index& index = input.repository.index;
    if (!is_mentioned(*index.tree, force_key)) return;
    const Fleet& fleet = fleet_of(input.repository);
    Nodes nodes(input.repository);
    const ServiceSelection selection(input.repository, nodes);
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_object(object, "apps", "Deployment") || !is_declared(object)) continue;
        for (std::uint32_t number : fleet.applied_by_kustomize(id)) {
            const Value* tree = fleet.tree_of(fleet.instances[number]);
            const ForceMark mark = force_mark(tree);
            if (mark.says == ForceMark::Says::unsure && is_set(mark.cell)) {
                rows.add(rows.start(mark.cell.place, subject_of(index, object)).set("doubt", mark.why));
                break;
            }
            if (mark.says != ForceMark::Says::enabled) continue;
            add(object, index, tree, mark, nodes, selection, rows);
            break;
        }
    }
}

} // namespace

constexpr Relation relation{"forced-deployments", "name force strategy service documented doubt", "", fill};

} // namespace lockstep::forced_deployments
