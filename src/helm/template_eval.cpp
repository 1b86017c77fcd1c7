// Evaluates pipelines: fields, variables, constants and calls, with Go's type checks and Go's words when they fail.
#include "helm/go_format.h"
#include "helm/methods.h"
#include "helm/objects.h"
#include "helm/runes.h"
#include "helm/template_run.h"

namespace lockstep {

using Type = TemplateNodeType;

GoValue TemplateRun::eval_pipeline(const GoValue& dot, const Node& pipe) {
    at_ = &pipe;
    GoValue value;
    bool first = true;
    for (const Node* command : pipe.children) {
        const GoValue before = value;
        value = eval_command(dot, *command, first ? nullptr : &before);
        if (failed_) return {};
        if (value.type == GoType::nil) value.type = GoType::invalid;
        value.boxed = false;
        first = false;
    }
    for (const Node* variable : pipe.declared) {
        if (pipe.assigns)
            set_variable(variable->names[0], value);
        else
            frame_->variables.push_back({variable->names[0], value, join(arena_, here(), read_)});
    }
    return value;
}

GoValue TemplateRun::eval_command(const GoValue& dot, const Node& command, const GoValue* final) {
    const Node& word = *command.children[0];
    const auto no_arguments = [&] {
        if (command.children.size() > 1 || final != nullptr)
            fail("can't give argument to non-function " + to_string(word));
    };
    switch (word.type) {
    case Type::field:
        return eval_field_node(dot, word, command.children, final);
    case Type::chain:
        return eval_chain(dot, word, command.children, final);
    case Type::identifier:
        return eval_function(dot, word, command, command.children, final);
    case Type::pipe:
        no_arguments();
        return failed_ ? GoValue{} : eval_pipeline(dot, word);
    case Type::variable:
        return eval_variable(dot, word, command.children, final);
    default:
        break;
    }
    at_ = &word;
    no_arguments();
    if (failed_) return {};
    switch (word.type) {
    case Type::boolean:
        return make_bool(word.is_true);
    case Type::dot:
        return dot;
    case Type::nil:
        return fail("nil is not a command");
    case Type::number:
        return ideal_constant(word);
    case Type::string:
        return eval_any(word);
    default:
        return fail("can't evaluate command " + lockstep::quoted(to_string(word)));
    }
}

GoValue TemplateRun::ideal_constant(const Node& node) {
    at_ = &node;
    const TemplateNumber& number = *node.number;
    const std::string_view text = node.literal;
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
                     text.find_first_of("pP") == std::string_view::npos;
    if (number.is_complex && !number.is_float) return fail("complex numbers are not supported");
    if (number.is_float && !hex && text[0] != '\'' && text.find_first_of(".eEpP") != std::string_view::npos)
        return make_float(number.number);
    if (number.is_int) return make_int(number.integer);
    return fail(std::string(text) + " overflows int");
}

GoValue TemplateRun::eval_any(const Node& node) {
    at_ = &node;
    switch (node.type) {
    case Type::boolean:
        return make_bool(node.is_true);
    case Type::number:
        return ideal_constant(node);
    case Type::string:
        return make_text(arena_, {node.text, {}}, origin_of(node, false));
    default:
        return fail("can't handle assignment of " + to_string(node) + " to empty interface argument");
    }
}

GoValue TemplateRun::eval_field_node(const GoValue& dot, const Node& node, TemplateNodes args, const GoValue* final) {
    at_ = &node;
    return eval_fields(dot, dot, node, node.names, args, final);
}

GoValue TemplateRun::eval_chain(const GoValue& dot, const Node& node, TemplateNodes args, const GoValue* final) {
    at_ = &node;
    if (node.inner->type == Type::nil) return fail("indirection through explicit nil in " + to_string(node));
    const GoValue inner = eval_argument(dot, '\0', *node.inner);
    if (failed_) return {};
    return eval_fields(dot, inner, node, node.names, args, final);
}

GoValue TemplateRun::eval_fields(const GoValue& dot, GoValue receiver, const Node& node,
                                 std::span<const std::string_view> names, TemplateNodes args, const GoValue* final) {
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        receiver = eval_field(dot, names[i], node, {}, nullptr, receiver);
        if (failed_) return {};
    }
    return eval_field(dot, names.back(), node, args, final, receiver);
}

GoValue TemplateRun::eval_field(const GoValue& dot, std::string_view name, const Node& node, TemplateNodes args,
                                const GoValue* final, const GoValue& receiver) {
    const std::string shown(name);
    if (receiver.type == GoType::invalid) {
        if (options_.missing == MissingKey::error) return fail("nil data; no entry for key " + lockstep::quoted(name));
        return receiver;
    }
    const ValueOrigin* doubt = doubt_about(arena_, receiver, name);
    const auto refuse = [&](const std::string& message) {
        failure_.unknown = failure_.unknown || doubt != nullptr;
        return fail(message);
    };
    if (receiver.type == GoType::nil) return refuse("nil pointer evaluating interface {}." + shown);
    if (const TemplateFunction* method = find_method(receiver, name))
        return eval_call(dot, *method, node, name, args, final, &receiver);
    const bool has_arguments = args.size() > 1 || final != nullptr;
    if (receiver.type == GoType::object) {
        if (const StructField* field = struct_field(*receiver.object, name)) {
            if (has_arguments) return fail(shown + " has arguments but cannot be invoked as function");
            return field->value;
        }
    } else if (receiver.is_map()) {
        if (has_arguments) return fail(shown + " is not a method but has arguments");
        const GoEntry* found = receiver.map == nullptr ? nullptr : receiver.map->find(name);
        if (found != nullptr) {
            GoValue value = found->value;
            value.boxed = receiver.is_any_map();
            if (doubt != nullptr) value.origin = join(arena_, value.origin, doubt);
            return value;
        }
        if (options_.missing == MissingKey::error) return fail("map has no entry for key " + lockstep::quoted(name));
        if (options_.missing == MissingKey::zero) {
            if (receiver.type == GoType::string_map) return make_string(arena_, "", receiver.origin);
            return make_nil(doubt);
        }
        return {};
    }
    return refuse("can't evaluate field " + shown + " in type " +
                  (receiver.boxed ? "interface {}" : type_name(receiver)));
}

GoValue TemplateRun::eval_function(const GoValue& dot, const Node& node, const Node& command, TemplateNodes args,
                                   const GoValue* final) {
    at_ = &node;
    return eval_call(dot, *node.function, command, node.text, args, final, nullptr);
}

GoValue TemplateRun::eval_and_or(const GoValue& dot, bool is_or, TemplateNodes args, const GoValue* final) {
    GoValue value;
    const ValueOrigin* seen = nullptr; // an earlier argument decides whether a later one counts
    for (const Node* arg : args) {
        value = eval_argument(dot, 'r', *arg);
        if (failed_) return {};
        const ValueOrigin* truth = truth_origin(arena_, value);
        value.origin = join(arena_, value.origin, seen);
        if (is_true(value) == is_or) return value;
        seen = join(arena_, truth, seen);
    }
    if (final != nullptr) {
        value = *final;
        value.origin = join(arena_, value.origin, seen);
    }
    return value;
}

GoValue TemplateRun::eval_call(const GoValue& dot, const TemplateFunction& function, const Node& node,
                               std::string_view name, TemplateNodes args, const GoValue* final,
                               const GoValue* receiver) {
    if (!step()) return {};
    if (!args.empty()) args = args.subspan(1);
    const bool variadic = function.signature.ends_with('*');
    const std::size_t parameters = function.signature.size() - (variadic ? 1 : 0);
    const std::size_t given = args.size() + (final != nullptr ? 1 : 0);
    const std::size_t fixed = variadic ? parameters - 1 : parameters;
    const std::string shown(name);
    if (variadic && given < fixed)
        return fail("wrong number of args for " + shown + ": want at least " + std::to_string(fixed) + " got " +
                    std::to_string(args.size()));
    if (!variadic && given != parameters)
        return fail("wrong number of args for " + shown + ": want " + std::to_string(parameters) + " got " +
                    std::to_string(given));
    if (function.special != '\0') return eval_and_or(dot, function.special == '|', args, final);

    const std::size_t before = receiver != nullptr ? 1 : 0;
    GoValue small[8];
    std::vector<GoValue> large;
    GoValue* values = small;
    if (given + before > std::size(small)) {
        large.resize(given + before);
        values = large.data();
    }
    if (receiver != nullptr) values[0] = *receiver;
    const auto type_at = [&](std::size_t i) { return function.signature[std::min(i, parameters - 1)]; };
    for (std::size_t i = 0; i < args.size(); ++i) {
        values[before + i] = eval_argument(dot, type_at(i), *args[i]);
        if (failed_) return {};
    }
    if (final != nullptr) values[before + given - 1] = check_type(*final, type_at(given - 1));
    if (failed_) return {};

    FunctionCall call{*this, arena_, {values, given + before}, name};
    const Node* outer_action = action_;
    for (const GoValue& value : call.args)
        if (value.is_string() || value.type == GoType::bytes) arena_.spend(value.str().size());
    GoValue result = arena_.exhausted() ? GoValue{} : function.call(call);
    action_ = outer_action;
    if (!failed_ && arena_.exhausted()) {
        at_ = &node;
        fail_memory();
    }
    if (failed_) return {};
    if (!call.error.empty()) {
        at_ = &node;
        for (const GoValue& value : call.args)
            if (const ValueOrigin* origin = own_origin(arena_, value); !call.certain && origin != nullptr)
                failure_.unknown = failure_.unknown || origin->unknown;
        return fail("error calling " + shown + ": " + call.error);
    }
    const bool in_pieces = result.is_string() && !result.text->pieces.empty();
    if (in_pieces && result.origin == nullptr) result.origin = here(); // what no piece covers was put there by this
    if (call.keep_origin) return result;
    const bool joins_all = result.origin == nullptr;
    for (const GoValue& value : call.args) {
        const ValueOrigin* origin = in_pieces ? value.origin : own_origin(arena_, value);
        if (joins_all || (origin != nullptr && origin->unknown)) result.origin = join(arena_, result.origin, origin);
    }
    return result;
}

std::string_view signature_type(char letter) {
    switch (letter) {
    case 's':
        return "string";
    case 'i':
        return "int";
    case 'b':
        return "bool";
    case 'f':
        return "float64";
    case 'm':
        return "map[string]interface {}";
    case 'l':
        return "[]interface {}";
    case 'u':
        return "uint32";
    case 't':
        return "time.Time";
    case 'r':
        return "reflect.Value";
    default:
        return "interface {}";
    }
}

namespace {

bool fits(const GoValue& value, char type) {
    switch (type) {
    case 's':
        return value.is_string();
    case 'i':
        return value.type == GoType::int_;
    case 'b':
        return value.type == GoType::boolean;
    case 'f':
        return value.type == GoType::float64;
    case 'm':
        return value.is_any_map();
    case 'l':
        return value.type == GoType::any_list;
    case 'u':
        return false;
    case 't':
        return value.type == GoType::object && value.object->kind == StructKind::time;
    default:
        return true;
    }
}

} // namespace

GoValue TemplateRun::check_type(const GoValue& value, char type) {
    if (type == '\0' || type == 'r') return value;
    if (value.type == GoType::invalid) {
        GoValue nothing = make_nil(value.origin);
        if (type == 'm' || type == 'l') {
            nothing.type = type == 'm' ? GoType::any_map : GoType::any_list;
            nothing.map = nullptr;
        } else if (type != 'a') {
            return fail("invalid value; expected " + std::string(signature_type(type)));
        }
        return nothing;
    }
    if (fits(value, type)) return value;
    return fail("wrong type for value; expected " + std::string(signature_type(type)) + "; got " +
                (value.type == GoType::nil ? "interface {}" : type_name(value)));
}

GoValue TemplateRun::eval_argument(const GoValue& dot, char type, const Node& node) {
    at_ = &node;
    GoValue value;
    switch (node.type) {
    case Type::dot:
        return check_type(dot, type);
    case Type::nil:
        if (type != 'a' && type != 'r' && type != 'm' && type != 'l')
            return fail("cannot assign nil to " + std::string(signature_type(type)));
        if (type == 'a') return make_nil();
        return check_type({}, type);
    case Type::field:
        value = eval_field_node(dot, node, {}, nullptr);
        break;
    case Type::variable:
        value = eval_variable(dot, node, {}, nullptr);
        break;
    case Type::pipe:
        value = eval_pipeline(dot, node);
        break;
    case Type::identifier:
        value = eval_function(dot, node, node, {}, nullptr);
        break;
    case Type::chain:
        value = eval_chain(dot, node, {}, nullptr);
        break;
    default:
        return eval_constant(type, node);
    }
    return failed_ ? GoValue{} : check_type(value, type);
}

GoValue TemplateRun::eval_constant(char type, const Node& node) {
    const bool number = node.type == Type::number;
    switch (type) {
    case 'b':
        if (node.type == Type::boolean) return make_bool(node.is_true);
        return fail("expected bool; found " + to_string(node));
    case 's':
        if (node.type == Type::string) return eval_any(node);
        return fail("expected string; found " + to_string(node));
    case 'i':
        if (number && node.number->is_int) return make_int(node.number->integer);
        return fail("expected integer; found " + to_string(node));
    case 'u':
        if (number && node.number->is_uint) return make_int(node.number->integer, GoType::uint64);
        return fail("expected unsigned integer; found " + to_string(node));
    case 'f':
        if (number && node.number->is_float) return make_float(node.number->number);
        return fail("expected float; found " + to_string(node));
    case 'a':
    case 'r':
        return eval_any(node);
    default:
        return fail("can't handle " + to_string(node) + " for arg of type " + std::string(signature_type(type)));
    }
}

} // namespace lockstep
