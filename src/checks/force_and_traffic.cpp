// Force on workloads that a Service sends traffic to: one that would have rolled loses all its pods at once, and one
// that recreates anyway should say so.
#include "checks/checks.h"
#include "deploy/force_mark.h"
#include "deploy/nodes.h"
#include "deploy/service_selection.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/text_search.h"
#include "yaml/comments.h"

namespace lockstep {
namespace {

struct Forced {
    const Object& object;
    const Value* tree;
    ForceMark mark;
    std::vector<const SelectingService*> services;
};

// Deployments with a mark that counts on some chain.
template <class Judge> void each_forced(const CheckInput& input, Nodes& nodes, RuleOutcome& outcome, Judge judge) {
    if (!is_mentioned(*input.repository.tree, force_key)) return;
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    const ServiceSelection selection(input.repository, nodes);
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_object(object, "apps", "Deployment") || !is_declared(object)) continue;
        for (std::uint32_t number : fleet.applied_by_kustomize(id)) {
            const Value* tree = fleet.tree_of(fleet.instances[number]);
            ForceMark mark = force_mark(tree);
            if (mark.says == ForceMark::Says::unsure && is_set(mark.cell)) {
                outcome.undecided(mark.cell.place, subject_of(index, object), mark.why);
                break;
            }
            if (mark.says != ForceMark::Says::enabled) continue;
            judge(Forced{object, tree, std::move(mark), selection.selecting(object)});
            break;
        }
    }
}

void relate_services(const Forced& forced, Finding& finding) {
    for (const SelectingService* service : forced.services)
        if (is_there(service->place) && finding.related.size() < most_related)
            finding.related.push_back({service->place, "this Service selects its pods"});
}

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

} // namespace

void check_force_on_rolling(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    Nodes nodes(input.repository);
    each_forced(input, nodes, outcome, [&](const Forced& forced) {
        const std::string subject = subject_of(index, forced.object);
        const Place place = forced.mark.cell.place;
        const Cell type = cell_at(forced.tree, {"spec", "strategy", "type"});
        if (type.state == State::templated) return outcome.undecided(place, subject, "the strategy is unknown");
        if ((is_known(type) && type.text == "Recreate") || forced.services.empty()) return outcome.pass(place, subject);
        Finding finding;
        finding.message = "Deployment " + forced.object.name.text + " is marked force: " + forced.mark.cell.text +
                          " but its strategy is " + (is_known(type) ? type.text : "RollingUpdate by default") +
                          " and Service " + forced.services.front()->name +
                          " selects it: a refused apply takes all its pods away at once";
        finding.place = place;
        if (is_known(type)) finding.related.push_back({type.place, "the strategy"});
        relate_services(forced, finding);
        outcome.fail(subject, std::move(finding));
    });
}

void check_blast_radius(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    Nodes nodes(input.repository);
    each_forced(input, nodes, outcome, [&](const Forced& forced) {
        const std::string subject = subject_of(index, forced.object);
        if (forced.services.empty() || is_documented(nodes, forced.object))
            return outcome.pass(forced.mark.cell.place, subject);
        Finding finding;
        finding.message = "Deployment " + forced.object.name.text + " is marked force: " + forced.mark.cell.text +
                          " and Service " + forced.services.front()->name +
                          " selects it, but no comment above it says what a recreate interrupts";
        finding.place = forced.mark.cell.place;
        relate_services(forced, finding);
        outcome.fail(subject, std::move(finding));
    });
}

} // namespace lockstep
