// Every object of Flux in the tree with what is known of its API, as clusters get it or, where nothing applies it, as
// it is written. For the checks that compare Flux objects with the pinned Flux.
#pragma once
#include "deploy/fleet.h"
#include "deploy/pinned_flux.h"
#include "index/template_guards.h"

namespace lockstep {

struct FluxObject {
    const FluxApi* api = nullptr;     // none: the table does not have this version of the kind, or not the kind
    std::string group, version, kind; // as written
    std::string subject;
    Place place;                 // apiVersion
    const Value* spec = nullptr; // only while it is visited
    FileId file = no_file;
    bool several_kinds = false; // branches of a template name kinds or versions of their own
    const TemplateGuards* guards = nullptr;

    bool guarded(Place at) const { return guards && at.file == file && guards->covers(at.span.begin); }
};

class FluxObjects {
public:
    FluxObjects(const Repository& repository, const FluxKnowledge& knowledge, PinnedFlux& pinned)
        : repository_(repository), knowledge_(knowledge), pinned_(pinned), fleet_(fleet_of(repository)) {}

    bool only_headers = false; // no specs: then no tree is made
    // Whether a spec that nothing changes can matter, by its bytes: else it is shown without one. Empty: always.
    std::function<bool(const Object& object, std::string_view text)> may_matter = {};

    using Visit = std::function<void(const FluxObject& object, const Pinned& pinned)>;
    // In file order. One that patches or variables change differently in several places is visited for each of them.
    void each(const Visit& visit);

private:
    const TemplateGuards* guards_of(const Object& object);
    void each_rendered(const Visit& visit);
    FluxObject rendered(FluxObject one, const Instance& instance, const Value* tree) const;

    const Repository& repository_;
    const FluxKnowledge& knowledge_;
    PinnedFlux& pinned_;
    const Fleet& fleet_;
    std::map<FileId, TemplateGuards> guards_;
};

// The pinned Flux does not serve the API: not yet, or not any more.
bool is_not_served(const FluxKnowledge& knowledge, const FluxApi& api, const FluxPin& pin);

} // namespace lockstep
