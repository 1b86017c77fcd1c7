// Looks at the words of an action, and follows paths below `.Values`.
#include "helm/template_reads.h"
#include <algorithm>
#include <array>

namespace lockstep {
using Type = TemplateNodeType;

namespace {

// They print what they get. All others may look after what is not there.
bool prints_as_it_is(std::string_view function) {
    constexpr std::array<std::string_view, 29> known = {
        "abbrev",    "b64enc",    "camelcase",    "cat",     "float64", "indent",       "int",       "int64",
        "kebabcase", "lower",     "nindent",      "nospace", "print",   "printf",       "println",   "quote",
        "replace",   "snakecase", "squote",       "title",   "toJson",  "toPrettyJson", "toRawJson", "toString",
        "toToml",    "toYaml",    "toYamlPretty", "trim",    "upper"};
    return std::find(known.begin(), known.end(), function) != known.end();
}

// False: something looks after the values.
bool collect(const TemplateNode& pipe, std::vector<const TemplateNode*>& found) {
    for (const TemplateNode* command : pipe.children) {
        const TemplateNode& word = *command->children[0];
        const bool is_value = word.type == Type::field || word.type == Type::variable;
        if (is_value && command->children.size() == 1) found.push_back(&word);
        if (is_value) continue;
        if (word.type != Type::identifier || !prints_as_it_is(word.text)) return false;
        for (const TemplateNode* argument : command->children.subspan(1)) {
            if (argument->type == Type::field || argument->type == Type::variable) found.push_back(argument);
            if (argument->type == Type::pipe && !collect(*argument, found)) return false;
        }
    }
    return true;
}

std::span<const std::string_view> below_values(const TemplateNode& node) {
    std::span<const std::string_view> names = node.names;
    if (node.type == Type::variable) names = names.empty() || names[0] != "$" ? names.first(0) : names.subspan(1);
    return names.size() < 2 || names[0] != "Values" ? names.first(0) : names.subspan(1);
}

} // namespace

std::vector<const TemplateNode*> printed_values(const TemplateNode& action) {
    std::vector<const TemplateNode*> found;
    if (action.pipe == nullptr || !action.pipe->declared.empty() || !collect(*action.pipe, found)) return {};
    std::erase_if(found, [](const TemplateNode* node) { return below_values(*node).empty(); });
    return found;
}

ValueRead read_value(ValueArena& arena, const TemplateNode& node, const GoValue& dot, const GoValue& root) {
    ValueRead read;
    const GoValue& scope = node.type == Type::field ? dot : root;
    if (!scope.is_map() || scope.map == nullptr || scope.map->find("Capabilities") == nullptr) return read;
    const GoEntry* values = scope.map->find("Values");
    if (values == nullptr) return read;
    GoValue table = values->value;
    const auto names = below_values(node);
    if (names[0] == "global") return read; // whoever installs the chart has them
    for (std::size_t i = 0; i < names.size(); ++i) {
        read.path += (i > 0 ? "." : "") + std::string(names[i]);
        if (!table.is_map() || table.map == nullptr || doubt_about(arena, table, names[i]) != nullptr) return read;
        const GoEntry* found = table.map->find(names[i]);
        if (found == nullptr) {
            if (i + 1 == names.size()) read.found = ValueRead::Found::missing;
            return read;
        }
        read.parent = found->key_origin;
        table = found->value;
    }
    read.found = ValueRead::Found::defined;
    return read;
}

} // namespace lockstep
