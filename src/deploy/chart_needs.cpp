// Collects needs from what was rendered: each rendering says what it looked for and found.
#include "deploy/chart_needs.h"
#include "index/cells.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;

class Needs {
public:
    ChartNeed& add(const std::string& name, const std::string& version, const std::string& repository, Place place) {
        ChartNeed& need = all_[{name, version, repository}];
        need.name = name;
        need.version = version;
        need.repository = repository;
        const auto& known = need.asked_by;
        if (is_there(place) && std::find(known.begin(), known.end(), place) == known.end())
            need.asked_by.push_back(place);
        return need;
    }
    void add(const RenderedChart& chart) {
        for (const DependencyOutcome& one : chart.dependencies) {
            ChartNeed& need = add(one.name, one.range, one.repository, one.at);
            need.near = one.near;
            need.where = one.where;
            switch (one.how) {
            case DependencyOutcome::How::vendored:
                need.at = ChartNeed::At::vendored;
                break;
            case DependencyOutcome::How::repository:
                need.at = ChartNeed::At::tree;
                break;
            case DependencyOutcome::How::cache:
                need.at = ChartNeed::At::packed;
                break;
            case DependencyOutcome::How::missing:
                break;
            }
        }
    }
    std::vector<ChartNeed> take() {
        std::vector<ChartNeed> found;
        for (auto& [key, need] : all_)
            found.push_back(std::move(need));
        return found;
    }

private:
    std::map<Key, ChartNeed> all_;
};

// For a shell, whatever the repository wrote.
std::string quoted(std::string_view text) {
    const bool plain = !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                               "0123456789-_./:+@%") == std::string_view::npos;
    if (plain) return std::string(text);
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

// `@acme`, `alias:acme`: what `helm repo add acme URL` has named on the machine where the chart is pulled.
std::string_view added_repository(std::string_view repository) {
    for (const std::string_view mark : {"@", "alias:"})
        if (repository.starts_with(mark)) return repository.substr(mark.size());
    return {};
}

} // namespace

std::vector<ChartNeed> chart_needs(const Fleet& fleet) {
    Needs needs;
    for (const ReleaseRow& row : fleet.releases) {
        if (row.name.empty()) continue;
        ChartNeed& need = needs.add(row.name, row.version, row.repository, row.place);
        if (row.chart != no_entity)
            need.at = ChartNeed::At::tree;
        else if (row.rendered)
            need.at = ChartNeed::At::packed;
        need.where = row.where;
        if (row.rendered) needs.add(*row.rendered);
    }
    for (const UnreleasedChart& chart : fleet.unreleased)
        if (chart.rendered) needs.add(*chart.rendered);
    return needs.take();
}

std::string pull_line(const ChartNeed& need, std::string_view folder) {
    if (need.at != ChartNeed::At::nowhere) return {};
    std::string line = "helm pull ";
    if (need.repository.starts_with("oci://")) {
        std::string url = need.repository;
        while (url.ends_with('/'))
            url.pop_back();
        if (!url.ends_with("/" + need.name)) url += "/" + need.name; // the url of an OCIRepository has it
        line += lockstep::quoted(url);
    } else if (need.repository.starts_with("https://") || need.repository.starts_with("http://")) {
        line += lockstep::quoted(need.name) + " --repo " + lockstep::quoted(need.repository);
    } else if (const std::string_view name = added_repository(need.repository); !name.empty()) {
        line += lockstep::quoted(std::string(name) + "/" + need.name);
    } else {
        return {};
    }
    if (!need.version.empty()) line += " --version " + lockstep::quoted(need.version);
    return line + " --destination " + lockstep::quoted(folder);
}

} // namespace lockstep
