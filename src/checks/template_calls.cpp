// Finds the calls, and the templates that they name.
#include "checks/template_calls.h"

namespace lockstep {

TemplateCalls read_template_calls(const CheckInput& input) {
    TemplateCalls found;
    const Tree& tree = *input.repository.tree;
    const Table* files = input.own_facts().find("terraform");
    for (const Row& row : files ? files->rows : std::vector<Row>()) {
        const FileId file = row.anchor.file;
        for (TemplateCall& call : template_calls(input.text(file))) {
            const auto path =
                call.path.empty() ? std::nullopt : join_path(directory_of(tree.files[file].path), call.path);
            const auto target = path ? tree.find(*path) : std::nullopt;
            if (!target || tree.files[*target].state != FileState::read || !input.text(*target).data()) {
                found.elsewhere.emplace_back(Place{file, call.span}, call.path.empty() ? "the path is not written out"
                                                                                       : "the template is not here");
                continue;
            }
            CallOfTemplate one{file, std::move(call), {}};
            for (const TerraformName& key : one.call.keys)
                one.keys.insert(key.name);
            found.by_template[*target].push_back(std::move(one));
        }
    }
    return found;
}

std::string subject_in_file(const Tree& tree, FileId file, std::string_view name) {
    return tree.files[file].path + ":" + std::string(name);
}

} // namespace lockstep
