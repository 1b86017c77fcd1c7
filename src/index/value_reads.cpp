// Reads what templates ask for: `.Values.key`, and the functions that take a key as a text.
#include "index/value_reads.h"
#include "index/cells.h"
#include "index/template_blocks.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t npos = std::string_view::npos;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// `index .Values "key"`, `get .Values "key"`, `hasKey .Values "key"`: the string behind, when the word stands before.
std::string_view key_by_function(std::string_view text, std::size_t at, std::size_t end) {
    std::size_t begin = text.rfind(".Values", at);
    while (begin > 0 && (text[begin - 1] == '$' || is_word(text[begin - 1])))
        --begin;
    std::string_view before = text.substr(0, begin);
    while (before.ends_with(' '))
        before.remove_suffix(1);
    const bool asks = before.ends_with("index") || before.ends_with("get") || before.ends_with("hasKey");
    std::string_view rest = text.substr(end);
    while (rest.starts_with(' '))
        rest.remove_prefix(1);
    if (!asks || !rest.starts_with('"')) return {};
    return rest.substr(1, rest.find('"', 1) - 1);
}

} // namespace

void take_reads(std::string_view text, ValueReads& reads, bool in_template) {
    for (auto at = text.find(".Values"); at != npos; at = text.find(".Values", at + 1)) {
        std::size_t end = at + std::string_view(".Values").size();
        if (end < text.size() && is_word(text[end])) continue;
        if (end + 1 < text.size() && text[end] == '.' && is_word(text[end + 1])) {
            const std::size_t begin = ++end;
            while (end < text.size() && (is_word(text[end])))
                ++end;
            reads.keys.emplace(text.substr(begin, end - begin));
        } else if (const auto key = key_by_function(text, at, end); !key.empty()) {
            reads.keys.emplace(key);
        } else if (in_template && reads.unsure.empty()) {
            reads.unsure = "a template takes all of .Values";
        }
    }
}

const ValueReads& ChartReads::of(EntityId id) {
    const Tree& tree = *index_.tree;
    const auto [made, fresh] = charts_.try_emplace(id);
    if (!fresh) return made->second;
    ValueReads& reads = made->second;
    const Chart& chart = index_.charts[id];
    std::set<std::string> defined;
    std::vector<std::string> called;
    for (FileId file : chart.templates) {
        const File& source = tree.files[file];
        const std::string_view text = text_of_(file);
        if (source.state != FileState::read || !text.data() || (text.empty() && source.path.ends_with(".tpl"))) {
            reads.unsure = source.path + " could not be read";
            continue;
        }
        // Only actions are code; but values are templates too where somebody calls tpl.
        for (const TemplateAction& action : go_actions(text))
            if (action.kind != TemplateAction::Kind::comment)
                take_reads(text.substr(action.begin, action.end - action.begin), reads, true);
        if (text.find(".Files.") != std::string_view::npos && text.find("tpl ") != std::string_view::npos)
            reads.unsure = "files of the chart are rendered as templates";
        for (const TemplateBlock& block : template_blocks(file, text, "")) {
            defined.insert(block.name);
            for (const BlockCall& call : block.calls)
                if (!call.name.starts_with('/')) called.push_back(call.name);
        }
    }
    for (const std::string& name : called)
        if (!defined.count(name) && reads.unsure.empty())
            reads.unsure = "the template " + name + " comes from elsewhere";
    for (FileId file : chart.values_files)
        take_reads(tree.indexed_text(file), reads, false);
    for (const ChartDependency& dependency : chart.dependencies) {
        for (const Cell* name : {&dependency.name, &dependency.alias})
            if (is_set(*name)) reads.keys.insert(name->text);
        std::string_view paths = dependency.condition.text;
        while (!paths.empty()) {
            const std::string_view path = paths.substr(0, paths.find(','));
            reads.keys.emplace(path.substr(0, path.find('.')));
            paths.remove_prefix(std::min(paths.size(), path.size() + 1));
        }
    }
    for (const Vendored& vendored : chart.vendored)
        reads.keys.insert(vendored.name.text);
    reads.keys.insert("global");
    reads.keys.insert("tags");
    if (is_known(chart.type) && chart.type.text == "library") reads.unsure = "a library chart";
    return reads;
}

} // namespace lockstep
