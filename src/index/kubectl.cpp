// Reads kubectl's command line.
#include "index/kubectl.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool takes_pairs(std::string_view verb) {
    return is_one_of(verb, {"annotate", "label", "set env", "set image", "taint"});
}

bool is_pair(const ShellWord& word) {
    return word.text.find('=') != std::string::npos || word.text.ends_with('-');
}

// Words behind the command's name, options and what is behind `--` left out.
std::vector<const ShellWord*> plain_words(const ShellCommand& command) {
    std::vector<const ShellWord*> words = positional_words(command);
    const auto stop = std::find_if(command.words.begin(), command.words.end(),
                                   [](const ShellWord& word) { return word.text == "--"; });
    if (stop == command.words.end()) return words;
    const ShellWord* end = &*stop;
    words.erase(std::remove_if(words.begin(), words.end(), [&](const ShellWord* word) { return word > end; }),
                words.end());
    return words;
}

struct KubectlReader {
    KubectlCall& call;
    std::vector<const ShellWord*> words; // objects and pairs, behind the verb

    bool add_type(std::string_view text, KubectlTarget target) {
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            std::optional<ResourceType> type = resource_type(text.substr(at, end - at));
            if (!type) {
                call.unclear = "`" + std::string(text.substr(at, end - at)) + "` is not a resource that lockstep knows";
                return false;
            }
            target.type = std::move(*type);
            call.targets.push_back(target);
            at = end + 1;
        }
        return true;
    }

    // `deploy/web`, also when the name is a variable.
    void add_slashed(const ShellWord& word) {
        const std::size_t slash = word.text.find('/');
        const ShellWord type = word_part(word, 0, slash), name = word_part(word, slash + 1);
        const bool type_known = std::none_of(word.variables.begin(), word.variables.end(),
                                             [&](const ShellVariable& v) { return !v.resolved && v.begin < slash; }) &&
                                type.text.find_first_of("{$`") == std::string::npos;
        if (!type_known) {
            call.unclear = "the objects come from a variable";
            return;
        }
        add_type(type.text, {{}, name.known ? name.text : std::string(), true, name.known, word.span});
    }

    void read_objects() {
        if (words.empty()) {
            call.unclear = "it names no object";
            return;
        }
        const ShellWord& first = *words.front();
        if (first.text.find('/') != std::string::npos && (first.known || first.text.find('$') != 0)) {
            for (const ShellWord* word : words) {
                if (takes_pairs(call.verb) && is_pair(*word))
                    call.pairs.push_back(word);
                else if (word->text.find('/') != std::string::npos)
                    add_slashed(*word);
            }
            return;
        }
        if (!first.known) {
            call.unclear = "the objects come from a variable";
            return;
        }
        std::vector<const ShellWord*> names;
        for (std::size_t i = 1; i < words.size(); ++i) {
            const bool pair = takes_pairs(call.verb) && is_pair(*words[i]);
            (pair ? call.pairs : names).push_back(words[i]);
        }
        if (names.empty()) {
            add_type(first.text, {{}, {}, false, false, first.span});
            return;
        }
        for (const ShellWord* name : names)
            if (!add_type(first.text, {{}, name->known ? name->text : std::string(), true, name->known, first.span}))
                return;
    }
};

constexpr std::string_view asks_nothing =
    " version api-resources api-versions cluster-info config kustomize explain completion help options plugin auth ";
constexpr std::string_view of_objects = " get describe patch annotate label delete scale wait edit autoscale expose ";

} // namespace

std::optional<KubectlCall> read_kubectl(const ShellCommand& command) {
    if (command_name(command) != "kubectl") return std::nullopt;
    KubectlCall call;
    call.command = &command;
    KubectlReader reader{call, plain_words(command)};
    auto& words = reader.words;
    if (words.empty() || !words[0]->known) {
        call.unclear = "the verb comes from a variable";
        return call;
    }
    call.verb = words[0]->text;
    words.erase(words.begin());
    const std::string spaced = " " + call.verb + " ";
    if (asks_nothing.find(spaced) != std::string_view::npos) {
        call.harmless = true;
        return call;
    }
    if (has_option(command, {"--kubeconfig", "--server", "-s", "--token", "--as", "--context"}))
        call.unclear = "it acts with other credentials";
    call.ns = option_value(command, {"-n", "--namespace"});
    call.all_namespaces = has_option(command, {"-A", "--all-namespaces"});
    if (const auto sub = option_value(command, {"--subresource"})) {
        if (!sub->known) call.unclear = "the subresource comes from a variable";
        call.subresource = sub->text;
    }
    const auto dry = option_value(command, {"--dry-run"});
    call.harmless =
        has_option(command, {"--local"}) || (dry && !dry->text.starts_with("server") && !dry->text.starts_with("none"));
    if (is_one_of(call.verb, {"set", "rollout", "create"}) && !words.empty() && words[0]->known) {
        call.verb += " " + words[0]->text;
        words.erase(words.begin());
    }
    if (!call.unclear.empty()) return call;
    if (has_option(command, {"-f", "--filename", "-k", "--kustomize", "--raw", "-R"})) {
        call.unclear = "the objects are in files";
        return call;
    }
    if (call.verb.starts_with("create ")) {
        const std::string_view kind = std::string_view(call.verb).substr(7);
        if (kind == "token") {
            call.subresource = "token";
            call.verb = "create";
            reader.add_type("serviceaccounts", {});
        } else if (reader.add_type(kind, {})) {
            call.targets.back().span = command.span;
        }
    } else if (is_one_of(call.verb, {"exec", "cp", "attach", "port-forward", "logs"})) {
        KubectlTarget target{{"pods", "", "Pod"}, {}, false, false, command.span};
        call.subresource = call.verb == "logs"           ? "log"
                           : call.verb == "port-forward" ? "portforward"
                           : call.verb == "attach"       ? "attach"
                                                         : "exec";
        call.targets.push_back(std::move(target));
    } else if (call.verb.starts_with("set ") || call.verb.starts_with("rollout ") ||
               of_objects.find(spaced) != std::string_view::npos) {
        reader.read_objects();
    } else {
        call.unclear = "`kubectl " + call.verb + "` is not followed";
    }
    return call;
}

std::string shown(const KubectlCall& call) {
    std::string text = "kubectl " + call.verb;
    if (!call.targets.empty()) text += " " + call.targets.front().type.plural;
    if (has_option(*call.command, {"--subresource"})) text += " --subresource=" + call.subresource;
    return text;
}

std::vector<ShellCommand> commands_of(const Index& index, const Script& script) {
    if (script.place.file >= index.tree->files.size()) return {};
    return scan_shell(index.tree->indexed_text(script.place.file), script.place.span, script.indent, script.style);
}

bool pushes_to_git(const std::vector<ShellCommand>& commands) {
    return std::any_of(commands.begin(), commands.end(), [](const ShellCommand& command) {
        if (command_name(command) != "git") return false;
        const auto words = positional_words(command);
        return !words.empty() && words[0]->text == "push";
    });
}

} // namespace lockstep
