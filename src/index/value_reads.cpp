// Reads what templates ask for: `.Values.key`, and the functions that take a key as a text.
#include "index/value_reads.h"
#include "base/text.h"
#include "index/cells.h"
#include "index/template_blocks.h"
#include <algorithm>

namespace lockstep {
namespace {

// `.Values` and other names that all values go by: a parameter `.values` of a template, a variable `$values`.
struct Use {
    std::string_view action;
    std::size_t begin = 0, end = 0; // of the whole path, `$.Values`, `.context.Values`

    std::string_view before() const {
        std::string_view text = action.substr(0, begin);
        while (text.ends_with(' '))
            text.remove_suffix(1);
        return text;
    }
    std::string_view after() const {
        std::string_view text = action.substr(end);
        while (text.starts_with(' '))
            text.remove_prefix(1);
        return text;
    }
};

// A string right behind: the key that a function is asked about.
std::string_view key_behind(const Use& use) {
    const std::string_view rest = use.after();
    if (!rest.starts_with('"')) return {};
    return rest.substr(1, rest.find('"', 1) - 1);
}

bool is_asked_for_a_key(const Use& use) {
    const std::string_view before = use.before();
    return before.ends_with("index") || before.ends_with("get") || before.ends_with("hasKey");
}

// `$values := …` and `$_ := set .Values "key" …` read nothing.
bool is_only_set(const Use& use) {
    const std::string_view before = use.before(), after = use.after();
    if (after.starts_with(":=") || after.starts_with("= ")) return true;
    return before.ends_with("set") && (before.find("$_ :=") != npos || before.find("$_ =") != npos);
}

// `dict "values" .Values "context" $`: the parameter, with its dot.
std::string parameter_of(const Use& use) {
    std::string_view before = use.before();
    const bool piped_on = use.after().starts_with('|');
    if (piped_on || !before.ends_with('"') || before.find("dict ") == npos) return {};
    before.remove_suffix(1);
    const std::size_t quote = before.rfind('"');
    if (quote == npos) return {};
    const std::string_view name = before.substr(quote + 1);
    return !name.empty() && std::all_of(name.begin(), name.end(), is_word) ? "." + std::string(name) : std::string();
}

// `{{- $values := .Values }}`: the variable.
std::string_view variable_of(const Use& use) {
    std::string_view before = use.before(), after = use.after();
    if (!before.ends_with(":=")) return {};
    before.remove_suffix(2);
    while (before.starts_with('{') || before.starts_with('-') || before.starts_with(' '))
        before.remove_prefix(1);
    while (before.ends_with(' '))
        before.remove_suffix(1);
    while (after.starts_with('-') || after.starts_with('}') || after.starts_with(' '))
        after.remove_prefix(1);
    const bool named = before.size() > 1 && before[0] == '$' && std::all_of(before.begin() + 1, before.end(), is_word);
    return named && after.empty() ? before : std::string_view();
}

// Adds what is read of `name`, and other names that all values go by from there on. `name` as a whole makes the reads
// unsure.
void take_reads_of(std::string_view name, std::string_view text, ValueReads& reads, std::vector<std::string>* others) {
    for (auto at = text.find(name); at != npos; at = text.find(name, at + 1)) {
        std::size_t end = at + name.size();
        if (end < text.size() && is_word(text[end])) continue;
        if (end + 1 < text.size() && text[end] == '.' && is_word(text[end + 1])) {
            const std::size_t begin = ++end;
            while (end < text.size() && is_word(text[end]))
                ++end;
            reads.keys.emplace(text.substr(begin, end - begin));
            continue;
        }
        Use use{text, at, end};
        while (use.begin > 0 &&
               (text[use.begin - 1] == '$' || text[use.begin - 1] == '.' || is_word(text[use.begin - 1])))
            --use.begin;
        const std::string_view key = key_behind(use);
        if (!key.empty() && is_asked_for_a_key(use)) {
            reads.keys.emplace(key);
        } else if (others == nullptr || is_only_set(use)) {
            continue;
        } else if (std::string parameter = parameter_of(use); !parameter.empty()) {
            others->push_back(std::move(parameter));
        } else if (const std::string_view variable = variable_of(use); !variable.empty()) {
            others->emplace_back(variable);
        } else if (reads.unsure.empty()) {
            reads.unsure = "a template takes all of .Values";
        }
    }
}

// `index . "values"`: a parameter by its name in quotes, where no dict is made with it.
bool is_asked_by_name(std::string_view action, const std::string& other) {
    return other[0] == '.' && action.find("dict ") == npos && action.find("\"" + other.substr(1) + "\"") != npos;
}

void take_actions(const std::vector<std::string_view>& actions, ValueReads& reads) {
    std::vector<std::string> names = {".Values"};
    for (std::size_t next = 0; next < names.size(); ++next) {
        std::vector<std::string> others;
        for (const std::string_view action : actions) {
            take_reads_of(names[next], action, reads, &others);
            if (next > 0 && reads.unsure.empty() && is_asked_by_name(action, names[next]))
                reads.unsure = "a template takes all of .Values";
        }
        for (std::string& other : others)
            if (std::find(names.begin(), names.end(), other) == names.end()) names.push_back(std::move(other));
    }
}

} // namespace

void take_reads(std::string_view text, ValueReads& reads) {
    take_reads_of(".Values", text, reads, nullptr);
}

const ValueReads& ChartReads::of(EntityId id) {
    const Tree& tree = *index_.tree;
    const auto [made, fresh] = charts_.try_emplace(id);
    if (!fresh) return made->second;
    ValueReads& reads = made->second;
    const Chart& chart = index_.charts[id];
    std::set<std::string> defined;
    std::vector<std::string> called;
    std::vector<std::string_view> actions;
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
                actions.push_back(text.substr(action.begin, action.end - action.begin));
        if (text.find(".Files.") != std::string_view::npos && text.find("tpl ") != std::string_view::npos)
            reads.unsure = "files of the chart are rendered as templates";
        for (const TemplateBlock& block : template_blocks(file, text, "")) {
            defined.insert(block.name);
            for (const BlockCall& call : block.calls)
                if (!call.name.starts_with('/')) called.push_back(call.name);
        }
    }
    take_actions(actions, reads);
    for (const std::string& name : called)
        if (!defined.count(name) && reads.unsure.empty())
            reads.unsure = "the template " + name + " comes from elsewhere";
    for (FileId file : chart.values_files)
        take_reads(tree.indexed_text(file), reads);
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
