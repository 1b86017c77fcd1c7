// Hooks that cannot run twice: what the last run left behind is in the way of the next, or what it took away is missing
// to what comes after.
#include "deploy/chart_hooks.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::hook_never_cleaned {
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

class Hooks {
public:
    Hooks(const CheckInput& input, RuleOutcome& outcome)
        : index_(input.repository.index), tree_(*index_.tree), outcome_(outcome) {}

    void judge(const ChartHook& hook) {
        const std::string_view kind = hook.tree.text_of("kind");
        const Cell name = cell_at(&hook.tree, {"metadata", "name"});
        const Cell policy = cell_at(&hook.tree, {"metadata", "annotations", "helm.sh/hook-delete-policy"});
        const std::string subject = index_.charts[hook.chart].dir + ":" + std::string(kind) + "/" + name.text;
        const Place place = is_there(policy.place) ? policy.place : index_.charts[hook.chart].name.place;
        if (policy.state == State::templated) return outcome_.undecided(place, subject, "the policy is not known");
        if (!is_set(name) || name.state == State::templated || is_new_each_time(hook))
            return outcome_.pass(place, subject); // it has another name each time
        const Words words = is_set(policy) ? words_of(policy.text) : Words{"before-hook-creation"}; // Helm's default
        const std::string title = std::string(kind) + " " + name.text;
        if (std::string left = left_behind(kind, words, hook.document); !left.empty())
            return report(subject, place, "hook " + title + left);
        if (words.contains("hook-succeeded"))
            for (const Part& part : parts(hook.rendered)) {
                const auto asked = part.asks.find({std::string(kind), name.text, {}});
                if (asked == part.asks.end() || !comes_after(*part.document, hook.document)) continue;
                Finding finding;
                finding.message = "hook " + title + " is deleted as soon as it succeeds, and " + part.title +
                                  ", which comes after it, needs it";
                finding.place = place;
                if (is_there(asked->place)) finding.related.push_back({asked->place, "needed here"});
                return outcome_.fail(subject, std::move(finding));
            }
        outcome_.pass(place, subject);
    }

private:
    // `migrate-{{ .Release.Revision }}`
    bool is_new_each_time(const ChartHook& hook) const {
        const Value* name = value_at(&hook.tree, {"metadata", "name"});
        if (!name || name->place.file >= tree_.files.size()) return false;
        const std::string_view text = tree_.indexed_text(name->place.file);
        const std::size_t end = std::min(text.find('\n', name->place.span.begin), text.size());
        const std::size_t begin = std::min<std::size_t>(name->place.span.begin, end);
        return text.substr(begin, end - begin).find(".Revision") != std::string_view::npos;
    }

    // What stays, in words; empty: the next run can create it again.
    static std::string left_behind(std::string_view kind, const Words& words, const RenderedDocument& document) {
        const auto runs_at = [&](std::string_view end) {
            return std::any_of(document.hooks.begin(), document.hooks.end(),
                               [&](const std::string& event) { return event.ends_with(end); });
        };
        const std::string after = runs_at("-upgrade") || runs_at("-rollback") || runs_at("test") || runs_at("-success")
                                      ? ", and the next run cannot create it again"
                                  : runs_at("-install") ? ", and the release cannot be installed again"
                                                        : ", and the next uninstall cannot create it again";
        if (kind == "CustomResourceDefinition") return ": Helm never deletes a CRD" + after;
        if (words.contains("before-hook-creation")) return {};
        const bool runs_on = kind == "Job" || kind == "Pod"; // others have succeeded once they are created
        const bool failed = words.contains("hook-failed"), succeeded = words.contains("hook-succeeded");
        if (succeeded && (failed || !runs_on)) return {};
        if (succeeded) return " is not deleted when it fails" + after;
        return (failed ? " is not deleted when it succeeds" : " is never deleted by its policy") + after;
    }

    const std::vector<Part>& parts(const RenderedChart& rendered) {
        const auto [known, fresh] = parts_.try_emplace(&rendered);
        if (fresh) known->second = parts_of(rendered);
        return known->second;
    }

    void report(const std::string& subject, Place place, std::string message) {
        Finding finding;
        finding.message = std::move(message);
        finding.place = place;
        outcome_.fail(subject, std::move(finding));
    }

    const Index& index_;
    const Tree& tree_;
    RuleOutcome& outcome_;
    std::map<const RenderedChart*, std::vector<Part>> parts_;
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Hooks hooks(input, outcome);
    each_hook(input.repository, [&](const ChartHook& hook) { hooks.judge(hook); });
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::hook_never_cleaned
