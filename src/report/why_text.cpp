// The readable answer of `lockstep why`: one block per thing in the file, one numbered block per chain.
#include "base/printable.h"
#include "index/cells.h"
#include "report/why_report.h"

namespace lockstep {

std::string identity_text(std::string_view kind, std::string_view ns, std::string_view name) {
    std::string made(kind);
    made += ' ';
    if (!ns.empty()) made.append(ns) += '/';
    return made.append(name);
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
    case Part::As::refused:
        return "refused file";
    case Part::As::rendered:
        return "rendered object";
    }
    return "";
}

std::string_view word_for(Certainty certainty) {
    switch (certainty) {
    case Certainty::loose:
        return "not applied";
    case Certainty::possible:
        return "possible";
    case Certainty::proven:
        return "proven";
    }
    return "";
}

namespace {

struct Page {
    const Index& index;
    const Fleet& fleet;
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

    void add(const ChainLink& link) {
        const std::string written = written_in(index, fleet, link);
        std::string text = std::string(word_for(link.by)) + " " + name_of(index, fleet, link);
        switch (link.by) {
        case ChainLink::By::given:
            text = written.empty() ? "the cluster begins with" : "cloud-init writes " + written;
            break;
        case ChainLink::By::flux:
            text += ", path " + (written.empty() ? std::string("./") : written);
            break;
        case ChainLink::By::config:
            text = "another repository applies " + name_of(index, fleet, link) + ", says the config";
            break;
        case ChainLink::By::folder:
            text += ", every manifest below";
            break;
        case ChainLink::By::kustomization: // the last one may be the file itself
            if (!written.empty()) text += " lists " + written;
            break;
        case ChainLink::By::release:
            text += written.empty() ? ", no version" : ", version " + written;
            break;
        case ChainLink::By::chart:
            text += written.empty() ? " renders it" : " depends on " + written;
            break;
        }
        line(5, text, link.by == ChainLink::By::folder ? Place{} : link.place);
    }

    std::string title(const Part& part) const {
        if (part.as == Part::As::object) {
            const Object& object = index.objects[part.id];
            return identity_text(object.kind.text, object.ns.text, object.name.text);
        }
        if (part.as == Part::As::chart)
            return "part of the chart " + index.charts[part.id].name.text + " " + index.charts[part.id].version.text;
        if (part.as == Part::As::rendered) return identity_text(part.kind, {}, part.name);
        if (part.as == Part::As::refused) return "a file that kustomize refuses";
        if (part.as == Part::As::kustomization)
            return index.kustomizations[part.id].component ? "a kustomize component" : "a kustomization";
        return "a " + std::string(word_for(part.as)) + " of " +
               index.tree->files[index.kustomizations[part.id].file].path;
    }

    // What gives it another namespace than its file says.
    Place who_moved(const Instance& one) const {
        const Value* ns = value_at(fleet.tree_of(one), {"metadata", "namespace"});
        return ns ? ns->changed_by : Place{};
    }

    std::string heading(const WhyChain& chain) const {
        if (chain.certainty == Certainty::loose) return "not applied: " + chain.why;
        const Root* first = chain.links.empty() || chain.links.front().root == no_number
                                ? nullptr
                                : &fleet.roots[chain.links.front().root];
        if (!fleet.has_roots && first && (first->by == Root::By::alone || first->by == Root::By::chart))
            return "taken as applied: this tree has no Flux Kustomization that says what is";
        const std::string cluster = "cluster " + (chain.cluster.empty() ? "." : chain.cluster);
        return chain.certainty == Certainty::proven ? cluster : cluster + ", perhaps: " + chain.why;
    }

    void add(const Part& part) {
        const bool object = part.as == Part::As::object;
        line(0, title(part), object ? index.objects[part.id].name.place : part.place);
        if (part.found.chains.empty()) line(2, "nothing applies it");
        std::size_t number = 0;
        for (const WhyChain& chain : part.found.chains) {
            line(2, std::to_string(++number) + ". " + heading(chain));
            for (const ChainLink& link : chain.links)
                add(link);
            for (Place patch : chain.patches)
                line(5, "patched", patch);
            if (!chain.refused.empty()) line(5, "refused: " + chain.refused);
            if (chain.instance != no_number) {
                const ResourceId& id = fleet.instances[chain.instance].id();
                const bool applied = chain.certainty != Certainty::loose;
                line(5, (applied ? "applied as " : "built as ") + identity_text(id.kind, id.ns, id.name),
                     who_moved(fleet.instances[chain.instance]));
            } else if (object && !chain.links.empty() &&
                       (chain.links.back().by == ChainLink::By::release ||
                        chain.links.back().by == ChainLink::By::chart)) {
                line(5, "rendered by Helm");
            }
        }
        if (part.found.more) line(2, "… and " + std::to_string(part.found.more) + " more (--all)");
        for (Place patch : part.removed_by)
            line(2, "a patch deletes it", patch);
    }
};

} // namespace

std::string why_text(const Index& index, const Fleet& fleet, FileId file, const FileChains& found, Locator& locator) {
    Page page{index, fleet, locator};
    page.line(0, index.tree->files[file].path);
    if (found.parts.empty()) page.line(0, "has nothing that a cluster gets, and nothing lists it");
    for (const Part& part : found.parts)
        page.add(part);
    for (const Hint& hint : found.hints)
        page.line(0, "hint: " + hint.text, hint.place);
    return page.out;
}

} // namespace lockstep
