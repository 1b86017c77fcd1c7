// Builds every kustomization below a folder in one process, as a linter does, and says how long it took.
#include "kustomize/build.h"
#include "yaml/emit.h"
#include <cstdio>
#include <ctime>

using namespace lockstep;

namespace {

double seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: build_fleet FOLDER\n"), 2;
    const double start = seconds();
    auto tree = walk(argv[1], {});
    if (!tree) return std::fprintf(stderr, "%s\n", to_string(tree.error()).c_str()), 2;
    std::size_t builds = 0, objects = 0, bytes = 0, failed = 0;
    double identities = 0;
    for (const bool with_trees : {false, true}) {
        Builder builder(loader_of(*tree));
        const double begin = seconds();
        builds = objects = bytes = failed = 0;
        for (const File& file : tree->files) {
            if (file_name_of(file.path) != "kustomization.yaml") continue;
            const Build build = builder.build(directory_of(file.path));
            ++builds;
            if (!build.errors.empty()) ++failed;
            objects += build.resources.size();
            if (!with_trees) continue;
            std::string out;
            for (const Resource& resource : build.resources) {
                Arena arena;
                if (const Value* object = builder.tree(resource, arena)) emit_yaml(*object, out);
            }
            bytes += out.size();
        }
        if (!with_trees) identities = seconds() - begin;
    }
    std::printf(
        "{\"builds\": %zu, \"failed\": %zu, \"objects\": %zu, \"bytes\": %zu, \"identities\": %.3f, \"seconds\": "
        "%.3f}\n",
        builds, failed, objects, bytes, identities, seconds() - start - identities);
    return 0;
}
