// Patches, pairs and replica counts as lists of fields.
#include "index/field_changes.h"
#include "yaml/parse.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_open(std::string_view text) {
    return text.find('$') != std::string_view::npos || text.find("{{") != std::string_view::npos ||
           text.find('`') != std::string_view::npos;
}

void add_leaves(NodeRef node, std::vector<std::string>& path, FieldChanges& out) {
    if (node.is_mapping() && !node.entries().empty()) {
        for (const NodeRef::Entry& entry : node.entries()) {
            path.emplace_back(entry.key.text());
            add_leaves(entry.value, path, out);
            path.pop_back();
        }
        return;
    }
    FieldChange change{path, std::string(node.text()), true, !node.is_scalar()};
    change.known = !is_open(change.value);
    out.changes.push_back(std::move(change));
}

// `/metadata/annotations/a~1b`
std::vector<std::string> pointer_path(std::string_view pointer) {
    std::vector<std::string> path;
    for (std::size_t at = 1; at <= pointer.size();) {
        const std::size_t end = std::min(pointer.find('/', at), pointer.size());
        std::string key;
        for (std::size_t i = at; i < end; ++i) {
            const bool escaped = pointer[i] == '~' && i + 1 < end;
            key += escaped ? (pointer[++i] == '1' ? '/' : '~') : pointer[i];
        }
        path.push_back(std::move(key));
        at = end + 1;
    }
    return path;
}

void read_patch(const KubectlCall& call, FieldChanges& out) {
    const auto patch = option_value(*call.command, {"-p", "--patch"});
    if (!patch || patch->text.empty()) {
        out.unclear = "the patch is in a file";
        return;
    }
    if (!patch->text.starts_with('{') && !patch->text.starts_with('[') && !patch->known) {
        out.unclear = "the patch comes from a variable";
        return;
    }
    const YamlText yaml = parse_yaml(patch->text);
    const NodeRef root = yaml.documents.empty() ? NodeRef() : NodeRef(&yaml, yaml.documents.front().root);
    if (!yaml.problems.empty() || !root || root.is_scalar()) {
        out.unclear = "the patch cannot be read";
        return;
    }
    if (!root.is_sequence()) {
        std::vector<std::string> path;
        return add_leaves(root, path, out);
    }
    for (NodeRef item : root.items()) {
        const std::string_view op = item.get("op").text();
        if (op == "test") continue;
        if (op != "add" && op != "replace" && op != "remove") {
            out.unclear = "the patch has an operation `" + std::string(op) + "`";
            return;
        }
        const NodeRef value = item.get("value");
        FieldChange change{pointer_path(item.get("path").text()), std::string(value.text()), true,
                           value && !value.is_scalar()};
        change.known = !is_open(change.value);
        out.changes.push_back(std::move(change));
    }
}

void read_pairs(const KubectlCall& call, FieldChanges& out, const std::vector<std::string>& parent) {
    for (const ShellWord* word : call.pairs) {
        const std::size_t sign = word->text.find('=');
        FieldChange change{parent, {}, true, false};
        if (sign == std::string::npos) {
            change.path.push_back(word->text.substr(0, word->text.size() - 1));
        } else {
            change.path.push_back(word->text.substr(0, sign));
            change.value = word->text.substr(sign + 1);
        }
        if (is_open(change.path.back())) {
            out.unclear = "a key comes from a variable";
            return;
        }
        change.known = !is_open(change.value);
        out.changes.push_back(std::move(change));
    }
}

std::vector<NodeRef> pod_containers(NodeRef root) {
    std::vector<NodeRef> found;
    NodeRef spec = root.get("spec").resolved();
    if (spec.get("jobTemplate")) spec = spec.get("jobTemplate").resolved().get("spec").resolved();
    if (spec.get("template")) spec = spec.get("template").resolved().get("spec").resolved();
    for (NodeRef item : spec.get("containers").resolved().items())
        found.push_back(item.resolved());
    return found;
}

} // namespace

std::string FieldChange::shown() const {
    std::string text;
    for (const std::string& key : path)
        text += (text.empty() ? "" : ".") + key;
    return text;
}

FieldChanges changes_of(const KubectlCall& call) {
    FieldChanges out;
    if (call.verb == "patch") {
        read_patch(call, out);
    } else if (call.verb == "label") {
        read_pairs(call, out, {"metadata", "labels"});
    } else if (call.verb == "annotate") {
        read_pairs(call, out, {"metadata", "annotations"});
    } else if (call.verb == "set env") {
        read_pairs(call, out, {"env"});
    } else if (call.verb == "set image") {
        read_pairs(call, out, {"image"});
    } else if (call.verb == "scale") {
        const auto replicas = option_value(*call.command, {"--replicas"});
        if (replicas) out.changes.push_back({{"spec", "replicas"}, replicas->text, !is_open(replicas->text), false});
    } else {
        out.unclear = "`kubectl " + call.verb + "` is not followed";
    }
    return out;
}

NodeRef declared_at(NodeRef root, const FieldChange& change) {
    if (change.path.size() == 2 && (change.path[0] == "env" || change.path[0] == "image")) {
        for (NodeRef container : pod_containers(root)) {
            if (change.path[0] == "image") {
                if (container.get("name").text() == change.path[1] || change.path[1] == "*")
                    return container.get("image").resolved();
                continue;
            }
            for (NodeRef item : container.get("env").resolved().items())
                if (item.resolved().get("name").text() == change.path[1])
                    return item.resolved().get("value").resolved();
        }
        return {};
    }
    NodeRef node = root;
    for (const std::string& key : change.path) {
        node = node.resolved();
        if (node.is_sequence())
            node = !key.empty() && key.size() < 5 && key.find_first_not_of("0123456789") == std::string::npos
                       ? node.at(static_cast<std::size_t>(std::stoi(key)))
                       : NodeRef();
        else
            node = node.get(key);
        if (!node) return {};
    }
    return node.resolved();
}

bool may_equal(const FieldChange& change, std::string_view text) {
    if (change.known) return change.value == text;
    const std::string_view head = std::string_view(change.value).substr(0, change.value.find_first_of("${`"));
    return text.starts_with(head);
}

} // namespace lockstep
