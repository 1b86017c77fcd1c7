// Looks for calls that change maps, without running them.
#include "helm/template_doubts.h"
#include <algorithm>
#include <array>
#include <set>

namespace lockstep {
using Type = TemplateNodeType;

namespace {

constexpr std::array changers = {std::string_view("set"),       std::string_view("unset"),
                                 std::string_view("merge"),     std::string_view("mergeOverwrite"),
                                 std::string_view("mustMerge"), std::string_view("mustMergeOverwrite")};

class Doubter {
public:
    Doubter(ValueArena& arena, const ValueOrigin* by) : arena_(arena), by_(by) {}
    std::uint64_t looked = 0;

    void branch(const TemplateNode& node, const BranchScope& scope) {
        BranchScope inside = scope;
        if (node.type != Type::if_) inside.dot = nullptr;
        walk(node.body, inside);
        walk(node.else_body, scope);
    }

private:
    void walk(const TemplateNode* node, const BranchScope& scope) {
        if (node == nullptr) return;
        ++looked;
        if (node->pipe != nullptr) expression(*node->pipe, scope);
        if (node->type == Type::template_ && node->pipe != nullptr) included(node->text, *node->pipe, scope);
        if (node->type == Type::list)
            for (const TemplateNode* child : node->children)
                walk(child, scope);
        if (node->body != nullptr || node->else_body != nullptr) branch(*node, scope);
    }

    void expression(const TemplateNode& node, const BranchScope& scope) {
        ++looked;
        if (node.type == Type::command) command(node.children, scope);
        if (node.type == Type::pipe || node.type == Type::command)
            for (const TemplateNode* child : node.children)
                expression(*child, scope);
        if (node.inner != nullptr) expression(*node.inner, scope);
    }

    void command(TemplateNodes words, const BranchScope& scope) {
        if (words.size() < 2 || words[0]->type != Type::identifier) return;
        const std::string_view name = words[0]->text;
        if (name == "include" && words.size() > 2 && words[1]->type == Type::string)
            return included(words[1]->text, *words[2], scope);
        if (std::find(changers.begin(), changers.end(), name) == changers.end()) return;
        const GoValue* target = find(*words[1], scope);
        if (target == nullptr || !target->is_map() || target->map == nullptr) return;
        const bool one_key = name.ends_with("set") && words.size() > 2 && words[2]->type == Type::string;
        doubt(*target->map, one_key ? words[2]->text : std::string_view());
    }

    void included(std::string_view name, const TemplateNode& argument, const BranchScope& scope) {
        const NamedTemplate* named = scope.set.find(name);
        if (named == nullptr || !included_.insert(name).second) return;
        const GoValue* dot = find(argument, scope);
        walk(named->root,
             {scope.set, dot, [dot](std::string_view variable) { return variable == "$" ? dot : nullptr; }});
    }

    const GoValue* find(const TemplateNode& node, const BranchScope& scope) const {
        if ((node.type == Type::pipe || node.type == Type::command) && node.children.size() == 1)
            return find(*node.children[0], scope);
        if (node.type == Type::dot) return scope.dot;
        if (node.type == Type::field) return below(scope.dot, node.names);
        if (node.type == Type::variable) return below(scope.variable(node.names[0]), node.names.subspan(1));
        return nullptr;
    }

    static const GoValue* below(const GoValue* value, std::span<const std::string_view> names) {
        for (const std::string_view name : names) {
            if (value == nullptr || !value->is_map() || value->map == nullptr) return nullptr;
            const GoEntry* found = value->map->find(name);
            value = found == nullptr ? nullptr : &found->value;
        }
        return value;
    }

    void doubt(GoMap& map, std::string_view key) {
        for (GoEntry& entry : map.all())
            if ((key.empty() || entry.key == key) && !entry.value.unknown())
                entry.value = with_origin(arena_, entry.value, by_);
        add_doubt(arena_, map, key, by_);
    }

    ValueArena& arena_;
    const ValueOrigin* by_;
    std::set<std::string_view> included_;
};

} // namespace

std::uint64_t doubt_changes(ValueArena& arena, const TemplateNode& branch, const BranchScope& scope,
                            const ValueOrigin* by) {
    Doubter doubter(arena, by);
    doubter.branch(branch, scope);
    return doubter.looked;
}

} // namespace lockstep
