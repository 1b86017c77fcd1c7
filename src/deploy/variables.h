// The variables of one Flux Kustomization's postBuild: written in it, or taken from ConfigMaps and Secrets that its
// cluster gets. A source that is not in this tree makes every other name unknown.
#pragma once
#include "base/span.h"
#include "deploy/envsubst.h"
#include "deploy/flux_spec.h"
#include <map>

namespace lockstep {

struct Supplied {
    std::string value;
    Place place;       // where the value is written
    bool known = true; // false: there, but encrypted or not known offline
};

struct PostBuild {
    std::map<std::string, Supplied, std::less<>> supplied;
    bool open = false; // a source is not in this tree: it may supply any name
    std::string why;   // which one
    // The instances that it was made from, in the order of spec.postBuild.substituteFrom; no_number: not there.
    std::vector<std::uint32_t> suppliers;
    bool made = false;

    Variable look(std::string_view name) const;
    Place place_of(std::string_view name) const; // of its value; file == no_file when nobody here supplies it
};

// One entry of a ConfigMap or Secret, decoded.
struct Datum {
    std::string key, text;
    Place place;
    bool known = true; // false: encrypted, or not known offline
};
// Those of stringData come last, and overrule.
std::vector<Datum> data_of(const Value* object, bool secret);

// The data of a ConfigMap or Secret as Flux reads them; base64 decoded, line breaks taken out.
void supply_from(const Value* object, bool secret, PostBuild& made);
// spec.postBuild.substitute, which overrules everything else.
void supply_inline(const Value* substitute, PostBuild& made);

// Puts the variables into every text of a tree, as Flux does with the YAML of an object: a plain text is read again
// afterwards, so that a number in a variable becomes a number. An object that says `substitute: disabled` is left
// alone.
void substitute_tree(Value& tree, Arena& arena, const PostBuild& variables);
// Labels and annotations of spec.commonMetadata.
void add_metadata(Value& tree, Arena& arena, std::string_view map, const Value* pairs);

} // namespace lockstep
