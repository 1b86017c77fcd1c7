// Functions that a chart's templates call, against those of the Helm inside the pinned helm-controller.
#include "base/suggest.h"
#include "deploy/pinned_flux.h"
#include "index/side_paths.h"
#include "index/template_words.h"
#include "rules/check.h"
#include "rules/flux_facts.h"
#include <unordered_map>

namespace lockstep::helm_function_unknown {
namespace {

class Functions {
public:
    explicit Functions(const Table* table) {
        for (const Row& row : table ? table->rows : std::vector<Row>()) {
            const std::string &helm = table->at(row, "helm").text, &list = table->at(row, "functions").text;
            if (oldest_.empty()) oldest_ = helm;
            for (std::size_t begin = 0; begin < list.size();) {
                const std::size_t end = std::min(list.find(' ', begin), list.size());
                if (end > begin) since_.emplace(list.substr(begin, end - begin), helm);
                begin = end + 1;
            }
        }
        for (const auto& [name, helm] : since_)
            names_.push_back(name);
    }
    // The Helm release that brought it; empty when none did.
    const std::string* since(const std::string& name) const {
        const auto found = since_.find(name);
        return found == since_.end() ? nullptr : &found->second;
    }
    bool is_first(const std::string& helm) const { return helm == oldest_; }
    std::optional<std::string> near(const std::string& name) const { return nearest(name, names_); }

private:
    std::unordered_map<std::string, std::string> since_;
    std::vector<std::string> names_;
    std::string oldest_;
};

class Judge {
public:
    Judge(const FluxKnowledge& knowledge, const Functions& functions, RuleOutcome& outcome)
        : knowledge_(knowledge), functions_(functions), outcome_(outcome) {}

    void judge(const CheckInput& input, FileId file, const Pinned& pinned) {
        const std::string& path = input.repository.tree->files[file].path;
        const TemplateGuards guards(input.text(file));
        bool failed = false, unsure = false;
        for (const TemplateWord& word : template_functions(input.text(file))) {
            const std::string* since = functions_.since(word.name);
            if (since && functions_.is_first(*since)) continue;
            if (guards.covers(word.span.begin)) {
                unsure = true;
                continue;
            }
            const auto finding = since ? later(*since, word, pinned) : never(word, pinned);
            unsure = unsure || !finding;
            if (!finding) continue;
            if (finding->message.empty()) continue;
            failed = true;
            Finding told = *finding;
            told.rule = outcome_.rule->id;
            told.place = {file, word.span};
            told.cause = word.name;
            outcome_.fail(path + ":" + word.name, std::move(told));
        }
        if (failed) return;
        if (unsure)
            outcome_.undecided({file, {}}, path, "which Helm renders it is not known for certain");
        else
            outcome_.pass({file, {}}, path);
    }

private:
    // Nothing: not known. An empty message: every pinned Helm has it.
    std::optional<Finding> later(const std::string& since, const TemplateWord& word, const Pinned& pinned) const {
        Finding finding;
        if (pinned.none()) return finding;
        const auto first = parse_version(since);
        std::vector<const FluxPin*> without;
        for (const FluxPin& pin : pinned.pins) {
            const auto helm = parse_version(knowledge_.helm_of(pin.version));
            if (!helm || !first) {
                if (pin.newer) continue;
                return std::nullopt;
            }
            if (compare(*helm, *first) < 0) without.push_back(&pin);
        }
        if (pinned.pins.empty() || (pinned.split && !without.empty() && without.size() < pinned.pins.size()))
            return std::nullopt;
        if (without.empty()) return finding;
        const FluxPin& pin = *without.front();
        finding.severity = without.size() < pinned.pins.size() ? Severity::warning : outcome_.rule->severity;
        finding.message = "the function `" + word.name + "` comes with Helm " + since + " (Flux " +
                          knowledge_.flux_with_helm(since) + "), and " + pin.said + " with Helm " +
                          knowledge_.helm_of(pin.version);
        for (const FluxPin* one : without)
            finding.related.push_back({one->place, one->said});
        return finding;
    }

    std::optional<Finding> never(const TemplateWord& word, const Pinned& pinned) const {
        bool open = pinned.pins.empty();
        for (const FluxPin& pin : pinned.pins) {
            if (pin.newer) return std::nullopt;
            open = open || pin.open;
        }
        Finding finding;
        finding.severity = open ? std::min(outcome_.rule->severity, Severity::warning) : outcome_.rule->severity;
        const auto newest = parse_version(knowledge_.newest());
        finding.message = "no Helm up to " + (newest ? knowledge_.helm_of(*newest) : std::string("now")) +
                          " has a function `" + word.name + "`";
        if (const auto near = functions_.near(word.name)) finding.message += "; did you mean `" + *near + "`?";
        return finding;
    }

    const FluxKnowledge& knowledge_;
    const Functions& functions_;
    RuleOutcome& outcome_;
};

bool is_rendered(std::string_view path) {
    for (std::string_view end : {".yaml", ".yml", ".tpl", "NOTES.txt"})
        if (path.ends_with(end)) return true;
    return false;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const RuleFacts facts = input.own_facts();
    const FluxKnowledge knowledge(facts.find("helm"), nullptr, nullptr);
    const Functions functions(facts.find("functions"));
    PinnedFlux pinned = pinned_flux(input, knowledge);
    Judge judge(knowledge, functions, outcome);
    const Index& index = input.repository.index;
    for (EntityId id = 0; id < index.charts.size(); ++id) {
        const Chart& chart = index.charts[id];
        if (chart.subchart || is_side_path(input.repository.index, chart.file)) continue;
        const Pinned pins = pinned.of_chart(id);
        for (const FileId file : chart.templates) {
            const File& source = input.repository.tree->files[file];
            if (source.state != FileState::read || !is_rendered(source.path)) continue;
            if (input.text(file).find("{{") == std::string_view::npos) continue;
            judge.judge(input, file, pins);
        }
    }
}

} // namespace

constexpr NativeCheck check{run, "helm: flux helm; functions: helm functions; helpers"};

} // namespace lockstep::helm_function_unknown
