// Reads kustomization files, with the strictness of the JSON decoder behind kustomize.
#include "kustomize/kustomization.h"
#include "kustomize/documents.h"
#include "kustomize/json_patch.h"
#include "yaml/scalar_type.h"
#include <algorithm>

namespace lockstep {
namespace {

bool same_letters(std::string_view a, std::string_view b) { // JSON field names match without regard to case
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
               return (x | 0x20) == (y | 0x20) && (x == y || ((x | 0x20) >= 'a' && (x | 0x20) <= 'z'));
           });
}

constexpr std::string_view known_fields[] = {"apiVersion",
                                             "kind",
                                             "metadata",
                                             "openapi",
                                             "namePrefix",
                                             "nameSuffix",
                                             "namespace",
                                             "commonLabels",
                                             "labels",
                                             "commonAnnotations",
                                             "patchesStrategicMerge",
                                             "patchesJson6902",
                                             "patches",
                                             "images",
                                             "imageTags",
                                             "replacements",
                                             "replicas",
                                             "vars",
                                             "sortOptions",
                                             "resources",
                                             "components",
                                             "crds",
                                             "bases",
                                             "configMapGenerator",
                                             "secretGenerator",
                                             "helmGlobals",
                                             "helmCharts",
                                             "helmChartInflationGenerator",
                                             "generatorOptions",
                                             "configurations",
                                             "generators",
                                             "transformers",
                                             "validators",
                                             "buildMetadata"};

// Names of fields inside entries, where letter case does not count either.
constexpr std::string_view inner_fields[] = {"path",
                                             "patch",
                                             "target",
                                             "options",
                                             "allowNameChange",
                                             "allowKindChange",
                                             "group",
                                             "version",
                                             "kind",
                                             "name",
                                             "namespace",
                                             "labelSelector",
                                             "annotationSelector",
                                             "newName",
                                             "newTag",
                                             "digest",
                                             "tagSuffix",
                                             "count",
                                             "objref",
                                             "fieldref",
                                             "fieldPath",
                                             "apiVersion",
                                             "pairs",
                                             "fields",
                                             "create",
                                             "includeSelectors",
                                             "includeTemplates",
                                             "source",
                                             "targets",
                                             "sourceValue",
                                             "select",
                                             "reject",
                                             "fieldPaths",
                                             "delimiter",
                                             "index",
                                             "encoding",
                                             "behavior",
                                             "literals",
                                             "files",
                                             "envs",
                                             "env",
                                             "type",
                                             "disableNameSuffixHash",
                                             "immutable",
                                             "labels",
                                             "annotations",
                                             "order",
                                             "legacySortOptions",
                                             "orderFirst",
                                             "orderLast"};

bool is_free(std::string_view name) { // maps with names that users choose
    return name == "pairs" || name == "commonLabels" || name == "commonAnnotations" || name == "annotations" ||
           name == "metadata";
}

// As the JSON decoder sees it: of a key twice the last counts, and letter case does not.
void normalise(Value& value, bool free) {
    if (value.is_mapping()) {
        for (std::uint32_t i = 0; i + 2 < value.count; i += 2)
            for (std::uint32_t j = i + 2; j < value.count; j += 2)
                if (value.children[i]->text == value.children[j]->text) {
                    for (std::uint32_t k = i; k + 2 < value.count; ++k)
                        value.children[k] = value.children[k + 2];
                    value.count -= 2;
                    i -= 2;
                    break;
                }
        for (std::size_t i = 0; i < value.size(); ++i) {
            Value& key = *value.key_at(i);
            if (!free)
                for (std::string_view known : inner_fields)
                    if (known != key.text && same_letters(known, key.text)) key.text = known;
            Value& inner = *value.value_at(i);
            normalise(inner, free || is_free(key.text) || (key.text == "labels" && inner.is_mapping()));
        }
    }
    for (Value* item : value.items())
        normalise(*item, free);
}

class Reader {
public:
    Reader(KustomizationFile& file, std::string_view folder) : out_(file), folder_(folder) {}

    void read(const Value& root) {
        if (root.is_null()) return fail("kustomization.yaml is empty", root);
        if (!root.is_mapping())
            return fail("invalid Kustomization: json: cannot unmarshal " + json_name(root) +
                            " into Go value of type types.Kustomization",
                        root);
        for (std::size_t i = 0; i < root.size(); ++i)
            if (!field(*root.key_at(i), *root.value_at(i))) return;
        check();
    }

private:
    void fail(std::string message, const Value& at) {
        out_.error = std::move(message);
        out_.error_at = at.place;
    }

    static std::string json_name(const Value& value) {
        if (value.is_mapping()) return "object";
        if (value.is_sequence()) return "array";
        const JsonType type = json_scalar(value).type;
        return type == JsonType::number ? "number" : type == JsonType::boolean ? "bool" : "string";
    }

    bool wrong(const Value& value, std::string_view name, std::string_view type) {
        fail("invalid Kustomization: json: cannot unmarshal " + json_name(value) +
                 " into Go struct field Kustomization." + std::string(name) + " of type " + std::string(type),
             value);
        return false;
    }

    bool text(const Value& value, std::string_view name, std::string_view& out, const Value** node = nullptr) {
        if (value.is_null()) return true;
        if (!value.is_scalar() || json_scalar(value).type != JsonType::text) return wrong(value, name, "string");
        out = value.text;
        if (node) *node = &value;
        return true;
    }

    bool texts(const Value& value, std::string_view name, std::vector<TextEntry>& out,
               std::string_view type = "string") {
        if (value.is_null()) return true;
        if (!value.is_sequence()) return wrong(value, name, "[]" + std::string(type));
        for (const Value* item : value.items()) {
            if (!item->is_scalar() || (!item->is_null() && json_scalar(*item).type != JsonType::text))
                return wrong(*item, name, type);
            out.push_back({item->is_null() ? std::string_view() : item->text, item});
        }
        return true;
    }

    bool mappings(const Value& value, std::string_view name, std::vector<const Value*>& out, std::string_view type) {
        if (value.is_null()) return true;
        if (!value.is_sequence()) return wrong(value, name, "[]" + std::string(type));
        for (const Value* item : value.items()) {
            if (item->is_null()) continue;
            if (!item->is_mapping()) return wrong(*item, name, type);
            out.push_back(item);
        }
        return true;
    }

    // `newTag: 1.20` is a number to YAML, and kustomize takes none.
    bool image_texts() {
        for (const Value* image : out_.images)
            for (std::string_view key : {"name", "newName", "tagSuffix", "newTag", "digest"}) {
                const Value* field = image->get(key);
                if (!field || field->is_null() || (field->is_scalar() && json_scalar(*field).type == JsonType::text))
                    continue;
                fail("invalid Kustomization: json: cannot unmarshal " + json_name(*field) +
                         " into Go struct field Image.images." + std::string(key) + " of type string",
                     *field);
                return false;
            }
        return true;
    }

    bool patches(const Value& value, std::string_view name, std::vector<PatchEntry>& out) {
        std::vector<const Value*> entries;
        if (!mappings(value, name, entries, "types.Patch")) return false;
        for (const Value* entry : entries) {
            for (std::size_t i = 0; i < entry->size(); ++i) {
                const std::string_view key = entry->key_at(i)->text;
                if (key != "path" && key != "patch" && key != "target" && key != "options") {
                    fail("invalid Kustomization: json: unknown field \"" + std::string(key) + "\"", *entry->key_at(i));
                    return false;
                }
            }
            out.push_back(read_patch_entry(*entry));
        }
        return true;
    }

    bool pairs(const Value& value, std::string_view name, const Value*& out) {
        if (value.is_null()) return true;
        if (!value.is_mapping()) return wrong(value, name, "map[string]string");
        for (std::size_t i = 0; i < value.size(); ++i) {
            const Value& one = *value.value_at(i);
            if (!one.is_scalar() || (!one.is_null() && json_scalar(one).type != JsonType::text))
                return wrong(one, name, "string");
        }
        out = &value;
        return true;
    }

    bool deprecated(const Value& value, const Value& key) {
        if (!value.is_null()) out_.deprecated.push_back(key.place);
        return true;
    }

    bool field(const Value& key, const Value& value) {
        std::string_view name = key.text;
        const auto* known = std::find_if(std::begin(known_fields), std::end(known_fields),
                                         [&](std::string_view one) { return same_letters(one, name); });
        if (known == std::end(known_fields)) {
            fail("invalid Kustomization: json: unknown field \"" + std::string(name) + "\"", key);
            return false;
        }
        name = *known;
        if (name != "apiVersion" && name != "kind" && !value.is_null() && !(value.is_scalar() && value.text.empty()))
            empty_ = false;
        if (name == "resources") return texts(value, name, out_.resources);
        if (name == "bases") return deprecated(value, key) && texts(value, name, bases_);
        if (name == "components") return texts(value, name, out_.components);
        if (name == "patches") return patches(value, name, out_.patches);
        if (name == "namespace") return text(value, name, out_.ns, &out_.ns_node);
        if (name == "namePrefix") return text(value, name, out_.name_prefix, &out_.prefix_node);
        if (name == "nameSuffix") return text(value, name, out_.name_suffix, &out_.suffix_node);
        if (name == "apiVersion") return text(value, name, api_version_);
        if (name == "kind") return text(value, name, kind_);
        if (name == "images") return mappings(value, name, out_.images, "types.Image") && image_texts();
        if (name == "imageTags") return deprecated(value, key) && mappings(value, name, image_tags_, "types.Image");
        if (name == "labels") return mappings(value, name, out_.labels, "types.Label");
        if (name == "commonLabels") return deprecated(value, key) && pairs(value, name, out_.common_labels);
        if (name == "commonAnnotations") return pairs(value, name, out_.common_annotations);
        if (name == "patchesStrategicMerge")
            return deprecated(value, key) &&
                   texts(value, name, out_.patches_strategic_merge, "types.PatchStrategicMerge");
        if (name == "patchesJson6902") return deprecated(value, key) && patches(value, name, out_.patches_json6902);
        if (name == "replacements") return mappings(value, name, out_.replacements, "types.ReplacementField");
        if (name == "replicas") return mappings(value, name, out_.replicas, "types.Replica");
        if (name == "vars") return deprecated(value, key) && mappings(value, name, out_.vars, "types.Var");
        if (name == "crds") return texts(value, name, out_.crds);
        if (name == "configurations") return texts(value, name, out_.configurations);
        if (name == "generators") return texts(value, name, out_.generators);
        if (name == "transformers") return texts(value, name, out_.transformers);
        if (name == "validators") return texts(value, name, out_.validators);
        if (name == "configMapGenerator")
            return mappings(value, name, out_.config_map_generator, "types.ConfigMapArgs");
        if (name == "secretGenerator") return mappings(value, name, out_.secret_generator, "types.SecretArgs");
        if (name == "helmCharts") return mappings(value, name, out_.helm_charts, "types.HelmChart");
        if (name == "helmChartInflationGenerator")
            return mappings(value, name, out_.helm_charts, "types.HelmChartArgs");
        return rare_field(name, value);
    }

    bool rare_field(std::string_view name, const Value& value) {
        if (value.is_null() || name == "metadata" || name == "helmGlobals") return true;
        if (name == "buildMetadata") {
            std::vector<TextEntry> entries;
            if (!texts(value, name, entries)) return false;
            for (const TextEntry& entry : entries)
                out_.build_metadata.push_back(entry.text);
            return true;
        }
        if (!value.is_mapping()) return wrong(value, name, "types." + std::string(name));
        if (name == "generatorOptions") out_.generator_options = &value;
        if (name == "sortOptions") out_.sort_options = &value;
        if (name == "openapi") {
            out_.has_openapi_path = value.get("path") != nullptr;
            out_.has_openapi_version = value.get("version") != nullptr;
            out_.openapi_path = value.text_of("path");
            out_.openapi_version = value.text_of("version");
        }
        return true;
    }

    void check() {
        out_.resources.insert(out_.resources.end(), bases_.begin(), bases_.end());
        out_.images.insert(out_.images.end(), image_tags_.begin(), image_tags_.end());
        if (empty_) return fail("kustomization.yaml is empty", *out_.root);
        out_.component = kind_ == "Component";
        std::string errors;
        if (!kind_.empty() && kind_ != "Kustomization" && kind_ != "Component")
            errors += "\nkind should be Kustomization or Component";
        const std::string_view wanted =
            out_.component ? "kustomize.config.k8s.io/v1alpha1" : "kustomize.config.k8s.io/v1beta1";
        if (!api_version_.empty() && api_version_ != wanted)
            errors += "\napiVersion for " + std::string(kind_.empty() ? "Kustomization" : kind_) + " should be " +
                      std::string(wanted);
        if (!errors.empty())
            fail("Failed to read kustomization file under " + std::string(folder_) + ":" + errors, *out_.root);
    }

    KustomizationFile& out_;
    std::string_view folder_, api_version_, kind_;
    std::vector<TextEntry> bases_;
    std::vector<const Value*> image_tags_;
    bool empty_ = true;
};

} // namespace

bool truth(const Value* value) {
    return value && value->is_scalar() && json_scalar(*value).type == JsonType::boolean &&
           json_scalar(*value).text == "true";
}

PatchEntry read_patch_entry(const Value& entry) {
    PatchEntry patch;
    patch.node = &entry;
    patch.path = entry.text_of("path");
    patch.patch = entry.text_of("patch");
    patch.text_node = entry.get("patch");
    patch.target = entry.get("target");
    if (patch.target && !patch.target->is_mapping()) patch.target = nullptr;
    if (const Value* options = entry.get("options")) {
        patch.allow_name_change = truth(options->get("allowNameChange"));
        patch.allow_kind_change = truth(options->get("allowKindChange"));
    }
    return patch;
}

KustomizationFile read_kustomization(std::string_view text, FileId file, std::string_view folder, Arena& arena) {
    KustomizationFile out;
    out.file = file;
    std::string error;
    Value* root = load_first(text, file, arena, error);
    if (!error.empty()) {
        constexpr std::string_view prefix = "MalformedYAMLError: ";
        if (error.starts_with(prefix)) error.erase(0, prefix.size());
        out.error = "invalid Kustomization: " + error;
        out.error_at = {file, {}};
        return out;
    }
    if (!root) {
        out.error = "kustomization.yaml is empty";
        out.error_at = {file, {}};
        return out;
    }
    out.root = root;
    normalise(*root, false);
    read_as_v2(*root);
    Reader(out, folder.empty() ? "." : folder).read(*root);
    return out;
}

} // namespace lockstep
