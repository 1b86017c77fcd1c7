// What kustomize refuses to build, in its own words, where no rule of its own tells it better.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "rules/check.h"
#include <algorithm>
#include <set>

namespace lockstep::kustomization_build_fails {
namespace {

// A file that is no YAML, or has a key twice: yaml-syntax and duplicate-key speak of it.
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

// missing-resource, duplicate-object and kustomization-cycle speak of the others.
bool is_told_here(const BuildError& error) {
    return error.kind == BuildError::Kind::other || error.kind == BuildError::Kind::sought ||
           error.kind == BuildError::Kind::kept_back;
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

// kustomize 4 took it for patchesStrategicMerge.
bool is_bare_patch(const BuildError& error) {
    return error.message.find(
               "cannot unmarshal string into Go struct field Kustomization.patches of type types.Patch") !=
           std::string::npos;
}

// The commonest in our own words, with the way out; the rest as kustomize says it, on one line.
std::string sentence(const BuildError& error, const Root& root) {
    const std::string_view said = error.message;
    if (error.kind == BuildError::Kind::kept_back) {
        const std::string file = between(said, "lstat ", ": "), folder = between(said, "target for path '", "'");
        return "Flux leaves `" + (file.empty() ? folder + "/kustomization.yaml" : file) +
               "` out of what it fetches, and kustomize does not find it" +
               (is_there(error.kept_back_by) ? "" : ": it is on Flux's own list of what no artifact needs");
    }
    if (const std::string path = between(said, "component path '", "' must be local and relative"); !path.empty())
        return "Flux takes components of its own source alone, by a relative path, and refuses `" + path + "`";
    if (const std::string path = between(said, "expected kind != 'Component' for path '", "'"); !path.empty())
        return "`" + std::string(file_name_of(path)) +
               "` is a Component, and resources takes none: list it under components";
    if (is_bare_patch(error))
        return "patches has a bare path, and takes only mappings since kustomize 5: write `- path: ...`";
    if (const std::string field = between(said, "into Go struct field Image.images.", " of type string");
        !field.empty())
        return field + " of an image is no text to YAML, and kustomize takes nothing else: put it in quotes";
    if (const std::string field = between(said, "invalid Kustomization: json: unknown field \"", "\""); !field.empty())
        return "kustomize knows no field `" + field + "` at this place, and refuses the whole file: correct its name";
    if (const std::string id = between(said, "no resource matches strategic merge patch \"", "\""); !id.empty())
        return "this patch is for " + id + ", which " +
               (root.is_rendered() ? "the chart does not render: helm-controller fails on it. Correct"
                                   : "nothing under resources gives: correct") +
               " its name or namespace, or take the patch out";
    if (said.find("kustomization.yaml is empty") != std::string_view::npos)
        return "this kustomization.yaml lists nothing, and kustomize refuses it as empty: fill it or take it out";
    if (const std::string path = between(said, "accumulating resources from '", "'");
        !path.empty() && said.find("missing Resource metadata") != std::string_view::npos)
        return "kustomize takes " + path + " for a manifest, and it has no metadata: it is not a Kubernetes object";
    std::string text = "kustomize does not build this: ";
    for (char c : said.substr(0, said.find("': must build at directory")))
        text += c == '\n' ? ' ' : c;
    while (text.ends_with(' '))
        text.pop_back();
    return text;
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

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    const auto& files = input.repository.tree->files;
    std::set<std::pair<Place, std::string>> told; // one finding for a cause, however many roots build it
    std::set<FileId> failing;
    const auto judge_dropped = [&](const Root& root, const BuildError& error) {
        failing.insert(error.place.file);
        const std::string field = between(error.message, "unknown field \"", "\"");
        if (is_told_by_yaml(input.repository, error.place.file) || !told.emplace(error.place, field).second) return;
        if (root.certainty == Certainty::possible)
            return outcome.undecided(error.place, files[error.place.file].path, root.why);
        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = root.certainty == Certainty::loose ? Severity::note : Severity::warning;
        finding.message = "kustomize knows no field `" + field +
                          "` at this place: Flux drops it without a word, and `kustomize build` refuses the file";
        finding.place = error.place;
        if (is_there(root.place) && root.place.file != error.place.file)
            finding.related.push_back({root.place, "what applies it"});
        outcome.fail(files[error.place.file].path, std::move(finding));
    };
    const auto judge = [&](const Root& root, const BuildError& error, const std::string& doubt, Place object = {}) {
        failing.insert(error.place.file);
        if (is_told_by_yaml(input.repository, error.place.file)) return;
        if (!told.emplace(error.place, sentence(error, root)).second) return;
        const std::string& path = files[error.place.file].path;
        if (!doubt.empty() || root.certainty == Certainty::possible) {
            outcome.undecided(error.place, path, doubt.empty() ? root.why : doubt);
            return;
        }
        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = root.certainty == Certainty::loose ? Severity::note
                           : root.by != Root::By::flux && is_bare_patch(error)
                               ? Severity::warning // nothing says which kustomize builds it
                               : input.rule.severity;
        finding.message = sentence(error, root);
        finding.place = error.place;
        if (root.by != Root::By::flux) finding.proof = root.place;
        if (root.by == Root::By::flux && is_there(root.place) && root.place.file != error.place.file)
            finding.related.push_back({root.place, "what applies it"});
        if (is_there(error.kept_back_by)) finding.related.push_back({error.kept_back_by, "what leaves it out"});
        if (is_there(object) && object.file != error.place.file)
            finding.related.push_back({object, "the object that it does not fit"});
        outcome.fail(path, std::move(finding));
    };
    for (const Certainty certainty : {Certainty::proven, Certainty::possible, Certainty::loose})
        for (const Root& root : fleet.roots) {
            if (root.certainty != certainty) continue;
            for (const BuildError& error : root.errors)
                if (is_told_here(error) && is_there(error.place))
                    judge(root, error,
                          may_be_in_gap(root, error)      ? "this tree does not show all that is built there"
                          : may_be_set_above(root, error) ? "whoever builds it may set the namespace above it"
                                                          : "");
            if (root.dropped) judge_dropped(root, *root.dropped);
            for (const FailedPatch& one : failed_patches(fleet, root))
                judge(root, one.error, root.unread_change, one.object);
        }
    for (const Kustomization& made : index.kustomizations)
        if (!made.embedded && !failing.count(made.file)) outcome.pass(made.place, files[made.file].path);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::kustomization_build_fails
