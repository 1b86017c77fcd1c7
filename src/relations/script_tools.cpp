// Commands that scripts call, and whether their images are known to hold them.
#include "deploy/rendered_images.h"
#include "index/cells.h"
#include "index/kubectl.h"
#include "index/relations.h"
#include "index/text_search.h"
#include "relations/relation.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::script_tools {
namespace {

struct ImageName {
    std::string path; // without host, tag and digest
    bool host = false;
};

// Empty when a template stands in the name itself; a templated tag does not matter.
ImageName image_name(std::string text) {
    text = text.substr(0, text.find('@'));
    const std::size_t colon = text.find(':', text.rfind('/') == std::string::npos ? 0 : text.rfind('/'));
    text = text.substr(0, colon);
    if (text.find_first_of("{}$") != std::string::npos) return {};
    ImageName name;
    const std::size_t slash = text.find('/');
    const std::string first = text.substr(0, slash);
    name.host = slash != std::string::npos && (first.find_first_of(".:") != std::string::npos || first == "localhost");
    if (name.host) text = text.substr(slash + 1);
    if (text.starts_with("library/")) text = text.substr(8);
    name.path = std::move(text);
    return name;
}

// A mirror may put the image below a project of its own: `registry.example/mirror/alpine/git`.
bool is_image(const ImageName& name, const std::string& known) {
    if (name.path == known) return true;
    return name.host && known.find('/') != std::string::npos && name.path.ends_with("/" + known);
}

bool installs(std::string_view command) {
    for (std::string_view name : {"apk", "apt", "apt-get", "yum", "dnf", "microdnf", "tdnf", "zypper",
                                  "install_packages", "pip", "pip3", "install", "chmod", "ln", "source", "."})
        if (command == name) return true;
    return false;
}

bool asks_for(const ShellCommand& command, std::string_view tool) {
    const std::string_view name = command_name(command);
    if (name != "command" && name != "which" && name != "type" && name != "hash" && name != "alias") return false;
    return std::any_of(command.words.begin(), command.words.end(), [&](const ShellWord& word) {
        return word.text == tool || word.text.starts_with(std::string(tool) + "=");
    });
}

bool runs_always(const std::vector<ShellCommand>& commands, const ShellCommand& command) {
    const ShellCommand* at = &command;
    for (std::size_t steps = 0; steps < commands.size(); ++steps) {
        if (at->conditional) return false;
        if (at->inside >= commands.size()) return true;
        at = &commands[at->inside];
    }
    return false;
}

struct Tools {
    const RelationInput& input;
    RelationRows& rows;
    std::map<std::string, std::map<std::string, bool>> images = {}; // image to tool to whether it has it
    std::set<std::string> tools = {};

    const std::map<std::string, bool>* known_image(const Cell& image) const {
        const ImageName name = image_name(image.text);
        if (const auto exact = images.find(name.path); exact != images.end()) return &exact->second;
        for (const auto& [known, has] : images)
            if (!name.path.empty() && is_image(name, known)) return &has;
        return nullptr;
    }

    // As Helm renders it, where the template alone does not tell.
    Cell image_of(const Script& script) const {
        if (script.image.state != State::templated || known_image(script.image)) return script.image;
        const std::vector<Cell> rendered = rendered_images(fleet_of(input.repository), script);
        return rendered.size() == 1 && is_known(rendered.front()) ? rendered.front() : script.image;
    }

    void judge(const Script& script) {
        const Index& index = input.repository.index;
        const std::vector<ShellCommand> commands = commands_of(index, script);
        std::map<std::string, const ShellCommand*> called;
        bool brings = false;
        for (const ShellCommand& command : commands) {
            const std::string name(command_name(command));
            brings = brings || installs(name) || assignment_of(command, "PATH");
            if (tools.count(name) == 0 || !runs_always(commands, command)) continue;
            if (command.words[name_index(command)].text.find('/') == std::string::npos) called.emplace(name, &command);
        }
        if (called.empty()) return;
        const Object& object = index.objects[script.object];
        brings = brings || document_text(*index.tree, object).find("name: PATH") != std::string_view::npos;
        const Cell image = image_of(script);
        const auto* has = image.state == State::absent ? nullptr : known_image(image);
        for (const auto& call : called) {
            const std::string& tool = call.first;
            const ShellCommand* command = call.second;
            const Place place{script.place.file, command->span};
            const std::string subject = subject_of(index, object) + ":" + script.name.text + ":" + tool;
            const bool asked = std::any_of(commands.begin(), commands.end(),
                                           [&](const ShellCommand& other) { return asks_for(other, tool); });
            const bool known = has && has->count(tool) != 0, there = known && has->at(tool);
            const bool missing = known && !there && !brings && !asked;
            NewRow row = rows.start(missing ? image.place : place, subject);
            row.set("tool", tool).set("image", image).set("call", tool, place);
            row.set("has", !known ? "perhaps" : there ? "yes" : "no");
            if (!known)
                row.set("doubt", "whether the image has " + tool + " is not known");
            else if (!there && !missing)
                row.set("doubt", "the script may bring the command itself");
            rows.add(std::move(row));
        }
    }
};

void fill(const RelationInput& input, RelationRows& rows) {
    Tools all{input, rows};
    const Table& known = input.table("image-tools");
    for (const Row& row : known.rows) {
        // Rows of the config come first: the first word on an image and tool counts.
        const std::string& tool = known.at(row, "tool").text;
        all.images[image_name(known.at(row, "image").text).path].emplace(tool, known.at(row, "has").text == "yes");
        all.tools.insert(tool);
    }
    for (const Script& script : input.repository.index.scripts)
        if (script.object != no_entity && script.from == Script::From::container) all.judge(script);
}

} // namespace

constexpr Relation relation{"script-tools", "tool image call has doubt", "", fill};

} // namespace lockstep::script_tools
