// Questions to a closure: by name, by object, by cluster.
#include "index/cells.h"
#include "index/closure.h"
#include <algorithm>

namespace lockstep {

std::string_view kind_of(const Index& index, const Applied& applied) {
    if (applied.object != no_entity) return index.objects[applied.object].kind.text;
    return applied.secret ? "Secret" : "ConfigMap";
}

std::string_view group_of(const Index& index, const Applied& applied) {
    return applied.object != no_entity ? std::string_view(index.objects[applied.object].group) : std::string_view();
}

std::vector<std::uint32_t> find_applied(const Closure& closure, std::string_view kind, std::string_view ns,
                                        std::string_view name) {
    std::vector<std::uint32_t> found;
    const auto entry = closure.by_name.find(name_key(kind, name));
    if (entry == closure.by_name.end()) return found;
    for (std::uint32_t number : entry->second) {
        const Applied& applied = closure.applied[number];
        if (ns.empty() || !is_known(applied.ns) || !applied.sure || applied.ns.text == ns) found.push_back(number);
    }
    return found;
}

std::vector<std::uint32_t> chain_of(const Closure& closure, std::uint32_t step) {
    std::vector<std::uint32_t> chain;
    for (; step != no_number; step = closure.steps[step].above)
        chain.push_back(step);
    std::reverse(chain.begin(), chain.end());
    return chain;
}

std::vector<Cell> namespaces_of(const Index& index, const Closure& closure, EntityId object) {
    const auto applied = closure.by_object.of(object);
    if (applied.empty()) return {index.objects[object].ns};
    std::vector<Cell> found;
    for (std::uint32_t number : applied) {
        const Cell& ns = closure.applied[number].ns;
        const bool known = std::any_of(found.begin(), found.end(),
                                       [&](const Cell& one) { return one.state == ns.state && one.text == ns.text; });
        if (!known) found.push_back(ns);
    }
    return found;
}

std::vector<std::vector<std::uint32_t>> tops_of(const Closure& closure) {
    const auto count = static_cast<std::uint32_t>(closure.roots.size());
    std::vector<std::vector<std::uint32_t>> tops(count), children(count);
    std::vector<bool> is_top(count, true);
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t parent : closure.roots[i].parents) {
            children[parent].push_back(i);
            if (parent != i) is_top[i] = false; // flux-system applies its own Kustomization
        }
    }
    auto descend = [&](std::uint32_t top) {
        std::vector<std::uint32_t> open = {top};
        tops[top].push_back(top);
        while (!open.empty()) {
            const std::uint32_t here = open.back();
            open.pop_back();
            for (std::uint32_t child : children[here]) {
                if (!tops[child].empty() && tops[child].back() == top) continue;
                tops[child].push_back(top);
                open.push_back(child);
            }
        }
    };
    for (std::uint32_t i = 0; i < count; ++i)
        if (is_top[i]) descend(i);
    for (std::uint32_t i = 0; i < count; ++i)
        if (tops[i].empty()) descend(i); // roots that apply each other in a circle
    for (auto& one : tops)
        std::sort(one.begin(), one.end());
    return tops;
}

std::string_view to_string(ClosureGap::Why why) {
    switch (why) {
    case ClosureGap::Why::remote:
        return "comes from elsewhere";
    case ClosureGap::Why::templated:
        return "the path is templated";
    case ClosureGap::Why::missing:
        return "the path leads nowhere in this tree";
    case ClosureGap::Why::unread:
        return "the file holds no object that can be read";
    case ClosureGap::Why::plugin:
        return "a generator or transformer changes what is applied";
    case ClosureGap::Why::helm:
        return "kustomize renders a chart here";
    case ClosureGap::Why::patch:
        return "the patch is not here to be read";
    case ClosureGap::Why::cycle:
        return "the kustomization includes itself";
    }
    return "";
}

} // namespace lockstep
