// Roles, bindings, accounts and pods as clusters get them: names and namespaces are known, and conditions decided.
#include "deploy/flux_spec.h"
#include "deploy/identities.h"
#include "deploy/rbac.h"
#include "index/cells.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

std::vector<Cell> cells_of(const Value* list) {
    std::vector<Cell> cells;
    if (list && list->is_scalar()) cells.push_back(cell_of(list));
    for (std::size_t i = 0; list && list->is_sequence() && i < list->size(); ++i)
        cells.push_back(cell_of(list->at(i)));
    return cells;
}

std::string title_of(const Instance& one) {
    return std::string(one.id().kind) + " " + std::string(one.id().name);
}

// SCRIPT of `sh -c SCRIPT`, wherever the border between command and args lies.
const Value* shell_script(const std::vector<const Value*>& words) {
    ShellCommand command;
    for (const Value* word : words) {
        ShellWord& one = command.words.emplace_back();
        one.text = word->text;
    }
    const ShellWord* script = script_argument(command);
    return script ? words[static_cast<std::size_t>(script - command.words.data())] : nullptr;
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// A rendered script, line by line beside the text it was made of: a line of it that holds an action begins as the
// rendered one does.
class LinePlacer {
public:
    LinePlacer(std::string_view file, Span region) : file_(file), at_(region.begin), end_(region.end) {}

    void place(std::string_view line, PlacedText& to) {
        const std::string_view wanted = without_blanks(line);
        std::size_t same = 0, last = at_; // bytes that are together in the file; where all others are
        std::size_t begin = at_;
        for (std::size_t from = at_; !wanted.empty() && from < end_;) {
            const std::size_t stop = std::min(file_.find('\n', from), end_);
            const std::string_view written = file_.substr(from, stop - from);
            const std::size_t whole = written.find(wanted), action = written.find("{{");
            const std::string_view before = without_blanks(written.substr(0, action));
            if (whole != std::string_view::npos ||
                (action != std::string_view::npos && !before.empty() && wanted.starts_with(before))) {
                const bool exact = whole != std::string_view::npos;
                same = exact ? wanted.size() : before.size();
                begin = exact ? from + whole : static_cast<std::size_t>(before.data() - file_.data());
                last = std::max(begin + same, stop) - 1;
                at_ = std::min(stop + 1, end_);
                break;
            }
            from = stop + 1;
        }
        const std::size_t indent = line.size() - wanted.size();
        for (std::size_t i = 0; i < line.size(); ++i)
            to.append(line[i], static_cast<std::uint32_t>(i < indent          ? begin
                                                          : i - indent < same ? begin + i - indent
                                                                              : last));
    }

private:
    std::string_view file_;
    std::size_t at_, end_;
};

// The keys of a ConfigMap or Secret that are scripts.
std::vector<const Value*> scripts_of(const Value* tree, std::vector<KeyText>& texts) {
    std::vector<const Value*> all;
    for (const char* part : {"data", "stringData"})
        if (const Value* data = value_at(tree, {part}); data && data->is_mapping())
            for (std::size_t at = 0; at < data->size(); ++at)
                if (data->key_at(at)->text.ends_with(".sh") || data->value_at(at)->text.starts_with("#!")) {
                    all.push_back(data->value_at(at));
                    texts.emplace_back(data->key_at(at)->text, data->value_at(at)->text);
                }
    return all;
}

std::span<Value* const> items_of(const Value* list) {
    return list ? list->items() : std::span<Value* const>();
}

// The ConfigMaps and Secrets among the volumes of a pod.
std::vector<MountedMap> mounted_maps(const Value& pod) {
    std::vector<MountedMap> maps;
    for (const Value* volume : items_of(value_at(&pod, {"volumes"}))) {
        const std::size_t before = maps.size();
        const auto add = [&](const Value* source, const char* name) {
            if (!source) return;
            MountedMap& map = maps.emplace_back(MountedMap{cell_at(source, {name}), {}, {}});
            for (const Value* item : items_of(value_at(source, {"items"})))
                map.items.emplace_back(cell_at(item, {"key"}).text, cell_at(item, {"path"}).text);
        };
        add(value_at(volume, {"configMap"}), "name");
        add(value_at(volume, {"secret"}), "secretName");
        for (const Value* part : items_of(value_at(volume, {"projected", "sources"}))) {
            add(value_at(part, {"configMap"}), "name");
            add(value_at(part, {"secret"}), "name");
        }
        const std::string name = cell_at(volume, {"name"}).text;
        for (const char* list : {"initContainers", "containers"})
            for (const Value* container : items_of(value_at(&pod, {list})))
                for (const Value* mount : items_of(value_at(container, {"volumeMounts"})))
                    if (cell_at(mount, {"name"}).text == name)
                        for (std::size_t i = before; i < maps.size(); ++i)
                            maps[i].mounts.emplace_back(cell_at(mount, {"mountPath"}).text,
                                                        cell_at(mount, {"subPath"}).text);
    }
    return maps;
}

// Every text of a container but its mounts.
void add_texts(const Value& at, std::vector<std::string_view>& texts) {
    if (at.is_scalar()) texts.push_back(at.text);
    for (const Value* child : at.all())
        add_texts(*child, texts);
}

void add_spoken(const Value& container, std::vector<std::string_view>& spoken) {
    for (std::size_t i = 0; container.is_mapping() && i < container.size(); ++i)
        if (container.key_at(i)->text != "volumeMounts") add_texts(*container.value_at(i), spoken);
}

} // namespace

std::string AppliedRbac::key(const Instance& beside, std::string_view kind, std::string_view ns,
                             std::string_view name) const {
    return std::to_string(fleet_.root_of(beside).cluster) + "\n" + std::string(kind) + "/" + std::string(ns) + "/" +
           std::string(name);
}

bool AppliedRbac::is_judged(const Instance& one) const {
    const Certainty certainty = fleet_.certainty_of(one);
    return fleet_.is_rendered(one) ? certainty != Certainty::possible
                                   : fleet_.has_roots && certainty == Certainty::proven;
}

// By its text: most of what a kustomization lists has nothing to do with it, and trees cost more than bytes.
bool AppliedRbac::may_call_kubectl(const Instance& one, bool mounted) const {
    if (fleet_.is_rendered(one) || one.object == no_entity) return fleet_.is_rendered(one);
    const Object& object = repository_.index.objects[one.object];
    const std::string_view text = repository_.tree->indexed_text(object.file)
                                      .substr(object.document.begin, object.document.end - object.document.begin);
    return text.find("kubectl") != std::string_view::npos ||
           (mounted &&
            (text.find("configMap") != std::string_view::npos || text.find("secretName") != std::string_view::npos));
}

AppliedRbac::AppliedRbac(const Repository& repository) : repository_(repository), fleet_(fleet_of(repository)) {
    bool mounted = false; // some text that pods may mount has it
    for (const Instance& one : fleet_.instances)
        if (one.id().group.empty() && (one.id().kind == "ConfigMap" || one.id().kind == "Secret")) {
            config_maps_.emplace(key(one, "", one.id().ns, one.id().name), &one);
            mounted = mounted || may_call_kubectl(one, false);
        }
    std::set<std::uint32_t> clusters;
    for (const Instance& one : fleet_.instances) {
        if (!is_workload(one.id().kind) || !is_judged(one) || !may_call_kubectl(one, mounted)) continue;
        const std::size_t before = scripts.size();
        if (const Value* tree = fleet_.tree_of(one)) read_pods(one, *tree);
        if (scripts.size() > before) clusters.insert(fleet_.root_of(one).cluster);
    }
    std::vector<const Instance*> bindings_here;
    for (const Instance& one : fleet_.instances) {
        if (!clusters.contains(fleet_.root_of(one).cluster)) continue;
        if (fleet_.has_roots && fleet_.certainty_of(one) == Certainty::loose && !fleet_.is_rendered(one)) continue;
        const bool rbac = one.id().group == "rbac.authorization.k8s.io";
        if (one.id().kind == "ServiceAccount" && one.id().group.empty())
            accounts_.emplace(key(one, "", one.id().ns, one.id().name), &one);
        else if (rbac && (one.id().kind == "Role" || one.id().kind == "ClusterRole"))
            read_role(one);
        else if (rbac && (one.id().kind == "RoleBinding" || one.id().kind == "ClusterRoleBinding"))
            bindings_here.push_back(&one);
    }
    for (const Instance* one : bindings_here)
        read_binding(*one);
    find_accounts();
}

void AppliedRbac::read_pods(const Instance& one, const Value& value) {
    if (value.is_mapping() && (value.get("containers") || value.get("initContainers"))) {
        PodRun pod;
        pod.subject = subject_of(repository_.index, one);
        pod.title = title_of(one);
        pod.root = one.root;
        pod.place = is_there(value.place) ? value.place : place_of(repository_.index, one);
        pod.name = cell_at(&value, {"serviceAccountName"});
        if (!is_set(pod.name)) pod.name = cell_at(&value, {"serviceAccount"});
        const std::string_view text = "kubeconfig";
        const auto mentions = [&](const auto& self, const Value& at) -> bool {
            const auto found = std::search(at.text.begin(), at.text.end(), text.begin(), text.end(),
                                           [](char a, char b) { return a == b || (a | 0x20) == b; });
            return found != at.text.end() || std::any_of(at.all().begin(), at.all().end(),
                                                         [&](const Value* child) { return self(self, *child); });
        };
        pod.kubeconfig = mentions(mentions, value);
        for (const char* list : {"initContainers", "containers"})
            for (std::size_t i = 0; value.get(list) && i < value.get(list)->items().size(); ++i) {
                const Value& container = *value.get(list)->at(i);
                std::vector<const Value*> words;
                for (const char* part : {"command", "args"})
                    if (const Value* some = value_at(&container, {part}))
                        words.insert(words.end(), some->items().begin(), some->items().end());
                add_spoken(container, pod.spoken);
                if (const Value* script = shell_script(words)) read_script(one, pod, script);
                read_script(one, pod, value_at(&container, {"script"}));
            }
        for (const MountedMap& map : mounted_maps(value)) {
            const auto found = config_maps_.find(key(one, "", one.id().ns, map.name.text));
            if (!is_known(map.name) || found == config_maps_.end()) continue;
            std::vector<KeyText> texts;
            const std::vector<const Value*> all = scripts_of(fleet_.tree_of(*found->second), texts);
            for (std::size_t number : called_scripts(map, texts, pod.spoken))
                read_script(*found->second, pod, all[number]);
        }
        for (std::size_t i = runs_.size(); i < scripts.size(); ++i)
            runs_.push_back(&one);
        return;
    }
    for (const Value* child : value.all())
        read_pods(one, *child);
}

// `holder` has the text: the workload, or the ConfigMap that it mounts.
void AppliedRbac::read_script(const Instance& holder, const PodRun& pod, const Value* text) {
    if (!text || !text->is_scalar() || text->text.find("kubectl") == std::string_view::npos) return;
    const Tree& tree = *repository_.tree;
    AppliedScript script;
    script.pod = pod;
    script.unknown = text->unknown;
    script.place = is_there(text->place) ? text->place : place_of(repository_.index, holder);
    if (script.place.file >= tree.files.size()) return;
    const Place document = holder.resource.document;
    Span region = script.place.span;
    if (document.file == script.place.file && document.span.end > region.begin) region.end = document.span.end;
    // One action that printed all of it: the lines are those of the value.
    if (const Place value = decided_at(*text);
        is_there(value) && value != script.place &&
        tree.indexed_text(script.place.file).substr(region.begin).starts_with("{{"))
        script.place = value, region = value.span;
    script.file = script.place.file;
    const std::string_view file = tree.indexed_text(script.file);
    region.end = std::min<std::uint32_t>(region.end, static_cast<std::uint32_t>(file.size()));
    LinePlacer placer(file, region);
    PlacedText placed;
    for (std::string_view rest = text->text; !rest.empty();) {
        const std::string_view line =
            rest.substr(0, rest.find('\n') == std::string_view::npos ? rest.size() : rest.find('\n') + 1);
        rest.remove_prefix(line.size());
        const bool ends = line.ends_with('\n');
        placer.place(ends ? line.substr(0, line.size() - 1) : line, placed);
        if (ends) placed.append('\n', placed.text.empty() ? region.begin : placed.at(placed.text.size() - 1));
    }
    append_script(script.commands, placed);
    resolve_variables(script.commands);
    scripts.push_back(std::move(script));
}

void AppliedRbac::read_role(const Instance& one) {
    const Value* tree = fleet_.tree_of(one);
    RbacRole role;
    role.title = title_of(one);
    const Value* rules_key = tree ? tree->get_key("rules") : nullptr;
    role.rules_key = rules_key && is_there(rules_key->place) ? rules_key->place : place_of(repository_.index, one);
    if (!tree) role.unsure = "kustomize cannot make its role";
    if (fleet_.certainty_of(one) == Certainty::possible) role.unsure = fleet_.root_of(one).why;
    if (value_at(tree, {"aggregationRule"})) role.unsure = "it is aggregated from other roles";
    const Value* rules = value_at(tree, {"rules"});
    if (rules && rules->unknown) role.unsure = "its rules are not known";
    for (std::size_t i = 0; rules && i < rules->items().size(); ++i) {
        const Value* item = rules->at(i);
        role.rules.push_back({cells_of(value_at(item, {"apiGroups"})), cells_of(value_at(item, {"resources"})),
                              cells_of(value_at(item, {"verbs"})), cells_of(value_at(item, {"resourceNames"})),
                              is_there(item->place) ? item->place : role.rules_key});
    }
    const bool everywhere = one.id().kind == "ClusterRole";
    roles_by_name_[key(one, one.id().kind, everywhere ? std::string_view() : one.id().ns, one.id().name)].push_back(
        roles.size());
    roles.push_back(std::move(role));
}

// The chart of the binding has such roles, rendered or switched off: this one ought to be there too.
bool AppliedRbac::is_known_here(const Instance& binding, std::string_view kind) const {
    if (binding.object == no_entity || !fleet_.root_of(binding).complete()) return false;
    const auto& objects = repository_.index.objects;
    const Object& own = objects[binding.object];
    return fleet_.is_shown(own) && std::any_of(objects.begin(), objects.end(), [&](const Object& one) {
               return one.in_templates && one.chart == own.chart && one.kind.text == kind;
           });
}

void AppliedRbac::read_binding(const Instance& one) {
    const Value* tree = fleet_.tree_of(one);
    const std::uint32_t cluster = fleet_.root_of(one).cluster;
    RbacBinding binding;
    binding.role_kind = cell_at(tree, {"roleRef", "kind"});
    binding.role_name = cell_at(tree, {"roleRef", "name"});
    const std::string& name = binding.role_name.text;
    const bool everywhere = binding.role_kind.text == "ClusterRole";
    const std::string_view ns = everywhere ? std::string_view() : one.id().ns;
    if (!is_known(binding.role_kind) || !is_known(binding.role_name)) {
        binding.unsure = "its roleRef is not known";
    } else if (fleet_.certainty_of(one) == Certainty::possible) {
        binding.unsure = fleet_.root_of(one).why;
    } else if (everywhere && name == "cluster-admin") {
        binding.everything = true;
    } else if (const auto found = roles_by_name_.find(key(one, binding.role_kind.text, ns, name));
               found != roles_by_name_.end()) {
        binding.roles = found->second;
    } else {
        binding.unsure = "its role " + name + " is not in the tree";
        binding.absent = is_known_here(one, binding.role_kind.text) && !is_built_in_role(name);
    }
    const std::size_t number = bindings.size();
    bindings.push_back(std::move(binding));
    const Value* subjects = value_at(tree, {"subjects"});
    if (subjects && subjects->unknown) unsure_[cluster] = "the subjects of a binding are not known";
    for (std::size_t i = 0; subjects && i < subjects->items().size(); ++i) {
        const Cell kind = cell_at(subjects->at(i), {"kind"}), account = cell_at(subjects->at(i), {"name"});
        const Cell own = cell_at(subjects->at(i), {"namespace"});
        if (kind.text == "Group" && account.text.starts_with("system:serviceaccounts"))
            unsure_[cluster] = "a binding to all service accounts may name it";
        if (kind.text != "ServiceAccount") continue;
        if (!is_known(account) || own.state == State::templated)
            unsure_[cluster] = "a binding whose subject is not known may name it";
        else
            bindings_by_account_[key(one, "", is_set(own) ? std::string_view(own.text) : one.id().ns, account.text)]
                .push_back(number);
    }
}

void AppliedRbac::find_accounts() {
    for (std::size_t i = 0; i < scripts.size(); ++i) {
        PodRun& pod = scripts[i].pod;
        const std::string wanted = key(*runs_[i], "", runs_[i]->id().ns, pod.name.text);
        if (const auto found = accounts_.find(wanted); found != accounts_.end() && is_known(pod.name)) {
            pod.account.there = true;
            pod.account.near = found->second->root == runs_[i]->root;
        }
        if (const auto found = bindings_by_account_.find(wanted); found != bindings_by_account_.end())
            pod.account.bindings = found->second;
        if (const auto found = unsure_.find(fleet_.root_of(*runs_[i]).cluster); found != unsure_.end())
            pod.account.unsure = found->second;
    }
}

} // namespace lockstep
