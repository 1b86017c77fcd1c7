// Masks on real repositories, when they are beside this one: nearly every chart template must read as YAML, and no
// byte outside of an action may change.
#include "yaml/mask.h"
#include "yaml/parse.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace lockstep;
namespace fs = std::filesystem;

namespace {

const fs::path corpus = fs::path(LOCKSTEP_SOURCE_ROOT) / ".." / "shared" / "corpus";

bool is_chart_template(const fs::path& file) {
    if (file.extension() != ".yaml" && file.extension() != ".yml") return false;
    for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        if (folder.filename() == "templates" && fs::exists(folder.parent_path() / "Chart.yaml")) return true;
    return false;
}

template <class Keep> std::vector<fs::path> files(Keep keep) {
    std::vector<fs::path> out;
    if (!fs::exists(corpus)) return out;
    for (const auto& entry : fs::recursive_directory_iterator(corpus))
        if (entry.is_regular_file() && keep(entry.path())) out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool reads(const std::string& masked) {
    const YamlText yaml = parse_yaml(masked);
    return std::none_of(yaml.problems.begin(), yaml.problems.end(),
                        [](const YamlProblem& p) { return p.kind == YamlProblem::Kind::syntax; });
}

// First byte that differs although no action, found here by its delimiters alone, covers it.
std::size_t changed_outside(const std::string& text, const std::string& masked, std::string_view open,
                            std::string_view close) {
    if (text.size() != masked.size()) return std::min(text.size(), masked.size());
    std::size_t inside_until = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i >= inside_until && text.compare(i, open.size(), open) == 0)
            inside_until = std::min(text.find(close, i), text.size()) + close.size();
        if (i >= inside_until && text[i] != masked[i]) return i;
    }
    return std::string::npos;
}

} // namespace

TEST_CASE("at least 95 of 100 real chart templates read as YAML when masked") {
    std::size_t all = 0, good = 0;
    for (const fs::path& file : files(is_chart_template)) {
        const std::string text = read(file);
        if (!has_template_action(text)) continue;
        const std::string masked = mask_go_template(text);
        ++all;
        if (reads(masked))
            ++good;
        else
            MESSAGE("does not read: " << file.string());
        CHECK_MESSAGE(changed_outside(text, masked, "{{", "}}") == std::string::npos, file.string());
    }
    MESSAGE(good << " of " << all << " chart templates read as YAML");
    if (all == 0) MESSAGE("skipped: no corpus beside this repository");
    CHECK(good * 100 >= all * 95);
}

TEST_CASE("real Terraform templates read as YAML when masked") {
    for (const fs::path& file : files([](const fs::path& path) { return path.extension() == ".tftpl"; })) {
        const std::string text = read(file);
        const std::string masked = mask_terraform(text);
        CHECK_MESSAGE(reads(masked), file.string());
        CHECK(masked.size() == text.size());
    }
}
