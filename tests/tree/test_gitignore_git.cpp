// The walk against git itself, over a generated repository with rules on three levels.
#include "scratch.h"
#include "tree/tree.h"
#include <doctest/doctest.h>
#include <set>

using namespace lockstep;

namespace {

const char* const quiet_git = "GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C '";

std::set<std::string> split_at_nul(const std::string& text) {
    std::set<std::string> parts;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find('\0', at);
        parts.insert(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

// A fixed sequence: the same patterns and paths on every machine.
struct Sequence {
    std::uint32_t state;
    std::size_t below(std::size_t limit) {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % limit;
    }
};

std::string made_pattern(Sequence& sequence) {
    static const char* const pieces[] = {"a",     "b",   "c",    "d.yaml",      "*",    "**",  "?",
                                         "/",     "/",   "/**/", "[ab]",        "[!a]", "\\a", "*.yaml",
                                         "[a-c]", "**/", "/**",  "[[:alpha:]]", "a*",   "[a"};
    std::string pattern;
    if (sequence.below(4) == 0) pattern += '!';
    if (sequence.below(4) == 0) pattern += '/';
    for (std::size_t i = 0, n = 1 + sequence.below(4); i < n; ++i)
        pattern += pieces[sequence.below(std::size(pieces))];
    if (sequence.below(5) == 0) pattern += '/';
    if (sequence.below(8) == 0) pattern += "  ";
    return pattern + '\n';
}

std::set<std::string> all_files(const Scratch& scratch) {
    std::set<std::string> files;
    for (auto it = std::filesystem::recursive_directory_iterator(scratch.path);
         it != std::filesystem::recursive_directory_iterator(); ++it) {
        if (it->path().filename() == ".git")
            it.disable_recursion_pending();
        else if (!it->is_directory())
            files.insert(std::filesystem::relative(it->path(), scratch.path).string());
    }
    return files;
}

// What git does not ignore, and what the walk lists.
void compare(const Scratch& scratch) {
    std::set<std::string> expected = all_files(scratch);
    {
        std::ofstream list(scratch / ".git/paths", std::ios::binary);
        for (const std::string& path : expected)
            list << path << '\0';
    }
    std::string ignored = output_of(quiet_git + scratch.root() + "' check-ignore --no-index -z --stdin < '" +
                                    scratch.root() + "/.git/paths'");
    for (const std::string& path : split_at_nul(ignored))
        expected.erase(path);
    auto tree = walk(scratch.root(), {});
    REQUIRE(tree);
    std::set<std::string> listed;
    for (const File& file : tree->files)
        listed.insert(file.path);
    CHECK(listed == expected);
}

void make_paths(const Scratch& scratch) {
    for (const char* a : {"a", "b", "abc", "x.yaml"})
        for (const char* b : {"a", "b", "ca", ".h"})
            for (const char* c : {"a", "c", "d.yaml"})
                for (const char* name : {"a", "b", "d.yaml", "abc.yaml", "#c", "!d", "e ", "f\\"})
                    scratch.write(std::string(a) + '/' + b + '/' + c + '/' + name, "");
    for (const char* name : {"d.yaml", "aa", "c"})
        scratch.write(name, "");
}

} // namespace

TEST_CASE("the walk lists what git check-ignore lets through") {
    if (!has_program("git")) {
        MESSAGE("no git here: not compared");
        return;
    }
    Scratch scratch;
    make_paths(scratch);
    REQUIRE(std::system((quiet_git + scratch.root() + "' init -q").c_str()) == 0);
    REQUIRE(std::filesystem::exists(scratch / ".git/HEAD"));

    SUBCASE("with rules that people write") {
        scratch.write(".git/info/exclude", "/aa\nabc.yaml\n");
        scratch.write(".gitignore",
                      "# comment\n*.yaml\n!d.yaml\n/b/*\n!/b/ca/\n\\#c\n\\!d\ne\\ \n**/.h/c/\nabc/**/c\n");
        scratch.write("a/.gitignore", "!abc.yaml\nca/**\n/b/a\n");
        scratch.write("b/ca/.gitignore", "*\n!*/\n!d.yaml\n!.gitignore\n");
        compare(scratch);
    }
    SUBCASE("with rules that nobody would write") {
        for (std::uint32_t seed = 1; seed <= 12; ++seed) {
            CAPTURE(seed);
            Sequence sequence{seed * 7919U};
            for (const char* file : {".git/info/exclude", ".gitignore", "a/.gitignore", "abc/ca/.gitignore"}) {
                std::string rules;
                for (std::size_t i = 0, n = 1 + sequence.below(6); i < n; ++i)
                    rules += made_pattern(sequence);
                scratch.write(file, rules);
            }
            compare(scratch);
        }
    }
}
