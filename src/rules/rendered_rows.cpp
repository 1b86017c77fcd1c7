// An object of a template has a row for each different way in which releases render it. One that nothing renders keeps
// the row of the template: under other values it may be there.
#include "rules/rendered_rows.h"
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"
#include "rules/fact_row.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

bool is_rendered(const Fleet& fleet, const Instance& one) {
    return fleet.is_rendered(one) && fleet.certainty_of(one) != Certainty::possible;
}

Place place_of_key(const ValueMatch& match) {
    return match.key ? match.key->place : match.value ? match.value->place : Place{};
}

Cell cell_of_match(const ValueMatch& match) {
    if (match.value->is_scalar() && !match.value->is_null()) return cell_of(match.value);
    if (match.value->is_null()) return {State::absent, {}, place_of_key(match)};
    return known_cell(match.value->is_mapping() ? "{…}" : "[…]", place_of_key(match));
}

// The deepest key that exists on the way; a collection says nothing to a reader, so its end is its begin.
Place deepest(const YamlPath& path, const Value* at) {
    Place place = at->place;
    for (const YamlPath::Step& step : path.steps()) {
        if (step.kind != YamlPath::Step::Kind::key || !at->is_mapping()) break;
        const Value* key = at->get_key(step.name);
        if (!key) break;
        place = key->place;
        at = at->get(step.name);
    }
    if (!at->is_scalar()) place.span.end = std::min(place.span.end, place.span.begin);
    return place;
}

Cell field_cell(const FieldSpec& field, Value* root, Value* item) {
    for (const FieldSource& source : field.paths)
        if (const auto match = find_first(source.path, source.from_root ? root : item))
            if (Cell cell = cell_of_match(*match);
                cell.state != State::absent || (field.paths.size() == 1 && !field.otherwise))
                return cell;
    const FieldSource& first = field.paths.front();
    Cell cell{State::absent, {}, deepest(first.path, first.from_root ? root : item)};
    if (field.otherwise) cell.state = State::known, cell.text = *field.otherwise;
    return cell;
}

// `spec.containers[name=web].image`, as keys of findings have it.
bool path_to(const Value* from, const Value* wanted, std::string& path) {
    if (from == wanted) return true;
    const std::size_t length = path.size();
    for (std::size_t i = 0; i < from->size() && !from->is_scalar(); ++i) {
        const Value* child = from->is_mapping() ? from->value_at(i) : from->at(i);
        if (from->is_mapping()) {
            path += (path.empty() ? "" : ".") + std::string(from->key_at(i)->text);
        } else {
            const std::string_view name = child->text_of("name");
            path += "[" + (name.empty() ? std::to_string(i) : "name=" + std::string(name)) + "]";
        }
        if (path_to(child, wanted, path)) return true;
        path.resize(length);
    }
    return false;
}

bool is_same(const Row& a, const Row& b) {
    return a.subject == b.subject && a.anchor == b.anchor && a.lost == b.lost &&
           std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(),
                      [](const Cell& x, const Cell& y) { return x.state == y.state && x.text == y.text; });
}

class RenderedRows {
public:
    RenderedRows(const Repository& repository) : index_(repository.index), fleet_(fleet_of(repository)) {
        for (const Instance& one : fleet_.instances)
            if (is_rendered(fleet_, one)) by_kind_[std::string(one.id().kind)].push_back(&one);
    }

    void take(const FactSpec& fact, std::size_t number, Table& table) const {
        std::vector<FactRow> made;
        std::map<FileId, std::vector<Span>> shown; // documents of templates that are rendered
        for (const KindSpec& kind : fact.kinds)
            if (const auto found = by_kind_.find(kind.kind); found != by_kind_.end())
                for (const Instance* one : found->second) {
                    if (!kind.group.empty() && kind.group != one->id().group) continue;
                    if (one->object != no_entity)
                        shown[index_.objects[one->object].file].push_back(index_.objects[one->object].document);
                    add(fact, number, *one, made);
                }
        if (made.empty() && shown.empty()) return;
        std::erase_if(table.rows, [&](const Row& row) {
            const auto file = shown.find(row.anchor.file);
            return file != shown.end() &&
                   std::any_of(file->second.begin(), file->second.end(), [&](const Span& document) {
                       return document.begin <= row.anchor.span.begin && row.anchor.span.begin < document.end;
                   });
        });
        const std::size_t first = table.rows.size();
        for (FactRow& one : made) {
            const auto from = table.rows.begin() + static_cast<std::ptrdiff_t>(first);
            if (std::none_of(from, table.rows.end(), [&](const Row& other) { return is_same(other, one.row); }))
                table.rows.push_back(std::move(one.row));
        }
        std::stable_sort(table.rows.begin(), table.rows.end(),
                         [](const Row& a, const Row& b) { return a.anchor.file < b.anchor.file; });
    }

    // All that clusters get, rendered or not.
    std::vector<FactRow> applied(const FactSpec& fact) const {
        std::vector<FactRow> made;
        for (const Instance& one : fleet_.instances)
            if (std::any_of(fact.kinds.begin(), fact.kinds.end(), [&](const KindSpec& kind) {
                    return kind.kind == one.id().kind && (kind.group.empty() || kind.group == one.id().group);
                }))
                add(fact, 0, one, made);
        return made;
    }

private:
    void add(const FactSpec& fact, std::size_t number, const Instance& one, std::vector<FactRow>& made) const {
        const FileId file = one.resource.document.file;
        if (file >= index_.tree->files.size()) return;
        std::vector<std::string> captures;
        if (!takes_file(fact, index_.tree->files[file].path, captures)) return;
        Arena arena;
        auto* tree = const_cast<Value*>(fleet_.tree_of(one, arena)); // paths are searched, nothing is changed
        if (!tree) return;
        const FileContext context{file, index_.tree->files[file], chart_of(one), index_.file_trees[file]};
        Identity identity;
        identity.kind = cell_at(tree, {"kind"});
        identity.name = cell_at(tree, {"metadata", "name"});
        identity.name_space = cell_at(tree, {"metadata", "namespace"});
        identity.group = one.id().group;
        const std::string subject = document_subject(context, written_identity(one, identity));
        std::vector<ValueMatch> items = {{nullptr, tree}};
        if (fact.each) items = find(*fact.each, tree);
        for (const ValueMatch& item : items) {
            Row row;
            row.subject = subject;
            std::string path;
            if (fact.each && path_to(tree, item.value, path)) row.subject += ":" + path;
            const Value* name = value_at(tree, {"metadata", "name"});
            row.anchor = fact.each || !name ? place_of_key(item) : name->place;
            if (row.anchor.file != file) row.anchor = {file, {one.resource.document.span.begin, 0}};
            row.anchor.span.end = std::max(row.anchor.span.end, row.anchor.span.begin);
            for (const FieldSpec& field : fact.fields)
                row.cells.push_back(field_cell(field, tree, item.value));
            for (Cell& cell : row.cells)
                if (!is_there(cell.place)) cell.place = row.anchor;
            add_common(context, fact, captures, identity, row);
            if (fact.source == FactSpec::Source::applied) add_applied(one, row);
            finish_row(fact, number, context, std::move(row), made);
        }
    }

    // Who gets it, and how sure that is: the law of severity asks for the instance.
    void add_applied(const Instance& one, Row& row) const {
        const Root& root = fleet_.root_of(one);
        const std::string cluster = root.cluster < fleet_.clusters.size() ? fleet_.clusters[root.cluster].name : "";
        row.cells.push_back(known_cell(cluster, row.anchor));
        const Certainty certainty = fleet_.certainty_of(one);
        row.cells.push_back(known_cell(certainty == Certainty::proven     ? "proven"
                                       : certainty == Certainty::possible ? "possible"
                                                                          : "loose",
                                       row.anchor));
        auto more = std::make_shared<RowMore>();
        more->instances.push_back(static_cast<std::uint32_t>(&one - fleet_.instances.data()));
        row.more = std::move(more);
    }

    // Keys of findings name an object as its template does: values do not change them.
    Identity written_identity(const Instance& one, const Identity& rendered) const {
        if (one.object == no_entity) return rendered;
        const Object& object = index_.objects[one.object];
        return {object.kind, object.ns, object.name, object.group};
    }

    std::optional<ChartPlace> chart_of(const Instance& one) const {
        if (one.object != no_entity && index_.objects[one.object].in_chart)
            return ChartPlace{index_.objects[one.object].chart, false, true};
        const EntityId chart = fleet_.root_of(one).chart;
        if (chart == no_entity) return std::nullopt;
        return ChartPlace{index_.charts[chart].dir, false, true};
    }

    const Index& index_;
    const Fleet& fleet_;
    std::map<std::string, std::vector<const Instance*>> by_kind_;
};

} // namespace

Table applied_rows(const FactSpec& fact, const Repository& repository) {
    Table table;
    table.columns = fact.columns;
    for (FactRow& one : RenderedRows(repository).applied(fact)) {
        if (fact.in_base) { // its files have other numbers
            one.row.anchor = {};
            one.row.more.reset();
            for (Cell& cell : one.row.cells)
                cell.place = {};
        }
        table.rows.push_back(std::move(one.row));
    }
    return table;
}

void take_rendered_rows(const RuleSet& rules, const FactPlan& plan, ReadResult& result) {
    if (result.repository.index.charts.empty() && result.repository.index.releases.empty()) return;
    std::optional<RenderedRows> rendered;
    for (std::size_t rule = 0; rule < rules.rules.size(); ++rule)
        for (std::size_t fact = 0; fact < rules.rules[rule].facts.size(); ++fact) {
            const FactSpec& spec = rules.rules[rule].facts[fact];
            if (spec.source != FactSpec::Source::resources) continue;
            if (!rendered) rendered.emplace(result.repository);
            const std::size_t number = plan.number(rule, fact);
            rendered->take(spec, number, result.tables[number]);
        }
}

} // namespace lockstep
