// A recursive descent parser in the shape of text/template/parse, so that it stops at the same token with the same
// words: texts, actions and blocks.
#include "helm/template_parse.h"
#include "helm/template_parser.h"
#include <utility>

namespace lockstep {

using Type = TemplateNodeType;

void TemplateParser::define(std::string_view name, const TemplateNode* root) {
    for (NamedTemplate& known : result_.templates) {
        if (known.name != name) continue;
        if (is_empty(known.root))
            known.root = root;
        else if (!is_empty(root))
            fail("template: multiple definition of template " + quoted(name));
        return;
    }
    result_.templates.push_back({name, root});
}

const TemplateNode* TemplateParser::parse_top() {
    std::vector<const TemplateNode*> nodes;
    const std::uint32_t at = peek().at;
    while (!failed_ && peek().type != Token::eof) {
        if (peek().type == Token::left_delim) {
            const TemplateItem delim = next();
            if (next_solid().type == Token::define) {
                parse_definition();
                continue;
            }
            backup2(delim);
        }
        const TemplateNode* node = text_or_action();
        if (node == nullptr) break;
        if (node->type == Type::end || node->type == Type::else_)
            fail("unexpected " + to_string(*node));
        else
            nodes.push_back(node);
    }
    TemplateNode* list = make(Type::list, at);
    list->children = keep(nodes);
    return list;
}

void TemplateParser::parse_definition() {
    constexpr std::string_view context = "define clause";
    const TemplateItem name = next_solid();
    if (name.type != Token::string && name.type != Token::raw_string) {
        unexpected(name, context);
        return;
    }
    const std::string_view text = unquoted(name);
    if (failed_ || !expect(Token::right_delim, context)) return;
    Scope outer = std::exchange(scope_, {});
    const TemplateNode* end = nullptr;
    const TemplateNode* body = item_list(end);
    scope_ = std::move(outer);
    if (failed_) return;
    if (end->type != Type::end) fail("unexpected " + to_string(*end) + " in " + std::string(context));
    if (!failed_) define(text, body);
}

const TemplateNode* TemplateParser::item_list(const TemplateNode*& end) {
    std::vector<const TemplateNode*> nodes;
    const std::uint32_t at = peek_solid().at;
    if (++depth_ > deepest_template)
        fail("more than " + std::to_string(deepest_template) + " blocks inside each other");
    while (!failed_ && peek_solid().type != Token::eof) {
        const TemplateNode* node = text_or_action();
        if (node == nullptr) break;
        if (node->type == Type::end || node->type == Type::else_) {
            --depth_;
            end = node;
            TemplateNode* list = make(Type::list, at);
            list->children = keep(nodes);
            return list;
        }
        nodes.push_back(node);
    }
    --depth_;
    return fail("unexpected EOF");
}

const TemplateNode* TemplateParser::text_or_action() {
    const TemplateItem item = next_solid();
    if (item.type == Token::text) {
        TemplateNode* node = make(Type::text, item.at);
        node->text = item.text;
        node->begin = item.at;
        node->end = item.at + static_cast<std::uint32_t>(item.text.size());
        return node;
    }
    if (item.type != Token::left_delim) return unexpected(item, "input");
    action_line_ = item.line;
    TemplateNode* node = action();
    action_line_ = 0;
    if (node == nullptr) return nullptr;
    node->begin = item.at;
    if (node->end == 0) node->end = delim_end_;
    return node;
}

TemplateNode* TemplateParser::action() {
    const TemplateItem item = next_solid();
    switch (item.type) {
    case Token::block:
        return block();
    case Token::break_:
    case Token::continue_: {
        const std::string word = "{{" + std::string(item.text) + "}}";
        const TemplateItem close = next_solid();
        if (close.type != Token::right_delim) return unexpected(close, word);
        if (scope_.ranges == 0) return fail(word + " outside {{range}}");
        return make(item.type == Token::break_ ? Type::break_ : Type::continue_, item.at);
    }
    case Token::else_: {
        const TemplateItem after = peek_solid();
        if (after.type == Token::if_ || after.type == Token::with) return make(Type::else_, after.at);
        TemplateItem close;
        if (!expect(Token::right_delim, "else", &close)) return nullptr;
        return make(Type::else_, close.at);
    }
    case Token::end: {
        TemplateItem close;
        if (!expect(Token::right_delim, "end", &close)) return nullptr;
        return make(Type::end, close.at);
    }
    case Token::if_:
        return control(Type::if_, "if");
    case Token::range:
        return control(Type::range, "range");
    case Token::with:
        return control(Type::with, "with");
    case Token::template_:
        return template_call();
    default:
        break;
    }
    backup();
    TemplateNode* node = make(Type::action, peek().at);
    node->pipe = pipeline("command", Token::right_delim);
    return failed_ ? nullptr : node;
}

TemplateNode* TemplateParser::control(Type type, std::string_view context) {
    const std::size_t variables = scope_.variables.size();
    TemplateNode* pipe = pipeline(context, Token::right_delim);
    if (failed_) return nullptr;
    TemplateNode* node = make(type, pipe->at);
    node->end = delim_end_;
    node->pipe = pipe;
    if (type == Type::range) ++scope_.ranges;
    const TemplateNode* next_node = nullptr;
    node->body = item_list(next_node);
    if (type == Type::range) --scope_.ranges;
    if (failed_) return nullptr;
    if (next_node->type == Type::else_) {
        const Token after = peek().type;
        if ((type == Type::if_ && after == Token::if_) || (type == Type::with && after == Token::with)) {
            next();
            if (++depth_ > deepest_template)
                fail("more than " + std::to_string(deepest_template) + " blocks inside each other");
            TemplateNode* inner = failed_ ? nullptr : control(type, context);
            --depth_;
            if (inner == nullptr) return nullptr;
            inner->begin = next_node->at;
            TemplateNode* list = make(Type::list, next_node->at);
            list->children = keep({inner});
            node->else_body = list;
        } else {
            node->else_body = item_list(next_node);
            if (failed_) return nullptr;
            if (next_node->type != Type::end) return fail("expected end; found " + to_string(*next_node));
        }
    }
    scope_.variables.resize(variables);
    return node;
}

std::string_view TemplateParser::template_name(const TemplateItem& item, std::string_view context) {
    if (item.type == Token::string || item.type == Token::raw_string) return unquoted(item);
    unexpected(item, context);
    return {};
}

TemplateNode* TemplateParser::block() {
    constexpr std::string_view context = "block clause";
    const TemplateItem item = next_solid();
    const std::string_view name = template_name(item, context);
    if (failed_) return nullptr;
    TemplateNode* node = make(Type::template_, item.at);
    node->text = name;
    node->pipe = pipeline(context, Token::right_delim);
    if (failed_) return nullptr;
    node->end = delim_end_;
    Scope outer = std::exchange(scope_, {});
    const TemplateNode* end = nullptr;
    const TemplateNode* body = item_list(end);
    scope_ = std::move(outer);
    if (failed_) return nullptr;
    if (end->type != Type::end) return fail("unexpected " + to_string(*end) + " in " + std::string(context));
    define(name, body);
    return failed_ ? nullptr : node;
}

TemplateNode* TemplateParser::template_call() {
    constexpr std::string_view context = "template clause";
    const TemplateItem item = next_solid();
    TemplateNode* node = make(Type::template_, item.at);
    node->text = template_name(item, context);
    if (failed_) return nullptr;
    if (next_solid().type != Token::right_delim) {
        backup();
        node->pipe = pipeline(context, Token::right_delim);
    }
    return failed_ ? nullptr : node;
}

ParsedTemplate parse_template(ValueArena& arena, const TemplateSource& source) {
    return TemplateParser(arena, source).run();
}

} // namespace lockstep
