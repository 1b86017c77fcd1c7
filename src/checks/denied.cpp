// What the config forbids: versions of charts and images, and hosts to pull from.
#include "base/semver.h"
#include "checks/checks.h"
#include "checks/pin_order.h"
#include "index/cells.h"
#include "index/relations.h"
#include <optional>

namespace lockstep {
namespace {

// A cell of the config's table, by column.
struct Denial {
    std::optional<Glob> first, second; // name of what is denied; or files and host
    std::string what, versions, reason;
    Place place;
};

const Cell& cell_in(const CheckInput& input, const Row& row, std::string_view column) {
    return input.facts["denied"].at(row, column);
}

std::optional<Glob> glob_of(const Cell& cell) {
    if (!is_known(cell) || cell.text.empty()) return std::nullopt;
    auto glob = Glob::compile(cell.text);
    if (!glob) return std::nullopt;
    return *glob;
}

// An entry that cannot be read guards nothing, and that must be said.
void report_unreadable(RuleOutcome& outcome, Place place, const std::string& lacks, std::size_t number) {
    Finding finding;
    finding.message = "entry " + std::to_string(number + 1) + " of the config's table has no readable " + lacks +
                      ": it denies nothing";
    finding.place = place;
    outcome.fail("config entry " + std::to_string(number + 1), std::move(finding));
}

std::string because(const std::string& reason) {
    return reason.empty() ? std::string() : ": " + reason;
}

// `nginx`, `library/nginx` and `docker.io/library/nginx` are one image.
struct ImageName {
    std::string host, path, tag; // path without host; tag empty for none
    bool by_digest = false, host_written = false;
    std::string full() const { return host + "/" + path; }
};

ImageName split_image(std::string_view text) {
    ImageName image;
    if (const auto at = text.find('@'); at != std::string_view::npos) {
        image.by_digest = true;
        text = text.substr(0, at);
    }
    const auto slash = text.rfind('/');
    const auto colon = text.rfind(':');
    if (colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash)) {
        image.tag = text.substr(colon + 1);
        text = text.substr(0, colon);
    }
    const auto first = text.find('/');
    const std::string_view head = text.substr(0, first);
    const bool has_host =
        first != std::string_view::npos &&
        (head.find('.') != std::string_view::npos || head.find(':') != std::string_view::npos || head == "localhost");
    image.host_written = has_host;
    image.host = has_host ? std::string(head) : "docker.io";
    image.path = has_host ? text.substr(first + 1) : text;
    if (image.host == "index.docker.io") image.host = "docker.io";
    if (image.host == "docker.io" && image.path.find('/') == std::string::npos) image.path = "library/" + image.path;
    return image;
}

std::string host_of_url(std::string_view url) {
    if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
    url = url.substr(0, url.find('/'));
    if (const auto user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
    std::string host(url.substr(0, url.find(':')));
    for (char& c : host)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return host;
}

// Those of the index, and those that stand in values files: `image: a/b:1`, or in parts.
struct UsedImage : ContainerImage {
    Place tag = {}; // in parts: where the tag stands
};

std::vector<UsedImage> images_of(const CheckInput& input) {
    std::vector<UsedImage> images;
    for (const ContainerImage& one : input.repository.index.images)
        images.push_back({one});
    const Table& values = input.facts["values"];
    for (const Row& row : values.rows) {
        const auto cell = [&](std::string_view column) -> const Cell& { return values.at(row, column); };
        UsedImage one;
        one.in_parts = is_set(cell("repository"));
        one.image = one.in_parts ? cell("repository") : cell("text");
        if (!is_set(one.image) || one.image.text.empty()) continue;
        if (one.in_parts && is_set(cell("registry")) && !cell("registry").text.empty()) {
            one.image.text.insert(0, cell("registry").text + "/");
            if (cell("registry").state == State::templated) one.image.state = State::templated;
        }
        if (one.in_parts && is_set(cell("tag")) && !cell("tag").text.empty()) {
            one.image.text += ":" + cell("tag").text;
            one.tag = cell("tag").place;
            if (cell("tag").state == State::templated) one.image.state = State::templated;
        }
        images.push_back(std::move(one));
    }
    return images;
}

// Each side of `||` is a text as it is written (a tag need not be a version), or a range.
bool is_denied(const std::string& versions, const std::string& version) {
    const auto parsed = parse_version(version);
    std::string_view rest = versions;
    for (;;) {
        const auto bar = rest.find("||");
        std::string_view one = rest.substr(0, bar);
        while (one.starts_with(' '))
            one.remove_prefix(1);
        if (plain_version(one) == plain_version(version)) return true;
        const auto range = Range::parse(one);
        if (range && parsed && range->contains(*parsed)) return true;
        if (bar == std::string_view::npos) return false;
        rest.remove_prefix(bar + 2);
    }
}

class VersionJudge {
public:
    VersionJudge(const CheckInput& input, RuleOutcome& outcome) : outcome_(outcome) {
        const auto& rows = input.facts["denied"].rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Denial denial;
            denial.what = cell_in(input, rows[i], "what").text;
            denial.versions = cell_in(input, rows[i], "versions").text;
            denial.reason = cell_in(input, rows[i], "reason").text;
            Cell name = cell_in(input, rows[i], "name");
            denial.place = name.place;
            if (denial.what == "image" && is_known(name)) name.text = split_image(name.text).full();
            denial.first = glob_of(name);
            const bool right_kind = denial.what == "chart" || denial.what == "image";
            if (!denial.first || !right_kind || denial.versions.empty())
                report_unreadable(outcome, cell_in(input, rows[i], "what").place,
                                  !right_kind    ? "`what` (chart or image)"
                                  : denial.first ? "`versions`"
                                                 : "`name`",
                                  i);
            else
                denials_.push_back(std::move(denial));
        }
    }
    bool any() const { return !denials_.empty(); }

    void judge(std::string_view what, const std::string& name, const Cell& version, const std::string& shown,
               Place anchor, const std::string& subject) {
        const Place place = is_set(version) && is_there(version.place) ? version.place : anchor;
        if (name.find("{{") != std::string::npos || name.find("${") != std::string::npos)
            return outcome_.undecided(place, subject, "a templated name");
        for (const Denial& denial : denials_) {
            if (denial.what != what || !denial.first->matches(name)) continue;
            if (version.state == State::templated || !is_known(version))
                return outcome_.undecided(place, subject, "its version is not known");
            if (!is_denied(denial.versions, version.text)) continue;
            Finding finding;
            finding.message = shown + " " + version.text + " must not be used" + because(denial.reason);
            finding.place = place;
            if (is_there(denial.place)) finding.related.push_back({denial.place, "denied here: " + denial.versions});
            finding.cause = shown + " " + version.text;
            return outcome_.fail(subject, std::move(finding));
        }
        outcome_.pass(place, subject);
    }

private:
    std::vector<Denial> denials_;
    RuleOutcome& outcome_;
};

void judge_charts(const Index& index, VersionJudge& judge) {
    for (const Chart& chart : index.charts) {
        const std::string& path = index.tree->files[chart.file].path;
        for (const auto* list : {&chart.dependencies, &chart.lock})
            for (const ChartDependency& one : *list)
                if (is_known(one.name))
                    judge.judge("chart", one.name.text, one.version, one.name.text, one.name.place,
                                path + (list == &chart.lock ? "#lock[name=" : "#dependencies[name=") + one.name.text +
                                    "]");
    }
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const Object& object = index.objects[index.releases[id].object];
        const ReleaseEdges& edges = index.release_edges[id];
        if (!is_known(edges.chart_name)) continue;
        std::string_view name = edges.chart_name.text;
        name = name.substr(name.rfind('/') + 1);
        judge.judge("chart", std::string(name), edges.version, std::string(name), object.name.place,
                    subject_of(index, object));
    }
}

void judge_images(const CheckInput& input, VersionJudge& judge) {
    const Index& index = input.repository.index;
    for (const UsedImage& one : images_of(input)) {
        const ImageName image = split_image(one.image.text);
        Cell tag{one.image.state, image.tag, is_there(one.tag) ? one.tag : one.image.place};
        if (image.tag.empty() && one.image.state == State::known)
            tag = image.by_digest || one.in_parts ? Cell{} : Cell{State::known, "latest", one.image.place};
        if (one.image.state == State::templated) tag.text.clear();
        const std::string where = index.tree->files[one.image.place.file].path + "#image " + image.full();
        judge.judge("image", image.full(), tag, image.full(), one.image.place, where);
    }
    for (const Kustomization& kustomization : index.kustomizations)
        for (const ImageOverride& one : kustomization.images) {
            const Cell& name = is_set(one.new_name) ? one.new_name : one.name;
            if (!is_known(name) || !is_set(one.new_tag)) continue;
            const std::string full = split_image(name.text).full();
            judge.judge("image", full, one.new_tag, full, name.place,
                        index.tree->files[kustomization.file].path + "#images[name=" + one.name.text + "]");
        }
}

class HostJudge {
public:
    HostJudge(const CheckInput& input, RuleOutcome& outcome) : index_(input.repository.index), outcome_(outcome) {
        const auto& rows = input.facts["denied"].rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Denial denial;
            denial.first = glob_of(cell_in(input, rows[i], "files"));
            denial.second = glob_of(cell_in(input, rows[i], "host"));
            denial.reason = cell_in(input, rows[i], "reason").text;
            denial.place = cell_in(input, rows[i], "host").place;
            if (!denial.first || !denial.second)
                report_unreadable(outcome, cell_in(input, rows[i], "files").place,
                                  denial.first ? "`host`" : "`files` (a glob)", i);
            else
                denials_.push_back(std::move(denial));
        }
    }
    bool any() const { return !denials_.empty(); }

    // `host` is empty where it is not known.
    void judge(const Cell& value, const std::string& host, std::string_view what) {
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

private:
    const Index& index_;
    std::vector<Denial> denials_;
    RuleOutcome& outcome_;
};

} // namespace

void check_denied_version(const CheckInput& input, RuleOutcome& outcome) {
    VersionJudge judge(input, outcome);
    if (!judge.any()) return;
    judge_charts(input.repository.index, judge);
    judge_images(input, judge);
}

void check_source_host(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    HostJudge judge(input, outcome);
    if (!judge.any()) return;
    for (const Source& source : index.sources)
        if (is_set(source.url)) judge.judge(source.url, host_of_url(source.url.text), source.kind);
    for (const Chart& chart : index.charts)
        for (const ChartDependency& one : chart.dependencies)
            if (is_set(one.repository) && one.repository.text.find("://") != std::string::npos &&
                !one.repository.text.starts_with("file://"))
                judge.judge(one.repository, host_of_url(one.repository.text), "chart repository");
    for (const UsedImage& one : images_of(input)) {
        if (one.image.text.empty()) continue;
        const ImageName image = split_image(one.image.text);
        // In a chart's values an image without a host gets the chart's own registry.
        judge.judge(one.image, one.in_parts && !image.host_written ? "" : host_of_url(image.host), "image");
    }
}

} // namespace lockstep
