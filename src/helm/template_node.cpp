// Printing of template trees.
#include "helm/template_node.h"
#include "helm/runes.h"
#include <algorithm>

namespace lockstep {
namespace {

void write(std::string& out, const TemplateNode& node);

void write_pipe(std::string& out, const TemplateNode& pipe) {
    for (std::size_t i = 0; i < pipe.declared.size(); ++i) {
        if (i > 0) out += ", ";
        write(out, *pipe.declared[i]);
    }
    if (!pipe.declared.empty()) out += pipe.assigns ? " = " : " := ";
    for (std::size_t i = 0; i < pipe.children.size(); ++i) {
        if (i > 0) out += " | ";
        write(out, *pipe.children[i]);
    }
}

void write_in_parens(std::string& out, const TemplateNode& node) {
    if (node.type != TemplateNodeType::pipe) return write(out, node);
    out += '(';
    write_pipe(out, node);
    out += ')';
}

void write_branch(std::string& out, std::string_view name, const TemplateNode& node) {
    out += "{{";
    out += name;
    out += ' ';
    write_pipe(out, *node.pipe);
    out += "}}";
    write(out, *node.body);
    if (node.else_body != nullptr) {
        out += "{{else}}";
        write(out, *node.else_body);
    }
    out += "{{end}}";
}

void write(std::string& out, const TemplateNode& node) {
    switch (node.type) {
    case TemplateNodeType::text:
        out += node.text;
        return;
    case TemplateNodeType::action:
        out += "{{";
        write_pipe(out, *node.pipe);
        out += "}}";
        return;
    case TemplateNodeType::list:
        for (const TemplateNode* child : node.children)
            write(out, *child);
        return;
    case TemplateNodeType::if_:
        return write_branch(out, "if", node);
    case TemplateNodeType::range:
        return write_branch(out, "range", node);
    case TemplateNodeType::with:
        return write_branch(out, "with", node);
    case TemplateNodeType::template_:
        out += "{{template ";
        append_quoted(out, node.text);
        if (node.pipe != nullptr) {
            out += ' ';
            write_pipe(out, *node.pipe);
        }
        out += "}}";
        return;
    case TemplateNodeType::break_:
        out += "{{break}}";
        return;
    case TemplateNodeType::continue_:
        out += "{{continue}}";
        return;
    case TemplateNodeType::pipe:
        return write_pipe(out, node);
    case TemplateNodeType::command:
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            if (i > 0) out += ' ';
            write_in_parens(out, *node.children[i]);
        }
        return;
    case TemplateNodeType::chain:
        write_in_parens(out, *node.inner);
        [[fallthrough]];
    case TemplateNodeType::field:
        for (std::string_view name : node.names) {
            out += '.';
            out += name;
        }
        return;
    case TemplateNodeType::variable:
        for (std::size_t i = 0; i < node.names.size(); ++i) {
            if (i > 0) out += '.';
            out += node.names[i];
        }
        return;
    case TemplateNodeType::identifier:
        out += node.text;
        return;
    case TemplateNodeType::dot:
        out += '.';
        return;
    case TemplateNodeType::nil:
        out += "nil";
        return;
    case TemplateNodeType::boolean:
        out += node.is_true ? "true" : "false";
        return;
    case TemplateNodeType::number:
    case TemplateNodeType::string:
        out += node.literal;
        return;
    case TemplateNodeType::end:
        out += "{{end}}";
        return;
    case TemplateNodeType::else_:
        out += "{{else}}";
        return;
    }
}

} // namespace

std::string to_string(const TemplateNode& node) {
    std::string out;
    write(out, node);
    return out;
}

bool is_empty(const TemplateNode* node) {
    if (node == nullptr) return true;
    if (node->type == TemplateNodeType::text) return trim_space(node->text).empty();
    if (node->type != TemplateNodeType::list) return false;
    return std::all_of(node->children.begin(), node->children.end(), is_empty);
}

std::string location(const TemplateNode& node) {
    const std::string_view before = node.source->text.substr(0, node.at);
    const std::size_t line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t last = before.rfind('\n');
    const std::size_t column = last == std::string_view::npos ? before.size() : before.size() - last - 1;
    return std::string(node.source->name) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

} // namespace lockstep
