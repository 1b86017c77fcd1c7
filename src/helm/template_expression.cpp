// The part of the parser inside an action: pipelines, commands, operands.
#include "helm/template_parser.h"

namespace lockstep {

using Type = TemplateNodeType;

TemplateNode* TemplateParser::pipeline(std::string_view context, Token end) {
    TemplateNode* pipe = make(Type::pipe, peek_solid().at);
    std::vector<const TemplateNode*> declared, commands;
    while (!failed_) { // once more for the second variable of a range
        const TemplateItem variable = peek_solid();
        if (variable.type != Token::variable) break;
        next();
        const TemplateItem after = peek();
        const TemplateItem solid = peek_solid();
        if (solid.type == Token::assign || solid.type == Token::declare) {
            pipe->assigns = solid.type == Token::assign;
            next_solid();
            declared.push_back(make_variable(variable.at, variable.text));
            scope_.variables.push_back(variable.text);
        } else if (solid.type == Token::character && solid.text == ",") {
            next_solid();
            declared.push_back(make_variable(variable.at, variable.text));
            scope_.variables.push_back(variable.text);
            if (context == "range" && declared.size() < 2) {
                const Token type = peek_solid().type;
                if (type == Token::variable || type == Token::right_delim || type == Token::right_paren) continue;
                return fail("range can only initialize variables");
            }
            return fail("too many declarations in " + std::string(context));
        } else if (after.type == Token::space) {
            backup3(variable, after);
        } else {
            backup2(variable);
        }
        break;
    }
    while (!failed_) {
        const TemplateItem item = next_solid();
        if (item.type == end) {
            if (commands.empty()) return fail("missing value for " + std::string(context));
            for (std::size_t i = 1; i < commands.size(); ++i) {
                const Type type = commands[i]->children[0]->type;
                if (type >= Type::dot && type <= Type::string)
                    return fail("non executable command in pipeline stage " + std::to_string(i + 1));
            }
            pipe->declared = keep(declared);
            pipe->children = keep(commands);
            return pipe;
        }
        switch (item.type) {
        case Token::boolean:
        case Token::char_constant:
        case Token::complex:
        case Token::dot:
        case Token::field:
        case Token::identifier:
        case Token::number:
        case Token::nil:
        case Token::raw_string:
        case Token::string:
        case Token::variable:
        case Token::left_paren:
            backup();
            if (const TemplateNode* made = command()) commands.push_back(made);
            break;
        default:
            return unexpected(item, context);
        }
    }
    return nullptr;
}

const TemplateNode* TemplateParser::command() {
    TemplateNode* node = make(Type::command, peek_solid().at);
    std::vector<const TemplateNode*> arguments;
    while (!failed_) {
        peek_solid();
        if (const TemplateNode* argument = operand()) arguments.push_back(argument);
        if (failed_) return nullptr;
        const TemplateItem item = next();
        if (item.type == Token::space) continue;
        if (item.type == Token::right_delim || item.type == Token::right_paren)
            backup();
        else if (item.type != Token::pipe)
            return unexpected(item, "operand");
        break;
    }
    if (arguments.empty()) return fail("empty command");
    node->children = keep(arguments);
    return node;
}

const TemplateNode* TemplateParser::operand() {
    const TemplateNode* node = term();
    if (node == nullptr || peek().type != Token::field) return node;
    const std::uint32_t at = peek().at;
    std::vector<std::string_view> names;
    if (node->type == Type::field || node->type == Type::variable) names.assign(node->names.begin(), node->names.end());
    while (peek().type == Token::field)
        names.push_back(next().text.substr(1));
    if (node->type >= Type::dot && node->type <= Type::string)
        return fail("unexpected . after term " + lockstep::quoted(to_string(*node)));
    const bool chained = node->type != Type::field && node->type != Type::variable;
    TemplateNode* whole = make(chained ? Type::chain : node->type, at);
    whole->names = keep_names(names);
    if (chained) whole->inner = node;
    return whole;
}

const TemplateNode* TemplateParser::term() {
    const TemplateItem item = next_solid();
    switch (item.type) {
    case Token::identifier: {
        const TemplateFunction* function = find_function(item.text);
        if (function == nullptr || (function->helm4 && !source_.helm4))
            return fail("function " + lockstep::quoted(item.text) + " not defined");
        TemplateNode* node = make(Type::identifier, item.at);
        node->text = item.text;
        node->function = function;
        return node;
    }
    case Token::dot:
        return make(Type::dot, item.at);
    case Token::nil:
        return make(Type::nil, item.at);
    case Token::variable:
        if (std::find(scope_.variables.begin(), scope_.variables.end(), item.text) == scope_.variables.end())
            return fail("undefined variable " + lockstep::quoted(item.text));
        return make_variable(item.at, item.text);
    case Token::field: {
        TemplateNode* node = make(Type::field, item.at);
        node->names = keep_names({item.text.substr(1)});
        return node;
    }
    case Token::boolean: {
        TemplateNode* node = make(Type::boolean, item.at);
        node->is_true = item.text == "true";
        return node;
    }
    case Token::char_constant:
    case Token::complex:
    case Token::number: {
        TemplateNumber number;
        const char kind = item.type == Token::char_constant ? 'c' : item.type == Token::complex ? 'i' : 'n';
        if (const std::string wrong = parse_template_number(item.text, kind, number); !wrong.empty())
            return fail(wrong);
        TemplateNode* node = make(Type::number, item.at);
        node->literal = item.text;
        node->number = arena_.make<TemplateNumber>(number);
        return node;
    }
    case Token::left_paren: {
        if (depth_ >= deepest_template) return fail("max expression depth exceeded");
        ++depth_;
        const TemplateNode* pipe = pipeline("parenthesized pipeline", Token::right_paren);
        --depth_;
        return pipe;
    }
    case Token::string:
    case Token::raw_string: {
        TemplateNode* node = make(Type::string, item.at);
        node->literal = item.text;
        node->text = unquoted(item);
        node->begin = item.at;
        node->end = item.at + static_cast<std::uint32_t>(item.text.size());
        return failed_ ? nullptr : node;
    }
    default:
        backup();
        return nullptr;
    }
}

} // namespace lockstep
