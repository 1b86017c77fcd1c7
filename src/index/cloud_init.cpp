// The scripts of a cloud-init document, and the pins of whole files.
#include "index/bootstrap.h"

namespace lockstep {
namespace {

// cloud-init writes all entries of a list into one script: what an entry assigns, the next one sees.
std::vector<ShellCommand> list_script(NodeRef list) {
    std::vector<ShellCommand> commands;
    for (NodeRef item : list.resolved().items()) {
        item = item.resolved();
        if (item.is_scalar()) append_script(commands, placed_scalar(item));
        std::vector<ShellWord> words;
        if (item.is_sequence())
            for (const NodeRef& word : item.items())
                words.push_back(word_from_scalar(word.resolved()));
        append_words(commands, std::move(words));
    }
    resolve_variables(commands);
    return commands;
}

bool is_shell_file(NodeRef entry) {
    const std::string_view path = entry.get("path").resolved().text();
    const std::string_view encoding = entry.get("encoding").resolved().text();
    if (!encoding.empty() && encoding != "text/plain") return false;
    if (path.ends_with(".sh") || path.ends_with(".bash")) return true;
    const std::string_view content = entry.get("content").resolved().text();
    const std::string_view first = content.substr(0, content.find('\n'));
    return first.starts_with("#!") && first.find("sh") != std::string_view::npos;
}

} // namespace

std::vector<std::vector<ShellCommand>> cloud_init_scripts(const YamlText& yaml) {
    std::vector<std::vector<ShellCommand>> scripts;
    const auto add = [&](std::vector<ShellCommand> commands) {
        if (!commands.empty()) scripts.push_back(std::move(commands));
    };
    for (const YamlDocument& document : yaml.documents) {
        const NodeRef root(&yaml, document.root);
        if (!root.is_mapping()) continue;
        for (NodeRef entry : root.get("write_files").resolved().items()) {
            entry = entry.resolved();
            if (entry.is_mapping() && is_shell_file(entry)) add(scan_shell(entry.get("content")));
        }
        add(list_script(root.get("bootcmd")));
        add(list_script(root.get("runcmd")));
    }
    return scripts;
}

std::vector<BootstrapPin> script_pins(FileId file, std::string_view text) {
    return bootstrap_pins(file, text, scan_shell(text, {0, static_cast<std::uint32_t>(text.size())}));
}

std::vector<BootstrapPin> cloud_init_pins(FileId file, const YamlText& yaml) {
    if (yaml.text.starts_with("#!")) return script_pins(file, yaml.text);
    std::vector<BootstrapPin> pins;
    for (const std::vector<ShellCommand>& commands : cloud_init_scripts(yaml))
        for (BootstrapPin& pin : bootstrap_pins(file, yaml.text, commands))
            pins.push_back(std::move(pin));
    return pins;
}

} // namespace lockstep
