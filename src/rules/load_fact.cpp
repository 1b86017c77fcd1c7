// Reads one fact of a rule file: where its rows come from, and which columns they have.
#include "base/suggest.h"
#include "rules/load.h"
#include <algorithm>

namespace lockstep {
namespace {

class FactLoader {
public:
    FactLoader(StrictReader& reader, const Vocabulary& vocabulary) : reader_(reader), vocabulary_(vocabulary) {}

    void read(NodeRef node, FactSpec& fact) {
        if (!reader_.check_keys(node, "a fact",
                                {"files", "skip", "resources", "relation", "references", "applied", "in", "table",
                                 "each", "yaml", "text", "comment", "where", "resolve", "as", "default"}))
            return;
        fact.files = read_globs(node, "files");
        fact.skip = read_globs(node, "skip");
        if (failed()) return;
        for (const auto& glob : fact.files)
            for (const auto& name : glob.capture_names())
                if (std::count(fact.captures.begin(), fact.captures.end(), name) == 0) fact.captures.push_back(name);
        choose_source(node, fact);
        if (failed()) return;
        read_columns(node, fact);
        if (failed()) return;
        if (node.get("references")) only_references(node, fact);
        for (auto& comparison : read_condition(reader_, node.get("where"), "where", {fact}, true))
            fact.where.push_back(std::move(comparison));
        if (failed()) return;
        for (const auto& name : reader_.texts(node, "resolve")) {
            auto column = fact.column(name);
            if (!column) return reader_.fail(node.get("resolve"), "`" + name + "` is not a field of this fact");
            fact.resolve.push_back(*column);
        }
    }

private:
    bool failed() const { return reader_.error().has_value(); }
    void fail(NodeRef at, const Error& error) { reader_.fail(at, error.message, error.hint); }

    std::vector<Glob> read_globs(NodeRef node, std::string_view key) {
        std::vector<Glob> globs;
        for (const auto& text : reader_.texts(node, key)) {
            auto glob = Glob::compile(text);
            if (!glob) {
                fail(node.get(key), glob.error());
                break;
            }
            globs.push_back(*glob);
        }
        return globs;
    }

    void choose_source(NodeRef node, FactSpec& fact) {
        using Source = FactSpec::Source;
        int sources = 0;
        auto take = [&](std::string_view key, Source source) {
            if (!node.get(key)) return;
            ++sources;
            fact.source = source;
        };
        take("resources", Source::resources);
        take("applied", Source::applied);
        take("relation", Source::relation);
        take("references", Source::relation);
        take("table", Source::table);
        take("text", Source::text);
        take("comment", Source::comment);
        if (sources > 1)
            return reader_.fail(
                node, "fact `" + fact.name + "` has more than one source",
                "one of resources, applied, references, relation, table, text, comment, or files with yaml");
        if (sources == 0) fact.source = node.get("yaml") || node.get("each") ? Source::yaml : Source::files;
        const bool needs_files = fact.source == Source::text || fact.source == Source::comment ||
                                 fact.source == Source::yaml || fact.source == Source::files;
        if (needs_files && fact.files.empty())
            return reader_.fail(node, "fact `" + fact.name + "` needs files", "files: \"**/Chart.yaml\"");
        const bool by_name = fact.source == Source::relation || fact.source == Source::table;
        if (node.get("references"))
            fact.table = "references";
        else if (by_name)
            fact.table = reader_.text(node, fact.source == Source::table ? "table" : "relation").value_or("");
        const bool by_path =
            fact.source == Source::yaml || fact.source == Source::resources || fact.source == Source::applied;
        for (auto key : {"files", "skip"})
            if (node.get(key) && by_name)
                return reader_.fail(node.get_key(key), "`" + std::string(key) + "` does not go with table or relation");
        for (auto key : {"each", "yaml"})
            if (node.get(key) && !by_path)
                return reader_.fail(node.get_key(key),
                                    "`" + std::string(key) + "` goes with files, resources or applied only");
        if (const auto tree = reader_.text(node, "in")) {
            fact.in_base = *tree == "base";
            if (!fact.in_base || fact.source != Source::applied)
                return reader_.fail(node.get_key("in"),
                                    "`in: base` goes with `applied`: what was applied before the change");
        }
        if (fact.source == Source::resources || fact.source == Source::applied)
            for (const auto& name : reader_.texts(node, fact.source == Source::applied ? "applied" : "resources")) {
                const auto dot = name.find('.');
                fact.kinds.push_back({name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
            }
    }

    void add_column(NodeRef at, FactSpec& fact, const std::string& name) {
        if (fact.column(name)) return reader_.fail(at, "fact `" + fact.name + "` has the field `" + name + "` twice");
        fact.columns.push_back(name);
    }

    void read_columns(NodeRef node, FactSpec& fact) {
        using Source = FactSpec::Source;
        if (auto each = reader_.text(node, "each")) {
            auto path = YamlPath::parse(*each);
            if (!path) return fail(node.get("each"), path.error());
            fact.each = *path;
        }
        if (auto yaml = node.get("yaml")) {
            if (!yaml.is_mapping()) return reader_.fail(yaml, "yaml must be a mapping of field names to YAML paths");
            for (auto [key, value] : yaml.entries())
                read_field(key, value, fact);
        }
        read_defaults(node, fact);
        if (fact.source == Source::text || fact.source == Source::comment) read_patterns(node, fact);
        if (fact.source == Source::table || fact.source == Source::relation) read_table_columns(node, fact);
        if (failed()) return;
        for (const auto& capture : fact.captures)
            add_column(node.get("files"), fact, capture);
        if (fact.source != Source::table && fact.source != Source::relation)
            for (auto name : common_columns)
                if (!fact.column(name)) fact.columns.emplace_back(name);
        if (fact.source == Source::applied)
            for (auto name : applied_columns)
                add_column(node.get_key("applied"), fact, std::string(name));
        fact.readings.assign(fact.columns.size(), Reading::text);
        if (auto as = node.get("as")) {
            if (!as.is_mapping())
                return reader_.fail(as, "as must be a mapping of fields to version or url", "as: { tag: version }");
            for (auto [key, value] : as.entries()) {
                auto column = fact.column(key.text());
                if (!column) return reader_.fail(key, "`" + std::string(key.text()) + "` is not a field of this fact");
                if (value.text() == "version")
                    fact.readings[*column] = Reading::version;
                else if (value.text() == "url")
                    fact.readings[*column] = Reading::url;
                else if (value.text() == "host")
                    fact.readings[*column] = Reading::host;
                else if (value.text() == "image" && fact.source != Source::table && fact.source != Source::relation)
                    fact.images.push_back({*column, 0});
                else
                    return reader_.fail(value, "a field is read as version or url, as host or image");
            }
        }
        for (auto& image : fact.images) {
            const std::string name = fact.columns[image.image];
            image.first = fact.columns.size();
            for (const char* part : {".name", ".tag", ".digest"})
                add_column(node.get("as"), fact, name + part);
            fact.readings.resize(fact.columns.size(), Reading::text);
        }
    }

    void read_field(NodeRef key, NodeRef value, FactSpec& fact) {
        FieldSpec field;
        field.name = key.text();
        if (field.name.ends_with('?')) {
            field.optional = true;
            field.name.pop_back();
        }
        const std::vector<NodeRef> items = value.is_sequence() ? value.items() : std::vector<NodeRef>{value};
        for (auto item : items) {
            if (!item.is_scalar())
                return reader_.fail(item, "a field is a YAML path such as spec.version, or a list of them");
            std::string_view text = item.text();
            FieldSource one;
            one.from_root = text.starts_with("$.");
            one.text = text;
            if (one.from_root) text.remove_prefix(2);
            auto path = YamlPath::parse(text == "." ? "" : text);
            if (!path) return fail(item, path.error());
            one.path = *path;
            field.paths.push_back(std::move(one));
        }
        if (field.paths.empty()) return reader_.fail(value, "a field needs at least one YAML path");
        add_column(key, fact, field.name);
        fact.fields.push_back(std::move(field));
    }

    void read_defaults(NodeRef node, FactSpec& fact) {
        const NodeRef defaults = node.get("default");
        if (!defaults) return;
        if (!defaults.is_mapping())
            return reader_.fail(defaults, "default must be a mapping of fields to values", "default: { chart: chart }");
        for (auto [key, value] : defaults.entries()) {
            const std::string_view name = key.text();
            const auto field = std::find_if(fact.fields.begin(), fact.fields.end(),
                                            [&](const FieldSpec& one) { return one.name == name; });
            if (field == fact.fields.end())
                return reader_.fail(key, "`" + std::string(key.text()) + "` is not a field under `yaml` of this fact");
            if (!value.is_scalar() || value.is_null()) return reader_.fail(value, "a default is one value");
            field->otherwise = value.text();
        }
    }

    void read_patterns(NodeRef node, FactSpec& fact) {
        const std::string_view key = fact.source == FactSpec::Source::text ? "text" : "comment";
        NodeRef spec = node.get(key);
        auto compile = [&](NodeRef at, std::string_view text) -> std::optional<Pattern> {
            auto pattern = Pattern::compile(text);
            if (!pattern) {
                fail(at, pattern.error());
                return std::nullopt;
            }
            return *pattern;
        };
        if (spec.is_scalar()) {
            fact.value = compile(spec, spec.text());
        } else {
            if (!reader_.check_keys(spec, key, {"anchor", "value", "optional"})) return;
            const auto value = reader_.require_text(spec, "value", "an RE2 pattern with named groups");
            if (failed()) return;
            fact.value = compile(spec.get("value"), value);
            if (auto anchor = reader_.text(spec, "anchor")) fact.anchor = compile(spec.get("anchor"), *anchor);
        }
        if (failed()) return;
        if (fact.anchor && !fact.anchor->names().empty())
            return reader_.fail(spec.get("anchor"), "groups belong into value, not into anchor");
        for (const auto& name : fact.value->names())
            add_column(spec, fact, name);
        for (const auto& name : spec.is_mapping() ? reader_.texts(spec, "optional") : std::vector<std::string>{}) {
            auto column = fact.column(name);
            if (!column) return reader_.fail(spec.get("optional"), "`" + name + "` is not a group of value");
            fact.optional_groups.push_back(*column);
        }
    }

    // `references: source`: a set of rules/data/references.yaml, or of the config.
    void only_references(NodeRef node, FactSpec& fact) {
        std::string list;
        for (const auto& set : reader_.texts(node, "references")) {
            if (std::count(vocabulary_.reference_sets.begin(), vocabulary_.reference_sets.end(), set) == 0) {
                const auto near = nearest(set, vocabulary_.reference_sets);
                return reader_.fail(node.get("references"), "there are no references `" + set + "`",
                                    near ? "did you mean `" + *near + "`?"
                                         : "a set of the table `references`, which `tables:` of the config adds to");
            }
            list += (list.empty() ? "" : ", ") + ("\"" + set + "\"");
        }
        if (failed()) return;
        auto comparison = parse_comparison("set in [" + list + "]", {fact}, true);
        if (!comparison) return fail(node.get("references"), comparison.error());
        fact.where.push_back(*comparison);
    }

    void read_table_columns(NodeRef node, FactSpec& fact) {
        const bool table = fact.source == FactSpec::Source::table;
        if (const auto found = vocabulary_.tables.find(fact.table); table && found != vocabulary_.tables.end()) {
            fact.columns = found->second;
            return;
        }
        if (const auto found = vocabulary_.relations.find(fact.table); !table && found != vocabulary_.relations.end()) {
            fact.columns = found->second.columns;
            fact.files = found->second.reads;
            return;
        }
        std::vector<std::string> names;
        if (table)
            for (const auto& [name, columns] : vocabulary_.tables)
                names.push_back(name);
        else
            for (const auto& [name, relation] : vocabulary_.relations)
                names.push_back(name);
        const auto near = nearest(fact.table, names);
        reader_.fail(node.get(table ? "table" : "relation"),
                     std::string("there is no ") + (table ? "table" : "relation") + " `" + fact.table + "`",
                     near ? "did you mean `" + *near + "`?" : "");
    }

    StrictReader& reader_;
    const Vocabulary& vocabulary_;
};

} // namespace

void read_fact(StrictReader& reader, NodeRef key, NodeRef node, const Vocabulary& vocabulary, FactSpec& fact) {
    fact.name = key.text();
    fact.span = key.span();
    if (fact.name.find_first_of(". {}?") != std::string::npos)
        return reader.fail(key, "a fact's name has no dots, blanks, braces or question marks");
    FactLoader(reader, vocabulary).read(node, fact);
}

} // namespace lockstep
