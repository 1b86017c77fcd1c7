// Any bytes as a folder that kustomize builds, files parted by lines `=== path`: the build ends within its limits,
// every place is inside its file, and what is built twice is the same.
#include "expect.h"
#include "kustomize/build.h"
#include "tree_of.h"
#include "yaml/emit.h"

using namespace lockstep;

namespace {

std::string built(Tree& tree, bool keep_going) {
    BuildLimits limits;
    limits.resources = limits.changes = 2000;
    limits.memory = std::size_t{32} << 20U;
    Builder builder(loader_of(tree), limits);
    BuildOptions options;
    options.keep_going = options.load_anywhere = keep_going;
    const Build build = builder.build("", options);
    EXPECT(keep_going || build.errors.empty() || build.resources.empty());
    std::string out;
    for (const BuildError& error : build.errors) {
        EXPECT(!error.message.empty());
        if (error.place.file < tree.files.size())
            EXPECT(is_inside(error.place.span, tree.files[error.place.file].text));
        out += error.message + '\n';
    }
    for (const Resource& resource : build.resources) {
        BuildError error;
        const Value* object = builder.tree(resource, &error);
        EXPECT(object || !error.message.empty());
        if (resource.document.file < tree.files.size())
            EXPECT(is_inside(resource.document.span, tree.files[resource.document.file].text));
        if (object) emit_yaml(*object, out);
    }
    return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    Tree tree = tree_of(as_text(data, size), "kustomization.yaml");
    for (const bool keep_going : {false, true})
        EXPECT(built(tree, keep_going) == built(tree, keep_going));
    return 0;
}
