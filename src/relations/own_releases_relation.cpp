// HelmReleases of charts that this repository publishes, with each version that clusters get of them.
#include "base/semver.h"
#include "deploy/own_releases.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "relations/relation.h"

namespace lockstep::own_releases_relation {
namespace {

class Rows {
public:
    Rows(const RelationInput& input, RelationRows& rows)
        : index_(input.repository.index), fleet_(fleet_of(input.repository)), rows_(rows),
          template_(Glob::compile(input.config.template_tree)) {}

    void take(const OwnRelease& one) const {
        if (!is_pulled_by_version(index_, one.edges)) return;
        if (one.edges.chart == no_entity) return add(one, {});
        for (const Cell& pin : pins_of(index_, fleet_, one))
            add(one, pin);
    }

private:
    bool in_template(const OwnRelease& one) const {
        return template_ && !tree_of(index_, one.object).empty() && template_->matches(tree_of(index_, one.object));
    }

    static std::string_view word_of(PinOrder order) {
        switch (order) {
        case PinOrder::same:
            return "same";
        case PinOrder::ahead:
            return "ahead";
        case PinOrder::behind:
            return "behind";
        case PinOrder::outside:
            return "outside";
        case PinOrder::floating:
            break;
        }
        return "floating";
    }

    void add(const OwnRelease& one, const Cell& pin) const {
        const Place place = is_there(pin.place) ? pin.place : one.object.name.place;
        NewRow row = rows_.start(place, one.subject);
        row.set("release", one.object.name).set("namespace", one.object.ns).set("suspended", one.release.suspend);
        row.set("asked_chart", one.edges.chart_name).set("registry", one.edges.registry).set("pin", pin);
        row.set("url", one.edges.source_url).set("in_template", in_template(one) ? "yes" : "no");
        row.set("written", place.file == one.object.file ? "here" : "elsewhere");
        if (one.edges.chart != no_entity) compare(one, pin, index_.charts[one.edges.chart], row);
        rows_.add(std::move(row));
    }

    void compare(const OwnRelease& one, const Cell& pin, const Chart& chart, NewRow& row) const {
        row.set("chart", chart.name).set("chart_dir", chart.dir, chart.place).set("chart_version", chart.version);
        if (pin.state == State::templated || chart.version.state == State::templated)
            row.set("doubt", "a templated version");
        if (pin.state == State::templated || !is_known(chart.version)) return;
        const bool by_digest = one.edges.source != no_entity && is_set(index_.sources[one.edges.source].digest);
        if (!parse_version(chart.version.text))
            row.set("doubt", "the chart's version is not a valid version");
        else if (is_stamped_later(index_, chart.version))
            row.set("doubt", "the chart's version is stamped when it is published");
        else if (!is_known(pin) && by_digest)
            row.set("doubt", "pinned by digest");
        PinOrder order = is_known(pin) ? pin_order(pin, chart.version) : PinOrder::floating;
        if (is_known(pin) && order != PinOrder::same && any_namesake_fits(index_, chart, pin)) order = PinOrder::same;
        row.set("order", std::string(word_of(order)));
    }

    const Index& index_;
    const Fleet& fleet_;
    RelationRows& rows_;
    Result<Glob> template_;
};

void fill(const RelationInput& input, RelationRows& rows) {
    const Rows made(input, rows);
    for (const OwnRelease& one : own_releases(input.repository.index))
        made.take(one);
}

} // namespace

constexpr Relation relation{"own-releases",
                            "release namespace suspended asked_chart registry url pin chart chart_dir chart_version "
                            "order in_template written doubt",
                            "", fill};

} // namespace lockstep::own_releases_relation
