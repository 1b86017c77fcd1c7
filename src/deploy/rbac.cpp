// Reads roles, bindings and service accounts. Names are compared as written: literal ones across the tree, templated
// ones inside their chart.
#include "deploy/rbac.h"
#include "index/cells.h"
#include "index/layout.h"
#include "index/relations.h"
#include "yaml/parse.h"
#include <algorithm>

namespace lockstep {
namespace {

// An action that stands for YAML of its own (`{{ toYaml .Values.rules | nindent 2 }}`): what it brings is not seen.
bool brings_more(std::string_view text) {
    for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at + 2)) {
        const std::size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
        if (text.substr(line, at - line).find_first_not_of(" \t") != std::string_view::npos) continue;
        std::size_t word = at + 2;
        while (word < text.size() && (text[word] == '-' || text[word] == ' ' || text[word] == '\n'))
            ++word;
        const std::string_view rest = text.substr(word);
        bool control = rest.starts_with("/*") || rest.starts_with("$");
        for (std::string_view name : {"if", "else", "end", "with", "range", "fail"})
            control = control || rest.starts_with(name);
        if (!control) return true;
    }
    return false;
}

// A templated apiVersion (`{{ include "rbac.apiVersion" . }}`) leaves the group open; no other group has such a kind.
bool is_rbac(const Object& object, std::string_view one, std::string_view other) {
    if (object.kind.text != one && object.kind.text != other) return false;
    return object.group == "rbac.authorization.k8s.io" || object.api_version.state == State::templated;
}

// The ConfigMaps among the volumes of a pod.
std::vector<MountedMap> mounted_maps(FileId file, NodeRef pod) {
    std::vector<MountedMap> maps;
    for (NodeRef volume : items_at(pod, {"volumes"})) {
        const std::size_t before = maps.size();
        const auto add = [&](NodeRef holder) {
            const Cell name = cell_at(file, holder, {"configMap", "name"});
            if (!is_set(name)) return;
            MountedMap& map = maps.emplace_back(MountedMap{name, {}, {}});
            for (NodeRef item : items_at(holder, {"configMap", "items"}))
                map.items.emplace_back(cell_at(file, item, {"key"}).text, cell_at(file, item, {"path"}).text);
        };
        add(volume);
        for (NodeRef source : items_at(volume, {"projected", "sources"}))
            add(source);
        const std::string name = cell_at(file, volume, {"name"}).text;
        for (const char* list : {"initContainers", "containers"})
            for (NodeRef container : items_at(pod, {list}))
                for (NodeRef mount : items_at(container, {"volumeMounts"}))
                    if (cell_at(file, mount, {"name"}).text == name)
                        for (std::size_t i = before; i < maps.size(); ++i)
                            maps[i].mounts.emplace_back(cell_at(file, mount, {"mountPath"}).text,
                                                        cell_at(file, mount, {"subPath"}).text);
    }
    return maps;
}

} // namespace

bool is_workload(std::string_view kind) {
    for (std::string_view known : {"CronJob", "Job", "Deployment", "DaemonSet", "StatefulSet", "Pod", "ReplicaSet"})
        if (kind == known) return true;
    return false;
}

bool is_built_in_role(std::string_view name) {
    return name.find(':') != std::string_view::npos || name == "admin" || name == "edit" || name == "view";
}

std::string scope_of(const Index& index, const Object& object) {
    return object.in_chart ? "chart " + object.chart
                           : "folder " + std::string(directory_of(index.tree->files[object.file].path));
}

std::string plain_template(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n') continue;
        if (c == '-' && ((plain.ends_with("{{")) || text.substr(i + 1).starts_with("}}"))) continue;
        plain += c;
    }
    for (std::size_t at = plain.find("|quote"); at != std::string::npos; at = plain.find("|quote"))
        plain.erase(at, 6);
    return plain;
}

std::string Rbac::key(EntityId object, std::string_view kind, const Cell& name) const {
    std::string text(kind);
    if (name.state == State::known) return text + "/" + name.text;
    return text + "/" + repository_.index.objects[object].chart + "\n" + plain_template(name.text);
}

Rbac::Rbac(const Repository& repository) : repository_(repository), nodes_(repository) {
    const auto& objects = repository.index.objects;
    for (EntityId id = 0; id < objects.size(); ++id) {
        const Object& object = objects[id];
        if (object.name.state == State::absent) continue;
        if (object.kind.text == "ServiceAccount" && object.group.empty()) {
            accounts_.emplace(key(id, "", object.name), id);
        } else if (is_rbac(object, "Role", "ClusterRole")) {
            read_role(id);
        }
    }
    for (EntityId id = 0; id < objects.size(); ++id)
        if (is_rbac(objects[id], "RoleBinding", "ClusterRoleBinding")) read_binding(id);
}

// Of a bundle with the types of an operator only the few documents that are asked for are read.
NodeRef Rbac::root(const Object& object) {
    constexpr std::size_t large = 64ULL << 10;
    const std::string_view text = repository_.tree->indexed_text(object.file);
    if (text.size() < large || object.embedded || object.list_item || text.find("{{") != std::string_view::npos ||
        is_terraform_template(repository_.tree->files[object.file].path))
        return nodes_.root(object);
    const YamlText& yaml = documents_.emplace_back(parse_yaml_slice(text, object.document, 0));
    if (yaml.documents.empty() || !yaml.problems.empty()) return nodes_.root(object);
    return {&yaml, yaml.documents.front().root};
}

void Rbac::read_role(EntityId id) {
    const Object& object = repository_.index.objects[id];
    const NodeRef root = this->root(object);
    RbacRole role;
    role.object = id;
    role.title = object.kind.text + " " + object.name.text;
    role.rules_key = key_place(object.file, root, {"rules"});
    if (!is_there(role.rules_key)) role.rules_key = object.name.place;
    if (root.get_key("aggregationRule")) role.unsure = "it is aggregated from other roles";
    const std::string_view text = repository_.tree->indexed_text(object.file);
    // To the next document's mark: what a template appends is behind the last node.
    const std::size_t from = role.rules_key.span.begin;
    const std::size_t end = text.find("\n---", from);
    if (object.in_templates && brings_more(text.substr(from, end == std::string_view::npos ? end : end - from)))
        role.unsure = "a template brings more rules";
    for (NodeRef item : items_at(root, {"rules"})) {
        RbacRule rule;
        rule.place = place_of(object.file, item);
        rule.groups = cells_at(object.file, item, {"apiGroups"});
        rule.resources = cells_at(object.file, item, {"resources"});
        rule.verbs = cells_at(object.file, item, {"verbs"});
        rule.names = cells_at(object.file, item, {"resourceNames"});
        // A list that a template fills whole: nothing is seen of it.
        for (auto* list : {&rule.groups, &rule.resources, &rule.verbs})
            if (list->empty() && !item.get_key("nonResourceURLs")) role.unsure = "a template fills a rule";
        role.rules.push_back(std::move(rule));
    }
    roles_by_name_[key(id, object.kind.text, object.name)].push_back(roles.size());
    if (object.name.state == State::templated)
        unsure_roles_[object.chart] = "the chart makes roles whose names are templates";
    else
        ++roles_in_chart_[object.chart + "\n" + object.kind.text];
    roles.push_back(std::move(role));
}

void Rbac::read_binding(EntityId id) {
    const Object& object = repository_.index.objects[id];
    const NodeRef root = this->root(object);
    RbacBinding binding;
    binding.role_kind = cell_at(object.file, root, {"roleRef", "kind"});
    binding.role_name = cell_at(object.file, root, {"roleRef", "name"});
    const std::string& name = binding.role_name.text;
    if (binding.role_kind.state != State::known || binding.role_name.state == State::absent) {
        binding.unsure = "its roleRef is a template";
    } else if (binding.role_kind.text == "ClusterRole" && name == "cluster-admin") {
        binding.everything = true;
    } else if (const auto found = roles_by_name_.find(key(id, binding.role_kind.text, binding.role_name));
               found != roles_by_name_.end()) {
        // The same name may be in several charts: that of the binding's own counts, if there is one.
        for (std::size_t number : found->second) {
            const Object& role = repository_.index.objects[roles[number].object];
            if (role.chart == object.chart && role.in_chart == object.in_chart) binding.roles.push_back(number);
        }
        if (binding.roles.empty())
            for (std::size_t number : found->second)
                binding.roles.push_back(number);
    } else {
        binding.unsure = "its role " + name + " is not in the tree";
        const bool siblings = roles_in_chart_.count(object.chart + "\n" + binding.role_kind.text) > 0;
        binding.absent = object.in_chart && siblings && unsure_roles_.count(object.chart) == 0 &&
                         binding.role_name.state == State::known && !is_built_in_role(name);
    }
    const std::size_t number = bindings.size();
    bindings.push_back(std::move(binding));
    bool seen = false;
    for (NodeRef subject : items_at(root, {"subjects"})) {
        const Cell kind = cell_at(object.file, subject, {"kind"});
        const Cell account = cell_at(object.file, subject, {"name"});
        seen = true;
        if (kind.text == "ServiceAccount" && account.state != State::absent)
            bindings_by_account_[key(id, "", account)].push_back(number);
        // A template that is word for word the name of a service account is that account's and nobody else's.
        const bool clear = account.state == State::known || accounts_.count(key(id, "", account)) > 0;
        if (kind.state == State::templated || (kind.text == "ServiceAccount" && !clear))
            unsure_bindings_[object.in_chart ? object.chart : "\n"] =
                "a binding whose subject is a template may name it";
        if (kind.text == "Group" && account.text.starts_with("system:serviceaccounts"))
            unsure_bindings_["*"] = "a binding to all service accounts may name it";
    }
    if (!seen) unsure_bindings_[object.in_chart ? object.chart : "\n"] = "a binding's subjects come from a template";
}

std::vector<PodRun> Rbac::pods_of(const Object& object, EntityId id) {
    std::vector<PodRun> pods;
    const FileView& view = nodes_.view(object.file);
    for (std::uint32_t number = 0; number < view.documents.size(); ++number) {
        const DocumentView& document = view.documents[number];
        const bool own = number == object.ordinal && is_workload(object.kind.text);
        const bool held = document.role == Role::pod_spec && document.holder == object.ordinal;
        if (!own && !held) continue;
        const YamlText& yaml = document.root.yaml();
        for (NodeId node = document.root.id(); node < document.root.node().after && node < yaml.nodes.size(); ++node) {
            const NodeRef spec(&yaml, node);
            if (!spec.is_mapping() || (!spec.get_key("containers") && !spec.get_key("initContainers"))) continue;
            PodRun pod;
            pod.object = id;
            pod.subject = subject_of(repository_.index, object);
            pod.title = object.kind.text + " " + object.name.text;
            pod.held = held;
            pod.place = place_of(object.file, spec);
            pod.name = cell_at(object.file, spec, {"serviceAccountName"});
            if (!is_set(pod.name)) pod.name = cell_at(object.file, spec, {"serviceAccount"});
            pod.account = account_of(pod);
            pod.maps = mounted_maps(object.file, spec);
            for (const char* list : {"initContainers", "containers"})
                for (NodeRef container : items_at(spec, {list}))
                    for (const NodeRef::Entry& entry : container.entries())
                        if (entry.key.text() != "volumeMounts") pod.spoken.push_back(entry.value.source());
            pod.kubeconfig = spec.source().find("KUBECONFIG") != std::string_view::npos ||
                             spec.source().find("kubeconfig") != std::string_view::npos;
            pods.push_back(std::move(pod));
        }
    }
    return pods;
}

Account Rbac::account_of(const PodRun& pod) const {
    const Object& object = repository_.index.objects[pod.object];
    Account account;
    const std::string name = key(pod.object, "", pod.name);
    if (const auto found = accounts_.find(name); found != accounts_.end()) {
        const Index& index = repository_.index;
        account.there = true;
        account.near = scope_of(index, index.objects[found->second]) == scope_of(index, object);
    }
    if (const auto found = bindings_by_account_.find(name); found != bindings_by_account_.end())
        account.bindings = found->second;
    for (const std::string& where : {object.in_chart ? object.chart : std::string("\n"), std::string("*")})
        if (const auto found = unsure_bindings_.find(where); found != unsure_bindings_.end())
            account.unsure = found->second;
    return account;
}

} // namespace lockstep
