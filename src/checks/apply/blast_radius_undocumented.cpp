// Force on a Deployment that a Service sends traffic to, and no comment on what a recreate interrupts.
#include "checks/forced_deployments.h"
#include "index/relations.h"
#include "yaml/comments.h"

namespace lockstep::blast_radius_undocumented {
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

void run(const CheckInput& input, RuleOutcome& outcome) {
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

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::blast_radius_undocumented
