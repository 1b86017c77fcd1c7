// Hosts that the config forbids to pull from, in what clusters get.
#include "checks/denials.h"
#include "deploy/flux_spec.h"
#include "deploy/tool_installs.h"
#include "index/cells.h"
#include "index/links.h"
#include "rules/check.h"

namespace lockstep::source_host_denied {
namespace {

class HostJudge {
public:
    HostJudge(const CheckInput& input, RuleOutcome& outcome) : index_(input.repository.index), outcome_(outcome) {
        const Table& table = input.facts["denied"];
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const auto cell = [&](std::string_view column) -> const Cell& { return table.at(table.rows[i], column); };
            Denial denial;
            denial.first = glob_of(cell("files"));
            denial.second = glob_of(cell("host"));
            denial.reason = cell("reason").text;
            denial.place = cell("host").place;
            if (!denial.first || !denial.second)
                report_unreadable(outcome, cell("files").place, denial.first ? "`host`" : "`files` (a glob)", i);
            else
                denials_.push_back(std::move(denial));
        }
    }
    bool any() const { return !denials_.empty(); }

    // `host` is empty where it is not known.
    void judge(const Cell& value, const std::string& host, std::string_view what) {
        if (!is_there(value.place)) return;
        const std::string& path = index_.tree->files[value.place.file].path;
        const std::string subject = path + "#" + std::string(what) + " " + value.text;
        bool watched = false;
        for (const Denial& denial : denials_) {
            if (!denial.first->matches(path)) continue;
            watched = true;
            if (value.state == State::templated) return outcome_.undecided(value.place, subject, "a templated value");
            if (!denial.second->matches(host)) continue;
            Finding finding;
            finding.message = std::string(what) + " " + value.text + " comes from " + host +
                              ", which is denied for these files" + because(denial.reason);
            finding.place = value.place;
            if (is_there(denial.place)) finding.related.push_back({denial.place, "denied here"});
            finding.cause = host;
            return outcome_.fail(subject, std::move(finding));
        }
        if (watched) outcome_.pass(value.place, subject);
    }

    void judge_url(const Cell& url, std::string_view what) {
        if (!is_remote(url.text) || url.text.starts_with("file://")) return;
        std::string_view text = url.text;
        if (text.starts_with("git::")) text.remove_prefix(5);
        judge(url, host_of_url(text), what);
    }

private:
    const Index& index_;
    std::vector<Denial> denials_;
    RuleOutcome& outcome_;
};

// As its clusters get it; as written where none does.
void judge_source(const Repository& repository, const Source& source, HostJudge& judge) {
    const auto trees = applied_trees(repository, source.generated ? no_entity : source.object);
    for (const Value* tree : trees)
        if (const Cell url = cell_at(tree, {"spec", source.kind == "Bucket" ? "endpoint" : "url"}); is_set(url))
            judge.judge(url, host_of_url(url.text), source.kind);
    if (trees.empty() && is_set(source.url)) judge.judge(source.url, host_of_url(source.url.text), source.kind);
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    HostJudge judge(input, outcome);
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
    for (const ImageUse& one : used_images(input.repository, input.facts["values"])) {
        const ImageName image = image_name_of(one.image.text);
        // In a chart's values an image without a host gets the chart's own registry.
        judge.judge(one.image, one.in_parts && !image.host_written ? "" : host_of_url(image.host), "image");
    }
}

} // namespace

constexpr NativeCheck check{run, "denied: files host reason; values: text registry repository tag"};

} // namespace lockstep::source_host_denied
