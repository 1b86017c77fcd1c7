// What workflows publish: the registries they push charts to, and whether they stamp versions while packaging. From the
// merged scripts to «own registry».
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

} // namespace

Published published_by_workflows(const Index& index) {
    Published published;
    for (const Script& script : index.scripts) {
        if (script.from != Script::From::workflow) continue;
        const std::string& text = index.tree->files[script.place.file].text;
        const std::string_view slice =
            std::string_view(text).substr(script.place.span.begin, script.place.span.end - script.place.span.begin);
        if (slice.find("helm") == std::string_view::npos) continue;
        for (const ShellCommand& command : scan_shell(text, script.place.span, script.indent, script.style)) {
            if (command_name(command) != "helm") continue;
            const std::vector<const ShellWord*> words = positional_words(command);
            if (words.empty()) continue;
            if (words.front()->text == "push") take_push(command, published.registries);
            if (words.front()->text == "package" && has_option(command, {"--version"})) published.stamped = true;
        }
    }
    return published;
}

} // namespace lockstep
