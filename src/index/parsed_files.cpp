// Parses a file for the first one who asks for its nodes.
#include "index/parsed_files.h"
#include "index/layout.h"

namespace lockstep {

std::unique_ptr<ParsedFile> parse_file(FileId id, const File& file, const YamlLimits& limits) {
    auto parsed = std::make_unique<ParsedFile>();
    const Dialect dialect = is_terraform_template(file.path) && !file.manifest ? Dialect::terraform : Dialect::yaml;
    parsed->yaml = parse_yaml(file.text, dialect, limits);
    parsed->view = view_file(id, file, parsed->yaml);
    return parsed;
}

void ParsedFiles::keep(FileId file, std::unique_ptr<ParsedFile> parsed) {
    parsed->yaml.nodes.shrink_to_fit();
    files_[file] = std::move(parsed);
    static std::mutex guard; // neighbours of one file share a word of `kept_`
    const std::scoped_lock lock(guard);
    kept_[file] = true;
}

const FileView& ParsedFiles::view(FileId file) {
    std::call_once(asked_[file], [&] {
        if (!files_[file]) files_[file] = parse_file(file, tree_.files[file], limits_);
    });
    return files_[file]->view;
}

} // namespace lockstep
