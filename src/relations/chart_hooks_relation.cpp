// Hooks of charts of this tree: what the last run leaves behind or takes away, and whether the chart says it is
// dormant.
#include "deploy/chart_hooks.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"
#include "relations/relation.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::chart_hooks_relation {
namespace {

using Words = std::set<std::string, std::less<>>;

Words words_of(std::string_view text) {
    Words words;
    while (true) {
        const std::size_t end = text.find(',');
        std::string word;
        for (const char c : text.substr(0, end))
            if (c != ' ') word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        words.insert(std::move(word));
        if (end == std::string_view::npos) return words;
        text.remove_prefix(end + 1);
    }
}

struct Asked {
    std::string kind, name;
    Place place;
    friend bool operator<(const Asked& a, const Asked& b) {
        return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
    }
};

// Objects that a pod needs to start.
void find_asked(const Value& value, std::set<Asked>& found) {
    const auto add = [&](const char* kind, const Value* name) {
        if (name && name->is_scalar() && !name->text.empty() && !name->unknown)
            found.insert({kind, std::string(name->text), name->place});
    };
    for (std::size_t i = 0; value.is_mapping() && i < value.size(); ++i) {
        const std::string_view key = value.key_at(i)->text;
        const Value& inner = *value.value_at(i);
        const Value* optional = inner.get("optional");
        const bool needed = !optional || optional->text != "true";
        if (key == "serviceAccountName") add("ServiceAccount", &inner);
        if (key == "claimName") add("PersistentVolumeClaim", &inner);
        if (needed && (key == "configMap" || key == "configMapRef" || key == "configMapKeyRef"))
            add("ConfigMap", inner.get("name"));
        if (needed && key == "secret") add("Secret", inner.get(inner.get("secretName") ? "secretName" : "name"));
        if (needed && (key == "secretRef" || key == "secretKeyRef")) add("Secret", inner.get("name"));
    }
    for (const Value* child : value.all())
        find_asked(*child, found);
}

struct Part {
    const RenderedDocument* document = nullptr;
    std::string title;
    std::set<Asked> asks;
};

std::vector<Part> parts_of(const RenderedChart& rendered) {
    std::vector<Part> parts;
    for (const RenderedDocument& document : rendered.documents) {
        Arena arena;
        const Value* tree = document.unknown ? nullptr : tree_of_document(document, arena);
        if (!tree) continue;
        Part part{&document, std::string(tree->text_of("kind")) + " " + cell_at(tree, {"metadata", "name"}).text, {}};
        find_asked(*tree, part.asks);
        if (!part.asks.empty()) parts.push_back(std::move(part));
    }
    return parts;
}

bool runs_with(const RenderedDocument& document, const std::string& event) {
    return std::find(document.hooks.begin(), document.hooks.end(), event) != document.hooks.end();
}

// Whether an event of the hook is over, and what it made is deleted, before the other is used.
bool comes_after(const RenderedDocument& other, const RenderedDocument& hook) {
    if (other.hooks.empty()) return runs_with(hook, "pre-install") || runs_with(hook, "pre-upgrade");
    return std::any_of(other.hooks.begin(), other.hooks.end(), [&](const std::string& event) {
        if (!event.starts_with("post-") || runs_with(hook, event)) return false;
        return runs_with(hook, "pre-" + event.substr(5));
    });
}

bool says_dormant(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower.find("dormant") != std::string::npos;
}

// The word in the description, or an annotation that ends with it and is true.
Place where_dormant(const Chart& chart) {
    if (is_known(chart.description) && says_dormant(chart.description.text)) return chart.description.place;
    for (const Pair& one : chart.annotations)
        if (says_dormant(one.key.text) && one.value.text == "true") return one.value.place;
    return {};
}

class Hooks {
public:
    Hooks(const RelationInput& input, RelationRows& rows)
        : index_(input.repository.index), tree_(*index_.tree), rows_(rows) {}

    void add(const ChartHook& hook) {
        const Chart& chart = index_.charts[hook.chart];
        const std::string_view kind = hook.tree.text_of("kind");
        const Cell name = cell_at(&hook.tree, {"metadata", "name"});
        const Cell policy = cell_at(&hook.tree, {"metadata", "annotations", "helm.sh/hook-delete-policy"});
        NewRow row = rows_.start(is_there(policy.place) ? policy.place : chart.name.place,
                                 chart.dir + ":" + std::string(kind) + "/" + name.text);
        row.set("chart", chart.name).set("kind", std::string(kind)).set("name", name.text);
        row.set("event", hook.document.hooks.front());
        const Cell mark = cell_at(&hook.tree, {"metadata", "annotations", "helm.sh/hook"});
        row.set("mark", std::string(), mark.place);
        if (const Place said = where_dormant(chart); is_there(said)) row.set("dormant", "yes", said);
        if (policy.state == State::templated)
            row.set("doubt", "the policy is not known");
        else if (is_set(name) && name.state != State::templated && !is_new_each_time(hook)) // else it has another name
            judge(hook, kind, name, policy, row);
        rows_.add(std::move(row));
    }

private:
    void judge(const ChartHook& hook, std::string_view kind, const Cell& name, const Cell& policy, NewRow& row) {
        const Words words = is_set(policy) ? words_of(policy.text) : Words{"before-hook-creation"}; // Helm's default
        if (const std::string_view left = left_behind(kind, words); !left.empty())
            row.set("left", std::string(left)).set("then", std::string(what_fails(hook.document)));
        else if (words.contains("hook-succeeded"))
            for (const Part& part : parts(hook.rendered)) {
                const auto asked = part.asks.find({std::string(kind), name.text, {}});
                if (asked == part.asks.end() || !comes_after(*part.document, hook.document)) continue;
                row.set("needed_by", part.title, asked->place);
                return;
            }
    }

    // `migrate-{{ .Release.Revision }}`
    bool is_new_each_time(const ChartHook& hook) const {
        const Value* name = value_at(&hook.tree, {"metadata", "name"});
        if (!name || name->place.file >= tree_.files.size()) return false;
        const std::string_view text = tree_.indexed_text(name->place.file);
        const std::size_t end = std::min(text.find('\n', name->place.span.begin), text.size());
        const std::size_t begin = std::min<std::size_t>(name->place.span.begin, end);
        return text.substr(begin, end - begin).find(".Revision") != std::string_view::npos;
    }

    // When it stays; empty: the next run can create it again.
    static std::string_view left_behind(std::string_view kind, const Words& words) {
        if (kind == "CustomResourceDefinition") return "always";
        if (words.contains("before-hook-creation")) return {};
        const bool runs_on = kind == "Job" || kind == "Pod"; // others have succeeded once they are created
        const bool failed = words.contains("hook-failed"), succeeded = words.contains("hook-succeeded");
        if (succeeded && (failed || !runs_on)) return {};
        if (succeeded) return "when it fails";
        return failed ? "when it succeeds" : "by its policy";
    }

    static std::string_view what_fails(const RenderedDocument& document) {
        const auto runs_at = [&](std::string_view end) {
            return std::any_of(document.hooks.begin(), document.hooks.end(),
                               [&](const std::string& event) { return event.ends_with(end); });
        };
        if (runs_at("-upgrade") || runs_at("-rollback") || runs_at("test") || runs_at("-success")) return "next run";
        return runs_at("-install") ? "install" : "next uninstall";
    }

    const std::vector<Part>& parts(const RenderedChart& rendered) {
        const auto [known, fresh] = parts_.try_emplace(&rendered);
        if (fresh) known->second = parts_of(rendered);
        return known->second;
    }

    const Index& index_;
    const Tree& tree_;
    RelationRows& rows_;
    std::map<const RenderedChart*, std::vector<Part>> parts_ = {};
};

void fill(const RelationInput& input, RelationRows& rows) {
    Hooks hooks(input, rows);
    each_hook(input.repository, [&](const ChartHook& hook) { hooks.add(hook); });
}

} // namespace

constexpr Relation relation{"chart-hooks", "chart kind name event mark dormant left then needed_by doubt", "", fill};

} // namespace lockstep::chart_hooks_relation
