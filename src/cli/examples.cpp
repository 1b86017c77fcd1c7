// Picks readable excerpts out of the embedded fixtures.
#include "cli/examples.h"
#include "base/embedded.h"
#include "base/span.h"
#include "tree/tree.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::uint32_t context = 4;     // lines around an expectation
constexpr std::uint32_t whole_file = 14; // a file this short is shown as it is
constexpr std::size_t short_text = 600;  // in bytes, for files that expect nothing

std::string excerpt(std::string_view path, std::string_view text) {
    const LineTable lines(text);
    const std::uint32_t count = lines.line_count() - (text.ends_with('\n') ? 1 : 0);
    std::vector<bool> shown(count + 1, count <= whole_file);
    for (std::uint32_t i = 1; i <= count; ++i)
        if (lines.line(i).find("# expect:") != std::string_view::npos)
            for (std::uint32_t near = i > context ? i - context : 1; near <= std::min(count, i + context); ++near)
                shown[near] = true;
    std::string out = std::string(path) + "\n";
    bool gap = false;
    for (std::uint32_t i = 1; i <= count; ++i) {
        if (!shown[i]) {
            gap = true;
            continue;
        }
        if (gap) out += "      …\n";
        gap = false;
        out += "  " + std::string(4 - std::min<std::size_t>(4, std::to_string(i).size()), ' ') + std::to_string(i) +
               "  " + std::string(lines.line(i)) + "\n";
    }
    return out;
}

// `path` is relative to the rule's folder: `bad-1/a.yaml`.
void add_file(std::string_view path, std::string_view text, std::vector<Example>& examples) {
    const auto slash = path.find('/');
    const std::string name(path.substr(0, slash));
    if (slash == std::string_view::npos || !name.starts_with("bad")) return;
    if (examples.empty() || examples.back().name != name) examples.push_back({name, {}});
    const bool expects = text.find("# expect:") != std::string_view::npos || text.size() < short_text;
    if (expects) examples.back().text += excerpt(path.substr(slash + 1), text);
}

} // namespace

std::vector<Example> examples_of(const std::string& rule) {
    std::vector<Example> examples;
    const std::string prefix = "fixtures/" + rule + "/";
    for (const auto& file : embedded_files())
        if (file.path.starts_with(prefix)) add_file(file.path.substr(prefix.size()), file.text, examples);
    return examples;
}

std::vector<Example> examples_in(const std::string& folder) {
    std::vector<Example> examples;
    auto tree = walk(folder, {});
    if (!tree) return examples; // a rule without fixtures has no example
    for (auto& file : tree->files) {
        read_file(*tree, file);
        add_file(file.path, file.text, examples);
    }
    return examples;
}

} // namespace lockstep
