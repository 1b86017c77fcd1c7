// Top keys of a HelmRelease's values that nothing of its chart reads: no template, no dependency. Only for charts of
// this tree whose templates say plainly what they read.
#include "base/semver.h"
#include "checks/checks.h"
#include "checks/mentions.h"
#include "checks/pin_order.h"
#include "checks/template_blocks.h"
#include "index/cells.h"
#include "index/relations.h"
#include <map>
#include <set>

namespace lockstep {
namespace {

constexpr std::size_t npos = std::string_view::npos;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Reads {
    std::set<std::string, std::less<>> keys;
    std::string unsure; // why the keys are not all that is read
};

// `index .Values "key"`, `get .Values "key"`, `hasKey .Values "key"`: the string behind, when the word stands before.
std::string_view key_by_function(std::string_view text, std::size_t at, std::size_t end) {
    std::size_t begin = text.rfind(".Values", at);
    while (begin > 0 && (text[begin - 1] == '$' || is_word(text[begin - 1])))
        --begin;
    std::string_view before = text.substr(0, begin);
    while (before.ends_with(' '))
        before.remove_suffix(1);
    const bool asks = before.ends_with("index") || before.ends_with("get") || before.ends_with("hasKey");
    std::string_view rest = text.substr(end);
    while (rest.starts_with(' '))
        rest.remove_prefix(1);
    if (!asks || !rest.starts_with('"')) return {};
    return rest.substr(1, rest.find('"', 1) - 1);
}

void take_reads(std::string_view text, Reads& reads, bool in_template) {
    for (auto at = text.find(".Values"); at != npos; at = text.find(".Values", at + 1)) {
        std::size_t end = at + std::string_view(".Values").size();
        if (end < text.size() && is_word(text[end])) continue;
        if (end + 1 < text.size() && text[end] == '.' && is_word(text[end + 1])) {
            const std::size_t begin = ++end;
            while (end < text.size() && (is_word(text[end])))
                ++end;
            reads.keys.emplace(text.substr(begin, end - begin));
        } else if (const auto key = key_by_function(text, at, end); !key.empty()) {
            reads.keys.emplace(key);
        } else if (in_template && reads.unsure.empty()) {
            reads.unsure = "a template takes all of .Values";
        }
    }
}

struct Unread {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    std::map<EntityId, Reads> charts = {};

    const Reads& reads_of(EntityId id) {
        const auto known = charts.find(id);
        if (known != charts.end()) return known->second;
        Reads& reads = charts[id];
        const Chart& chart = index.charts[id];
        std::set<std::string> defined;
        std::vector<std::string> called;
        for (FileId file : chart.templates) {
            const File& source = tree.files[file];
            const std::string_view text = input.text(file);
            if (source.state != FileState::read || !text.data() || (text.empty() && source.path.ends_with(".tpl"))) {
                reads.unsure = source.path + " could not be read";
                continue;
            }
            // Only actions are code; but values are templates too where somebody calls tpl.
            for (const TemplateAction& action : go_actions(text))
                if (action.kind != TemplateAction::Kind::comment)
                    take_reads(text.substr(action.begin, action.end - action.begin), reads, true);
            if (text.find(".Files.") != std::string_view::npos && text.find("tpl ") != std::string_view::npos)
                reads.unsure = "files of the chart are rendered as templates";
            for (const TemplateBlock& block : template_blocks(file, text, "")) {
                defined.insert(block.name);
                for (const BlockCall& call : block.calls)
                    if (!call.name.starts_with('/')) called.push_back(call.name);
            }
        }
        for (const std::string& name : called)
            if (!defined.count(name) && reads.unsure.empty())
                reads.unsure = "the template " + name + " comes from elsewhere";
        for (FileId file : chart.values_files)
            take_reads(tree.indexed_text(file), reads, false);
        for (const ChartDependency& dependency : chart.dependencies) {
            for (const Cell* name : {&dependency.name, &dependency.alias})
                if (is_set(*name)) reads.keys.insert(name->text);
            std::string_view paths = dependency.condition.text;
            while (!paths.empty()) {
                const std::string_view path = paths.substr(0, paths.find(','));
                reads.keys.emplace(path.substr(0, path.find('.')));
                paths.remove_prefix(std::min(paths.size(), path.size() + 1));
            }
        }
        for (const Vendored& vendored : chart.vendored)
            reads.keys.insert(vendored.name.text);
        reads.keys.insert("global");
        reads.keys.insert("tags");
        if (is_known(chart.type) && chart.type.text == "library") reads.unsure = "a library chart";
        return reads;
    }

    // The chart in the tree is not the one that is installed.
    bool is_another_version(EntityId id, const Chart& chart) const {
        const ReleaseEdges& edges = index.release_edges[id];
        const std::string& kind = edges.source == no_entity ? "" : index.sources[edges.source].kind;
        if (kind == "GitRepository" || kind == "Bucket") return false;
        return !is_known(edges.version) || !is_known(chart.version) ||
               pin_order(edges.version, chart.version) != PinOrder::same;
    }

    void judge(EntityId id) {
        const HelmRelease& release = index.releases[id];
        const Object& object = index.objects[release.object];
        if (object.partial || object.as_patch || index.release_edges[id].chart == no_entity) return;
        const EntityId chart_id = index.release_edges[id].chart;
        const Chart& chart = index.charts[chart_id];
        std::optional<Reads> own; // what the release's values read of one another
        auto reads_itself = [&](const std::string& key) {
            if (!own) take_reads(document_text(tree, object), own.emplace(), false);
            return own->keys.count(key) != 0;
        };
        for (const Cell& key : release.value_keys) {
            const std::string subject = subject_of(index, object) + ":spec.values." + key.text;
            const Reads& reads = reads_of(chart_id);
            if (!is_known(key)) {
                outcome.undecided(key.place, subject, "a templated key");
            } else if (reads.keys.count(key.text)) {
                outcome.pass(key.place, subject);
            } else if (!reads.unsure.empty()) {
                outcome.undecided(key.place, subject, reads.unsure);
            } else if (is_another_version(id, chart)) {
                outcome.undecided(key.place, subject, "the release is pinned to another version of the chart");
            } else if (reads_itself(key.text)) {
                outcome.undecided(key.place, subject, "other values refer to it");
            } else {
                Finding finding;
                std::string dependencies;
                for (const ChartDependency& dependency : chart.dependencies)
                    dependencies += (dependencies.empty() ? "" : ", ") +
                                    (is_set(dependency.alias) ? dependency.alias.text : dependency.name.text);
                finding.message =
                    "nothing of the chart " + chart.name.text + " reads the value `" + key.text + "`" +
                    (dependencies.empty() ? "" : "; its dependencies read only what stands below " + dependencies);
                finding.place = key.place;
                finding.related.push_back({chart.name.place, "the chart"});
                finding.cause = "chart " + chart.dir + " " + key.text;
                outcome.fail(subject, std::move(finding));
            }
        }
    }
};

} // namespace

void check_values_unread(const CheckInput& input, RuleOutcome& outcome) {
    Unread unread{input, outcome};
    for (EntityId id = 0; id < input.repository.index.releases.size(); ++id)
        unread.judge(id);
}

} // namespace lockstep
