// What of the YAML in a repository cannot be read, or can be read in two ways: one row for each problem, and one for
// each file without any.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "relations/relation.h"
#include <algorithm>
#include <array>
#include <unordered_map>

namespace lockstep::yaml_problems {
namespace {

// A .tftpl may hold any language, a script or an inventory: only its name or its first line says that it is YAML. One
// with a NUL is no text in any of them.
bool is_said_to_be_yaml(const File& file) {
    const std::string_view path = file.path;
    std::string_view text = file.text;
    if (file.manifest || !is_terraform_template(path) || text.find('\0') != std::string_view::npos) return true;
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with("#cloud-config")) return true;
    const bool named = path.ends_with(".yaml.tftpl") || path.ends_with(".yml.tftpl");
    return named && !text.starts_with("#!") && !text.starts_with("Content-Type:");
}

// A file that no tool of the cluster reads as YAML: a chart's data, which templates only embed, or what a generator
// puts into a ConfigMap as it is.
bool is_payload(const Index& index, FileId file) {
    const std::string_view path = index.tree->files[file].path;
    const auto listers = index.listers.of(file);
    if (!listers.empty())
        return std::all_of(listers.begin(), listers.end(), [&](std::uint32_t number) {
            const ListedEdge& edge = index.listed_edges[number];
            return index.kustomizations[edge.kustomization].listed[edge.entry].as == Listing::generated_from;
        });
    for (std::string_view dir = directory_of(path); !dir.empty(); dir = directory_of(dir)) {
        if (!index.chart_by_dir.count(std::string(dir))) continue;
        const std::string_view inside = path.substr(dir.size() + 1);
        for (std::string_view read : {"Chart.", "values", "templates/", "crds/", "charts/", "requirements.", "ci/"})
            if (inside.starts_with(read)) return false;
        return inside.find("values") == std::string_view::npos;
    }
    return false;
}

// A sample, a test, a copy or a generator's template, and nothing in this tree says that it is applied.
bool is_idle(const Repository& repository, FileId file) {
    const Fleet& fleet = fleet_of(repository);
    return is_side_path(repository.index, file) &&
           (fleet.certainty_of_file(file) != Certainty::proven || !fleet.has_roots);
}

// `<<` twice: the readers of Kubernetes and Helm refuse it, those of GitLab and Ansible merge both.
bool merges_twice(std::string_view text, const YamlProblem& problem) {
    return problem.kind == YamlProblem::Kind::duplicate_key && problem.span.end <= text.size() &&
           text.substr(problem.span.begin, problem.span.end - problem.span.begin) == "<<" &&
           text.find("apiVersion:") == std::string_view::npos;
}

// A values file of a chart, or a template that no kustomization lists: of a key that is there twice Helm takes the
// last.
bool is_read_by_helm(const Index& index, FileId file) {
    const std::string& path = index.tree->files[file].path;
    const std::string_view name = file_name_of(path);
    if (name.starts_with("values") && index.chart_by_dir.count(std::string(directory_of(path)))) return true;
    if (!index.listers.of(file).empty()) return false;
    return std::any_of(index.charts.begin(), index.charts.end(), [&](const Chart& chart) {
        return std::find(chart.templates.begin(), chart.templates.end(), file) != chart.templates.end();
    });
}

// A values file beside the default ones that nothing names together with its chart: Helm reads it only when asked to.
bool is_unread_values(const Index& index, FileId file) {
    const Tree& tree = *index.tree;
    const std::string_view name = file_name_of(tree.files[file].path);
    const std::string_view chart = file_name_of(directory_of(tree.files[file].path));
    if (!name.starts_with("values") || name == "values.yaml") return false;
    for (FileId one = 0; one < tree.files.size(); ++one) {
        const std::string_view text = tree.indexed_text(one);
        if (one != file && text.find(name) != std::string_view::npos && text.find(chart) != std::string_view::npos)
            return false;
    }
    return true;
}

// The first of the two says nothing, so that nothing is lost.
bool is_empty_before(std::string_view text, const YamlProblem& problem) {
    if (problem.other.end >= text.size()) return false;
    const std::size_t line_end = std::min(text.find('\n', problem.other.end), text.size());
    std::string_view value = text.substr(problem.other.end, line_end - problem.other.end);
    value.remove_prefix(std::min(value.find_first_not_of(": \t\"'"), value.size()));
    value = value.substr(0, value.find_first_of(" \t\r#"));
    if (value == "{}" || value == "[]" || value == "null" || value == "~") return true;
    if (!value.empty()) return false;
    // Nothing on its line: a value follows where the next line is deeper, or begins a list at the same depth.
    const std::size_t begin = text.rfind('\n', problem.other.begin) + 1; // npos + 1 is 0
    const std::size_t depth = problem.other.begin - begin;
    for (std::size_t at = line_end + 1; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t first = std::min(text.find_first_not_of(" \t\r", at), end);
        if (first < end && text[first] != '#') return first - at < depth || (first - at == depth && text[first] != '-');
        at = end + 1;
    }
    return true;
}

// A document's metadata.annotations, or a key in it: kustomize puts them together before it decodes the object.
bool is_joined_by_kustomize(const Repository& repository, FileId file, Span span) {
    for (const DocumentView& document : repository.on_demand->files.view(file).documents) {
        if (document.embedded || !document.root) continue;
        for (const NodeRef::Entry& own : document.root.get("metadata").entries()) {
            if (own.key.text() != "annotations") continue;
            if (own.key.span() == span) return true;
            for (const NodeRef::Entry& one : own.value.entries())
                if (one.key.span() == span) return true;
        }
    }
    return false;
}

// A template that cannot be read without rendering it is no broken file: where an action (or another tool's `{% %}`)
// stands within a few lines of the break, nobody can tell here whose fault it is.
bool may_be_a_template(std::string_view text, Span span, bool terraform) {
    constexpr std::array<std::string_view, 2> helm_actions = {"{{", "}}"}, terraform_actions = {"%{", "\n${"};
    for (std::string_view mark : {"{%", "\n<#if", "\n<#list", "\n<#assign"}) // Jinja, FreeMarker
        if (text.find(mark) != std::string_view::npos) return true;
    constexpr int lines_around = 3;
    std::size_t begin = std::min<std::size_t>(span.begin, text.size()), end = begin;
    for (int i = 0; i <= lines_around && begin > 0; ++i)
        begin = text.rfind('\n', begin - 1) == std::string_view::npos ? 0 : text.rfind('\n', begin - 1);
    for (int i = 0; i <= 1 && end < text.size(); ++i)
        end = std::min(text.find('\n', end + (i > 0 ? 1 : 0)), text.size());
    const std::string_view around = text.substr(begin, end - begin);
    for (std::string_view action : terraform ? terraform_actions : helm_actions)
        if (around.find(action) != std::string_view::npos) return true;
    return false;
}

// A chart's partials: Helm makes no document of them, and what they define may be any text. Of a library's templates it
// reads nothing else.
bool is_partial(const Index& index, const File& file) {
    const std::string_view path = file.path, text = file.text;
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n-{"), text.size());
    const bool partial =
        file_name_of(path).starts_with('_') || (text.starts_with("{{") && text.substr(first).starts_with("define"));
    for (std::string_view dir = directory_of(path); !dir.empty(); dir = directory_of(dir))
        if (file_name_of(dir) == "templates")
            if (const auto chart = index.chart_by_dir.find(std::string(directory_of(dir)));
                chart != index.chart_by_dir.end())
                return partial || index.charts[chart->second].type.text == "library";
    return false;
}

// kustomize reads it as it is, braces or not.
bool is_listed(const Repository& repository, FileId file) {
    const Index& index = repository.index;
    const auto listers = index.listers.of(file);
    return std::any_of(listers.begin(), listers.end(),
                       [&](std::uint32_t number) {
                           const ListedEdge& edge = index.listed_edges[number];
                           return index.kustomizations[edge.kustomization].listed[edge.entry].as == Listing::resource;
                       }) &&
           fleet_of(repository).certainty_of_file(file) == Certainty::proven;
}

bool is_git_crypt(std::string_view text) {
    return text.starts_with(std::string_view("\0GITCRYPT\0", 10));
}

// The lines that git writes around what two sides say, in this order. None: somebody draws with `=======`.
std::vector<Span> conflict_marks(std::string_view text) {
    std::vector<Span> found;
    constexpr std::array<std::string_view, 3> marks = {"<<<<<<< ", "=======", ">>>>>>> "};
    std::size_t next = 0, complete = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (text.substr(at, end - at).starts_with(marks[next])) {
            if (next == 0) found.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 7)});
            if (next == 2) complete = found.size();
            next = (next + 1) % marks.size();
        }
        at = end + 1;
    }
    found.resize(complete);
    return found;
}

class Problems {
public:
    Problems(const RelationInput& input, RelationRows& rows)
        : repository_(input.repository), index_(repository_.index), rows_(rows) {}

    void fill() {
        std::size_t next = 0;
        for (FileId id = 0; id < repository_.tree->files.size(); ++id) {
            const File& file = repository_.tree->files[id];
            const std::size_t first = next;
            for (; next < repository_.problems.size() && repository_.problems[next].file == id; ++next)
                add(file, repository_.problems[next]);
            if (next == first && file.state == FileState::read && is_indexable(file))
                rows_.add(rows_.start({id, {}}, file.path)); // no word: a repository has many of these
        }
    }

private:
    NewRow start(const FileProblem& one, std::string_view kind) const {
        NewRow row = rows_.start({one.file, one.problem.span}, repository_.tree->files[one.file].path);
        row.set("kind", std::string(kind)).set("message", one.problem.message);
        // A limit or a NUL may hide more than data.
        const bool aside = !one.problem.limit && (is_payload(index_, one.file) || is_idle(repository_, one.file));
        return row.set("read", aside ? "no" : "yes");
    }

    static void add_other(const FileProblem& one, NewRow& row) {
        if (!one.problem.other_message.empty()) row.also({one.file, one.problem.other}, one.problem.other_message);
    }

    void add(const File& file, const FileProblem& one) {
        const bool twice = one.problem.kind == YamlProblem::Kind::duplicate_key;
        if (!is_said_to_be_yaml(file))
            rows_.add(
                start(one, twice ? "duplicate key" : "syntax").set("doubt", "nothing says that this template is YAML"));
        else if (twice)
            add_duplicate(file, one);
        else if (is_git_crypt(file.text))
            add_git_crypt(one);
        else
            add_broken(file, one);
    }

    // Who reads it decides which of the two counts.
    void add_duplicate(const File& file, const FileProblem& one) {
        NewRow row = start(one, "duplicate key");
        add_other(one, row);
        if (merges_twice(file.text, one.problem)) return rows_.add(row.set("doubt", "its own reader may merge both"));
        const auto [known, fresh] = asked_.try_emplace(one.file);
        if (fresh) known->second.by_helm = is_read_by_helm(index_, one.file);
        if (fresh) known->second.unread = known->second.by_helm && is_unread_values(index_, one.file);
        row.set("helm", known->second.by_helm ? "yes" : "no");
        const bool nothing = known->second.by_helm && (is_empty_before(file.text, one.problem) || known->second.unread);
        row.set("lost", nothing || one.problem.same_value ? "nothing" : "a value");
        const bool joined =
            !index_.listers.of(one.file).empty() && is_joined_by_kustomize(repository_, one.file, one.problem.span);
        rows_.add(row.set("kustomize", joined ? "yes" : "no"));
    }

    // Whoever unlocked the repository can read it; Flux never can.
    void add_git_crypt(const FileProblem& one) {
        if (locked_ == one.file) return;
        locked_ = one.file;
        NewRow row = start(one, "git-crypt");
        add_other(one, row);
        const Fleet& fleet = fleet_of(repository_);
        if (!fleet.has_roots || fleet.certainty_of_file(one.file) != Certainty::proven)
            row.set("doubt", "git-crypt has encrypted it");
        rows_.add(std::move(row));
    }

    void add_broken(const File& file, const FileProblem& one) {
        // A limit is told wherever it is met: else a file could hide behind it.
        const bool broken = one.problem.kind == YamlProblem::Kind::syntax && !one.problem.limit;
        const bool separator = one.problem.kind == YamlProblem::Kind::line_separator;
        if (!one.problem.limit && broken && is_partial(index_, file))
            return rows_.add(start(one, "syntax").set("doubt", "a partial: Helm makes no document of it"));
        if (broken && !is_listed(repository_, one.file) &&
            may_be_a_template(file.text, one.problem.span, is_terraform_template(file.path)))
            return rows_.add(start(one, "syntax").set("doubt", "a template that cannot be read without rendering it"));
        if (!one.problem.limit && conflict_of_ == one.file) return; // one cause, however many documents it breaks
        const auto marks = one.problem.limit ? std::vector<Span>() : conflict_marks(file.text);
        if (marks.empty()) {
            NewRow row = start(one, separator ? "line separator" : "syntax");
            add_other(one, row);
            return rows_.add(std::move(row));
        }
        conflict_of_ = one.file;
        NewRow row = rows_.start({one.file, marks.front()}, file.path);
        row.set("kind", "merge conflict")
            .set("read", is_payload(index_, one.file) || is_idle(repository_, one.file) ? "no" : "yes");
        if (marks.size() > 1) row.set("times", std::to_string(marks.size()));
        for (std::size_t i = 1; i < marks.size(); ++i)
            row.also({one.file, marks[i]}, "and here");
        rows_.add(std::move(row));
    }

    struct Asked {
        bool by_helm = false, unread = false;
    };
    const Repository& repository_;
    const Index& index_;
    RelationRows& rows_;
    std::unordered_map<FileId, Asked> asked_ = {}; // of files with keys that are there twice
    FileId conflict_of_ = no_file;                 // the file whose merge conflict is told
    FileId locked_ = no_file;                      // the encrypted file that is told
};

void fill(const RelationInput& input, RelationRows& rows) {
    Problems(input, rows).fill();
}

} // namespace

constexpr Relation relation{"yaml-problems", "kind message read helm kustomize lost times doubt", "", fill};

} // namespace lockstep::yaml_problems
