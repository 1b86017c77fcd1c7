// What kustomize refuses to build, where no model of its own knows it better: one row for each cause, however many
// roots build it.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "relations/relation.h"
#include <algorithm>
#include <set>

namespace lockstep::kustomization_problems {
namespace {

// A file that is no YAML, or has a key twice: yaml-syntax and duplicate-key report it.
bool is_told_by_yaml(const Repository& repository, FileId file) {
    return std::any_of(repository.problems.begin(), repository.problems.end(),
                       [&](const FileProblem& problem) { return problem.file == file; });
}

// What is sought may be in what this tree does not show, or in what could not be read.
bool may_be_in_gap(const Root& root, const BuildError& error) {
    if (error.kind != BuildError::Kind::sought) return false;
    return !root.complete() || std::any_of(root.errors.begin(), root.errors.end(), [](const BuildError& other) {
        return other.kind != BuildError::Kind::sought;
    });
}

// A variable takes the namespace of an object that has none, and nothing shows who builds this: a kustomization above,
// such as kfctl writes, gives all of it one.
bool may_be_set_above(const Root& root, const BuildError& error) {
    return root.by == Root::By::alone && error.message.find("{metadata.namespace}}' not found") != std::string::npos;
}

std::string between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin + before.size());
    const std::size_t end = text.find(after);
    return end == std::string_view::npos ? std::string() : std::string(text.substr(0, end));
}

struct Words { // what kind of problem it is, and what it names
    std::string_view kind;
    std::string names;
};

Words words_of(const BuildError& error, const Root& root) {
    const std::string_view said = error.message;
    if (error.kind == BuildError::Kind::kept_back) {
        const std::string file = between(said, "lstat ", ": "), folder = between(said, "target for path '", "'");
        return {is_there(error.kept_back_by) ? "left out" : "left out by default",
                file.empty() ? folder + "/kustomization.yaml" : file};
    }
    if (std::string path = between(said, "component path '", "' must be local and relative"); !path.empty())
        return {"component elsewhere", path};
    if (const std::string path = between(said, "expected kind != 'Component' for path '", "'"); !path.empty())
        return {"component under resources", std::string(file_name_of(path))};
    if (said.find("cannot unmarshal string into Go struct field Kustomization.patches of type types.Patch") !=
        std::string_view::npos)
        return {"bare path under patches", ""};
    if (std::string field = between(said, "into Go struct field Image.images.", " of type string"); !field.empty())
        return {"image field without quotes", field};
    if (std::string field = between(said, "invalid Kustomization: json: unknown field \"", "\""); !field.empty())
        return {"unknown field", field};
    if (std::string id = between(said, "no resource matches strategic merge patch \"", "\""); !id.empty())
        return {root.is_rendered() ? "patch of nothing rendered" : "patch of nothing", id};
    if (said.find("kustomization.yaml is empty") != std::string_view::npos) return {"empty", ""};
    if (std::string path = between(said, "accumulating resources from '", "'");
        !path.empty() && said.find("missing Resource metadata") != std::string_view::npos)
        return {"no metadata", path};
    std::string text;
    for (char c : said.substr(0, said.find("': must build at directory")))
        text += c == '\n' ? ' ' : c;
    while (text.ends_with(' '))
        text.pop_back();
    return {"other", text};
}

struct FailedPatch {
    BuildError error;
    Place object;
};

// What a patch cannot do to an object that it selects. Trees are made when somebody asks, so nobody may have asked yet.
// What Helm renders is left out: its values are rarely known to the last.
std::vector<FailedPatch> failed_patches(const Fleet& fleet, const Root& root) {
    std::vector<FailedPatch> failed;
    if (root.is_rendered() || root.certainty == Certainty::possible) return failed;
    Arena arena;
    for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
        const Instance& one = fleet.instances[i];
        BuildError error;
        if (one.as_declared || one.resource.rendered || !one.resource.patches) continue;
        if (!fleet.tree_of(one, arena, &error) && is_there(error.place))
            failed.push_back({std::move(error), one.resource.document});
    }
    return failed;
}

class Problems {
public:
    Problems(const RelationInput& input, RelationRows& rows) : input_(input), rows_(rows) {}

    void fill() {
        for (const Certainty certainty : {Certainty::proven, Certainty::possible, Certainty::loose})
            for (const Root& root : fleet_.roots)
                if (root.certainty == certainty) take(root);
        for (const Kustomization& made : input_.repository.index.kustomizations)
            if (!made.embedded && !failing_.contains(made.file))
                rows_.add(rows_.start(made.place, files_[made.file].path).set("kind", "none"));
    }

private:
    void take(const Root& root) {
        for (const BuildError& error : root.errors) {
            if (error.kind == BuildError::Kind::cycle) add_cycle(root, error);
            // Other relations have missing files and objects that are there twice.
            const bool here = error.kind == BuildError::Kind::other || error.kind == BuildError::Kind::sought ||
                              error.kind == BuildError::Kind::kept_back;
            if (here && is_there(error.place))
                add(root, error,
                    may_be_in_gap(root, error)      ? "this tree does not show all that is built there"
                    : may_be_set_above(root, error) ? "whoever builds it may set the namespace above it"
                                                    : "");
        }
        if (root.dropped) add_dropped(root, *root.dropped);
        for (const FailedPatch& one : failed_patches(fleet_, root))
            add(root, one.error, root.unread_change, one.object);
    }

    void add_cycle(const Root& root, const BuildError& error) {
        if (!circles_.insert(error.place).second) return;
        const FileId again = error.entries.empty() ? error.place.file : error.entries.front().file;
        NewRow row = rows_.start(error.place, files_[again].path);
        row.set("kind", "cycle").set("file", files_[again].path);
        failing_.insert(again);
        std::string through;
        std::set<FileId> named{again};
        for (const Place& entry : error.entries) {
            failing_.insert(entry.file);
            if (!named.insert(entry.file).second) continue;
            if (named.size() <= 6) through += (through.empty() ? "" : ", ") + files_[entry.file].path;
            row.also(entry, "leads on from " + files_[entry.file].path);
        }
        if (named.size() > 6) through += " and others";
        if (!through.empty()) row.set("names", std::move(through));
        row.set("applied", root.certainty == Certainty::loose ? "no" : "yes");
        if (root.certainty == Certainty::possible) row.set("doubt", root.why);
        rows_.add(std::move(row));
    }

    void add_dropped(const Root& root, const BuildError& error) {
        failing_.insert(error.place.file);
        const std::string field = between(error.message, "unknown field \"", "\"");
        if (is_told_by_yaml(input_.repository, error.place.file) || !told_.emplace(error.place, field).second) return;
        const std::string& path = files_[error.place.file].path;
        NewRow row = rows_.start(error.place, path);
        row.set("kind", "dropped field").set("file", path).set("names", field).set("builder", "flux");
        row.set("applied", root.certainty == Certainty::loose ? "no" : "yes");
        if (root.certainty == Certainty::possible) row.set("doubt", root.why);
        if (is_there(root.place) && root.place.file != error.place.file) row.also(root.place, "what applies it");
        rows_.add(std::move(row));
    }

    void add(const Root& root, const BuildError& error, const std::string& doubt, Place object = {}) {
        failing_.insert(error.place.file);
        if (is_told_by_yaml(input_.repository, error.place.file)) return;
        Words words = words_of(error, root);
        if (!told_.emplace(error.place, std::string(words.kind) + " " + words.names).second) return;
        const std::string& path = files_[error.place.file].path;
        NewRow row = rows_.start(error.place, path);
        row.set("kind", std::string(words.kind)).set("file", path).set("names", std::move(words.names));
        row.set("applied", root.certainty == Certainty::loose ? "no" : "yes");
        row.set("builder", root.by == Root::By::flux ? "flux" : "unknown");
        if (!doubt.empty() || root.certainty == Certainty::possible) row.set("doubt", doubt.empty() ? root.why : doubt);
        if (root.by != Root::By::flux) row.more().proof = root.place;
        if (root.by == Root::By::flux && is_there(root.place) && root.place.file != error.place.file)
            row.also(root.place, "what applies it");
        if (is_there(error.kept_back_by)) row.also(error.kept_back_by, "what leaves it out");
        if (is_there(object) && object.file != error.place.file) row.also(object, "the object that it does not fit");
        rows_.add(std::move(row));
    }

    const RelationInput& input_;
    RelationRows& rows_;
    const Fleet& fleet_ = fleet_of(input_.repository);
    const std::vector<File>& files_ = input_.repository.tree->files;
    std::set<std::pair<Place, std::string>> told_ = {};
    std::set<Place> circles_ = {};
    std::set<FileId> failing_ = {};
};

void fill(const RelationInput& input, RelationRows& rows) {
    Problems(input, rows).fill();
}

} // namespace

constexpr Relation relation{"kustomization-problems", "kind file names applied builder doubt", "", fill};

} // namespace lockstep::kustomization_problems
