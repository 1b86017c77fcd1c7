// What patches do to the identity of objects: remove them, or perhaps rename and move them. Internal to build_closure.
#pragma once
#include "index/closure.h"
#include "yaml/parse.h"

namespace lockstep {

struct Effect {
    enum class What : std::uint8_t {
        remove,    // `$patch: delete`
        rename,    // an operation on metadata.name or metadata.namespace
        respecify, // spec.path, sourceRef or targetNamespace of a Flux Kustomization
    } what = What::remove;
    std::string kind, name, ns; // empty: any
    bool vague = false;         // what it reaches hangs on an expression, a selector or a template
    Place place;
};

struct Effects {
    std::vector<Effect> effects;
    std::vector<ClosureGap> gaps; // patches that cannot be read
};

// Files that patches are read from, each once: many kustomizations may use one.
using PatchFiles = std::unordered_map<FileId, YamlText>;

// `dir` is where paths of patches count from.
Effects effects_of(const Index& index, std::string_view dir, const std::vector<Patch>& patches, PatchFiles& files);
// Whether an effect reaches an object, by its name and namespace as written or as layers below made them.
bool reaches(const Index& index, const Effect& effect, const Applied& applied);

} // namespace lockstep
