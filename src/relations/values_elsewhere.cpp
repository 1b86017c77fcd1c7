// Looks through the tree for whoever may set a value.
#include "relations/values_elsewhere.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "index/text_search.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Top keys of values that the words of an error name.
std::vector<std::string> keys_named(std::string_view message) {
    constexpr std::string_view mark = ".Values.";
    std::vector<std::string> keys;
    for (auto at = message.find(mark); at != std::string_view::npos; at = message.find(mark, at + 1)) {
        std::size_t end = at + mark.size();
        while (end < message.size() && is_word(message[end]))
            ++end;
        keys.emplace_back(message.substr(at + mark.size(), end - at - mark.size()));
    }
    return keys;
}

bool is_below_chart(const Index& index, std::string_view path) {
    for (std::string_view dir = directory_of(path);; dir = directory_of(dir)) {
        if (index.chart_by_dir.count(std::string(dir))) return true;
        if (dir.empty()) return false;
    }
}

bool is_name(char c) {
    return is_word(c) || c == '-' || c == '.';
}

// What stands before a `:`: `port`, and of `web-port:` both `web-port` and `port`.
std::unordered_set<std::string_view> keys_in(std::string_view text, bool at_top) {
    constexpr std::size_t longest = 256;
    std::unordered_set<std::string_view> keys;
    for (auto at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1))
        for (std::size_t begin = at; begin > 0 && at - begin < longest && is_name(text[begin - 1]);) {
            --begin;
            const bool top = begin == 0 || text[begin - 1] == '\n';
            if (top || (!at_top && !is_word(text[begin - 1]))) keys.insert(text.substr(begin, at - begin));
        }
    return keys;
}

// A line `chart: ../charts/web` or `path: charts/web` that ends with the folder's name.
bool points_at(std::string_view text, std::string_view folder) {
    const std::string end = "/" + std::string(file_name_of(folder));
    for (auto at = text.find(end); at != std::string_view::npos; at = text.find(end, at + 1)) {
        if (at + end.size() < text.size() && is_name(text[at + end.size()])) continue;
        const std::size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
        const std::string_view before = text.substr(line, at - line);
        if (holds(before, "chart:") || holds(before, "path:")) return true;
    }
    return false;
}

// `ci/full-values.yaml`, `linter_values.yaml`, `tests/values/small.yaml`: of a chart's files, what its owners try it
// with.
bool is_other_values(std::string_view inside) {
    if (!inside.ends_with(".yaml") && !inside.ends_with(".yml")) return false;
    return inside.starts_with("ci/") || (inside.find("values") != std::string_view::npos && inside != "values.yaml" &&
                                         !inside.starts_with("templates/") && !inside.starts_with("charts/"));
}

// A value of a chart's own that is empty: whoever installs it fills it in.
bool is_empty_value(std::string_view message) {
    return holds(message, "invalid value; expected ") || message.ends_with("; got interface {}");
}

} // namespace

ValuesElsewhere::ValuesElsewhere(const RelationInput& input) : input_(input), index_(input.repository.index) {
    for (const Foreign& other : index_.foreign)
        installers_.insert(other.place.file);
    for (FileId file = 0; file < index_.tree->files.size(); ++file)
        if (index_.tree->files[file].path.ends_with(".gotmpl")) installers_.insert(file);
}

// What else in the tree installs the chart, with values of its own.
std::string ValuesElsewhere::look_for_installer(EntityId id) const {
    const Chart& chart = index_.charts[id];
    for (const DependencyEdge& edge : index_.dependency_edges)
        if (edge.by_file && edge.local == id && edge.chart != id)
            return "chart " + index_.charts[edge.chart].name.text + " brings it along";
    const std::string below = chart.dir.empty() ? std::string() : chart.dir + "/";
    const std::vector<File>& files = index_.tree->files; // in the order of their paths
    auto file = std::lower_bound(files.begin(), files.end(), below,
                                 [](const File& one, std::string_view path) { return one.path < path; });
    for (; file != files.end() && file->path.starts_with(below); ++file)
        if (is_other_values(std::string_view(file->path).substr(below.size())))
            return "it comes with other values, in " + file->path;
    for (const FileId other : installers_)
        if (points_at(input_.texts(other), chart.dir)) return files[other].path + " installs it";
    return {};
}

const std::string& ValuesElsewhere::installer_of(EntityId chart) {
    const auto [known, fresh] = known_installers_.try_emplace(chart);
    if (fresh) known->second = look_for_installer(chart);
    return known->second;
}

void ValuesElsewhere::read_keys() {
    keys_read_ = true;
    const Tree& tree = *index_.tree;
    for (FileId file = 0; file < tree.files.size(); ++file) {
        const std::string_view text = tree.indexed_text(file);
        if (text.empty() || is_below_chart(index_, tree.files[file].path)) continue;
        for (auto at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
            std::size_t begin = at, end = at;
            while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '.'))
                if (text[--begin] == '.') end = begin; // `web.port:` sets web
            if (begin < end) keys_.emplace(text.substr(begin, end - begin), file);
        }
    }
}

FileId ValuesElsewhere::file_with(const std::string& key) {
    if (!keys_read_) read_keys();
    const auto found = keys_.find(key);
    return found == keys_.end() ? no_file : found->second;
}

bool ValuesElsewhere::has_key(FileId file, const std::string& key, bool at_top) {
    const auto [known, fresh] = keys_of_.try_emplace({file, at_top});
    if (fresh) known->second = keys_in(index_.tree->indexed_text(file), at_top);
    return known->second.contains(key);
}

FileId ValuesElsewhere::other_values_with(EntityId chart, const std::string& key) {
    const auto own = own_values(*index_.tree, index_.charts[chart]);
    for (const FileId file : index_.charts[chart].values_files)
        if (file != own && has_key(file, key, false)) return file;
    return no_file;
}

// values.yaml: yaml-syntax tells what is wrong with it, or another tool fills it in first.
bool ValuesElsewhere::is_told_or_filled_in(EntityId chart) const {
    const auto own = own_values(*index_.tree, index_.charts[chart]);
    if (!own) return false;
    return holds(index_.tree->indexed_text(*own), "{{") ||
           std::any_of(input_.repository.problems.begin(), input_.repository.problems.end(),
                       [&](const FileProblem& one) { return one.file == *own; });
}

// The chart prints a global and has none: it is made to be installed with those of somebody else.
bool ValuesElsewhere::takes_globals(EntityId id) {
    const auto [known, fresh] = takes_globals_.try_emplace(id, false);
    const auto own = own_values(*index_.tree, index_.charts[id]);
    if (!fresh || (own && has_key(*own, "global", true))) return known->second;
    const std::vector<FileId>& templates = index_.charts[id].templates;
    return known->second = std::any_of(templates.begin(), templates.end(), [&](FileId file) {
               const std::string_view text = index_.tree->indexed_text(file);
               return holds(text, "{{ .Values.global.") || holds(text, "{{ $.Values.global.");
           });
}

bool ValuesElsewhere::is_left_out_by_helmfile(EntityId id) {
    if (!helmfile_names_charts_)
        helmfile_names_charts_ = std::any_of(installers_.begin(), installers_.end(), [&](FileId other) {
            const std::string_view text = input_.texts(other);
            return index_.tree->files[other].path.find("helmfile") != std::string::npos && holds(text, "chart:") &&
                   std::any_of(index_.charts.begin(), index_.charts.end(),
                               [&](const Chart& chart) { return !chart.dir.empty() && points_at(text, chart.dir); });
        });
    return *helmfile_names_charts_ && installer_of(id).empty();
}

bool ValuesElsewhere::is_documented(EntityId id, std::string_view helper) const {
    const std::string call = "define \"" + std::string(helper) + "\"";
    const Chart& chart = index_.charts[id];
    const std::string below = chart.dir.empty() ? std::string() : chart.dir + "/";
    const std::vector<File>& files = index_.tree->files; // in the order of their paths
    auto file = std::lower_bound(files.begin(), files.end(), below,
                                 [](const File& one, std::string_view path) { return one.path < path; });
    for (; file != files.end() && file->path.starts_with(below); ++file)
        if (file->path.ends_with(".md") && holds(input_.texts(static_cast<FileId>(file - files.begin())), call))
            return true;
    const auto own = own_values(*index_.tree, chart);
    return own && holds(index_.tree->indexed_text(*own), call);
}

// A script or a workflow that edits Chart.yaml before it packs the chart, or gives the version as it packs it:
// `version: devel` stands there until then.
std::string ValuesElsewhere::version_writer(EntityId id) const {
    const std::string& dir = index_.charts[id].dir;
    const std::string chart_file = (dir.empty() ? std::string() : dir + "/") + "Chart.yaml";
    const std::vector<File>& files = index_.tree->files;
    for (FileId file = 0; file < files.size(); ++file) {
        if (is_below_chart(index_, files[file].path) && !dir.empty()) continue;
        const std::string_view text = index_.tree->indexed_text(file);
        for (auto at = text.find(chart_file); at != std::string_view::npos; at = text.find(chart_file, at + 1)) {
            const std::size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
            const std::string_view before = text.substr(line, at - line);
            if (holds(before, "sed ") || holds(before, "yq ")) return files[file].path + " writes the version";
        }
        for (auto at = text.find("helm package"); at != std::string_view::npos;
             at = text.find("helm package", at + 1)) {
            const std::string_view line = text.substr(at, text.find('\n', at) - at);
            if (holds(line, "--version") && !dir.empty() && holds(line, file_name_of(dir)))
                return files[file].path + " gives the version";
        }
    }
    return {};
}

// A chart of one's own may leave a value to whoever installs it: another tool, whose values are elsewhere in the tree.
std::string ValuesElsewhere::left_to_others(const ChartProblem& one, ProblemKind kind) {
    if (one.release || one.chart == no_entity) return {};
    const Tree& tree = *index_.tree;
    if (holds(one.problem.message, "cannot load values.yaml") && is_told_or_filled_in(one.chart))
        return "its values.yaml is not YAML";
    if (one.problem.message.starts_with("validation: chart.metadata.version"))
        if (std::string by = version_writer(one.chart); !by.empty()) return by;
    if (holds(one.problem.message, ".Values.global.") || (kind == ProblemKind::path && takes_globals(one.chart)))
        return "globals come from whoever installs the chart";
    if (is_empty_value(one.problem.message)) return "the chart leaves a value empty for whoever installs it";
    if (std::string other = installer_of(one.chart); !other.empty()) return other;
    if (tree.indexed_text(index_.charts[one.chart].file).find("{{") != std::string_view::npos)
        return "another tool fills in its Chart.yaml before Helm reads it";
    const auto own = own_values(tree, index_.charts[one.chart]);
    if (!own && !holds(one.problem.message, "validation: "))
        return "the chart has no values of its own: whoever installs it brings all of them";
    for (const std::string& key : keys_named(one.problem.message)) {
        if (own && has_key(*own, key, true)) continue;
        if (kind == ProblemKind::render) return "the chart leaves " + key + " to whoever installs it";
        if (const FileId file = file_with(key); file != no_file) return key + " is set in " + tree.files[file].path;
    }
    return {};
}

} // namespace lockstep
