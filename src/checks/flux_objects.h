// Every object of Flux in the tree with what is known of its API: declarations, patches of them in files, and patches
// inside kustomizations. For the checks that hold Flux objects against the pinned Flux.
#pragma once
#include "checks/nodes.h"
#include "checks/pinned_flux.h"
#include "checks/template_guards.h"

namespace lockstep {

struct FluxObject {
    const FluxApi* api = nullptr;     // none: the table does not have this version of the kind, or not the kind
    std::string group, version, kind; // as written
    std::string subject;
    Place place; // apiVersion; of a patch inside a kustomization the patch
    NodeRef spec;
    FileId file = no_file;
    bool declared = false;        // no patch
    bool guessed_version = false; // a patch that does not say which: the newest
    bool several_kinds = false;   // branches of a template name kinds or versions of their own
    bool placed = true;           // spans of the nodes count in the file
    const TemplateGuards* guards = nullptr;

    bool guarded(NodeRef node) const { return guards && guards->covers(node.span().begin); }
    Place place_of(NodeRef node) const { return placed ? Place{file, node.span()} : place; }
};

class FluxObjects {
public:
    FluxObjects(const CheckInput& input, const FluxKnowledge& knowledge, PinnedFlux& pinned)
        : input_(input), knowledge_(knowledge), pinned_(pinned), nodes_(input.repository) {}

    bool only_headers = false; // no specs, and no patches inside kustomizations: then no file is parsed again

    using Visit = std::function<void(const FluxObject& object, const Pinned& pinned)>;
    void each(const Visit& visit); // in file order, inline patches last

private:
    void visit_inline(const std::vector<Patch>& patches, FileId owner, const Visit& visit);
    const TemplateGuards* guards_of(const Object& object);

    const CheckInput& input_;
    const FluxKnowledge& knowledge_;
    PinnedFlux& pinned_;
    Nodes nodes_;
    std::map<FileId, TemplateGuards> guards_;
};

// The pinned Flux does not serve the API: not yet, or not any more.
bool is_not_served(const FluxKnowledge& knowledge, const FluxApi& api, const FluxPin& pin);

} // namespace lockstep
