// Pins of one script: install commands, install URLs, and installers that are fetched and run.
#include "index/bootstrap.h"
#include "index/bootstrap_installers.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Kind = BootstrapPin::Kind;

bool has_expansion(std::string_view text) {
    return text.find_first_of("$`") != std::string_view::npos || text.find("{{") != std::string_view::npos ||
           text.find("%{") != std::string_view::npos;
}

// A part of a word. Only what is in the part itself can make it unknown.
Cell part_cell(FileId file, const ShellWord& word, std::size_t begin, std::size_t end) {
    const ShellWord part = word_part(word, begin, end);
    const bool resolved = std::all_of(part.variables.begin(), part.variables.end(),
                                      [](const ShellVariable& variable) { return variable.resolved; });
    const bool known = part.known || (resolved && !has_expansion(part.text));
    return {known ? State::known : State::templated, part.text, {file, part.span}};
}

// `main`, `latest`, a release branch: names that move. A commit or a version does not.
bool floats(std::string_view ref) {
    if (ref.empty()) return true;
    if (ref.size() >= 7 && ref.find_first_not_of("0123456789abcdef") == std::string_view::npos) return false;
    ref.remove_prefix(ref[0] == 'v' ? 1 : 0);
    return ref.empty() || ref[0] < '0' || ref[0] > '9';
}

// Commands that talk about a URL instead of using it.
bool only_mentions(std::string_view name) {
    constexpr std::string_view talkers[] = {"echo", "printf", "grep", "egrep", "sed", "awk", "test", "[", "[["};
    return std::find(std::begin(talkers), std::end(talkers), name) != std::end(talkers);
}

using Repositories = std::map<std::string, ShellWord, std::less<>>;

// An alias may be added before or behind: what is asked is what the script calls by that name.
Repositories helm_repositories(const std::vector<ShellCommand>& commands) {
    Repositories found;
    for (const ShellCommand& command : commands) {
        if (!command_name(command).starts_with("helm")) continue;
        const auto words = positional_words(command);
        if (words.size() >= 4 && words[0]->text == "repo" && words[1]->text == "add" && words[2]->known)
            found.emplace(words[2]->text, *words[3]);
    }
    return found;
}

// The version option. Without one, words that may expand to options leave it open.
Cell version_option(FileId file, const ShellCommand& command, const std::vector<const ShellWord*>& words,
                    std::size_t expected) {
    if (const auto value = option_value(command, {"--version"}); value && !value->text.empty())
        return word_cell(file, *value);
    const bool short_of_words = words.size() < expected;
    for (std::size_t k = 0; k < words.size(); ++k)
        if (!words[k]->known && words[k]->splits &&
            (short_of_words || k >= expected || words[k]->text.ends_with("@]}")))
            return {State::templated, "", {file, words[k]->span}};
    return {State::absent, "", {file, command.span}};
}

std::optional<BootstrapPin> helm_pin(FileId file, const ShellCommand& command, const Repositories& repositories) {
    const std::string_view tool = command_name(command);
    if (tool != "helm" && tool != "helm3") return std::nullopt;
    const auto words = positional_words(command);
    if (words.empty()) return std::nullopt;
    const bool upgrades = words[0]->text == "upgrade" && has_option(command, {"--install", "-i"});
    if (words[0]->text != "install" && !upgrades) return std::nullopt;
    if (has_option(command, {"--dry-run"})) return std::nullopt; // installs nothing
    const bool nameless = has_option(command, {"--generate-name", "-g", "--name-template"});
    const std::size_t chart_at = nameless ? 1 : 2;
    BootstrapPin pin;
    pin.kind = Kind::helm_install;
    pin.anchor = {file, command.span};
    pin.name.place = pin.chart.place = pin.repository.place = pin.anchor;
    pin.version = version_option(file, command, words, chart_at + 1);
    if (!nameless && words.size() > 1) pin.name = word_cell(file, *words[1]);
    if (const auto url = option_value(command, {"--repo"}); url && !url->text.empty())
        pin.repository = word_cell(file, *url);
    if (words.size() <= chart_at) return pin;
    const ShellWord& chart = *words[chart_at];
    const std::string_view text = chart.text;
    const std::size_t slash = text.rfind('/');
    pin.chart = word_cell(file, chart);
    if (text.starts_with('.') || text.starts_with('/') || text.starts_with('~') || text.ends_with(".tgz"))
        return std::nullopt;
    if (slash == std::string_view::npos || pin.repository.state != State::absent) return pin;
    if (text.starts_with("oci://")) {
        pin.repository = part_cell(file, chart, 0, slash);
        const std::size_t tag = std::min(text.find_first_of("@:", slash), text.size());
        pin.chart = part_cell(file, chart, slash + 1, tag);
        if (tag < text.size() && pin.version.state == State::absent)
            pin.version = part_cell(file, chart, tag + 1, text.size());
    } else if (const auto alias = repositories.find(text.substr(0, slash)); alias != repositories.end()) {
        pin.repository = word_cell(file, alias->second);
        pin.chart = part_cell(file, chart, slash + 1, text.size());
    }
    return pin;
}

std::optional<BootstrapPin> flux_command_pin(FileId file, const std::vector<ShellCommand>& commands,
                                             const ShellCommand& command) {
    if (command_name(command) != "flux") return std::nullopt;
    const auto words = positional_words(command);
    if (words.empty() || (words[0]->text != "install" && words[0]->text != "bootstrap")) return std::nullopt;
    const bool bootstraps = words[0]->text == "bootstrap";
    // An export is a pin only where it is applied at once.
    if (has_option(command, {"--export"}) &&
        (command.pipes_into == no_command || command_name(commands[command.pipes_into]) != "kubectl"))
        return std::nullopt;
    BootstrapPin pin;
    pin.kind = bootstraps ? Kind::flux_cli_bootstrap : Kind::flux_cli_install;
    pin.anchor = {file, command.span};
    pin.name.place = pin.chart.place = pin.repository.place = pin.components.place = pin.anchor;
    pin.version = version_option(file, command, words, bootstraps ? 2 : 1);
    if (pin.version.state == State::absent)
        if (const auto value = option_value(command, {"-v"}); value && !value->text.empty())
            pin.version = word_cell(file, *value);
    if (pin.version.state == State::known && floats(pin.version.text)) pin.version.state = State::absent;
    if (const auto value = option_value(command, {"--components"})) pin.components = word_cell(file, *value);
    return pin;
}

// A URL that was read through a variable is a pin where the variable is assigned, not once more where it is used.
void add_url_pins(std::vector<BootstrapPin>& pins, FileId file, std::string_view text, const ShellCommand& command) {
    const auto add = [&](const ShellWord& word) {
        const std::size_t begin = std::min<std::size_t>(word.span.begin, text.size());
        const std::string_view written = text.substr(begin, std::max<std::size_t>(word.span.end, begin) - begin);
        if (written.find("flux2") == std::string_view::npos) return;
        if (auto pin = flux_url_pin(file, word)) pins.push_back(std::move(*pin));
    };
    if (is_assignment(command))
        for (const ShellAssignment& assignment : command.assignments)
            add(assignment.value);
    if (only_mentions(command_name(command))) return;
    for (const ShellWord& word : command.words) {
        const std::size_t sign = word.text.starts_with("-") ? word.text.find('=') : std::string::npos;
        add(sign == std::string::npos ? word : word_part(word, sign + 1));
    }
}

} // namespace

Cell word_cell(FileId file, const ShellWord& word) {
    return part_cell(file, word, 0, word.text.size());
}

std::string_view to_string(BootstrapPin::Kind kind) {
    constexpr std::string_view names[] = {"flux-manifest", "flux-kustomize-ref", "flux-install", "flux-bootstrap",
                                          "helm-install",  "k3s-version",        "k3s-channel",  "helm-script",
                                          "flux-cli",      "flux-components",    "kubernetes",   "kind-node"};
    return names[static_cast<std::size_t>(kind)];
}

std::optional<BootstrapPin> flux_url_pin(FileId file, const ShellWord& url) {
    const std::string_view text = url.text;
    if (text.find_first_of(" \n") < text.find("fluxcd/flux2")) return std::nullopt; // prose, not an address
    constexpr std::string_view project = "fluxcd/flux2", manifest = "/install.yaml";
    std::size_t at = text.find(project);
    if (at == std::string_view::npos) return std::nullopt;
    at += project.size();
    if (text.substr(at).starts_with(".git")) at += 4;
    if (at >= text.size() || text[at] != '/') return std::nullopt;
    at = std::min(text.find_first_not_of('/', at), text.size());
    const std::string_view rest = text.substr(at);
    BootstrapPin pin;
    pin.anchor = {file, place_in(url, 0, text.size())};
    pin.version.place = pin.name.place = pin.chart.place = pin.repository.place = pin.components.place = pin.anchor;
    const auto take_version = [&](std::size_t begin, std::size_t end) {
        pin.version = part_cell(file, url, begin, end);
        if (pin.version.state == State::known && floats(pin.version.text)) pin.version.state = State::absent;
    };
    constexpr std::string_view download = "releases/download/", latest = "releases/latest/download/";
    if (rest.starts_with("manifests/install")) {
        pin.kind = Kind::flux_kustomize_ref;
        std::size_t ref = text.find("?ref=", at);
        if (ref == std::string_view::npos) ref = text.find("&ref=", at);
        if (ref != std::string_view::npos) take_version(ref + 5, std::min(text.find('&', ref + 5), text.size()));
        return pin;
    }
    if (rest.starts_with(latest) && text.ends_with(manifest)) {
        take_version(at + 9, at + 15);
        return pin;
    }
    if (!rest.starts_with(download)) return std::nullopt;
    if (text.ends_with(manifest)) {
        take_version(at + download.size(), text.size() - manifest.size());
        return pin;
    }
    const std::size_t archive = rest.find("/flux_");
    if (archive == std::string_view::npos) return std::nullopt;
    pin.kind = Kind::flux_cli_pin;
    take_version(at + download.size(), at + archive);
    return pin;
}

std::vector<BootstrapPin> bootstrap_pins(FileId file, std::string_view text,
                                         const std::vector<ShellCommand>& commands) {
    const Repositories repositories = helm_repositories(commands);
    std::vector<BootstrapPin> pins;
    for (const ShellCommand& command : commands) {
        if (auto pin = helm_pin(file, command, repositories)) pins.push_back(std::move(*pin));
        if (auto pin = flux_command_pin(file, commands, command)) pins.push_back(std::move(*pin));
        add_url_pins(pins, file, text, command);
    }
    add_installer_pins(pins, file, commands);
    std::stable_sort(pins.begin(), pins.end(), [](const BootstrapPin& a, const BootstrapPin& b) {
        return a.anchor.span.begin < b.anchor.span.begin;
    });
    return pins;
}

Cell flux_version_header(FileId file, std::string_view text) {
    constexpr std::string_view header = "# Flux Version: ";
    for (std::size_t at = text.find(header); at != std::string_view::npos; at = text.find(header, at + 1)) {
        if (at > 0 && text[at - 1] != '\n') continue;
        const std::size_t begin = at + header.size();
        const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
        const Span span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
        const bool known = end > begin;
        return {known ? State::known : State::absent, std::string(text.substr(begin, end - begin)), {file, span}};
    }
    return {State::absent, "", {file, {0, 0}}};
}

} // namespace lockstep
