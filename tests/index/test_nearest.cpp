// Of many objects of one name the one that a reference means is found without looking at all of them.
#include "build_in_memory.h"
#include "index/cells.h"
#include <doctest/doctest.h>
#include <tuple>

using namespace lockstep;

namespace {

// What nearest_object promises, by looking at every one.
std::size_t best_of_all(const Index& index, std::string_view ns, FileId near) {
    const std::string& path = index.tree->files[near].path;
    std::size_t best = index.objects.size();
    std::tuple<bool, bool, bool, bool, std::ptrdiff_t> best_score;
    for (std::size_t i = 0; i < index.objects.size(); ++i) {
        const Object& object = index.objects[i];
        if (!ns.empty() && is_known(object.ns) && object.ns.text != ns) continue;
        const std::string& own = index.tree->files[object.file].path;
        const auto shared = std::mismatch(path.begin(), path.end(), own.begin(), own.end()).first - path.begin();
        const bool tree = tree_of(index, object).empty() || index.file_trees[near].empty() ||
                          tree_of(index, object) == index.file_trees[near];
        const std::tuple score(tree, ns.empty() || is_known(object.ns), object.file == near,
                               !object.embedded || object.bootstrap, shared);
        if (best < index.objects.size() && score <= best_score) continue;
        best = i;
        best_score = score;
    }
    return best;
}

std::string repository(const std::string& ns) {
    return "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata:\n  name: same\n" +
           (ns.empty() ? "" : "  namespace: " + ns + "\n") + "spec: { url: https://example.org/x }\n";
}

} // namespace

TEST_CASE("the nearest of many objects of one name is the best of all") {
    const std::string none = repository(""), a = repository("a"), b = repository("b");
    Built built = build({{"k.yaml", a},
                         {"m.yaml", "# no object\n"},
                         {"z.yaml", none},
                         {"apps/k.yaml", b},
                         {"apps/z.yaml", a + "---\n" + b},
                         {"apps/x/k.yaml", none},
                         {"apps/x/m.yaml", "# no object\n"},
                         {"apps/x/z.yaml", b + "---\n" + none},
                         {"apps-x/k.yaml", a},
                         {"apps-x/m.yaml", b},
                         {"clusters/one/k.yaml", a},
                         {"clusters/one/m.yaml", "# no object\n"},
                         {"clusters/one/sub/k.yaml", none + "---\n" + none},
                         {"clusters/two/k.yaml", b},
                         {"clusters/two/m.yaml", none},
                         {"clusters/two/z.yaml", a}});
    const Index& index = built.index;
    REQUIRE(index.objects.size() > 15);
    const ObjectAt object_at = [&](std::size_t i) -> const Object& { return index.objects[i]; };
    for (FileId near = 0; near < index.tree->files.size(); ++near)
        for (const char* ns : {"", "a", "b", "c"}) {
            CAPTURE(index.tree->files[near].path);
            CAPTURE(ns);
            CHECK(nearest_object(index, index.objects.size(), object_at, ns, near) == best_of_all(index, ns, near));
        }
}

TEST_CASE("of no objects none is the nearest") {
    Built built = build({{"a.yaml", "a: 1\n"}});
    CHECK(nearest_object(
              built.index, 0, [&](std::size_t i) -> const Object& { return built.index.objects[i]; }, "", 0) == 0);
}
