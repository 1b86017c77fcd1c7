// The types behind strategic merge patches: which lists merge by item, and by which keys. Kubernetes' own from
// rules/data, or those of the OpenAPI document that a kustomization names.
#pragma once
#include "yaml/value.h"
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockstep {

struct SchemaField {
    std::string strategy; // `merge`, `merge,retainKeys`, `replace`; empty for none
    std::vector<std::string> keys;
    std::string type;  // definition of the field's value, or of its items; empty for none
    bool known = true; // nothing is known of a field that no definition lists
    bool merges() const;
};

class SchemaSet {
public:
    static const SchemaSet& kubernetes();
    // An OpenAPI document; the types of Kubernetes do not count then. An error, or empty.
    static std::string parse(const Value& document, SchemaSet& set);

    std::string_view type_of(std::string_view api_version, std::string_view kind) const;
    const SchemaField* field(std::string_view type, std::string_view name) const;
    // Types of Kubernetes count too where this set has none: kustomize had read them before it met the document.
    void add_kubernetes() { with_kubernetes_ = true; }

private:
    void add_type(const std::string& name, const Value& definition);
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    template <class T> using ByName = std::unordered_map<std::string, T, Hash, std::equal_to<>>;
    ByName<ByName<SchemaField>> fields_;
    ByName<std::string> kinds_; // `apps/v1/Deployment`
    bool builtin_ = false, with_kubernetes_ = false;
};

} // namespace lockstep
