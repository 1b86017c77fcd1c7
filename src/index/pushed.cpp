// What workflows and scripts publish: the registries they push charts to, whether they stamp versions while packaging,
// and the artifacts they make. From their commands to «own registry» and to the sources that are this repository.
#include "index/links.h"
#include "index/shell.h"
#include "tree/tree.h"

namespace lockstep {

namespace {

// `helm push web-1.2.0.tgz oci://ghcr.io/acme/charts`: the registry is the last word.
void take_push(const ShellCommand& command, std::vector<std::string>& registries) {
    const std::vector<const ShellWord*> words = positional_words(command);
    if (words.size() < 2) return;
    const ShellWord& target = *words.back();
    if (target.known && target.text.starts_with("oci://")) registries.push_back(target.text);
}

void take_commands(const std::vector<ShellCommand>& commands, Published& published) {
    for (const ShellCommand& command : commands) {
        if (command_name(command) != "helm") continue;
        const std::vector<const ShellWord*> words = positional_words(command);
        if (words.empty()) continue;
        if (words.front()->text == "push") take_push(command, published.registries);
        if (words.front()->text == "package" && has_option(command, {"--version"})) published.stamped = true;
    }
}

} // namespace

Published published_by_script(std::string_view path, std::string_view text) {
    Published published;
    const bool charts =
        text.find("helm push") != std::string_view::npos || text.find("helm package") != std::string_view::npos;
    const bool artifacts =
        text.find("flux") != std::string_view::npos && text.find(" artifact ") != std::string_view::npos;
    if (!charts && !artifacts) return published;
    const std::vector<ShellCommand> commands = scan_shell(text, {0, static_cast<std::uint32_t>(text.size())});
    take_commands(commands, published);
    if (artifacts) take_pushed_artifacts(commands, {"", std::string(directory_of(path))}, published.artifacts);
    published.stamped = published.stamped && !published.registries.empty(); // else it is somebody's trial
    return published;
}

void add_published_by_workflows(Index& index) {
    for (const Script& script : index.scripts) {
        if (script.from != Script::From::workflow) continue;
        const std::string& text = index.tree->files[script.place.file].text;
        const std::string_view slice =
            std::string_view(text).substr(script.place.span.begin, script.place.span.end - script.place.span.begin);
        const bool artifacts = slice.find(" artifact ") != std::string_view::npos;
        if (!artifacts && slice.find("helm") == std::string_view::npos) continue;
        const std::vector<ShellCommand> commands = scan_shell(text, script.place.span, script.indent, script.style);
        take_commands(commands, index.published);
        if (!artifacts) continue;
        const bool elsewhere = text.find("working-directory:") != std::string::npos; // which step it is of, nobody says
        take_pushed_artifacts(commands, elsewhere ? std::vector<std::string>() : std::vector<std::string>{""},
                              index.published.artifacts);
    }
}

} // namespace lockstep
