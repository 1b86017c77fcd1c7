// Resolution of vars.
#include "kustomize/vars.h"
#include "kustomize/field_walk.h"
#include "kustomize/ids.h"
#include "kustomize/tree_path.h"
#include "yaml/scalar_type.h"
#include <algorithm>
#include <charconv>
#include <map>

namespace lockstep {
namespace {

struct VarValue {
    std::string text;
    std::string_view tag; // empty: no scalar, so nothing is filled in
};
using VarValues = std::map<std::string, VarValue, std::less<>>;

std::string shown(const VarEntry& var) {
    return "{" + std::string(var.name) + " " + kind_text(var.target) + " {" + std::string(var.field_path) + "}}";
}

// `ports[0]` is two steps.
std::vector<std::string> field_steps(std::string_view path) {
    std::vector<std::string> steps;
    for (const std::string& part : split_field_path(path)) {
        const std::size_t open = part.rfind('[');
        const bool number = part.ends_with(']') && open != std::string::npos && open + 2 < part.size() + 1 &&
                            part.find_first_not_of("0123456789", open + 1) == part.size() - 1 && part.size() - open > 2;
        if (!number) {
            steps.push_back(part);
            continue;
        }
        if (open > 0) steps.push_back(part.substr(0, open));
        steps.push_back(part.substr(open + 1, part.size() - open - 2));
    }
    return steps;
}

VarValue typed(const Value& node) {
    if (!node.is_scalar()) return {};
    const JsonScalar scalar = json_scalar(node);
    if (node.tag == "!!int" || node.tag == "!!float" || node.tag == "!!bool")
        if (scalar.type == JsonType::number || scalar.type == JsonType::boolean)
            return {std::string(scalar.shown()), node.tag};
    return {std::string(node.text), "!!str"};
}

// The text with its references filled; `whole` when the text is one reference and takes over the value's type.
std::string fill(std::string_view input, const VarValues& values, std::string_view& tag) {
    std::string out;
    tag = "!!str";
    for (std::size_t at = 0; at < input.size(); ++at) {
        if (input[at] != '$' || at + 1 >= input.size()) {
            out += input[at];
            continue;
        }
        const char next = input[at + 1];
        if (next == '$') {
            out += '$';
            ++at;
            continue;
        }
        const std::size_t close = next == '(' ? input.find(')', at + 2) : std::string_view::npos;
        if (close == std::string_view::npos) {
            out += '$';
            out += next;
            ++at;
            continue;
        }
        const std::string_view name = input.substr(at + 2, close - at - 2);
        const auto found = values.find(name);
        const bool known = found != values.end() && !found->second.tag.empty();
        if (at == 0 && close + 1 == input.size()) {
            if (known) tag = found->second.tag;
            return known ? found->second.text : std::string(input);
        }
        out += known ? found->second.text : std::string(input.substr(at, close - at + 1));
        at = close;
    }
    return out;
}

void fill_node(Value& node, const VarValues& values, Arena& arena) {
    std::string_view tag;
    const std::string text = fill(node.text, values, tag);
    if (text == node.text && tag == node.tag) {
        node.style = NodeStyle::plain;
        return;
    }
    node.text = arena.keep(text);
    node.tag = tag;
    node.style = NodeStyle::plain;
    node.tagged = false;
}

bool is_text(const Value& node) {
    return node.is_scalar() && (node.tag == "!!str" || node.tag.empty());
}

std::string fill_field(Value& node, const VarValues& values, Arena& arena) {
    if (node.is_null()) return {};
    if (node.is_scalar()) {
        if (is_text(node)) fill_node(node, values, arena);
        return {};
    }
    if (node.is_mapping()) {
        for (std::size_t i = 0; i < node.size(); ++i) {
            if (!is_text(*node.key_at(i)))
                return "invalid map key: value='" + std::string(node.key_at(i)->text) + "', tag='" +
                       std::string(node.key_at(i)->tag) + "'";
            if (is_text(*node.value_at(i))) fill_node(*node.value_at(i), values, arena);
        }
        return {};
    }
    for (Value* item : node.items()) {
        if (!is_text(*item)) return "invalid value type expect a string";
        fill_node(*item, values, arena);
    }
    return {};
}

} // namespace

VarEntry read_var(const Value& entry, Arena& arena) {
    VarEntry var;
    var.name = entry.text_of("name");
    var.place = entry.place;
    if (const Value* object = entry.get("objref")) {
        var.target = {object->text_of("group"), object->text_of("version"), object->text_of("kind"),
                      object->text_of("namespace"), object->text_of("name")};
        if (const std::string_view api = object->text_of("apiVersion"); !api.empty())
            split_api_version(api, var.target.group, var.target.version);
    }
    if (const Value* field = entry.get("fieldref")) var.field_path = field->text_of("fieldPath");
    if (var.field_path.empty()) var.field_path = arena.keep("metadata.name");
    return var;
}

Failure add_var(std::vector<VarEntry>& vars, const VarEntry& var) {
    for (const VarEntry& other : vars)
        if (other.name == var.name)
            return failure("var '" + std::string(var.name) + "' already encountered", var.place);
    vars.push_back(var);
    return {};
}

Failure bind_var(const BuildContext& context, Resources& resources, const VarEntry& var) {
    const bool exact = !var.target.ns.empty() || is_cluster_scoped(var.target);
    const auto matches = [&](const ResourceId& id) {
        return exact ? same_object(id, var.target) : id.name == var.target.name && same_kind(id, var.target);
    };
    Resource* found = nullptr;
    std::size_t count = 0;
    for (Resource& resource : resources) {
        bool any = matches(resource.id);
        for (const EarlierId* one = resource.earlier; one && !any; one = one->before)
            any = matches({resource.id.group, resource.id.version, one->kind, one->ns, one->name});
        if (!any) continue;
        found = &resource;
        ++count;
    }
    if (count > 1)
        return failure("merging vars [" + shown(var) + "]: found " + std::to_string(count) + " resId matches for var " +
                           shown(var) + " (unable to disambiguate)",
                       var.place);
    if (found) found->vars = context.arena().make<Affix>(found->vars, var.name);
    return {};
}

Failure resolve_vars(const BuildContext& context, Accumulated& all) {
    if (all.vars.empty()) return {};
    auto values = std::make_shared<VarValues>();
    std::vector<VarEntry> sorted = all.vars;
    std::sort(sorted.begin(), sorted.end(), [](const VarEntry& a, const VarEntry& b) { return a.name < b.name; });
    for (const VarEntry& var : sorted) {
        const Resource* source = nullptr;
        for (const Resource& resource : all.resources)
            for (const Affix* one = resource.vars; one && !source; one = one->before)
                if (one->text == var.name) source = &resource;
        if (!source) {
            Failure failed = not_found(
                "var '" + shown(var) + "' cannot be mapped to a field in the set of known resources", var.place);
            if (!context.options.keep_going) return failed;
            all.errors.push_back(*failed);
            continue;
        }
        BuildError error;
        const Value* tree = context.look(*source, error);
        if (!tree) return error;
        std::string why;
        const Value* node = look_up(const_cast<Value&>(*tree), field_steps(var.field_path), why); // only read
        if (!node || !why.empty()) {
            Failure failed =
                failure("field specified in var '" + shown(var) + "' not found in corresponding resource", var.place);
            if (!context.options.keep_going) return failed;
            all.errors.push_back(*failed);
            continue;
        }
        (*values)[std::string(var.name)] = typed(*node);
    }
    const ConfigPointer config = all.config;
    const TreeOperation* change = context.work.add(tree_change({}, [values, config](Value& tree, Arena& arena) {
        return walk_fields(tree, config->var_reference, {}, arena,
                           [&](Value& node) { return fill_field(node, *values, arena); });
    }));
    for (Resource& resource : all.resources)
        context.add_change(resource, change);
    return {};
}

} // namespace lockstep
