#include "fleet_in_memory.h"
#include "oracles.h"
#include "yaml/emit.h"
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lockstep;

namespace {

Tree with_file(Tree tree, const std::string& path, const std::string& text) {
    File file;
    file.path = path;
    file.text = text;
    file.state = FileState::read;
    tree.files.insert(std::lower_bound(tree.files.begin(), tree.files.end(), path,
                                       [](const File& one, const std::string& name) { return one.path < name; }),
                      std::move(file));
    return tree;
}

std::string built(const std::string& folder) {
    Result<Tree> tree = walk(folder + "/input", {});
    if (!tree) return "cannot be listed";
    const auto about = nlohmann::json::parse(text_of(folder + "/case.json"));
    std::string flux = text_of(folder + "/flux-kustomization.yaml");
    if (flux.find("sourceRef:") == std::string::npos) // a patch; the tool builds it all the same
        flux += "  sourceRef: { kind: GitRepository, name: flux-system }\n";
    BuiltFleet made = fleet_for(build_tree(with_file(std::move(*tree), "flux-kustomization.yaml", flux)));
    std::string out;
    for (const Root& root : made.fleet->roots) {
        if (root.by != Root::By::flux || root.name != about["name"].get<std::string>()) continue;
        if (root.variables) root.variables->open = false; // a dry run takes what it cannot look up as not set
        Arena arena;
        for (const Value* one : made.fleet->trees_of(root, arena)) {
            if (!one) return "kustomize fails";
            emit_yaml(*one, out);
            out += "---\n"; // as flux ends each of them
        }
        return out;
    }
    return "there is no such Kustomization";
}

} // namespace

TEST_CASE("flux builds the same bytes from real repositories") {
    const std::string cases = oracle("flux");
    if (cases.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(cases)) {
        INFO(entry.path().filename().string());
        CHECK(built(entry.path().string()) == text_of(entry.path().string() + "/expected.yaml"));
        ++count;
    }
    CHECK(count == 22);
}
