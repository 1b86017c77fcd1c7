// The readable answer of `lockstep why`: one block per thing in the file, one numbered way per chain.
#include "index/cells.h"
#include "report/printable.h"
#include "report/why_report.h"

namespace lockstep {

std::string identity_text(std::string_view kind, const Cell& ns, const Cell& name) {
    std::string made(kind);
    made += ' ';
    if (is_set(ns)) made += ns.text + "/";
    return made + name.text;
}

std::string_view word_for(WayStep::By by) {
    switch (by) {
    case WayStep::By::bootstrap:
        return "cloud-init";
    case WayStep::By::flux:
        return "Flux Kustomization";
    case WayStep::By::kustomization:
        return "kustomization";
    case WayStep::By::folder:
        return "folder";
    case WayStep::By::release:
        return "HelmRelease";
    case WayStep::By::chart:
        return "chart";
    }
    return "";
}

std::string_view word_for(Part::As as) {
    switch (as) {
    case Part::As::object:
        return "object";
    case Part::As::kustomization:
        return "kustomization";
    case Part::As::patch:
        return "patch";
    case Part::As::generated_from:
        return "file of a generator";
    case Part::As::other_listing:
        return "listed file";
    case Part::As::chart:
        return "chart";
    }
    return "";
}

std::string name_of(const Index& index, const WayStep& step) {
    auto object_name = [&](EntityId id) {
        const Object& object = index.objects[id];
        return (is_set(object.ns) ? object.ns.text + "/" : std::string()) + object.name.text;
    };
    switch (step.by) {
    case WayStep::By::bootstrap:
        return index.tree->files[index.objects[step.id].file].path;
    case WayStep::By::flux:
        return object_name(index.flux_kustomizations[step.id].object);
    case WayStep::By::kustomization:
        return index.tree->files[index.kustomizations[step.id].file].path;
    case WayStep::By::folder:
        return step.text.empty() ? "." : step.text;
    case WayStep::By::release:
        return object_name(index.releases[step.id].object);
    case WayStep::By::chart:
        return index.charts[step.id].name.text;
    }
    return {};
}

namespace {

struct Page {
    const Index& index;
    Locator& locator;
    std::string out = {};

    void line(std::size_t indent, std::string_view text, Place place = {}) {
        out.append(indent, ' ');
        append_printable(out, text);
        if (is_there(place)) {
            const Location at = locator.locate(place);
            out += "  ";
            append_printable(out, at.path);
            out += ":" + std::to_string(at.begin.line);
        }
        out += '\n';
    }

    void step(const WayStep& one) {
        std::string text = std::string(word_for(one.by)) + " " + name_of(index, one);
        switch (one.by) {
        case WayStep::By::bootstrap:
            text += ", which writes " + one.text;
            break;
        case WayStep::By::flux:
            text += ", path " + (one.text.empty() ? std::string("./") : one.text);
            break;
        case WayStep::By::folder:
            text += ", every manifest below";
            break;
        case WayStep::By::kustomization:
            // The last one may be the file itself.
            if (!one.text.empty()) text += " lists " + one.text;
            break;
        case WayStep::By::release:
            text += one.text.empty() ? ", no version" : ", version " + one.text;
            break;
        case WayStep::By::chart:
            text += " depends on " + one.text;
            break;
        }
        line(5, text, one.by == WayStep::By::folder ? Place{} : one.place);
    }

    std::string title(const Part& part) const {
        if (part.as == Part::As::object) {
            const Object& object = index.objects[part.id];
            return identity_text(object.kind.text, object.ns, object.name);
        }
        if (part.as == Part::As::chart)
            return "part of the chart " + index.charts[part.id].name.text + " " + index.charts[part.id].version.text;
        if (part.as == Part::As::kustomization)
            return index.kustomizations[part.id].component ? "a kustomize component" : "a kustomization";
        return "a " + std::string(word_for(part.as)) + " of " +
               index.tree->files[index.kustomizations[part.id].file].path;
    }

    void add(const Part& part) {
        const bool object = part.as == Part::As::object;
        line(0, title(part), object ? index.objects[part.id].name.place : Place{});
        if (part.ways.ways.empty()) line(2, "nothing applies it");
        std::size_t number = 0;
        for (const Way& way : part.ways.ways) {
            const bool by_helm = !way.steps.empty() && (way.steps.back().by == WayStep::By::release ||
                                                        way.steps.back().by == WayStep::By::chart);
            const bool by_flux = !way.steps.empty() && way.steps.front().by != WayStep::By::kustomization;
            line(2, std::to_string(++number) + ". " +
                        (!by_flux ? "a kustomization that no Flux Kustomization of this tree leads to"
                                  : "cluster " + (way.cluster.empty() ? "." : way.cluster)) +
                        (way.sure ? "" : " (perhaps: a source, a path or a patch on the way is not known)"));
            for (const WayStep& one : way.steps)
                step(one);
            if (object && by_helm)
                line(5, "rendered by Helm");
            else if (object)
                line(5, "applied as " + identity_text(index.objects[part.id].kind.text, way.ns, way.name),
                     way.ns.place);
        }
        if (part.ways.more) line(2, "… and more ways");
        for (Place patch : part.removed_by)
            line(2, "a patch deletes it on its way", patch);
    }
};

} // namespace

std::string why_text(const Index& index, FileId file, const FileWays& found, Locator& locator) {
    Page page{index, locator};
    page.line(0, index.tree->files[file].path);
    if (found.parts.empty()) page.line(0, "holds nothing that a cluster is given, and nothing lists it");
    for (const Part& part : found.parts)
        page.add(part);
    for (const Hint& hint : found.hints)
        page.line(0, "hint: " + hint.text, hint.place);
    return page.out;
}

} // namespace lockstep
