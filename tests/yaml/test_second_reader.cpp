// An independent reader goes over every YAML file at hand: where yaml-cpp and our table differ on a scalar, one of them
// is wrong, and docs/yaml-readers.md says which and why.
#include "yaml/parse.h"
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

using namespace lockstep;
namespace fs = std::filesystem;

namespace {

// Scalars in document order: `=` and the value, `~` for null, `*` for an alias, `---` for a document.
using Scalars = std::vector<std::string>;

class Listener : public YAML::EventHandler {
public:
    Scalars scalars;
    void OnDocumentStart(const YAML::Mark&) override { scalars.emplace_back("---"); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override { scalars.emplace_back("~"); }
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override { scalars.emplace_back("*"); }
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string& value) override {
        scalars.push_back(std::string("=").append(value));
    }
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}
};

// False when yaml-cpp does not read the text.
bool read_by_second(const std::string& text, Scalars& out) {
    std::istringstream stream(text);
    Listener listener;
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(listener)) {
        }
    } catch (const YAML::Exception&) {
        return false;
    }
    out = std::move(listener.scalars);
    return true;
}

Scalars list_scalars(const YamlText& yaml) {
    Scalars out;
    for (const YamlDocument& document : yaml.documents) {
        out.emplace_back("---");
        const NodeRef root(&yaml, document.root);
        if (!root) {
            out.emplace_back("~");
            continue;
        }
        for (NodeId id = root.id(); id < root.node().after; ++id) {
            const NodeRef node(&yaml, id);
            if (node.node().kind == NodeKind::alias) out.emplace_back("*");
            if (node.is_scalar()) out.push_back(node.is_null() ? "~" : std::string("=").append(node.text()));
        }
    }
    return out;
}

bool has_syntax_problem(const YamlText& yaml) {
    for (const YamlProblem& problem : yaml.problems)
        if (problem.kind == YamlProblem::Kind::syntax) return true;
    return false;
}

std::string read_file(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream out;
    out << stream.rdbuf();
    return out.str();
}

std::vector<fs::path> yaml_files(const fs::path& root) {
    std::vector<fs::path> out;
    if (!fs::is_directory(root)) return out;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
        const fs::path extension = entry.path().extension();
        if (entry.is_regular_file() && (extension == ".yaml" || extension == ".yml")) out.push_back(entry.path());
    }
    return out;
}

// The first scalar on which the two differ; empty when there is none.
std::string first_difference(const Scalars& ours, const Scalars& theirs) {
    for (std::size_t i = 0; i < ours.size() || i < theirs.size(); ++i) {
        const std::string a = i < ours.size() ? ours[i] : "nothing", b = i < theirs.size() ? theirs[i] : "nothing";
        if (a != b) return std::to_string(i).append(": ").append(a).append(" | ").append(b);
    }
    return {};
}

void check_folder(const fs::path& root) {
    const std::vector<fs::path> files = yaml_files(root);
    if (files.empty()) {
        MESSAGE("skipped: no YAML files under " << root.filename().string());
        return;
    }
    std::size_t compared = 0, scalars = 0;
    for (const fs::path& path : files) {
        CAPTURE(path.string());
        const std::string text = read_file(path);
        if (text.starts_with('\0')) continue; // encrypted, no YAML for either
        const YamlText yaml = parse_yaml(text);
        for (NodeId id = 0; id < yaml.nodes.size(); ++id) {
            const NodeRef node(&yaml, id);
            if (!node.is_scalar() || node.node().style != NodeStyle::plain) continue;
            if (node.source().find('\n') == std::string_view::npos) CHECK(node.source() == node.text());
        }
        Scalars theirs;
        if (text.find("\n...\n") != std::string::npos) continue; // what follows is a document for one of them only
        if (yaml.masked || has_syntax_problem(yaml) || !read_by_second(text, theirs)) continue;
        const Scalars ours = list_scalars(yaml);
        CHECK(first_difference(ours, theirs) == "");
        ++compared;
        scalars += ours.size();
    }
    MESSAGE(root.filename().string() << ": " << compared << " of " << files.size() << " files compared, " << scalars
                                     << " scalars");
    CHECK(compared > 0);
}

// How a reader answers for a text: the scalars behind the document's start, or that it does not take it.
constexpr std::string_view refused = "refused";

std::string shown(const Scalars& scalars) {
    std::string out;
    for (std::size_t i = 1; i < scalars.size(); ++i)
        out.append(i > 1 ? " " : "").append(scalars[i]);
    return out;
}

struct Difference {
    std::string text;
    std::string ours, theirs;
};

} // namespace

TEST_CASE("the second reader sees the same scalars in every fixture") {
    check_folder(fs::path(LOCKSTEP_SOURCE_ROOT) / "fixtures");
}

TEST_CASE("the second reader sees the same scalars in real repositories") {
    check_folder(fs::path(LOCKSTEP_SOURCE_ROOT) / ".." / "shared" / "corpus");
}

TEST_CASE("the two readers differ exactly where docs/yaml-readers.md says") {
    const std::string no(refused);
    const Difference known[] = {
        {"a: \"x\n", no, "=a =x "},
        {"a: [b,,c]\n", no, "=a =b ~ =c"},
        {"a: [,]\n", no, "=a ~"},
        {"a: [b:, c]\n", "=a =b: =c", "=a =b ~ =c"},
        {"a: b\n...\nc\n", "=a =b", "=a =b --- =c"},
        {"[a]\nb\n", no, "=a --- =b"},
        {"a:\n\tb\n", no, "=a =b"},
        {"a: b\x01\n", no, "=a =b\x01"},
        {"a: &x [*x]\n", no, "=a *"},
        {"a: b\rc: d\n", "=a =b =c =d", no},
        {"a: !!null x\n", "=a ~", "=a =x"},
        {"a: >+\n  x\n\n", "=a =x\n\n", "=a =x\n"},
        {"a: x\xe2\x80\xa8 y\n", "=a =x\xe2\x80\xa8y", "=a =x\xe2\x80\xa8 y"},
        {"a: \"x\xc2\x85y\"\n", "=a =x y", "=a =x\xc2\x85y"},
    };
    for (const Difference& difference : known) {
        CAPTURE(difference.text);
        const YamlText yaml = parse_yaml(difference.text);
        Scalars theirs;
        const bool read = read_by_second(difference.text, theirs);
        CHECK((has_syntax_problem(yaml) ? no : shown(list_scalars(yaml))) == difference.ours);
        CHECK((read ? shown(theirs) : no) == difference.theirs);
    }
}
