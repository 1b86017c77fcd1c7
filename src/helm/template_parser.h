// The parser of templates: tokens with three of them to look back, and what it has made so far. The grammar is in
// template_parse.cpp and template_expression.cpp.
#pragma once
#include "helm/functions.h"
#include "helm/runes.h"
#include "helm/template_lex.h"
#include "helm/template_parse.h"
#include <algorithm>

namespace lockstep {

inline constexpr int deepest_template = 500; // blocks and parentheses inside each other

class TemplateParser {
public:
    TemplateParser(ValueArena& arena, const TemplateSource& source)
        : arena_(arena), source_(source), lexer_(source.text) {}

    ParsedTemplate run() {
        const TemplateNode* root = parse_top();
        if (!failed_) define(source_.name, root);
        result_.error = error_;
        return std::move(result_);
    }

private:
    // What one template or definition has of its own.
    struct Scope {
        std::vector<std::string_view> variables = {"$"};
        int ranges = 0;
    };

    TemplateItem fetch() {
        TemplateItem item = lexer_.next();
        if (item.type == Token::right_delim) delim_end_ = item.at + 2;
        return item;
    }
    TemplateItem next() {
        if (peeked_ > 0)
            --peeked_;
        else
            token_[0] = fetch();
        return token_[peeked_];
    }
    void backup() { ++peeked_; }
    void backup2(const TemplateItem& t1) {
        token_[1] = t1;
        peeked_ = 2;
    }
    void backup3(const TemplateItem& t2, const TemplateItem& t1) {
        token_[1] = t1;
        token_[2] = t2;
        peeked_ = 3;
    }
    TemplateItem peek() {
        if (peeked_ > 0) return token_[peeked_ - 1];
        peeked_ = 1;
        token_[0] = fetch();
        return token_[0];
    }
    TemplateItem next_solid() {
        TemplateItem item = next();
        while (item.type == Token::space)
            item = next();
        return item;
    }
    TemplateItem peek_solid() {
        const TemplateItem item = next_solid();
        backup();
        return item;
    }

    std::nullptr_t fail(const std::string& message) {
        if (failed_) return nullptr;
        failed_ = true;
        error_ = "template: " + std::string(source_.name) + ":" + std::to_string(token_[0].line) + ": " + message;
        result_.error_at = token_[0].at;
        return nullptr;
    }
    std::nullptr_t unexpected(const TemplateItem& item, std::string_view context) {
        if (item.type != Token::error) return fail("unexpected " + to_string(item) + " in " + std::string(context));
        std::string extra;
        if (action_line_ != 0 && action_line_ != item.line) {
            extra = " in action started at " + std::string(source_.name) + ":" + std::to_string(action_line_);
            if (item.text.ends_with(" action")) extra.erase(0, std::string_view(" in action").size());
        }
        return fail(std::string(item.text) + extra);
    }
    bool expect(Token type, std::string_view context, TemplateItem* found = nullptr) {
        const TemplateItem item = next_solid();
        if (item.type != type) unexpected(item, context);
        if (found != nullptr) *found = item;
        return !failed_;
    }

    TemplateNode* make(TemplateNodeType type, std::uint32_t at) {
        TemplateNode* node = arena_.make<TemplateNode>(TemplateNode{type});
        node->at = at;
        node->source = &source_;
        return node;
    }
    TemplateNodes keep(const std::vector<const TemplateNode*>& nodes) {
        if (nodes.empty()) return {};
        const TemplateNode** copy = arena_.array<const TemplateNode*>(nodes.size());
        std::copy(nodes.begin(), nodes.end(), copy);
        return {copy, nodes.size()};
    }
    void define(std::string_view name, const TemplateNode* root);
    std::string_view unquoted(const TemplateItem& item) {
        std::string text;
        if (!unquote(item.text, text)) fail("invalid syntax");
        return arena_.copy(text);
    }

    const TemplateNode* parse_top();

    void parse_definition();

    const TemplateNode* item_list(const TemplateNode*& end);

    const TemplateNode* text_or_action();

    TemplateNode* action();

    TemplateNode* control(TemplateNodeType type, std::string_view context);

    std::string_view template_name(const TemplateItem& item, std::string_view context);

    TemplateNode* block();

    TemplateNode* template_call();

    TemplateNode* pipeline(std::string_view context, Token end);

    const TemplateNode* command();

    const TemplateNode* operand();

    const TemplateNode* term();

    TemplateNode* make_variable(std::uint32_t at, std::string_view name) {
        TemplateNode* node = make(TemplateNodeType::variable, at);
        node->names = keep_names({name});
        return node;
    }
    std::span<const std::string_view> keep_names(const std::vector<std::string_view>& names) {
        auto* copy = arena_.array<std::string_view>(names.size());
        std::copy(names.begin(), names.end(), copy);
        return {copy, names.size()};
    }

    ValueArena& arena_;
    const TemplateSource& source_;
    TemplateLexer lexer_;
    TemplateItem token_[3];
    int peeked_ = 0, depth_ = 0;
    std::uint32_t action_line_ = 0, delim_end_ = 0;
    Scope scope_;
    bool failed_ = false;
    std::string error_;
    ParsedTemplate result_;
};

} // namespace lockstep
