// Fills fact tables from files: documents, list items, resources, and text between comments.
#include "rules/extract.h"
#include "rules/fact_row.h"
#include "yaml/comments.h"
#include <algorithm>

namespace lockstep {
namespace {

Cell scalar_cell(const FileContext& context, NodeRef key, NodeRef value) {
    if (!value || value.is_null()) return {State::absent, {}, {context.id, key ? key.span() : value.span()}};
    if (!value.is_scalar())
        return known_cell(value.is_mapping() ? "{…}" : "[…]", {context.id, key ? key.span() : value.span()});
    return {value.templated() ? State::templated : State::known, std::string(value.text()), {context.id, value.span()}};
}

// A template may bring in keys that do not stand here: what is absent below such a node is not known to be absent.
bool may_bring_keys(NodeRef node) {
    if (!node.yaml().masked) return false;
    const std::string_view source = node.source();
    auto has = [&](std::string_view word) { return source.find(word) != std::string_view::npos; };
    return has("{{") && (has("include") || has("toYaml") || has("template") || has("tpl"));
}

Cell field_cell(const FileContext& context, const FieldSpec& field, NodeRef root, NodeRef item) {
    for (const FieldSource& source : field.paths)
        if (auto match = source.path.find_first(source.from_root ? root : item))
            if (Cell cell = scalar_cell(context, match->key, match->value);
                cell.state != State::absent || (field.paths.size() == 1 && !field.otherwise))
                return cell;
    // Nothing: the cell stands where the first path breaks off.
    const FieldSource& first = field.paths.front();
    const NodeRef base = first.from_root ? root : item;
    const NodeRef deepest = first.path.deepest(base);
    Cell cell;
    cell.place = {context.id, deepest.span()};
    if (may_bring_keys(base))
        cell.state = State::templated;
    else if (field.otherwise)
        cell.state = State::known, cell.text = *field.otherwise;
    if (!deepest.is_scalar())
        cell.place.span.end = cell.place.span.begin; // a whole collection says nothing to a reader
    return cell;
}

Identity identity_of(const FileContext& context, NodeRef root) {
    Identity identity;
    if (!root.is_mapping()) return identity;
    identity.kind = scalar_cell(context, root.get_key("kind"), root.get("kind"));
    const NodeRef metadata = root.get("metadata");
    identity.name = scalar_cell(context, metadata.get_key("name"), metadata.get("name"));
    identity.name_space = scalar_cell(context, metadata.get_key("namespace"), metadata.get("namespace"));
    const std::string_view version = root.get("apiVersion").text();
    if (const auto slash = version.find('/'); slash != std::string_view::npos)
        identity.group = version.substr(0, slash);
    return identity;
}

void rows_of_document(const FactSpec& fact, std::size_t number, const FileContext& context,
                      const std::vector<std::string>& captures, NodeRef root, const Identity& identity,
                      std::vector<FactRow>& rows) {
    std::vector<YamlPath::Match> items;
    if (fact.each)
        items = fact.each->find(root);
    else
        items.push_back({{}, root});
    NodePaths paths;
    for (const auto& [key, item] : items) {
        Row row;
        row.subject = document_subject(context, identity);
        if (fact.each) row.subject += ":" + paths.of(item);
        const bool filled = item.is_mapping() && item.node().after > item.id() + 1;
        const NodeRef shown = key ? key : filled ? NodeRef(&item.yaml(), item.id() + 1) : item;
        row.anchor = {context.id,
                      identity.name.state != State::absent && !fact.each ? identity.name.place.span : shown.span()};
        for (const auto& field : fact.fields)
            row.cells.push_back(field_cell(context, field, root, item));
        add_common(context, fact, captures, identity, row);
        finish_row(fact, number, context, std::move(row), rows);
    }
}

// A line with the lines it goes on over (a backslash at the end): what an anchor and its value must share.
Span logical_line(std::string_view text, std::size_t begin) {
    std::size_t end = begin;
    while (true) {
        end = text.find('\n', end);
        if (end == std::string_view::npos)
            return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(text.size())};
        const bool goes_on = end > begin && text[end - 1] == '\\';
        if (!goes_on) return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
        ++end;
    }
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Patterns see lines that end in LF alone.
std::string without_carriage_returns(std::string text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i] == '\r' && text[i + 1] == '\n') text[i] = ' ';
    return text;
}

void add_text_row(const FactSpec& fact, std::size_t number, const FileContext& context,
                  const std::vector<std::string>& captures, std::string_view text, Span anchor,
                  const std::optional<Pattern::Hit>& hit, std::vector<FactRow>& rows) {
    Row row;
    row.anchor = {context.id, anchor};
    row.subject = context.file.path + "#" + fact.name;
    const auto& names = fact.value->names();
    for (std::size_t i = 0; i < names.size(); ++i) {
        Cell cell{State::absent, {}, row.anchor};
        if (hit && hit->groups[i]) {
            Span span = *hit->groups[i];
            while (span.end > span.begin && is_blank(text[span.end - 1]))
                --span.end;
            const auto value = text.substr(span.begin, span.end - span.begin);
            const bool templated =
                value.find("${") != std::string_view::npos || value.find("{{") != std::string_view::npos;
            cell = {templated ? State::templated : State::known, std::string(value), {context.id, span}};
        }
        const bool optional = std::count(fact.optional_groups.begin(), fact.optional_groups.end(), i) > 0;
        if (cell.state == State::absent && !optional && row.lost.empty()) row.lost = names[i];
        row.cells.push_back(std::move(cell));
    }
    add_common(context, fact, captures, {}, row);
    finish_row(fact, number, context, std::move(row), rows);
}

void rows_of_text(const FactSpec& fact, std::size_t number, const FileContext& context,
                  const std::vector<std::string>& captures, std::string_view text, std::vector<FactRow>& rows) {
    if (!fact.anchor) {
        std::size_t from = 0;
        while (auto hit = fact.value->search(text, from)) {
            add_text_row(fact, number, context, captures, text, hit->whole, hit, rows);
            from = std::max<std::size_t>(hit->whole.end, from + 1);
        }
        return;
    }
    std::size_t from = 0;
    while (auto anchor = fact.anchor->search(text, from)) {
        const auto begin = text.rfind('\n', anchor->whole.begin ? anchor->whole.begin - 1 : 0);
        const Span line =
            logical_line(text, begin == std::string_view::npos || anchor->whole.begin == 0 ? 0 : begin + 1);
        const auto within = text.substr(0, line.end);
        auto hit = fact.value->search(within, line.begin);
        add_text_row(fact, number, context, captures, text, anchor->whole, hit, rows);
        from = std::max<std::size_t>({line.end, anchor->whole.end, from + 1});
    }
}

// Everything but comments blanked, at equal length.
std::string only_comments(std::string_view text, const std::vector<Span>& comments) {
    std::string kept(text.size(), ' ');
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n') kept[i] = '\n';
    for (const auto& span : comments)
        kept.replace(span.begin, span.end - span.begin, text.substr(span.begin, span.end - span.begin));
    return kept;
}

// The longest key that every match of `each` passes, for a cheap look before the walk over all nodes.
std::string needle_of(const FactSpec& fact) {
    std::string needle;
    if (!fact.each) return needle;
    for (const auto& step : fact.each->steps())
        if ((step.kind == YamlPath::Step::Kind::key || step.kind == YamlPath::Step::Kind::any_key) &&
            step.name.size() > needle.size())
            needle = step.name;
    return needle;
}

// Whether a file may hold a key, told from its bytes alone. One with escapes in double quotes may hold any.
class KeySearch {
public:
    explicit KeySearch(std::string_view text) : text_(text) {}
    bool may_hold(std::string_view key) {
        if (has(key)) return true;
        if (!asked_) escapes_ = has("\\x") || has("\\u") || has("\\U");
        asked_ = true;
        return escapes_;
    }

private:
    bool has(std::string_view part) const { return text_.find(part) != std::string_view::npos; }
    std::string_view text_;
    bool asked_ = false, escapes_ = false;
};

} // namespace

bool asks_for_file(const FactSpec& fact, std::string_view path) {
    std::vector<std::string> captures;
    return !fact.files.empty() && takes_file(fact, path, captures);
}

FactPlan::FactPlan(const std::vector<Rule>& rules) {
    for (const auto& rule : rules) {
        first_.push_back(facts_.size());
        for (const auto& fact : rule.facts) {
            const std::size_t number = facts_.size();
            facts_.push_back(&fact);
            needles_.push_back(needle_of(fact));
            if (fact.source == FactSpec::Source::resources)
                for (const auto& kind : fact.kinds)
                    by_kind_[kind.kind].push_back(number);
            else if (!fact.files.empty())
                add_to_group(number);
        }
    }
}

void FactPlan::add_to_group(std::size_t number) {
    const auto same = [](const std::vector<Glob>& a, const std::vector<Glob>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const Glob& x, const Glob& y) { return x.pattern() == y.pattern(); });
    };
    for (auto& group : by_files_) {
        const FactSpec &first = *facts_[group.front()], &fact = *facts_[number];
        if (same(first.files, fact.files) && same(first.skip, fact.skip)) return group.push_back(number);
    }
    by_files_.push_back({number});
}

std::vector<FactPlan::FileMatch> FactPlan::match(std::string_view path) const {
    std::vector<FileMatch> matches;
    std::vector<std::string> captures;
    for (const auto& group : by_files_)
        if (takes_file(*facts_[group.front()], path, captures))
            for (auto number : group)
                matches.push_back({number, captures});
    return matches;
}

void FactPlan::extract(FileId id, const File& file, const std::vector<FileMatch>& matches, const FileView* view,
                       const Layout& layout, std::vector<FactRow>& rows) const {
    const FileContext context{id, file, layout.chart_of(file.path), layout.tree_of(file.path)};
    std::optional<std::string> code, comments; // made when the first fact asks
    KeySearch keys(file.text);
    for (const auto& match : matches) {
        const FactSpec& fact = *facts_[match.fact];
        switch (fact.source) {
        case FactSpec::Source::files: {
            Row row;
            row.anchor = {id, {0, 0}};
            row.subject = file.path;
            add_common(context, fact, match.captures, {}, row);
            finish_row(fact, match.fact, context, std::move(row), rows);
            break;
        }
        case FactSpec::Source::yaml:
            if (!view || !keys.may_hold(needles_[match.fact])) break;
            for (const auto& document : view->documents) {
                if (document.embedded || document.list_item || !document.root || document.root.is_null()) continue;
                rows_of_document(fact, match.fact, context, match.captures, document.root,
                                 identity_of(context, document.root), rows);
            }
            break;
        case FactSpec::Source::text:
            if (!code) code = without_carriage_returns(blank_comments(file.text, line_comments(file.text)));
            rows_of_text(fact, match.fact, context, match.captures, *code, rows);
            break;
        case FactSpec::Source::comment:
            if (!comments) comments = without_carriage_returns(only_comments(file.text, line_comments(file.text)));
            rows_of_text(fact, match.fact, context, match.captures, *comments, rows);
            break;
        default:
            break;
        }
    }
    if (view) extract_resources(context, *view, rows);
}

void FactPlan::extract_resources(const FileContext& context, const FileView& view, std::vector<FactRow>& rows) const {
    for (const auto& document : view.documents) {
        if (!document.root.is_mapping()) continue;
        const auto found = by_kind_.find(document.root.get("kind").text());
        if (found == by_kind_.end()) continue;
        const Identity identity = identity_of(context, document.root);
        std::vector<std::string> captures;
        for (auto number : found->second)
            if (const FactSpec& fact = *facts_[number];
                kind_fits(fact, identity) && takes_file(fact, context.file.path, captures))
                rows_of_document(fact, number, context, captures, document.root, identity, rows);
    }
}

} // namespace lockstep
