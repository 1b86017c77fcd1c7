// Takes the facts by their names.
#include "checks/reference_facts.h"

namespace lockstep {

std::vector<ScriptText> scripts_of(const CheckInput& input) {
    std::vector<FileId> files;
    if (const Table* table = input.own_facts().find("scripts"))
        for (const Row& row : table->rows)
            files.push_back(row.anchor.file);
    return script_texts(input.repository, files, input.texts());
}

References references_of(const CheckInput& input) {
    const RuleFacts facts = input.own_facts();
    return references_of(input.repository, input.config, facts["references"], facts["makers"], scripts_of(input));
}

} // namespace lockstep
