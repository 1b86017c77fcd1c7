// Parses a file for the first one who asks for its nodes.
#include "rules/parsed_files.h"
#include "index/layout.h"

namespace lockstep {

const FileView& ParsedFiles::view(FileId file) {
    std::call_once(asked_[file], [&] {
        const File& source = tree_.files[file];
        auto parsed = std::make_unique<Parsed>();
        const Dialect dialect = is_terraform_template(source.path) ? Dialect::terraform : Dialect::yaml;
        parsed->yaml = parse_yaml(source.text, dialect, limits_);
        parsed->view = view_file(file, source, parsed->yaml);
        files_[file] = std::move(parsed);
    });
    return files_[file]->view;
}

} // namespace lockstep
