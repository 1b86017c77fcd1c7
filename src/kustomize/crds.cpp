// What the OpenAPI definitions of `crds` say about fields: names of other objects, labels, annotations.
#include "kustomize/field_specs.h"

namespace lockstep {
namespace {

constexpr unsigned deepest = 50;

class CrdReader {
public:
    CrdReader(const Value& document, TransformerConfig& config) : document_(document), config_(config) {}

    void read(std::string_view type, const KindFilter& kind, const std::string& path, unsigned depth) {
        const Value* definition = document_.get(type);
        const Value* properties = properties_of(definition);
        if (!properties || depth > deepest) return;
        for (std::size_t i = 0; i < properties->size(); ++i) {
            const std::string here = (path.empty() ? "" : path + "/") + std::string(properties->key_at(i)->text);
            const Value& property = *properties->value_at(i);
            const FieldRow row{kind, here, false};
            if (property.get("x-kubernetes-annotation")) merge_row(config_.common_annotations, row);
            if (property.get("x-kubernetes-label-selector")) merge_row(config_.common_labels, row);
            if (property.get("x-kubernetes-identity")) merge_row(config_.name_prefix, row);
            const std::string_view version = property.text_of("x-kubernetes-object-ref-api-version"),
                                   target = property.text_of("x-kubernetes-object-ref-kind");
            if (!version.empty() && !target.empty()) {
                std::string key(property.text_of("x-kubernetes-object-ref-name-key"));
                if (key.empty()) key = "name";
                config_.name_reference.push_back(
                    {{"", std::string(version), std::string(target)}, {{kind, here + "/" + key, false}}});
            }
            if (const std::string_view ref = property.text_of("$ref"); !ref.empty()) read(ref, kind, here, depth + 1);
        }
    }

    static const Value* properties_of(const Value* definition) {
        if (!definition) return nullptr;
        const Value* schema = definition->get("Schema");
        if (!schema) schema = definition->get("schema");
        const Value* properties = schema ? schema->get("properties") : nullptr;
        return properties && properties->is_mapping() ? properties : nullptr;
    }

private:
    const Value& document_;
    TransformerConfig& config_;
};

} // namespace

std::string read_crd_config(const Value& document, TransformerConfig& config) {
    if (!document.is_mapping()) return "json: cannot unmarshal into Go value of type accumulator.nameToApiMap";
    for (std::size_t i = 0; i < document.size(); ++i) {
        const Value* properties = CrdReader::properties_of(document.value_at(i));
        if (!properties || !properties->get("kind") || !properties->get("apiVersion") || !properties->get("metadata"))
            continue;
        const std::string_view name = document.key_at(i)->text;
        const KindFilter kind{"", "", std::string(name.substr(name.rfind('.') + 1))};
        CrdReader(document, config).read(name, kind, {}, 0);
    }
    return {};
}

} // namespace lockstep
