// From entities to their nodes.
#include "deploy/nodes.h"

namespace lockstep {

const FileView& Nodes::view(FileId file) {
    return repository_.on_demand->files.view(file);
}

NodeRef Nodes::root(const Object& object) {
    const auto& documents = view(object.file).documents;
    return object.ordinal < documents.size() ? documents[object.ordinal].root : NodeRef();
}

Cell Nodes::cell(FileId file, NodeRef value) {
    const NodeRef scalar = value.resolved();
    if (!scalar || scalar.is_null()) return {State::absent, {}, {file, value.span()}};
    if (!scalar.is_scalar()) return {State::known, {}, {file, scalar.span()}};
    return {scalar.templated() ? State::templated : State::known, std::string(scalar.text()), {file, scalar.span()}};
}

} // namespace lockstep
