// What a Flux Kustomization or a whole cluster gets from a repository: after kustomize, substitution and all other
// edits of Flux, in the order in which they are applied.
#include "cli/build_fleet.h"
#include "base/suggest.h"
#include "cli/built_objects.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

std::string shown_cluster(const std::string& name) {
    return name.empty() ? "." : name;
}

std::string name_of(const Root& root) {
    return (root.ns.empty() ? "" : root.ns + "/") + root.name;
}

std::string first_names(const std::set<std::string>& names) {
    constexpr std::size_t most = 8;
    std::string out;
    std::size_t shown = 0;
    for (const std::string& name : names) {
        if (shown == most) return out + ", and " + std::to_string(names.size() - most) + " more";
        out += (shown++ ? ", " : "") + name;
    }
    return out;
}

Error unknown(const std::string& what, const std::string& word, const std::set<std::string>& known,
              const std::string& none) {
    Error error{"there is no " + what + " `" + word + "`", {}, {0, 0}, none};
    if (known.empty()) return error;
    const std::vector<std::string> names(known.begin(), known.end());
    std::vector<std::string> ends; // people leave the folder or the namespace out
    for (const std::string& name : names)
        ends.push_back(name.substr(name.rfind('/') + 1));
    const auto whole = nearest(word, names), end = nearest(word.substr(word.rfind('/') + 1), ends);
    if (whole)
        error.hint = "did you mean `" + *whole + "`?";
    else if (end)
        error.hint = "did you mean `" +
                     names[static_cast<std::size_t>(std::find(ends.begin(), ends.end(), *end) - ends.begin())] + "`?";
    else
        error.hint = "it has " + first_names(known);
    return error;
}

class FleetBuild {
public:
    FleetBuild(const Options& options, LintRun& run)
        : options_(options), run_(run), fleet_(fleet_of(run.read.repository)) {}

    Result<Printed> print() {
        auto roots = options_.flux.empty() ? roots_of_cluster() : roots_of_flux();
        if (!roots) return roots.error();
        for (std::uint32_t number : *roots) {
            if (auto error = refused_by_strict_flux(number)) return *error;
            if (auto error = add(fleet_.roots[number])) return *error;
        }
        if (!options_.into.empty()) {
            for (const auto& [folder, objects] : files_)
                if (auto written = write_objects(folder, objects, options_.path); !written) return written.error();
        } else {
            std::vector<BuiltObject> all;
            for (auto& [folder, objects] : files_)
                std::move(objects.begin(), objects.end(), std::back_inserter(all));
            printed_.out = PlainText::report(built_text(all, form(), [&](Place place) { return shown(place); }));
        }
        return std::move(printed_);
    }

private:
    BuiltForm form() const { return {options_.places, options_.format == "json"}; }

    std::string shown(Place place) const {
        if (!is_there(place)) return {};
        const Location at = run_.locator->locate(place);
        return std::string(at.path) + ":" + std::to_string(at.begin.line);
    }

    void say(Place place, const std::string& text) {
        const std::string at = shown(place);
        printed_.err += PlainText::lines((at.empty() ? "" : at + ": ") + text + "\n");
    }

    const std::string& cluster_of(const Root& root) const { return fleet_.clusters[root.cluster].name; }

    // By its whole name, or by the last folder of it.
    Result<std::uint32_t> named_cluster() const {
        std::string wanted = options_.cluster == "." ? "" : options_.cluster;
        while (wanted.ends_with('/'))
            wanted.pop_back();
        std::set<std::uint32_t> ends;
        std::set<std::string> known, fitting;
        for (const Root& root : fleet_.roots) {
            if (root.certainty == Certainty::loose) continue;
            const std::string& name = cluster_of(root);
            if (name == wanted) return root.cluster;
            known.insert(shown_cluster(name));
            if (name.ends_with("/" + wanted)) {
                ends.insert(root.cluster);
                fitting.insert(name);
            }
        }
        if (ends.size() == 1) return *ends.begin();
        if (ends.size() > 1)
            return Error{
                "several clusters are called `" + wanted + "`", {}, {0, 0}, "it is one of " + first_names(fitting)};
        return unknown("cluster", options_.cluster, known, "nothing in this tree says what a cluster gets");
    }

    Result<std::vector<std::uint32_t>> roots_of_cluster() const {
        const auto cluster = named_cluster();
        if (!cluster) return cluster.error();
        std::vector<std::uint32_t> found;
        for (std::uint32_t i = 0; i < fleet_.roots.size(); ++i)
            if (fleet_.roots[i].cluster == *cluster && fleet_.roots[i].certainty != Certainty::loose)
                found.push_back(i);
        return found;
    }

    Result<std::vector<std::uint32_t>> roots_of_flux() const {
        std::uint32_t only = no_number;
        if (!options_.cluster.empty()) {
            const auto cluster = named_cluster();
            if (!cluster) return cluster.error();
            only = *cluster;
        }
        std::vector<std::uint32_t> found;
        std::set<std::string> known, names, clusters, folders;
        for (std::uint32_t i = 0; i < fleet_.roots.size(); ++i) {
            const Root& root = fleet_.roots[i];
            if (root.by != Root::By::flux || (only != no_number && root.cluster != only)) continue;
            known.insert(name_of(root));
            if (options_.flux != name_of(root) && options_.flux != root.name) continue;
            found.push_back(i);
            names.insert(name_of(root));
            clusters.insert(shown_cluster(cluster_of(root)));
            folders.insert(root.dir.empty() ? "." : root.dir);
        }
        const std::string quoted = "`" + options_.flux + "`";
        if (found.empty())
            return unknown("Flux Kustomization", options_.flux, known, "nothing in this tree applies a folder of it");
        if (names.size() > 1)
            return Error{
                "several Flux Kustomizations are called " + quoted, {}, {0, 0}, "it is one of " + first_names(names)};
        if (clusters.size() > 1)
            return Error{"several clusters have a Flux Kustomization " + quoted,
                         {},
                         {0, 0},
                         "--cluster names one of " + first_names(clusters)};
        if (folders.size() > 1)
            return Error{"the path of Flux Kustomization " + quoted + " is not known",
                         {},
                         {0, 0},
                         "it may be " + first_names(folders) + "; `lockstep build FOLDER` builds one of them"};
        return found;
    }

    // What a cluster begins with is mostly applied by its first Flux Kustomization as well.
    bool is_applied_again(const Instance& one) const {
        const Root& root = fleet_.root_of(one);
        const auto all = fleet_.of_object(one.object);
        return root.by == Root::By::given && one.object != no_entity &&
               std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
                   const Root& other = fleet_.root_of(fleet_.instances[number]);
                   return other.by == Root::By::flux && other.cluster == root.cluster;
               });
    }

    std::vector<BuiltObject>& files_for(const Root& root) {
        std::string folder = options_.into;
        if (options_.flux.empty()) { // one object may be applied by two of them
            std::string own = root.name.empty() ? "begins-with" : root.ns + (root.ns.empty() ? "" : "_") + root.name;
            folder += "/" + one_part(std::move(own));
            const auto taken = [&](const std::string& name) {
                return std::any_of(files_.begin(), files_.end(), [&](const auto& one) { return one.first == name; });
            };
            const std::string first = folder;
            for (int i = 2; !root.name.empty() && taken(folder); ++i)
                folder = first + "_" + std::to_string(i);
        }
        return files_.emplace_back(std::move(folder), std::vector<BuiltObject>()).second;
    }

    // From 2.9 on Flux refuses a Kustomization with a variable that nothing supplies; which Flux runs is the rule's to
    // say.
    std::optional<Error> refused_by_strict_flux(std::uint32_t number) const {
        const auto speaks_of = [&](const Finding& finding) {
            return finding.severity == Severity::error &&
                   std::any_of(finding.instances.begin(), finding.instances.end(),
                               [&](std::uint32_t one) { return fleet_.instances[one].root == number; });
        };
        const auto refused = [&](const Finding& finding) {
            return Error{shown(finding.place) + ": " + finding.message};
        };
        for (const Finding& finding : run_.unfolded)
            if (speaks_of(finding)) return refused(finding);
        for (const SuppressedFinding& one : run_.suppressed)
            if (speaks_of(one.finding)) return refused(one.finding);
        return std::nullopt;
    }

    std::optional<Error> add(const Root& root) {
        if (root.passed_over_by != no_number) {
            say(root.place, "not built: the path of " + name_of(fleet_.roots[root.passed_over_by]) +
                                " does not lead here, and only a new bootstrap builds it");
            return std::nullopt;
        }
        if (!root.errors.empty()) {
            const BuildError& error = root.errors.front();
            const std::string at = shown(error.place);
            return Error{(at.empty() ? "" : at + ": ") + error.message};
        }
        if (root.certainty != Certainty::proven) say(root.place, "perhaps: " + root.why);
        for (const Gap& gap : root.gaps)
            if (gap.why != Gap::Why::unknown) left_out(gap.place, gap.reason);
        std::vector<BuiltObject>& objects = files_for(root);
        Arena arena;
        const std::vector<const Value*> trees = fleet_.trees_of(root, arena);
        bool unfilled = false;
        for (std::uint32_t i = 0; i < root.count; ++i) {
            const Instance& one = fleet_.instances[root.first + i];
            if (options_.flux.empty() && is_applied_again(one)) continue;
            if (!trees[i])
                return Error{shown(one.resource.document) + ": kustomize cannot change this object as it is asked to"};
            objects.push_back(built_object(one.id(), *trees[i], form()));
            unfilled = unfilled || (root.variables && objects.back().yaml.find("${") != std::string::npos);
        }
        if (unfilled)
            left_out(root.place, "values of variables: " + (root.variables->why.empty() ? "nothing here supplies them"
                                                                                        : root.variables->why));
        return std::nullopt;
    }

    void left_out(Place place, const std::string& reason) {
        say(place, "left out: " + reason);
        printed_.exit_code = 1;
    }

    const Options& options_;
    LintRun& run_;
    const Fleet& fleet_;
    std::vector<std::pair<std::string, std::vector<BuiltObject>>> files_; // by the folder they are written to
    Printed printed_;
};

} // namespace

Result<Printed> run_build_fleet(const Options& options) {
    LintRequest request = request_of(options);
    request.selection.only = {"substitution-unset"};
    auto run = lint(request);
    if (!run) return run.error();
    if (auto error = fleet_beyond_limit((*run)->read.repository)) return *error;
    return FleetBuild(options, **run).print();
}

} // namespace lockstep
