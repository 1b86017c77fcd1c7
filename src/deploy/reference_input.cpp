// Gathers what the resolver looks at.
#include "deploy/reference_input.h"
#include "index/cells.h"
#include "index/relations.h"

namespace lockstep {

std::vector<ScriptText> script_texts(const Repository& repository, const std::vector<FileId>& files,
                                     const TextOfFile& texts) {
    std::vector<ScriptText> made;
    auto add = [&](FileId file, std::string_view text) {
        const std::string& path = repository.tree->files[file].path;
        if (!is_test_script(path)) made.push_back({path, text});
    };
    for (FileId file : files)
        add(file, texts(file));
    for (const Script& script : repository.index.scripts) {
        const std::string_view text = repository.tree->indexed_text(script.place.file);
        add(script.place.file, text.substr(script.place.span.begin, script.place.span.end - script.place.span.begin));
    }
    return made;
}

References references_of(const Repository& repository, const Config& config, const Table& references,
                         const Table& makers, std::vector<ScriptText> scripts) {
    References::Input made{fleet_of(repository), repository.index, repository.on_demand->files, {}, {}, {}, {}};
    if (auto rows = read_reference_rows(references)) made.rows = std::move(*rows);
    if (auto rows = read_maker_rows(makers)) made.makers = std::move(*rows);
    made.external = config.external;
    made.scripts = std::move(scripts);
    return References(std::move(made));
}

std::string listed(const std::set<std::string>& names) {
    constexpr std::size_t most = 4;
    std::vector<std::string> shown(names.begin(), names.end());
    if (shown.size() > most) {
        const std::size_t left = shown.size() - (most - 1);
        shown.resize(most - 1);
        shown.push_back(std::to_string(left) + " more");
    }
    std::string text;
    for (std::size_t i = 0; i < shown.size(); ++i)
        text += (i == 0 ? "" : i + 1 == shown.size() ? " and " : ", ") + shown[i];
    return text;
}

std::string subject_of_reference(const Repository& repository, const ResolvedReference& reference) {
    if (reference.object != no_entity) return subject_of(repository.index, repository.index.objects[reference.object]);
    const Instance& from = fleet_of(repository).instances[reference.from];
    const FileId file = from.resource.document.file;
    return (file == no_file ? std::string() : repository.tree->files[file].path) + "#" + std::string(from.id().kind) +
           "/" + std::string(from.id().ns) + "/" + std::string(from.id().name);
}

} // namespace lockstep
