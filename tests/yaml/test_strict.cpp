// Our own files are read strictly: the first thing that is wrong is an error with file, line, column and what to do.
#include "yaml/parse.h"
#include "yaml/strict.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

struct File {
    explicit File(std::string content) : text(std::move(content)), yaml(parse_yaml(text)), reader("f.yaml", yaml) {}
    NodeRef root() const { return {&yaml, yaml.documents.empty() ? no_node : yaml.documents[0].root}; }
    std::string error() const { return reader.error() ? to_string(*reader.error()) : "none"; }

    std::string text;
    YamlText yaml;
    StrictReader reader;
};

} // namespace

TEST_CASE("a whole file answers every question") {
    File file("id: a\nnumber: 1.0\non: true\noff: false\none: x\nmany: [x, 'y z']\nempty: ''\n");
    CHECK(file.reader.check_syntax());
    CHECK(file.reader.check_keys(file.root(), "the file", {"id", "number", "on", "off", "one", "many", "empty"}));
    CHECK(file.reader.require_text(file.root(), "id", "the file") == "a");
    CHECK(file.reader.text(file.root(), "number") == "1.0");
    CHECK(file.reader.text(file.root(), "empty") == "");
    CHECK_FALSE(file.reader.text(file.root(), "missing"));
    CHECK(file.reader.boolean(file.root(), "on") == true);
    CHECK(file.reader.boolean(file.root(), "off") == false);
    CHECK_FALSE(file.reader.boolean(file.root(), "missing"));
    CHECK(file.reader.texts(file.root(), "one") == std::vector<std::string>{"x"});
    CHECK(file.reader.texts(file.root(), "many") == std::vector<std::string>{"x", "y z"});
    CHECK(file.reader.texts(file.root(), "missing").empty());
    CHECK(file.error() == "none");
    CHECK(file.reader.path() == "f.yaml");
}

TEST_CASE("an unknown key comes with a suggestion") {
    File file("rule: x\n  # note\nsevrity: error\n");
    CHECK_FALSE(file.reader.check_keys(file.root(), "a rule", {"rule", "severity"}));
    CHECK(file.error() == "f.yaml:3:1: error: unknown key `sevrity` in a rule\n  hint: did you mean `severity`?");
    File far("rule: x\nzzz: error\n");
    CHECK_FALSE(far.reader.check_keys(far.root(), "a rule", {"rule", "severity"}));
    CHECK(far.error() == "f.yaml:2:1: error: unknown key `zzz` in a rule\n  hint: known keys: rule, severity");
    File merge("a: &a {b: 1}\n<<: *a\n");
    CHECK_FALSE(merge.reader.check_keys(merge.root(), "a rule", {"a", "b"}));
    CHECK(merge.error().find("2:1: error: unknown key `<<`") != std::string::npos);
}

TEST_CASE("a key twice, a key that is no text, and no mapping at all") {
    File twice("a: 1\nb:\n  c: 1\n  c: 2\n");
    CHECK_FALSE(twice.reader.check_keys(twice.root().get("b"), "`b`", {"c"}));
    CHECK(twice.error() == "f.yaml:4:3: error: key `c` appears twice in `b`");
    File list("[a]: 1\n");
    CHECK_FALSE(list.reader.check_keys(list.root(), "the file", {"a"}));
    CHECK(list.error() == "f.yaml:1:1: error: a key of the file must be text, found a list");
    File text("a: just text\n");
    CHECK_FALSE(text.reader.check_keys(text.root().get("a"), "`a`", {"b"}));
    CHECK(text.error() == "f.yaml:1:4: error: `a` must be a mapping, found text");
    File empty("");
    CHECK_FALSE(empty.reader.check_keys(empty.root(), "the file", {"b"}));
    CHECK(empty.error() == "f.yaml: error: the file must be a mapping, found nothing");
}

TEST_CASE("values of the wrong kind") {
    File file("a: [x]\nb: {c: d}\ne:\ng: [x, [y]]\nh: 'true'\ni: yes\nj: ''\n");
    const auto error = [&](auto ask) {
        StrictReader reader("f.yaml", file.yaml);
        ask(reader);
        return reader.error() ? to_string(*reader.error()) : "none";
    };
    const NodeRef root = file.root();
    CHECK(error([&](StrictReader& r) { r.text(root, "a"); }) == "f.yaml:1:4: error: `a` must be text, found a list");
    CHECK(error([&](StrictReader& r) { r.text(root, "e"); }).ends_with("error: `e` must be text, found nothing"));
    CHECK(error([&](StrictReader& r) { r.require_text(root, "b", "it"); }) ==
          "f.yaml:2:4: error: `b` must be text, found a mapping");
    CHECK(error([&](StrictReader& r) { r.require_text(root, "z", "a rule"); }) ==
          "f.yaml:1:1: error: a rule needs the key `z`");
    CHECK(error([&](StrictReader& r) { r.require_text(root, "j", "a rule"); }) ==
          "f.yaml:7:4: error: `j` of a rule must not be empty");
    CHECK(error([&](StrictReader& r) { r.texts(root, "b"); }) ==
          "f.yaml:2:4: error: `b` must be text or a list of texts, found a mapping");
    CHECK(error([&](StrictReader& r) { r.texts(root, "g"); }) ==
          "f.yaml:4:8: error: `g[1]` must be text, found a list");
    CHECK(error([&](StrictReader& r) { r.boolean(root, "h"); }) ==
          "f.yaml:5:4: error: `h` must be true or false, found 'true'");
    CHECK(error([&](StrictReader& r) { r.boolean(root, "i"); }) ==
          "f.yaml:6:4: error: `i` must be true or false, found yes");
    CHECK(error([&](StrictReader& r) { r.boolean(root, "a"); }) ==
          "f.yaml:1:4: error: `a` must be true or false, found a list");
}

TEST_CASE("the first error is kept and ends all answers") {
    File file("a: x\nb: [y]\n");
    file.reader.fail(file.root().get("b"), "first", "do this");
    file.reader.fail(file.root().get("a"), "second");
    CHECK(file.error() == "f.yaml:2:4: error: first\n  hint: do this");
    CHECK_FALSE(file.reader.text(file.root(), "a"));
    CHECK(file.reader.texts(file.root(), "b").empty());
    CHECK(file.reader.require_text(file.root(), "a", "it").empty());
    CHECK_FALSE(file.reader.check_keys(file.root(), "it", {"a", "b"}));
    CHECK_FALSE(file.reader.check_syntax());
}

TEST_CASE("a file that is no YAML says so with its place") {
    File broken("a: 1\nb: [1\nc: 2\n");
    CHECK_FALSE(broken.reader.check_syntax());
    REQUIRE(broken.reader.error());
    CHECK(broken.reader.error()->at.line >= 2);
    File twice("a: 1\na: 2\n");
    CHECK_FALSE(twice.reader.check_syntax());
    CHECK(twice.reader.error()->at == Position{2, 1});
    File actions("a: 1\nb: {{ .x }}\n");
    CHECK_FALSE(actions.reader.check_syntax());
    CHECK(actions.error().starts_with("f.yaml:2:4: error: template actions are not read here"));
}
