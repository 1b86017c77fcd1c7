// Files that are handed to a cluster and say nothing: listed by a kustomization, in a chart's crds/, or in a folder
// that Flux lists by itself.
#include "checks/checks.h"
#include "checks/listed_paths.h"
#include "index/cells.h"

namespace lockstep {
namespace {

enum class Content : std::uint8_t { nothing, comments, something };

// Blanks, `---`, `...` and comments are nothing.
Content content_of(std::string_view text) {
    Content found = Content::nothing;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
        if (first == 0 && (line == "---" || line == "...")) continue;
        if (line.front() != '#' && line != "null" && line != "{}") return Content::something;
        if (line.front() == '#') found = Content::comments;
    }
    return found;
}

struct Manifests {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;

    // What hands the file to a cluster; file == no_file for nothing.
    Place lister(FileId file) const {
        for (std::uint32_t number : index.listers.of(file)) {
            const ListedEdge& edge = index.listed_edges[number];
            const Listed& entry = index.kustomizations[edge.kustomization].listed[edge.entry];
            if (entry.as == Listing::resource || entry.as == Listing::base) return entry.path.place;
        }
        return {};
    }

    bool is_crd_of_chart(std::string_view path) const {
        for (std::string_view dir = directory_of(path); !dir.empty(); dir = directory_of(dir))
            if (file_name_of(dir) == "crds" && index.chart_by_dir.count(std::string(directory_of(dir)))) return true;
        return false;
    }

    bool is_in_chart(std::string_view path) const {
        for (std::string_view dir = directory_of(path); !dir.empty(); dir = directory_of(dir))
            if (index.chart_by_dir.count(std::string(dir))) return true;
        return false;
    }

    void judge(FileId file) {
        const File& source = tree.files[file];
        const Content content = content_of(source.text);
        const Place listed = lister(file);
        const bool crd = is_crd_of_chart(source.path);
        std::vector<EntityId> flux;
        if (content != Content::something && !is_there(listed) && !crd && !is_in_chart(source.path))
            flux = flux_on_file(index, file);
        if (!is_there(listed) && !crd && flux.empty()) return;
        const Place place{file, {}};
        if (content == Content::something) return outcome.pass(place, source.path);
        if (is_sample_path(source.path)) return outcome.undecided(place, source.path, "a sample by its path");
        if (content == Content::comments && !crd)
            return outcome.undecided(place, source.path, "only comments: left empty on purpose, or filled later");
        Finding finding;
        finding.rule = input.rule.id;
        finding.place = place;
        finding.severity = crd || is_there(listed) ? input.rule.severity : Severity::warning;
        finding.message = crd ? "this file of crds/ holds no CRD: Helm takes the first object of each and finds none"
                              : "this manifest is empty: nothing of it is applied, and what it once held is pruned";
        if (is_there(listed)) finding.related.push_back({listed, "listed here"});
        for (EntityId id : flux)
            finding.related.push_back({index.flux_kustomizations[id].path.place, "Flux lists this folder by itself"});
        outcome.fail(source.path, std::move(finding));
    }
};

} // namespace

void check_empty_manifest(const CheckInput& input, RuleOutcome& outcome) {
    Manifests manifests{input, outcome};
    const Tree& tree = *input.repository.tree;
    for (FileId file = 0; file < tree.files.size(); ++file) {
        const std::string_view path = tree.files[file].path;
        if (tree.files[file].state != FileState::read || is_kustomization_name(file_name_of(path))) continue;
        if (path.ends_with(".yaml") || path.ends_with(".yml")) manifests.judge(file);
    }
}

} // namespace lockstep
