// Parses files again for checks that look deeper than the index.
#include "checks/nodes.h"

namespace lockstep {

const FileView& Nodes::view(FileId file) {
    auto& slot = files_[file];
    if (!slot) {
        const File& source = repository_.tree->files[file];
        slot = std::make_unique<Parsed>();
        slot->yaml = parse_yaml(source.text, is_terraform_template(source.path) ? Dialect::terraform : Dialect::yaml);
        slot->view = view_file(file, source, slot->yaml);
    }
    return slot->view;
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
