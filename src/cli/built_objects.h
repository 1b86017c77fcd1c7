// Objects that `lockstep build` made, and the ways to hand them out: YAML, JSON, lines with their places, files.
#pragma once
#include "base/result.h"
#include "kustomize/resource.h"
#include "yaml/emit.h"
#include <functional>
#include <string>
#include <vector>

namespace lockstep {

struct BuiltObject {
    ResourceId id;
    std::string yaml, json;
    std::vector<LinePlace> places;
};

struct BuiltForm {
    bool places = false, json = false; // YAML else
};

BuiltObject built_object(const ResourceId& id, const Value& tree, const BuiltForm& form);
// `shown` gives `path:line`, or nothing for no place.
std::string built_text(const std::vector<BuiltObject>& objects, const BuiltForm& form,
                       const std::function<std::string(Place)>& shown);
// A name that the repository gives, as the name of one file or folder: no way to another.
std::string one_part(std::string name);
// One file per object, named as kustomize names them. `linted` as of write_file.
Result<bool> write_objects(const std::string& folder, const std::vector<BuiltObject>& objects,
                           const std::string& linted);

} // namespace lockstep
