// Charts and images that the repository uses, as clusters get them, with what the config denies of them: one row for
// each use, and one for each entry of the config that cannot be read.
#include "base/semver.h"
#include "deploy/flux_spec.h"
#include "deploy/tool_installs.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "relations/denials.h"
#include <algorithm>

namespace lockstep::denied_versions_in_use {
namespace {

// `1.3.0-alpine` is release 1.3.0 on another base; `1.3.0-rc1` is another release.
std::string_view without_variant(std::string_view tag) {
    std::size_t end = tag.starts_with('v') || tag.starts_with('V') ? 1 : 0;
    while (end < tag.size() && ((tag[end] >= '0' && tag[end] <= '9') || tag[end] == '.'))
        ++end;
    if (end == tag.size() || (tag[end] != '-' && tag[end] != '_' && tag[end] != '+')) return tag;
    const std::string_view variant = tag.substr(end + 1);
    for (std::string_view word : {"alpha", "beta", "rc", "pre", "dev", "snapshot", "SNAPSHOT", "RC"})
        if (variant.starts_with(word)) return tag;
    return tag.substr(0, end);
}

enum class Denied : std::uint8_t { no, perhaps, yes };

// Each side of `||` in the config is a text as it is written (a tag need not be a version), or a range. What is asked
// for may be a range as well: where the highest version of one of its sides is denied, that is what it stands for.
Denied is_denied(const std::string& versions, std::string_view version) {
    while (version.starts_with(' '))
        version.remove_prefix(1);
    while (version.ends_with(' '))
        version.remove_suffix(1);
    const auto parsed = parse_version(version);
    const auto asked = parsed ? std::nullopt : Range::parse(version);
    const std::vector<Version> tops = asked ? asked->highest() : std::vector<Version>();
    Denied verdict = Denied::no;
    std::string_view rest = versions;
    for (;;) {
        const auto bar = rest.find("||");
        std::string_view one = rest.substr(0, bar);
        while (one.starts_with(' '))
            one.remove_prefix(1);
        while (one.ends_with(' '))
            one.remove_suffix(1);
        if (plain_version(one) == plain_version(version)) return Denied::yes;
        if (const auto range = Range::parse(one)) {
            if (parsed && range->contains(*parsed)) return Denied::yes;
            for (const Version& top : tops)
                if (range->contains(top)) return Denied::yes;
            for (const Version& top : range->highest())
                if (asked && asked->contains(top)) verdict = Denied::perhaps;
        }
        if (bar == std::string_view::npos) return verdict;
        rest.remove_prefix(bar + 2);
    }
}

// An entry that cannot be read guards nothing, and that must be said.
void add_unreadable(Place place, std::string lacks, std::size_t number, RelationRows& rows) {
    const std::string entry = std::to_string(number + 1);
    rows.add(rows.start(place, "config entry " + entry).set("entry", entry).set("lacks", std::move(lacks)));
}

class Versions {
public:
    Versions(const RelationInput& input, RelationRows& rows) : rows_(rows) {
        const Table& table = input.table("denied-versions");
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const auto cell = [&](std::string_view column) -> const Cell& { return table.at(table.rows[i], column); };
            Denial denial;
            denial.what = cell("what").text;
            denial.versions = cell("versions").text;
            denial.reason = cell("reason").text;
            Cell name = cell("name");
            denial.place = name.place;
            if (denial.what == "image" && is_known(name)) name.text = image_name_of(name.text).full();
            denial.first = glob_of(name);
            const bool right_kind = denial.what == "chart" || denial.what == "image";
            if (!denial.first || !right_kind || denial.versions.empty())
                add_unreadable(cell("what").place,
                               !right_kind    ? "`what` (chart or image)"
                               : denial.first ? "`versions`"
                                              : "`name`",
                               i, rows);
            else
                denials_.push_back(std::move(denial));
        }
    }
    bool any() const { return !denials_.empty(); }

    void judge(std::string_view what, const std::string& name, const Cell& version, const std::string& shown,
               Place anchor, const std::string& subject) {
        const Place place = is_set(version) && is_there(version.place) ? version.place : anchor;
        if (name.find("{{") != std::string::npos || name.find("${") != std::string::npos)
            return rows_.add(rows_.start(place, subject).set("doubt", "a templated name"));
        for (const Denial& denial : denials_) {
            if (denial.what != what || !denial.first->matches(name)) continue;
            if (version.state == State::templated || !is_known(version))
                return rows_.add(rows_.start(place, subject).set("doubt", "its version is not known"));
            Denied verdict = is_denied(denial.versions, version.text);
            if (what == "image") verdict = std::max(verdict, is_denied(denial.versions, without_variant(version.text)));
            if (verdict == Denied::perhaps)
                return rows_.add(rows_.start(place, subject).set("doubt", "a range that a denied version is in"));
            if (verdict == Denied::no) continue;
            NewRow row = rows_.start(place, subject);
            row.set("name", shown).set("version", version.text).set("denied", denial.versions, denial.place);
            if (!denial.reason.empty()) row.set("reason", denial.reason);
            return rows_.add(std::move(row));
        }
        rows_.add(rows_.start(place, subject));
    }

    void judge_chart(std::string_view name, const Cell& version, Place anchor, const std::string& subject) {
        judge("chart", std::string(name), version, std::string(name), anchor, subject);
    }

private:
    std::vector<Denial> denials_;
    RelationRows& rows_;
};

void judge_charts(const Index& index, Versions& judge) {
    for (const Chart& chart : index.charts) {
        const std::string& path = index.tree->files[chart.file].path;
        if (is_known(chart.name) && is_set(chart.version)) // a copy in this repository
            judge.judge_chart(chart.name.text, chart.version, chart.name.place, path);
        for (const Vendored& one : chart.vendored)
            if (one.archive && is_known(one.name) && is_set(one.version))
                judge.judge_chart(one.name.text, one.version, {one.file, {}}, index.tree->files[one.file].path);
        for (const auto* list : {&chart.dependencies, &chart.lock})
            for (const ChartDependency& one : *list)
                if (is_known(one.name))
                    judge.judge_chart(one.name.text, one.version, one.name.place,
                                      path + (list == &chart.lock ? "#lock[name=" : "#dependencies[name=") +
                                          one.name.text + "]");
    }
    for (const Kustomization& kustomization : index.kustomizations)
        for (const KustomizeChart& one : kustomization.helm_charts)
            if (is_known(one.name))
                judge.judge_chart(one.name.text, one.version, one.name.place,
                                  index.tree->files[kustomization.file].path + "#helmCharts[name=" + one.name.text +
                                      "]");
}

// As its clusters get it: patches and variables may name another chart and another version than those that are written.
void judge_release(const Repository& repository, EntityId id, Versions& judge) {
    const Index& index = repository.index;
    const ReleaseEdges& edges = index.release_edges[id];
    const Object& object = index.objects[index.releases[id].object];
    const std::string subject = subject_of(index, object);
    bool judged = false;
    for (const Value* tree : applied_trees(repository, index.releases[id].object)) {
        const Cell name = cell_at(tree, {"spec", "chart", "spec", "chart"});
        if (!is_set(name)) continue; // chartRef
        judge.judge_chart(last_part(name.text), cell_at(tree, {"spec", "chart", "spec", "version"}), object.name.place,
                          subject);
        judged = true;
    }
    const EntityId carrier = edges.source == no_entity ? no_entity : index.sources[edges.source].object;
    if (!judged && carrier != no_entity && index.sources[edges.source].kind == "OCIRepository")
        for (const Value* tree : applied_trees(repository, carrier)) {
            Cell tag = cell_at(tree, {"spec", "ref", "semver"}); // goes before a tag
            if (!is_set(tag)) tag = cell_at(tree, {"spec", "ref", "tag"});
            const Cell url = cell_at(tree, {"spec", "url"});
            if (!is_set(url)) continue;
            judge.judge_chart(last_part(url.text), tag, object.name.place, subject);
            judged = true;
        }
    if (!judged && is_known(edges.chart_name))
        judge.judge_chart(last_part(edges.chart_name.text), edges.version, object.name.place, subject);
}

// `https://…/name-1.2.3.tgz` names both.
void judge_tools(const RelationInput& input, Versions& judge) {
    for (const ToolInstall& one : tool_installs(input.repository.index, fleet_of(input.repository))) {
        if (!is_known(one.chart)) continue;
        std::string name(last_part(one.chart.text));
        Cell version = one.version;
        if (name.ends_with(".tgz")) {
            name.resize(name.size() - 4);
            for (std::size_t dash = name.find('-'); dash != std::string::npos; dash = name.find('-', dash + 1))
                if (dash + 1 < name.size() && name[dash + 1] >= '0' && name[dash + 1] <= '9') {
                    version = {State::known, name.substr(dash + 1), one.chart.place};
                    name.resize(dash);
                    break;
                }
        }
        const std::string& path = input.repository.tree->files[one.place.file].path;
        judge.judge_chart(name, version, one.chart.place, path + "#" + one.tool + " " + name);
    }
}

void judge_images(const RelationInput& input, Versions& judge) {
    const Index& index = input.repository.index;
    for (const ImageUse& one : used_images(input.repository, image_values(input.repository))) {
        const ImageName image = image_name_of(one.image.text);
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
            const std::string full = image_name_of(name.text).full();
            judge.judge("image", full, one.new_tag, full, name.place,
                        index.tree->files[kustomization.file].path + "#images[name=" + one.name.text + "]");
        }
}

void fill(const RelationInput& input, RelationRows& rows) {
    Versions judge(input, rows);
    if (!judge.any()) return;
    judge_charts(input.repository.index, judge);
    for (EntityId id = 0; id < input.repository.index.releases.size(); ++id)
        judge_release(input.repository, id, judge);
    judge_tools(input, judge);
    judge_images(input, judge);
}

} // namespace

constexpr Relation relation{"denied-versions-in-use", "name version denied reason entry lacks doubt", "", fill};

} // namespace lockstep::denied_versions_in_use
