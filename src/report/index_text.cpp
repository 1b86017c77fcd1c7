// The readable listing: grouped by kind of entity, one line each, sorted as the files are.
#include "deploy/applied_fields.h"
#include "index/cells.h"
#include "report/index_report.h"
#include <array>
#include <map>

namespace lockstep {

std::string_view to_string(Role role) {
    switch (role) {
    case Role::object:
        return "object";
    case Role::list:
        return "list";
    case Role::kustomization:
        return "kustomization";
    case Role::chart:
        return "chart";
    case Role::chart_lock:
        return "chart lock";
    case Role::values:
        return "values";
    case Role::workflow:
        return "workflow";
    case Role::cloud_init:
        return "cloud-init";
    case Role::pod_spec:
        return "pod spec";
    case Role::fragment:
        return "other";
    case Role::foreign:
        return "foreign";
    case Role::empty:
        return "empty";
    }
    return "";
}

std::string_view to_string(Target target) {
    switch (target) {
    case Target::file:
        return "file";
    case Target::directory:
        return "directory";
    case Target::remote:
        return "remote";
    case Target::templated:
        return "templated";
    case Target::outside:
        return "outside";
    case Target::missing:
        return "missing";
    }
    return "";
}

namespace {

class TextListing {
public:
    TextListing(const Index& index, Locator& locator, const Fleet* fleet)
        : index_(index), locator_(locator), fleet_(fleet) {}

    void line(std::string text, Place place) {
        Location at = locator_.locate(place);
        text += "   ";
        text += at.path;
        text += ":" + std::to_string(at.begin.line) + "\n";
        lines_ += "  " + text;
        ++count_;
    }

    void close(std::string_view title) {
        if (count_ != 0) out_ += std::string(title) + " (" + std::to_string(count_) + ")\n" + lines_ + "\n";
        lines_.clear();
        count_ = 0;
    }

    // What clusters get, and what is written where that differs.
    std::string applied(EntityId object, const std::string& field, const Cell& written) {
        std::string values;
        if (fleet_ && object != asked_) {
            asked_ = object;
            applied_ = applied_values(index_, *fleet_, object);
        }
        for (const AppliedValue& one : applied_[field])
            values += (values.empty() ? "" : " or ") + shown(one.field.cell);
        if (values.empty() || values == shown(written)) return shown(written);
        return values + " (written: " + shown(written) + ")";
    }

    void charts() {
        for (const Chart& chart : index_.charts) {
            std::string text = shown(chart.name) + " " + shown(chart.version);
            if (chart.subchart) text += "  vendored";
            for (const ChartDependency& dependency : chart.dependencies)
                text += "\n      needs " + shown(dependency.name) + " " + shown(dependency.version) + " from " +
                        shown(dependency.repository);
            for (const Vendored& vendored : chart.vendored)
                text += "\n      holds " + shown(vendored.name) + " " + shown(vendored.version) +
                        (vendored.problem.empty() ? "" : " (" + vendored.problem + ")");
            // The place belongs to the first line.
            std::size_t rest = text.find('\n');
            std::string more = rest == std::string::npos ? "" : text.substr(rest + 1) + "\n";
            line(text.substr(0, rest), chart.name.place);
            lines_ += more;
        }
        close("Charts");
    }

    void releases() {
        for (EntityId id = 0; id < index_.releases.size(); ++id) {
            const HelmRelease& release = index_.releases[id];
            const ReleaseEdges& edges = index_.release_edges[id];
            const Object& object = index_.objects[release.object];
            std::string text = "HelmRelease " + identity(object);
            if (release.partial) {
                text += "  patch";
            } else {
                const Reference& source = is_set(release.chart_ref.name) ? release.chart_ref : release.source;
                text += "  chart " + shown(edges.chart_name) + " " + applied(release.object, "version", edges.version) +
                        " from " + shown(source.kind) + " " + qualified(source.ns, source.name);
                if (edges.chart != no_entity) text += "  here: " + index_.charts[edges.chart].dir;
            }
            line(text.append(fate(release.object)), object.name.place);
        }
        close("Helm releases");
    }

    void sources() {
        for (const Source& source : index_.sources) {
            std::string text = source.kind + " " + qualified(source.ns, source.name);
            if (is_set(source.url))
                text += "  " + (source.generated ? source.url.text : applied(source.object, "url", source.url));
            for (const auto& [ref, field] : {std::pair(&source.tag, "tag"), std::pair(&source.semver, "semver"),
                                             std::pair(&source.branch, "branch"), std::pair(&source.commit, "commit"),
                                             std::pair(&source.digest, "digest")})
                if (is_set(*ref)) text += "  " + (source.generated ? ref->text : applied(source.object, field, *ref));
            line(text, source.name.place);
        }
        close("Sources");
    }

    void flux() {
        for (EntityId id = 0; id < index_.flux_kustomizations.size(); ++id) {
            const FluxKustomization& flux = index_.flux_kustomizations[id];
            const Object& object = index_.objects[flux.object];
            line("Kustomization " + identity(object) + "  path " + applied(flux.object, "path", flux.path) + " from " +
                     shown(flux.source.kind) + " " + qualified(flux.source.ns, flux.source.name),
                 object.name.place);
        }
        close("Flux Kustomizations");
    }

    void kustomizations() {
        std::map<EntityId, std::array<std::size_t, 6>> counts;
        for (const ListedEdge& edge : index_.listed_edges)
            ++counts[edge.kustomization][static_cast<std::size_t>(edge.target)];
        for (EntityId id = 0; id < index_.kustomizations.size(); ++id) {
            const Kustomization& made = index_.kustomizations[id];
            std::string text = made.component ? "Component" : "Kustomization";
            text += "  lists";
            std::string parts;
            for (std::size_t i = 0; i < 6; ++i)
                if (counts[id][i] != 0)
                    parts += " " + std::to_string(counts[id][i]) + " " + std::string(to_string(static_cast<Target>(i)));
            line(text + (parts.empty() ? " nothing" : parts), made.place);
        }
        close("Kustomizations");
    }

    void blueprints() {
        for (const Blueprint& blueprint : index_.blueprints) {
            const Object& object = index_.objects[blueprint.object];
            line("Blueprint " + shown(object.name) + " " + shown(blueprint.version) + "  chart " +
                     shown(blueprint.chart),
                 object.name.place);
        }
        close("Blueprints");
    }

    void bootstrap() {
        for (const BootstrapPin& pin : index_.bootstrap_pins) {
            std::string text(to_string(pin.kind));
            if (is_set(pin.chart)) text += " " + pin.chart.text;
            // A floating word is no version, but it says what is there.
            text += " " + (is_set(pin.version) ? pin.version.text : "- " + pin.version.text);
            if (text.back() == ' ') text.pop_back();
            if (is_set(pin.repository)) text += "  from " + pin.repository.text;
            line(text, pin.anchor);
        }
        close("Bootstrap pins");
    }

    void objects() {
        std::vector<bool> shown_above(index_.objects.size(), false);
        auto mark = [&](EntityId object) {
            if (object != no_entity) shown_above[object] = true;
        };
        for (const HelmRelease& release : index_.releases)
            mark(release.object);
        for (const Source& source : index_.sources)
            mark(source.object);
        for (const FluxKustomization& flux : index_.flux_kustomizations)
            mark(flux.object);
        for (const Kustomization& made : index_.kustomizations)
            mark(made.object);
        for (const Blueprint& blueprint : index_.blueprints)
            mark(blueprint.object);
        for (EntityId id = 0; id < index_.objects.size(); ++id) {
            if (shown_above[id]) continue;
            const Object& object = index_.objects[id];
            std::string text = shown(object.kind) + " " + identity(object);
            if (object.partial || object.as_patch) text += "  patch";
            if (object.embedded) text += object.bootstrap ? "  written by cloud-init" : "  inside another object";
            if (object.sops) text += "  encrypted";
            line(text.append(fate(id)), object.kind.place);
        }
        close("Other objects");
    }

    void rest() {
        std::map<std::string_view, std::size_t> roles;
        for (const DocumentRole& document : index_.documents)
            ++roles[to_string(document.role)];
        for (const auto& [role, count] : roles)
            out_ += std::to_string(count) + " " + std::string(role) + "\n";
        out_ += std::to_string(index_.scripts.size()) + " scripts inside YAML\n";
        for (const auto& [tool, count] : index_.foreign_counts)
            out_ += std::to_string(count) + " " + tool + " (seen, not understood)\n";
    }

    std::string take() { return std::move(out_); }

private:
    static std::string shown(const Cell& cell) { return is_set(cell) ? cell.text : "-"; }
    static std::string qualified(const Cell& ns, const Cell& name) {
        return is_set(ns) ? ns.text + "/" + shown(name) : shown(name);
    }
    // Of what nothing leads to; the rest is applied, which needs no word.
    std::string_view fate(EntityId object) const {
        if (!fleet_ || index_.objects[object].partial || index_.objects[object].as_patch) return "";
        const Certainty certainty = fleet_->certainty_of(object);
        return certainty == Certainty::proven     ? ""
               : certainty == Certainty::possible ? "  perhaps applied"
                                                  : "  nothing here applies it";
    }
    static std::string identity(const Object& object) { return qualified(object.ns, object.name_or_generated()); }

    const Index& index_;
    Locator& locator_;
    const Fleet* fleet_;
    EntityId asked_ = no_entity;
    std::map<std::string, std::vector<AppliedValue>> applied_; // of that one
    std::string out_, lines_;
    std::size_t count_ = 0;
};

} // namespace

std::string index_text(const Index& index, Locator& locator, const Fleet* fleet) {
    TextListing listing(index, locator, fleet);
    listing.charts();
    listing.releases();
    listing.sources();
    listing.flux();
    listing.kustomizations();
    listing.blueprints();
    listing.bootstrap();
    listing.objects();
    listing.rest();
    return listing.take();
}

} // namespace lockstep
