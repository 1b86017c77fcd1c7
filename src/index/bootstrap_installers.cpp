// Follows `curl URL | VERSION=x sh`, `sh -c "$(curl URL)"` and `curl -o file URL; VERSION=x sh file` to the version.
#include "index/bootstrap_installers.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Kind = BootstrapPin::Kind;
using Indexes = std::vector<std::uint32_t>;

enum class Installer : std::uint8_t { none, k3s, helm, flux };

Installer installer_of(const ShellWord& word) {
    const std::string_view text = word.text;
    if (text.find_first_of(" \n") != std::string_view::npos) return Installer::none;
    const std::size_t host = text.find("://");
    const std::string_view address = host == std::string_view::npos ? text : text.substr(host + 3);
    if (address.starts_with("get.k3s.io")) return Installer::k3s;
    if (address.starts_with("get.helm.sh")) return Installer::none; // archives, whose names carry the version
    if (address.find("helm/helm/") != std::string_view::npos && file_name_of(address).starts_with("get-helm"))
        return Installer::helm;
    if (address.starts_with("git.io/get_helm")) return Installer::helm;
    if (address.starts_with("fluxcd.io/install.sh") || address.starts_with("toolkit.fluxcd.io/install.sh") ||
        (address.find("fluxcd/flux2/") != std::string_view::npos && address.ends_with("/install/flux.sh")))
        return Installer::flux;
    return Installer::none;
}

void add_with_pipe(Indexes& found, const std::vector<ShellCommand>& commands, std::uint32_t at) {
    for (unsigned steps = 0; at != no_command && steps < 8; at = commands[at].pipes_into, ++steps)
        found.push_back(at);
}

std::string saved_as(const ShellCommand& fetch) {
    for (const ShellWord& output : fetch.outputs)
        if (output.known) return std::string(file_name_of(output.text));
    const bool wget = command_name(fetch) == "wget";
    auto file = wget ? option_value(fetch, {"-O", "--output-document"}) : option_value(fetch, {"-o", "--output"});
    for (std::size_t k = 0; !file && k + 1 < fetch.words.size(); ++k) { // `-fsSLo file`, `-qO file`
        const std::string_view text = fetch.words[k].text;
        if (text.starts_with('-') && !text.starts_with("--") && text.back() == (wget ? 'O' : 'o'))
            file = fetch.words[k + 1];
    }
    if (file && file->known && file->text != "-") return std::string(file_name_of(file->text));
    return {};
}

// What is asked again and again about a script, asked once.
struct Lookup {
    const std::vector<ShellCommand>& commands;
    std::map<std::string, Indexes, std::less<>> assigns; // by name: plain assignments and exports
    std::map<std::string, Indexes, std::less<>> runs;    // by file name: `./file`, `sh file`
};

Lookup look_up(const std::vector<ShellCommand>& commands) {
    Lookup found{commands, {}, {}};
    for (std::uint32_t k = 0; k < commands.size(); ++k) {
        if (is_assignment(commands[k])) {
            for (const ShellAssignment& assignment : commands[k].assignments)
                found.assigns[assignment.name].push_back(k);
            continue;
        }
        const std::string_view name = command_name(commands[k]);
        const bool shell = name == "sh" || name == "bash" || name == "source" || name == ".";
        const auto words = shell ? positional_words(commands[k]) : std::vector<const ShellWord*>();
        const std::string_view file = words.empty() ? name : file_name_of(words[0]->text);
        if (!file.empty()) found.runs[std::string(file)].push_back(k);
    }
    return found;
}

// Every command that may run what `fetch` brings.
Indexes runners_of(const Lookup& script, std::uint32_t fetch) {
    const std::vector<ShellCommand>& commands = script.commands;
    Indexes found;
    add_with_pipe(found, commands, commands[fetch].pipes_into);
    if (commands[fetch].inside != no_command) add_with_pipe(found, commands, commands[fetch].inside);
    std::string file = saved_as(commands[fetch]);
    for (const std::uint32_t at : Indexes(found))
        if (file.empty() && command_name(commands[at]) == "tee") file = file_name_of(commands[at].words.back().text);
    if (const auto runs = script.runs.find(file); runs != script.runs.end()) {
        const auto next = std::upper_bound(runs->second.begin(), runs->second.end(), fetch);
        if (next != runs->second.end()) found.push_back(*next);
    }
    return found;
}

// The value a runner gets under a name: its own, or what the script assigned last before it.
Cell environment_cell(FileId file, const Lookup& script, const Indexes& runners, std::uint32_t fetch,
                      std::string_view name) {
    for (const std::uint32_t at : runners)
        if (const ShellAssignment* own = assignment_of(script.commands[at], name)) return word_cell(file, own->value);
    const auto assigns = script.assigns.find(name);
    if (assigns == script.assigns.end()) return {};
    const std::uint32_t until = runners.empty() ? fetch : *std::max_element(runners.begin(), runners.end());
    const auto behind = std::lower_bound(assigns->second.begin(), assigns->second.end(), until);
    if (behind == assigns->second.begin()) return {};
    const ShellCommand& last = script.commands[*(behind - 1)];
    Cell found = word_cell(file, assignment_of(last, name)->value);
    if (last.conditional) found.state = State::templated;
    return found;
}

bool is_given(const Cell& cell) {
    return cell.state == State::templated || (cell.state == State::known && !cell.text.empty());
}

Cell absent_at(Place place, std::string text = {}) {
    return {State::absent, std::move(text), place};
}

} // namespace

void add_installer_pins(std::vector<BootstrapPin>& pins, FileId file, const std::vector<ShellCommand>& commands) {
    const Lookup script = look_up(commands);
    std::vector<bool> used(commands.size(), false); // assigns a k3s version to an installer that was found
    bool k3s_fetched = false;
    const auto make = [&](Kind kind, const ShellCommand& command, Cell version) {
        const Place anchor{file, command.span};
        const Cell nothing = absent_at(anchor);
        pins.push_back({kind, std::move(version), nothing, nothing, nothing, nothing, anchor});
    };
    for (std::uint32_t k = 0; k < commands.size(); ++k) {
        const std::string_view name = command_name(commands[k]);
        if (name == "echo" || name == "printf" || name == "grep" || name == "sed") continue;
        Installer installer = Installer::none;
        for (const ShellWord& word : commands[k].words)
            if (installer == Installer::none) installer = installer_of(word);
        if (installer == Installer::none) continue;
        const Indexes runners = runners_of(script, k);
        const auto value = [&](std::string_view variable) {
            return environment_cell(file, script, runners, k, variable);
        };
        const Place anchor{file, commands[k].span};
        if (installer == Installer::flux) {
            Cell version = value("FLUX_VERSION");
            make(Kind::flux_cli_pin, commands[k], is_given(version) ? std::move(version) : absent_at(anchor));
        } else if (installer == Installer::helm) {
            Cell version = value("DESIRED_VERSION");
            for (const std::uint32_t at : runners)
                if (!is_given(version))
                    if (const auto option = option_value(commands[at], {"--version", "-v"});
                        option && !option->text.empty())
                        version = word_cell(file, *option);
            // `bash -s -- --version v3.15.0`: behind `--` the options are the installer's.
            for (const std::uint32_t at : runners)
                for (std::size_t w = 0; !is_given(version) && w + 1 < commands[at].words.size(); ++w)
                    if (commands[at].words[w].text == "--version" || commands[at].words[w].text == "-v")
                        version = word_cell(file, commands[at].words[w + 1]);
            make(Kind::helm_script, commands[k], is_given(version) ? std::move(version) : absent_at(anchor));
        } else {
            k3s_fetched = true;
            for (const std::uint32_t at : runners)
                used[at] = true;
            Cell version = value("INSTALL_K3S_VERSION");
            if (!is_given(version)) version = value("INSTALL_K3S_COMMIT");
            const Cell channel = value("INSTALL_K3S_CHANNEL");
            if (is_given(value("INSTALL_K3S_SKIP_DOWNLOAD"))) continue;
            if (is_given(version))
                make(Kind::k3s_version, commands[k], std::move(version));
            else
                make(Kind::k3s_channel, commands[k],
                     is_given(channel) ? absent_at(channel.place, channel.text) : absent_at(anchor));
        }
    }
    // The installer may come from elsewhere: a file in the image, another script.
    for (std::uint32_t k = 0; k < commands.size(); ++k) {
        const ShellAssignment* version = assignment_of(commands[k], "INSTALL_K3S_VERSION");
        if (!version || version->value.text.empty() || used[k]) continue;
        if (is_assignment(commands[k]) && k3s_fetched) continue;
        make(Kind::k3s_version, commands[k], word_cell(file, version->value));
    }
}

} // namespace lockstep
