// Variables of templates. Each knows the actions that gave it its value and the conditions around them: what is printed
// of it came from there too.
#include "helm/template_doubts.h"

namespace lockstep {

using Type = TemplateNodeType;

TemplateRun::Variable* TemplateRun::find_variable(std::string_view name) {
    auto& variables = frame_->variables;
    for (std::size_t i = variables.size(); i > 0; --i)
        if (variables[i - 1].name == name) return &variables[i - 1];
    return nullptr;
}

void TemplateRun::set_variable(std::string_view name, const GoValue& value) {
    Variable* found = find_variable(name);
    if (found == nullptr) {
        fail("undefined variable: " + std::string(name));
        return;
    }
    found->value = value;
    found->set_by = join(arena_, join(arena_, here(), read_), control_);
    if (control_ != nullptr && control_->unknown) found->value.origin = join(arena_, value.origin, control_);
}

GoValue TemplateRun::eval_variable(const GoValue& dot, const Node& node, TemplateNodes args, const GoValue* final) {
    at_ = &node;
    const Variable* found = find_variable(node.names[0]);
    if (found == nullptr) return fail("undefined variable: " + std::string(node.names[0]));
    const GoValue value = found->value;
    read_ = join(arena_, read_, found->set_by);
    if (node.names.size() == 1) {
        if (args.size() > 1 || final != nullptr)
            return fail("can't give argument to non-function " + to_string(*args[0]));
        return value;
    }
    return eval_fields(dot, value, node, node.names.subspan(1), args, final);
}

void TemplateRun::find_facts(const Node* node, bool in_loop, BranchFacts& facts) {
    if (node == nullptr) return;
    if (node->pipe != nullptr && node->pipe->assigns)
        for (const Node* variable : node->pipe->declared)
            facts.assigned.push_back(variable->names[0]);
    facts.breaks = facts.breaks || (node->type == Type::break_ && !in_loop);
    facts.continues = facts.continues || (node->type == Type::continue_ && !in_loop);
    if (node->type == Type::list)
        for (const Node* child : node->children)
            find_facts(child, in_loop, facts);
    find_facts(node->body, in_loop || node->type == Type::range, facts);
    find_facts(node->else_body, in_loop, facts);
}

// A branch that did not run left its variables as they were: its condition decided about them all the same.
const TemplateRun::BranchFacts& TemplateRun::note_assigned(const Node& branch, const GoValue& dot,
                                                           const ValueOrigin* decided) {
    const auto [known, fresh] = facts_.try_emplace(&branch);
    const BranchFacts& facts = known->second;
    if (fresh) find_facts(&branch, false, known->second);
    const bool is_unknown = decided != nullptr && decided->unknown;
    for (const std::string_view name : facts.assigned)
        if (Variable* variable = find_variable(name)) {
            variable->set_by = join(arena_, variable->set_by, decided);
            if (is_unknown) variable->value = with_origin(arena_, variable->value, decided);
        }
    if (!is_unknown || failed_) return facts;
    const BranchScope scope{*frame_->set, &dot, [&](std::string_view name) {
                                const Variable* found = find_variable(name);
                                return found == nullptr ? nullptr : &found->value;
                            }};
    steps_ += doubt_changes(arena_, branch, scope, decided);
    return facts;
}

} // namespace lockstep
