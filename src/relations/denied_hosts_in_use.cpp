// Hosts that sources, charts and images are pulled from, in what clusters get, with what the config denies of them: one
// row for each use in files that an entry watches, and one for each entry that cannot be read.
#include "deploy/flux_spec.h"
#include "deploy/tool_installs.h"
#include "index/cells.h"
#include "index/links.h"
#include "relations/denials.h"

namespace lockstep::denied_hosts_in_use {
namespace {

class Hosts {
public:
    Hosts(const RelationInput& input, RelationRows& rows) : index_(input.repository.index), rows_(rows) {
        const Table& table = input.table("denied-hosts");
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const auto cell = [&](std::string_view column) -> const Cell& { return table.at(table.rows[i], column); };
            Denial denial;
            denial.first = glob_of(cell("files"));
            denial.second = glob_of(cell("host"));
            denial.reason = cell("reason").text;
            denial.place = cell("host").place;
            if (!denial.first || !denial.second) { // it guards nothing, and that must be said
                const std::string entry = std::to_string(i + 1);
                rows.add(rows.start(cell("files").place, "config entry " + entry)
                             .set("entry", entry)
                             .set("lacks", denial.first ? "`host`" : "`files` (a glob)"));
            } else {
                denials_.push_back(std::move(denial));
            }
        }
    }
    bool any() const { return !denials_.empty(); }

    // `host` is empty where it is not known.
    void judge(const Cell& value, const std::string& host, std::string_view what) {
        if (!is_there(value.place)) return;
        const std::string& path = index_.tree->files[value.place.file].path;
        NewRow row = rows_.start(value.place, path + "#" + std::string(what) + " " + value.text);
        row.set("what", std::string(what)).set("used", value);
        bool watched = false;
        for (const Denial& denial : denials_) {
            if (!denial.first->matches(path)) continue;
            watched = true;
            if (value.state == State::templated) return rows_.add(row.set("doubt", "a templated value"));
            if (!denial.second->matches(host)) continue;
            row.set("host", host).set("denied", std::string("yes"), denial.place);
            if (!denial.reason.empty()) row.set("reason", denial.reason);
            return rows_.add(std::move(row));
        }
        if (watched) rows_.add(std::move(row));
    }

    void judge_url(const Cell& url, std::string_view what) {
        if (!is_remote(url.text) || url.text.starts_with("file://")) return;
        std::string_view text = url.text;
        if (text.starts_with("git::")) text.remove_prefix(5);
        judge(url, host_of_url(text), what);
    }

private:
    const Index& index_;
    RelationRows& rows_;
    std::vector<Denial> denials_;
};

// As its clusters get it; as written where none does.
void judge_source(const Repository& repository, const Source& source, Hosts& judge) {
    const auto trees = applied_trees(repository, source.generated ? no_entity : source.object);
    for (const Value* tree : trees)
        if (const Cell url = cell_at(tree, {"spec", source.kind == "Bucket" ? "endpoint" : "url"}); is_set(url))
            judge.judge(url, host_of_url(url.text), source.kind);
    if (trees.empty() && is_set(source.url)) judge.judge(source.url, host_of_url(source.url.text), source.kind);
}

void fill(const RelationInput& input, RelationRows& rows) {
    const Index& index = input.repository.index;
    Hosts judge(input, rows);
    if (!judge.any()) return;
    for (const Source& source : index.sources)
        judge_source(input.repository, source, judge);
    for (const Chart& chart : index.charts)
        for (const ChartDependency& one : chart.dependencies)
            if (is_set(one.repository)) judge.judge_url(one.repository, "chart repository");
    for (const Kustomization& kustomization : index.kustomizations) {
        for (const KustomizeChart& one : kustomization.helm_charts)
            if (is_set(one.repository)) judge.judge_url(one.repository, "chart repository");
        for (const Listed& one : kustomization.listed)
            if (is_set(one.path)) judge.judge_url(one.path, "remote base");
    }
    for (const ToolInstall& one : tool_installs(index, fleet_of(input.repository)))
        if (is_set(one.url)) judge.judge(one.url, host_of_url(one.url.text), one.tool);
    for (const ImageUse& one : used_images(input.repository, image_values(input.repository))) {
        const ImageName image = image_name_of(one.image.text);
        // In a chart's values an image without a host gets the chart's own registry.
        judge.judge(one.image, one.in_parts && !image.host_written ? "" : host_of_url(image.host), "image");
    }
}

} // namespace

constexpr Relation relation{"denied-hosts-in-use", "what used host denied reason entry lacks doubt", "", fill};

} // namespace lockstep::denied_hosts_in_use
