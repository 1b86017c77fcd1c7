// What bootstrap installs without saying which version: every new machine gets whatever is current on that day.
#include "index/flux_sites.h"
#include "index/shell.h"
#include "rules/check.h"
#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace lockstep::bootstrap_pin_floating {
namespace {

using Kind = BootstrapPin::Kind;

std::string what_of(const BootstrapPin& pin) {
    switch (pin.kind) {
    case Kind::flux_manifest:
        return "Flux's install.yaml";
    case Kind::flux_kustomize_ref:
        return "the kustomization of Flux";
    case Kind::flux_cli_install:
        return "`flux install`";
    case Kind::flux_cli_bootstrap:
        return "`flux bootstrap`";
    case Kind::helm_install:
        return "chart " + (pin.chart.state == State::absent ? std::string("?") : pin.chart.text);
    case Kind::k3s_version:
    case Kind::k3s_channel:
        return "k3s";
    case Kind::helm_script:
        return "the helm command";
    default:
        return "the flux command";
    }
}

// A tool on the machine, not what runs in the cluster.
bool is_tool(const BootstrapPin& pin) {
    return pin.kind == Kind::helm_script || pin.kind == Kind::flux_cli_pin;
}

bool is_flux_command(const BootstrapPin& pin) {
    return pin.kind == Kind::flux_cli_install || pin.kind == Kind::flux_cli_bootstrap;
}

std::string message_for(const BootstrapPin& pin) {
    const std::string& word = pin.version.text;
    if (pin.kind == Kind::k3s_channel)
        return word.empty() ? "k3s is installed without a version: the newest stable one on the day of the boot"
                            : "k3s follows the channel `" + word + "` instead of a version";
    if (!word.empty()) return what_of(pin) + " follows `" + word + "` instead of a version";
    if (is_flux_command(pin))
        return what_of(pin) + " has no --version: it installs what the flux command on that machine carries";
    if (pin.kind == Kind::helm_install) return what_of(pin) + " is installed without --version: the newest one";
    return what_of(pin) + " has no version: the newest one";
}

// A chart by its folder: one that is in the tree, a name without a repository in front, or a path that a variable
// begins. Only what is pulled from a repository can float.
bool may_be_local(const BootstrapPin& pin, const Tree& tree, std::string_view script) {
    if (pin.repository.state != State::absent) return false;
    const std::string& chart = pin.chart.text;
    if (chart.starts_with("oci://") || chart.find("://") != std::string::npos) return false;
    if (chart.find('/') == std::string::npos || chart.find('$') != std::string::npos) return true;
    const auto near = join_path(directory_of(script), chart);
    return tree.has_directory(chart) || (near && tree.has_directory(*near));
}

// A cluster of containers on the machine of one developer: it is gone by the evening.
enum class Local : std::uint8_t { no, made_here, named }; // the script makes one; the command goes to one

bool makes_local_cluster(const ShellCommand& command) {
    const std::string_view tool = command_name(command);
    const auto words = positional_words(command);
    if (tool == "minikube") return !words.empty() && words[0]->text == "start";
    if (words.size() < 2) return false;
    return (tool == "kind" && words[0]->text == "create" && words[1]->text == "cluster") ||
           (tool == "k3d" && words[0]->text == "cluster" && words[1]->text == "create");
}

bool goes_to_local_cluster(const ShellCommand& command) {
    const auto context = option_value(command, {"--context", "--kube-context"});
    if (!context) return false;
    const std::string_view name = context->text;
    return name.starts_with("kind-") || name.starts_with("k3d-") || name == "minikube" || name == "docker-desktop";
}

class LocalClusters {
public:
    explicit LocalClusters(const Tree& tree) : tree_(tree) {}

    Local of(const BootstrapPin& pin) {
        if (pin.from != BootstrapPin::From::script) return Local::no;
        const auto [known, fresh] = scripts_.try_emplace(pin.anchor.file);
        if (fresh) read(tree_.indexed_text(pin.anchor.file), known->second);
        if (known->second.named.count(pin.anchor.span)) return Local::named;
        return known->second.made_here ? Local::made_here : Local::no;
    }

private:
    struct Script {
        std::set<Span> named; // commands that go to one
        bool made_here = false;
    };

    static void read(std::string_view text, Script& script) {
        for (const ShellCommand& command : scan_shell(text, {0, static_cast<std::uint32_t>(text.size())})) {
            if (goes_to_local_cluster(command)) script.named.insert(command.span);
            script.made_here = script.made_here || makes_local_cluster(command);
        }
    }

    const Tree& tree_;
    std::unordered_map<FileId, Script> scripts_;
};

// What a machine runs by itself when it comes up: cloud-init, and scripts and folders that cloud-init or the Terraform
// around it speaks of. What a person runs by hand is seen by that person.
class BootFiles {
public:
    explicit BootFiles(const CheckInput& input) : tree_(*input.repository.tree) {
        std::set<FileId> files;
        for (const DocumentRole& document : input.repository.index.documents)
            if (document.role == Role::cloud_init) files.insert(document.place.file);
        for (FileId file = 0; file < tree_.files.size(); ++file)
            if (is_terraform_template(tree_.files[file].path)) files.insert(file);
        for (const FileId file : files)
            texts_.push_back(input.text(file));
        for (const Row& row : input.facts["terraform"].rows)
            texts_.push_back(input.text(row.anchor.file));
    }

    bool run(const BootstrapPin& pin) const {
        if (pin.from == BootstrapPin::From::cloud_init) return true;
        const std::string_view path = tree_.files[pin.anchor.file].path;
        const bool script = pin.from == BootstrapPin::From::script;
        const std::string_view name = script ? file_name_of(path) : directory_of(path);
        return !name.empty() && std::any_of(texts_.begin(), texts_.end(), [&](std::string_view text) {
            return text.find(name) != std::string_view::npos;
        });
    }

private:
    const Tree& tree_;
    std::vector<std::string_view> texts_;
};

// The line of `text` around `at`.
std::string_view line_around(std::string_view text, std::size_t at) {
    const std::size_t begin = text.rfind('\n', at) == std::string_view::npos ? 0 : text.rfind('\n', at) + 1;
    return text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
}

// A script that cloud-init writes for a timer or for cron, and that nothing runs when the machine comes up: to follow
// what is current is its purpose.
bool runs_on_a_timer(std::string_view text, Place pin) {
    constexpr std::string_view key = "path:", starts = "ExecStart=";
    const std::size_t entry = text.rfind(key, pin.span.begin);
    if (entry == std::string_view::npos) return false;
    std::string_view path = line_around(text, entry);
    path.remove_prefix(path.find(key) + key.size());
    path.remove_prefix(std::min(path.find_first_not_of(" \t'\""), path.size()));
    path = path.substr(0, path.find_first_of(" \t'\"\r#"));
    if (path.size() < 2 || path.front() != '/') return false;
    if (path.starts_with("/etc/cron.")) return true;
    if (text.find("OnCalendar=") == std::string_view::npos && text.find("OnUnitActiveSec=") == std::string_view::npos)
        return false;
    bool started = false;
    for (std::size_t at = text.find(path); at != std::string_view::npos; at = text.find(path, at + 1)) {
        const std::string_view line = line_around(text, at);
        if (line.find(starts) != std::string_view::npos)
            started = true;
        else if (line.find(key) == std::string_view::npos)
            return false;
    }
    return started;
}

bool is_k3s(const BootstrapPin& pin) {
    return pin.kind == Kind::k3s_version || pin.kind == Kind::k3s_channel;
}

// `flux bootstrap` commits what it installs; where that stands in the tree, `flux install` leaves a trace in Git too: a
// person sees what came.
Severity severity_of(const BootstrapPin& pin, Severity own, bool aside, bool committed) {
    if (aside || is_tool(pin)) return Severity::note;
    const bool traced = pin.from == BootstrapPin::From::script && is_flux_command(pin) &&
                        (committed || pin.kind == Kind::flux_cli_bootstrap);
    return traced && pin.version.text.empty() ? std::min(own, Severity::warning) : own;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    std::unordered_set<FileId> pinned_tool; // `flux install` takes the version of the pinned command
    bool committed = false;                 // gotk-components are in the tree
    std::set<FileId> upgraded;              // a timer on the machine installs the newest k3s
    LocalClusters clusters(*input.repository.tree);
    const BootFiles boot(input);
    for (const BootstrapPin& pin : index.bootstrap_pins) {
        if (pin.kind == Kind::flux_cli_pin && pin.version.state != State::absent) pinned_tool.insert(pin.anchor.file);
        committed = committed || pin.kind == Kind::flux_components;
        if (is_k3s(pin) && pin.from == BootstrapPin::From::cloud_init &&
            runs_on_a_timer(input.repository.tree->indexed_text(pin.anchor.file), pin.anchor))
            upgraded.insert(pin.anchor.file);
    }
    for (const BootstrapPin& pin : index.bootstrap_pins) {
        const std::string& path = input.repository.tree->files[pin.anchor.file].path;
        const std::string subject = path + ":" + std::string(to_string(pin.kind)) +
                                    (pin.chart.state == State::absent ? "" : "/" + pin.chart.text);
        if (pin.from == BootstrapPin::From::workflow) continue; // a cluster for one test run
        if (pin.kind == Kind::flux_components) continue;        // written by Flux, not installed by anybody
        if (pin.from == BootstrapPin::From::machines) continue; // a field, not an installation
        if (pin.kind == Kind::helm_install && may_be_local(pin, *input.repository.tree, path)) {
            outcome.undecided(pin.anchor, subject, "a chart by its folder: it has the version of the tree");
        } else if (pin.version.state == State::templated) {
            outcome.undecided(pin.anchor, subject, "templated");
        } else if (pin.version.state == State::known ||
                   (is_flux_command(pin) && pin.version.text.empty() && pinned_tool.count(pin.anchor.file) != 0)) {
            outcome.pass(pin.anchor, subject);
        } else if (const Local local = clusters.of(pin); local == Local::named) {
            outcome.undecided(pin.anchor, subject, "it goes to a cluster on one machine");
        } else {
            Finding finding;
            finding.rule = outcome.rule->id;
            const bool aside = local == Local::made_here || is_side_script(input.repository.index, pin) ||
                               !boot.run(pin) || (is_k3s(pin) && upgraded.count(pin.anchor.file) != 0);
            finding.severity = severity_of(pin, outcome.rule->severity, aside, committed);
            finding.message = message_for(pin);
            finding.place = pin.version.place.file == no_file ? pin.anchor : pin.version.place;
            outcome.fail(subject, std::move(finding));
        }
    }
}

} // namespace

constexpr NativeCheck check{run, "terraform"};

} // namespace lockstep::bootstrap_pin_floating
