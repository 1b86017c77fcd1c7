// Template actions in files that a kustomization lists: kustomize knows no templates. Only what no other engine would
// read later counts, since alerts, secrets and values hold templates of their own.
#include "deploy/fleet.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "rules/check.h"
#include "yaml/actions.h"
#include "yaml/comments.h"
#include <algorithm>

namespace lockstep::helm_syntax_in_kustomize {
namespace {

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Objects and functions that only Helm has.
bool speaks_helm(std::string_view action) {
    for (std::string_view name : {".Values", ".Release", ".Chart", ".Capabilities"})
        if (const auto at = action.find(name); at != std::string_view::npos) {
            const std::size_t end = at + name.size();
            const bool root = at == 0 || !(is_name_char(action[at - 1]) || action[at - 1] == ')');
            if (root && (end >= action.size() || !is_name_char(action[end]))) return true;
        }
    for (std::string_view name : {"include \"", "toYaml ", "nindent ", "fromYaml "})
        if (const auto at = action.find(name); at != std::string_view::npos && at > 0 && !is_name_char(action[at - 1]))
            return true;
    return false;
}

// Kinds of Kubernetes itself that hold no texts for somebody else to render.
bool is_plain_kind(const Object& object) {
    if (object.group.empty()) return object.kind.text != "ConfigMap" && object.kind.text != "Secret";
    for (std::string_view group : {"apps", "batch", "autoscaling", "policy", "networking.k8s.io", "storage.k8s.io",
                                   "rbac.authorization.k8s.io", "scheduling.k8s.io"})
        if (object.group == group) return true;
    return false;
}

bool is_identity(std::string_view path) {
    return path == "metadata.name" || path == "metadata.namespace" || path == "apiVersion" || path == "kind";
}

struct Reader {
    const CheckInput& input;
    RuleOutcome& outcome;
    Nodes nodes;
    const Fleet& fleet = fleet_of(input.repository);

    // In a file that is YAML only once its actions are masked: the first one outside of comments, quotes and blocks.
    Span structural(const YamlText& yaml, bool& helm) const {
        std::vector<Span> texts = yaml_comments(yaml);
        for (const Node& node : yaml.nodes)
            if (node.kind == NodeKind::scalar && node.style != NodeStyle::plain)
                texts.push_back({node.begin, node.end});
        std::sort(texts.begin(), texts.end());
        Span first{};
        for (const TemplateAction& action : go_actions(yaml.text)) {
            if (action.kind == TemplateAction::Kind::comment) continue;
            const auto behind = std::upper_bound(texts.begin(), texts.end(), action.begin,
                                                 [](std::size_t at, const Span& text) { return at < text.begin; });
            if (behind != texts.begin() && action.begin < (behind - 1)->end) continue;
            const Span span{static_cast<std::uint32_t>(action.begin), static_cast<std::uint32_t>(action.end)};
            if (first == Span{}) first = span;
            if (!speaks_helm(yaml.text.substr(action.begin, action.end - action.begin))) continue;
            helm = true;
            return span;
        }
        return first;
    }

    // In a file that is YAML as it stands: a value that nobody will ever render.
    Span literal(const std::vector<const Object*>& objects) {
        for (const Object* object : objects) {
            if (object->embedded) continue;
            const NodeRef root = nodes.root(*object);
            if (!root) continue;
            const YamlText& yaml = root.yaml();
            for (NodeId id = root.id(); id < root.node().after && id < yaml.nodes.size(); ++id) {
                const NodeRef node(&yaml, id);
                if (!node.is_scalar() || !node.templated() || !speaks_helm(node.source())) continue;
                if (object->in_templates || is_identity(path_of(node)) ||
                    (is_plain_kind(*object) && node.node().style == NodeStyle::plain))
                    return node.span();
            }
        }
        return {};
    }

    void report(FileId file, Span span, const ListedEdge& edge, const std::vector<const Object*>& objects) {
        const Kustomization& made = input.repository.index.kustomizations[edge.kustomization];
        const File& source = input.repository.tree->files[file];
        std::string shown = source.text.substr(span.begin, span.end - span.begin);
        std::replace(shown.begin(), shown.end(), '\n', ' ');
        if (shown.size() > 60) shown = shown.substr(0, 57) + "…";
        Finding finding;
        finding.message = "`" + shown + "` is Helm syntax; kustomize applies this file verbatim";
        finding.place = {file, span};
        finding.related.push_back({made.listed[edge.entry].path.place, "listed here"});
        finding.rule = input.rule.id;
        finding.severity =
            fleet.certainty_of_file(made.file) == Certainty::loose ? Severity::note : input.rule.severity;
        for (const Object* object : objects)
            if (object->in_templates) {
                const auto chart = input.repository.index.chart_by_dir.find(object->chart);
                if (chart == input.repository.index.chart_by_dir.end()) break;
                finding.related.push_back(
                    {input.repository.index.charts[chart->second].name.place, "Helm renders it as well"});
                break;
            }
        outcome.fail(source.path, std::move(finding));
    }

    void judge(FileId file, const ListedEdge& edge, const std::vector<const Object*>& objects) {
        const File& source = input.repository.tree->files[file];
        const Kustomization& made = input.repository.index.kustomizations[edge.kustomization];
        const Place place{file, {}};
        if (source.text.find("{{") == std::string::npos) return outcome.pass(place, source.path);
        if (input.repository.tree->indexed_text(made.file).find("{{") != std::string::npos ||
            source.path.find("{{") != std::string::npos)
            return outcome.undecided(place, source.path, "the kustomization is a template itself");
        const FileView& view = nodes.view(file);
        if (view.documents.empty() || !view.documents.front().root)
            return outcome.undecided(place, source.path, "it cannot be read");
        const YamlText& yaml = view.documents.front().root.yaml();
        bool helm = !yaml.masked;
        const Span span = yaml.masked ? structural(yaml, helm) : literal(objects);
        if (span == Span{}) return outcome.pass(place, source.path);
        if (!helm)
            return outcome.undecided(place, source.path, "templates, but not Helm's: something may render it before");
        report(file, span, edge, objects);
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    std::vector<const ListedEdge*> listed(input.repository.tree->files.size(), nullptr);
    for (const ListedEdge& edge : index.listed_edges) {
        const Listing as = index.kustomizations[edge.kustomization].listed[edge.entry].as;
        if (edge.target != Target::file || (as != Listing::resource && as != Listing::base)) continue;
        auto certainty = [&](const ListedEdge& one) {
            return fleet.certainty_of_file(index.kustomizations[one.kustomization].file);
        };
        const ListedEdge*& best = listed[edge.file]; // of those that list it, the one that is surely applied
        if (!best || certainty(*best) < certainty(edge)) best = &edge;
    }
    std::vector<std::vector<const Object*>> objects(listed.size());
    for (const Object& object : index.objects)
        if (listed[object.file]) objects[object.file].push_back(&object);
    Reader reader{input, outcome, Nodes(input.repository)};
    for (FileId file = 0; file < listed.size(); ++file)
        if (listed[file]) reader.judge(file, *listed[file], objects[file]);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::helm_syntax_in_kustomize
