// One identity twice in what one root builds: kustomize refuses the second one. What it says is judged here, nothing
// else.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "rules/check.h"
#include <algorithm>
#include <set>

namespace lockstep::duplicate_object {
namespace {

std::string shown(const ResourceId& id) {
    return std::string(id.kind) + " " + (id.ns.empty() ? "" : std::string(id.ns) + "/") + std::string(id.name);
}

struct Duplicates {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);

    // kustomize reads nothing of a file that is broken further down.
    bool is_broken(FileId file) const {
        const auto& problems = input.repository.problems;
        const auto at = std::lower_bound(problems.begin(), problems.end(), file,
                                         [](const FileProblem& one, FileId id) { return one.file < id; });
        return std::any_of(at, problems.end(), [&](const FileProblem& one) {
            return one.file == file && one.problem.kind == YamlProblem::Kind::syntax;
        });
    }

    std::string root_name(const Root& root) const {
        if (root.by == Root::By::flux) return "Flux Kustomization " + root.name;
        if (root.by == Root::By::release) return "release " + root.name;
        if (root.by == Root::By::chart) return "chart " + root.name;
        return root.dir.empty() ? "the root folder" : root.dir;
    }

    // The name of the object that a document is; the document itself when it has none.
    Place name_in(Place document) const {
        for (const Object& object : index.objects)
            if (object.file == document.file && !object.embedded && is_set(object.name) &&
                (object.document.begin == document.span.begin ||
                 (object.in_templates && object.document.begin <= document.span.begin &&
                  document.span.begin < object.document.end)))
                return object.name.place;
        return document;
    }

    // Nothing of Helm installs a chart that no release names where Applications of Argo CD stand in the tree.
    const bool has_argo = std::any_of(index.objects.begin(), index.objects.end(), [&](const Object& one) {
        return one.group == "argoproj.io" && std::string_view(one.kind.text).starts_with("Application") &&
               !one.embedded && !is_side_path(index, one.file);
    });

    bool is_copy(const BuildError& error) const {
        const auto text = [&](Place document) {
            std::string_view all =
                document.file == no_file ? std::string_view() : input.repository.tree->indexed_text(document.file);
            all = all.substr(0, document.span.end).substr(std::min<std::size_t>(document.span.begin, all.size()));
            if (all.starts_with("---")) all.remove_prefix(3);
            const std::size_t begin = std::min(all.find_first_not_of(" \r\n"), all.size());
            return all.substr(begin, all.find_last_not_of(" \r\n") + 1 - begin);
        };
        return !text(error.document).empty() && text(error.document) == text(error.first_document);
    }

    void report(const Root& root, const BuildError& error) {
        const bool rendered = root.is_rendered();
        const bool same = !rendered && error.document == error.first_document; // one file, included twice
        const Place place = same ? error.place : name_in(error.document);
        const std::string subject = input.repository.tree->files[place.file].path + "#" + shown(error.id);
        if (root.certainty == Certainty::possible) return outcome.undecided(place, subject, root.why);
        for (FileId file : {error.document.file, error.first_document.file})
            if (file != no_file && is_broken(file))
                return outcome.undecided(place, subject, "kustomize reads nothing from a file that is not YAML");
        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = root.certainty == Certainty::loose ? Severity::note : input.rule.severity;
        const bool argo = has_argo && root.by == Root::By::chart;
        if (argo) finding.severity = std::min(finding.severity, is_copy(error) ? Severity::note : Severity::warning);
        finding.message =
            shown(error.id) + " is " + (same ? "included" : "declared") + " twice in what " + root_name(root) +
            (root.one_stream ? " renders: helm-controller hands hooks and the rest to kustomize in one stream, which "
                               "refuses the second"
             : argo          ? " renders: Argo CD warns of it and applies one of them"
             : rendered      ? " renders: Helm fails to create it again"
                             : " builds: kustomize refuses to add it again");
        finding.place = place;
        if (rendered) finding.proof = root.place;
        finding.related.push_back({same ? error.first_entry : name_in(error.first_document), "the first one"});
        if (!same)
            finding.related.push_back(
                {error.place, root.by == Root::By::chart ? "the chart" : "the second comes in here"});
        outcome.fail(subject, std::move(finding));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Duplicates duplicates{input, outcome};
    const Fleet& fleet = duplicates.fleet;
    std::set<std::pair<Place, Place>> told; // one finding for a pair, however many roots build it
    std::vector<bool> passed(fleet.instances.size() ? input.repository.index.objects.size() : 0, false);
    for (const Certainty certainty : {Certainty::proven, Certainty::possible, Certainty::loose})
        for (const Root& root : fleet.roots) {
            if (root.certainty != certainty) continue;
            for (const BuildError& error : root.errors) {
                if (error.kind != BuildError::Kind::twice) continue;
                const bool same = error.document == error.first_document;
                if (told.emplace(same ? error.first_entry : error.first_document, same ? error.place : error.document)
                        .second)
                    duplicates.report(root, error);
            }
            for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
                const Instance& one = fleet.instances[i];
                if (one.object == no_entity || passed[one.object]) continue;
                passed[one.object] = true;
                outcome.pass(input.repository.index.objects[one.object].name.place, [&] {
                    return input.repository.tree->files[one.resource.document.file].path + "#" +
                           std::string(one.id().kind) + "/" + std::string(one.id().ns) + "/" +
                           std::string(one.id().name);
                });
            }
        }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::duplicate_object
