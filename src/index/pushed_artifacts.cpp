// Reads `flux push artifact` and `flux tag artifact`, and the `cd` before them.
#include "index/pushed_artifacts.h"
#include "base/text.h"
#include "index/links.h"
#include "index/shell.h"
#include "tree/tree.h"
#include <algorithm>

namespace lockstep {
namespace {

// `oci://ghcr.io/acme/fleet:v1`. A tag that only the run knows is no part of the name.
bool take_name(const ShellWord& word, PushedArtifact& made) {
    std::string_view text = word.text;
    if (!text.starts_with("oci://")) return false;
    const std::size_t unknown = word.known ? npos : std::min({text.find('$'), text.find("{{"), text.find('`')});
    if (!word.known && unknown == npos) return false;
    text = text.substr(0, unknown);
    const std::size_t colon = text.rfind(':');
    const bool tagged = colon != npos && colon > text.rfind('/');
    if (unknown != npos && !tagged) return false;
    if (tagged && unknown == npos) made.tag = text.substr(colon + 1);
    made.key = registry_key(tagged ? text.substr(0, colon) : text);
    return true;
}

// Where a script is after `cd`; nothing where nobody can tell.
std::vector<std::string> moved(const std::vector<std::string>& dirs, const ShellCommand& command) {
    const std::vector<const ShellWord*> words = positional_words(command);
    if (words.empty()) return {};
    const ShellWord& to = *words.front();
    if (to.text.find("show-toplevel") != npos) return {""};
    if (!to.known || to.text.starts_with('/') || to.text.starts_with('~') || to.text == "-") return {};
    std::vector<std::string> made;
    for (const std::string& dir : dirs)
        made.push_back(clamp_path(dir + "/" + to.text));
    return made;
}

// Without what a Makefile, a justfile or a list of YAML puts before a command.
std::string_view without_marks(std::string_view line) {
    for (std::string_view mark : {"- ", "cmd:", "run:", "task:", "|", ">", "@", "-"}) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.starts_with(mark)) line.remove_prefix(mark.size());
    }
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line;
}

} // namespace

void take_pushed_artifacts(std::span<const ShellCommand> commands, std::vector<std::string> dirs,
                           std::vector<PushedArtifact>& found) {
    for (const ShellCommand& command : commands) {
        const std::string_view name = command_name(command);
        if (name == "cd" || name == "pushd") dirs = moved(dirs, command);
        if (name == "popd") dirs.clear();
        if (name != "flux") continue;
        const std::vector<const ShellWord*> words = positional_words(command);
        const bool push = words.size() == 3 && words[0]->text == "push";
        const bool tag = words.size() == 3 && words[0]->text == "tag";
        PushedArtifact made;
        if ((!push && !tag) || words[1]->text != "artifact" || !take_name(*words[2], made)) continue;
        const auto path = option_value(command, {"--path", "-f"});
        if (push && path && path->known)
            for (const std::string& dir : dirs)
                if (std::string one = clamp_path(dir + "/" + path->text); // the same from both, mostly
                    std::find(made.dirs.begin(), made.dirs.end(), one) == made.dirs.end())
                    made.dirs.push_back(std::move(one));
        if (const auto as = tag ? option_value(command, {"--tag"}) : std::nullopt; as && as->known) made.tag = as->text;
        found.push_back(std::move(made));
    }
}

std::vector<PushedArtifact> artifacts_pushed_by_lines(std::string_view path, std::string_view text) {
    std::vector<PushedArtifact> found;
    for (std::size_t at = text.find(" artifact "); at != npos; at = text.find(" artifact ", at + 1)) {
        std::size_t begin = text.rfind('\n', at) + 1; // npos + 1 is 0
        while (begin > 1 && text[begin - 2] == '\\')
            begin = text.rfind('\n', begin - 2) + 1;
        std::size_t end = std::min(text.find('\n', at), text.size());
        while (end < text.size() && text[end - 1] == '\\')
            end = std::min(text.find('\n', end + 1), text.size());
        const std::string_view line = without_marks(text.substr(begin, end - begin));
        const auto from = static_cast<std::uint32_t>(line.data() - text.data());
        std::vector<std::string> dirs{""};
        if (const std::string_view own = directory_of(path); !own.empty()) dirs.emplace_back(own);
        take_pushed_artifacts(scan_shell(text, {from, static_cast<std::uint32_t>(end)}), dirs, found);
        at = end;
    }
    return found;
}

} // namespace lockstep
