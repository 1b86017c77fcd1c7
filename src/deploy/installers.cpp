// Reads helmfiles by their nodes, templates masked, and commands by their words.
#include "deploy/installers.h"
#include "base/text.h"
#include "index/cells.h"
#include <algorithm>
#include <cctype>
#include <set>

namespace lockstep {
namespace {

// A namespace that is not known is any.
std::string known_namespace(std::string_view text) {
    while (!text.empty() && (text.front() == '"' || text.front() == '\''))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == '"' || text.back() == '\''))
        text.remove_suffix(1);
    const bool plain = std::all_of(text.begin(), text.end(),
                                   [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
    return plain ? std::string(text) : std::string();
}

void add_helmfile(FileId file, const std::string& path, ParsedFiles& files, std::vector<InstalledChart>& made) {
    for (const DocumentView& document : files.view(file).documents) {
        if (document.embedded || !document.root.is_mapping()) continue;
        for (const NodeRef& release : items_at(document.root, {"releases"})) {
            const Cell name = cell_at(file, release, {"name"}), chart = cell_at(file, release, {"chart"});
            if ((!is_set(chart) && !is_set(name)) || cell_at(file, release, {"installed"}).text == "false") continue;
            const Cell ns = cell_at(file, release, {"namespace"});
            made.push_back(
                {is_known(ns) ? known_namespace(ns.text) : std::string(), "release " + name.text + " of " + path});
        }
    }
}

void add_command(std::string_view command, std::string_view path, std::vector<InstalledChart>& made) {
    bool installs = false, next = false;
    std::string ns;
    for (std::size_t begin = 0; (begin = command.find_first_not_of(" \t\n\\", begin)) != npos;) {
        const std::size_t stop = std::min(command.find_first_of(" \t\n\\", begin), command.size());
        const std::string_view word = command.substr(begin, stop - begin);
        begin = stop;
        installs = installs || word == "install" || word == "upgrade";
        if (next) ns = known_namespace(word);
        next = word == "-n" || word == "--namespace";
        for (std::string_view flag : {"-n=", "--namespace="})
            if (word.starts_with(flag)) ns = known_namespace(word.substr(flag.size()));
    }
    if (installs) made.push_back({std::move(ns), "`helm` in " + std::string(path)});
}

// `helm upgrade --install web ./chart -n shop`; a line that ends with a backslash goes on.
void add_commands(const ScriptText& script, std::vector<InstalledChart>& made) {
    const std::string_view text = script.text;
    if (text.find("helm ") == npos) return;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = std::min(text.find('\n', begin), text.size());
        while (end < text.size() && end > begin && text[end - 1] == '\\')
            end = std::min(text.find('\n', end + 1), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == npos || line[first] == '#' || line[first] == '/') continue;
        for (std::size_t at = line.find("helm "), next = npos; at != npos; at = next) {
            next = line.find("helm ", at + 1);
            const bool whole =
                at == 0 || !(std::isalnum(static_cast<unsigned char>(line[at - 1])) || line[at - 1] == '-');
            if (whole) add_command(line.substr(at, next == npos ? npos : next - at), script.path, made);
        }
    }
}

// The block behind `resource "helm_release" "web"`.
void add_terraform(const ScriptText& script, std::vector<InstalledChart>& made) {
    const std::string_view text = script.text;
    std::size_t end = 0;
    for (auto at = text.find("\"helm_release\""); at != npos; at = text.find("\"helm_release\"", end)) {
        const std::size_t open = text.find('{', at);
        if (open == npos) return;
        end = open + 1;
        for (int depth = 1; end < text.size() && depth > 0; ++end)
            depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
        const std::string_view block = text.substr(open, end - open);
        std::string ns;
        for (auto key = block.find("namespace"); key != npos; key = block.find("namespace", key + 1)) {
            const std::size_t equals = block.find_first_not_of(" \t", key + 9);
            if (block[key - 1] == '_' || equals == npos || block[equals] != '=') continue;
            const std::size_t value = block.find_first_not_of(" \t", equals + 1);
            if (value != npos && block[value] == '"')
                ns = known_namespace(block.substr(value, block.find('"', value + 1) + 1 - value));
            break;
        }
        made.push_back({std::move(ns), "a helm_release of " + std::string(script.path)});
    }
}

} // namespace

std::vector<InstalledChart> installed_charts(const Index& index, ParsedFiles& files,
                                             std::span<const ScriptText> scripts) {
    std::vector<InstalledChart> made;
    std::set<FileId> helmfiles;
    for (const Foreign& other : index.foreign)
        if (other.tool == "helmfile" && !is_test_script(index.tree->files[other.place.file].path))
            helmfiles.insert(other.place.file);
    for (const ScriptText& script : scripts) {
        const auto file = script.path.ends_with(".gotmpl") && script.text.find("releases:") != npos
                              ? index.tree->find(script.path)
                              : std::nullopt;
        if (file) helmfiles.insert(*file);
        add_commands(script, made);
        if (script.path.ends_with(".tf") || script.path.ends_with(".tofu")) add_terraform(script, made);
    }
    for (FileId file : helmfiles)
        add_helmfile(file, index.tree->files[file].path, files, made);
    std::set<std::string> seen; // one reason for each namespace is enough
    std::erase_if(made, [&](const InstalledChart& one) { return !seen.insert(one.ns).second; });
    return made;
}

} // namespace lockstep
