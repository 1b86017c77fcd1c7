// Field specs: the table of kustomize's own, and merging.
#include "kustomize/field_specs.h"
#include "kustomize/ids.h"
#include "yaml/data_table.h"
#include <algorithm>

namespace lockstep {
namespace {

FieldRows* rows_of(TransformerConfig& config, std::string_view section) {
    if (section == "namePrefix") return &config.name_prefix;
    if (section == "nameSuffix") return &config.name_suffix;
    if (section == "namespace") return &config.ns;
    if (section == "commonLabels") return &config.common_labels;
    if (section == "labels") return &config.labels;
    if (section == "templateLabels") return &config.template_labels;
    if (section == "commonAnnotations") return &config.common_annotations;
    if (section == "varReference") return &config.var_reference;
    if (section == "images") return &config.images;
    if (section == "replicas") return &config.replicas;
    return nullptr;
}

bool merge_references(std::vector<BackReferences>& into, const BackReferences& more) {
    for (BackReferences& one : into)
        if (one.target == more.target) return merge_rows(one.referrers, more.referrers);
    into.push_back(more);
    return true;
}

bool kind_less(const KindFilter& a, const KindFilter& b) {
    const int first = legacy_rank(a.kind), second = legacy_rank(b.kind);
    if (first != second) return first < second;
    return legacy_kind_text(a.group, a.version, a.kind) < legacy_kind_text(b.group, b.version, b.kind);
}

void sort_rows(FieldRows& rows) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FieldRow& a, const FieldRow& b) { return kind_less(a.of, b.of); });
}

void sort_config(TransformerConfig& config) {
    for (std::string_view section : {"namePrefix", "nameSuffix", "namespace", "commonLabels", "labels",
                                     "templateLabels", "commonAnnotations", "varReference", "images", "replicas"})
        sort_rows(*rows_of(config, section));
    std::stable_sort(config.name_reference.begin(), config.name_reference.end(),
                     [](const BackReferences& a, const BackReferences& b) { return kind_less(a.target, b.target); });
}

ConfigPointer load_default() {
    auto config = std::make_shared<TransformerConfig>();
    for (const DataRow& row : data_table("kustomize-fields")) {
        const FieldRow spec{{row[1], row[2], row[3]}, row[4], !row[5].empty()};
        if (row[0] == "nameReference")
            merge_references(config->name_reference, {{row[6], row[7], row[8]}, {spec}});
        else if (FieldRows* rows = rows_of(*config, row[0]))
            rows->push_back(spec);
    }
    sort_config(*config);
    return config;
}

} // namespace

const ConfigPointer& raw_default_config() {
    static const ConfigPointer config = load_default();
    return config;
}

const ConfigPointer& default_config() {
    static const ConfigPointer config = [] {
        ConfigPointer merged = std::make_shared<TransformerConfig>();
        merge_config(merged, raw_default_config());
        return merged;
    }();
    return config;
}

bool merge_row(FieldRows& rows, const FieldRow& row) {
    for (const FieldRow& one : rows)
        if (one.path == row.path && row.of.selects(one.of.group, one.of.version, one.of.kind))
            return one.create == row.create;
    rows.push_back(row);
    return true;
}

bool merge_rows(FieldRows& rows, const FieldRows& more) {
    for (const FieldRow& row : more)
        if (!merge_row(rows, row)) return false;
    return true;
}

std::string merge_config(ConfigPointer& into, const ConfigPointer& more) {
    if (into == more || !more) return {};
    if (!into && more == default_config()) {
        into = more;
        return {};
    }
    // Also into nothing: of two rows for one field the first in order wins, however general the other is.
    auto merged = into ? std::make_shared<TransformerConfig>(*into) : std::make_shared<TransformerConfig>();
    auto& rest = const_cast<TransformerConfig&>(*more); // read only: rows_of serves both
    constexpr std::pair<std::string_view, std::string_view> sections[] = {{"namePrefix", "NamePrefix"},
                                                                          {"nameSuffix", "NameSuffix"},
                                                                          {"namespace", "NameSpace"},
                                                                          {"commonAnnotations", "CommonAnnotations"},
                                                                          {"commonLabels", "CommonLabels"},
                                                                          {"labels", "Labels"},
                                                                          {"templateLabels", "TemplateLabels"},
                                                                          {"varReference", "VarReference"},
                                                                          {"images", "Images"},
                                                                          {"replicas", "Replicas"}};
    for (const auto& [section, shown] : sections)
        if (!merge_rows(*rows_of(*merged, section), *rows_of(rest, section)))
            return "failed to merge " + std::string(shown) + " fieldSpec: conflicting fieldspecs";
    for (const BackReferences& one : more->name_reference)
        if (!merge_references(merged->name_reference, one))
            return "failed to merge NameReference fieldSpec: conflicting fieldspecs";
    sort_config(*merged);
    into = std::move(merged);
    return {};
}

FieldRow read_field_row(const Value& entry) {
    const Value* create = entry.get("create");
    return {{std::string(entry.text_of("group")), std::string(entry.text_of("version")),
             std::string(entry.text_of("kind"))},
            std::string(entry.text_of("path")),
            create && create->tag == "!!bool" && create->text.starts_with('t')};
}

std::string read_config(const Value& document, TransformerConfig& config) {
    if (document.is_null()) return {};
    if (!document.is_mapping()) return "error unmarshaling JSON: a transformer configuration is a mapping";
    for (std::size_t i = 0; i < document.size(); ++i) {
        const std::string_view section = document.key_at(i)->text;
        const Value* entries = document.value_at(i);
        if (section == "nameReference") {
            for (const Value* entry : entries->items()) {
                BackReferences one;
                one.target = read_field_row(*entry).of;
                if (const Value* specs = entry->get("fieldSpecs"))
                    for (const Value* spec : specs->items())
                        one.referrers.push_back(read_field_row(*spec));
                if (!merge_references(config.name_reference, one)) return "conflicting fieldspecs";
            }
            continue;
        }
        FieldRows* rows = rows_of(config, section);
        if (!rows)
            return "error unmarshaling JSON: while decoding JSON: json: unknown field \"" + std::string(section) + "\"";
        for (const Value* entry : entries->items())
            rows->push_back(read_field_row(*entry));
    }
    sort_config(config);
    return {};
}

} // namespace lockstep
