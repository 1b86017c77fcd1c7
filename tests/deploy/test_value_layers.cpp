#include "deploy/value_layers.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string shown(const std::vector<ImageUse>& images) {
    std::string out;
    for (const ImageUse& one : images)
        out += (out.empty() ? "" : " ") + one.image.text;
    return out;
}

} // namespace

TEST_CASE("the image of the last layer counts, and parts of it come from any of them") {
    Arena arena;
    ImageValues values;
    values.add(
        *yaml_in("a: { image: old:1 }\nb: { image: { repository: nginx, tag: '1' } }\nimages: many\n", {}, arena));
    CHECK(shown(values.images()) == "old:1 nginx:1");
    values.add(*yaml_in("a: { image: new:1 }\nb: { image: { tag: '2' } }\nother: { deep: [x] }\n", {}, arena));
    CHECK(shown(values.images()) == "new:1 nginx:2");
    Value* tag = make_text(arena, "3");
    values.add("b.image.tag", *tag);
    values.add("c.initImage", *make_text(arena, "busybox:4"));
    CHECK(shown(values.images()) == "new:1 nginx:3 busybox:4");
    values.add(*yaml_in("b: { image: whole:5 }\nc: [{ image: listed:6 }]\n", {}, arena));
    CHECK(shown(values.images()) == "new:1 whole:5 listed:6");
}

TEST_CASE("values without images cost nothing, very many are not kept, and that is told") {
    Arena arena;
    ImageValues few, many;
    few.add(*yaml_in("a: 1\nb: { c: { d: e } }\n", {}, arena));
    CHECK(few.images().empty());
    CHECK_FALSE(few.is_full());
    CHECK(images_only(*yaml_in("a: 1\nb: { c: [d, { e: f }] }\n", {}, arena), arena) == nullptr);
    std::string text;
    for (int i = 0; i < 5000; ++i)
        text += "k" + std::to_string(i) + ": { image: a:1 }\n";
    many.add(*yaml_in(text, {}, arena));
    CHECK(many.is_full());
    std::string path = "image";
    for (int i = 0; i < 100'000; ++i)
        path += ".image";
    few.add(path, *make_text(arena, "a:1")); // no deeper than anybody writes
    CHECK(few.images().size() == 1);
    CHECK(yaml_in("[a", {}, arena) == nullptr);
    CHECK(yaml_in("text", {}, arena) == nullptr);
}

TEST_CASE("a patch names images in its objects and in its operations") {
    Arena arena;
    CHECK(shown(images_in_patch(*yaml_in("spec: { containers: [{ image: a:1 }] }\n", {}, arena))) == "a:1");
    CHECK(shown(images_in_patch(*yaml_in("- { op: replace, path: /spec/x/image, value: b:2 }\n"
                                         "- { op: add, path: /spec/containers/-, value: { image: c:3 } }\n"
                                         "- { op: replace, path: /spec/replicas, value: 4 }\n",
                                         {}, arena))) == "c:3 b:2");
}
