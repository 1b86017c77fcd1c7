// What workflows and scripts publish: the registries they push charts to, and whether they stamp versions while
// packaging. From their commands to «own registry».
#include "index/links.h"
#include "index/shell.h"

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

Published published_by_script(std::string_view text) {
    Published published;
    if (text.find("helm push") != std::string_view::npos || text.find("helm package") != std::string_view::npos)
        take_commands(scan_shell(text, {0, static_cast<std::uint32_t>(text.size())}), published);
    published.stamped = published.stamped && !published.registries.empty(); // else it is somebody's trial
    return published;
}

void add_published_by_workflows(Index& index) {
    for (const Script& script : index.scripts) {
        if (script.from != Script::From::workflow) continue;
        const std::string& text = index.tree->files[script.place.file].text;
        const std::string_view slice =
            std::string_view(text).substr(script.place.span.begin, script.place.span.end - script.place.span.begin);
        if (slice.find("helm") == std::string_view::npos) continue;
        take_commands(scan_shell(text, script.place.span, script.indent, script.style), index.published);
    }
}

} // namespace lockstep
