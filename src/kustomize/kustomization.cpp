// Reads kustomization files, with the strictness of the JSON decoder behind kustomize.
#include "kustomize/kustomization.h"
#include "kustomize/documents.h"
#include "kustomize/json_patch.h"
#include "kustomize/strict_decode.h"
#include "yaml/scalar_type.h"

namespace lockstep {
namespace {

class KustomizationReader {
public:
    KustomizationReader(KustomizationFile& file, std::string_view folder) : out_(file), folder_(folder) {}

    void read(const Value& root) {
        for (std::size_t i = 0; i < root.size(); ++i)
            take(*root.key_at(i), *root.value_at(i));
        check();
    }

private:
    void fail(std::string message, const Value& at) {
        out_.error = std::move(message);
        out_.error_at = at.place;
    }

    static void texts(const Value& value, std::vector<TextEntry>& out) {
        for (const Value* item : value.items())
            out.push_back({item->text, item});
    }

    static void mappings(const Value& value, std::vector<const Value*>& out) {
        out.insert(out.end(), value.items().begin(), value.items().end());
    }

    static void patches(const Value& value, std::vector<PatchEntry>& out) {
        for (const Value* entry : value.items())
            out.push_back(read_patch_entry(*entry));
    }

    static void text(const Value& value, std::string_view& out, const Value*& node) {
        out = value.text;
        node = &value;
    }

    void take(const Value& key, const Value& value) {
        const std::string_view name = key.text;
        for (std::string_view old :
             {"bases", "imageTags", "commonLabels", "patchesStrategicMerge", "patchesJson6902", "vars"})
            if (name == old) out_.deprecated.push_back(key.place);
        if (name == "apiVersion") api_version_ = value.text;
        if (name == "kind") kind_ = value.text;
        if (name != "apiVersion" && name != "kind" && !(value.is_scalar() && value.text.empty())) empty_ = false;
        if (name == "resources") texts(value, out_.resources);
        if (name == "bases") texts(value, bases_);
        if (name == "components") texts(value, out_.components);
        if (name == "namespace") text(value, out_.ns, out_.ns_node);
        if (name == "namePrefix") text(value, out_.name_prefix, out_.prefix_node);
        if (name == "nameSuffix") text(value, out_.name_suffix, out_.suffix_node);
        if (name == "patches") patches(value, out_.patches);
        if (name == "patchesJson6902") patches(value, out_.patches_json6902);
        if (name == "patchesStrategicMerge") texts(value, out_.patches_strategic_merge);
        if (name == "images") mappings(value, out_.images);
        if (name == "imageTags") mappings(value, image_tags_);
        if (name == "labels") mappings(value, out_.labels);
        if (name == "commonLabels") out_.common_labels = &value;
        if (name == "commonAnnotations") out_.common_annotations = &value;
        if (name == "replacements") mappings(value, out_.replacements);
        if (name == "replicas") mappings(value, out_.replicas);
        if (name == "vars") mappings(value, out_.vars);
        if (name == "crds") texts(value, out_.crds);
        if (name == "configurations") texts(value, out_.configurations);
        if (name == "generators") texts(value, out_.generators);
        if (name == "transformers") texts(value, out_.transformers);
        if (name == "validators") texts(value, out_.validators);
        if (name == "configMapGenerator") mappings(value, out_.config_map_generator);
        if (name == "secretGenerator") mappings(value, out_.secret_generator);
        if (name == "helmCharts" || name == "helmChartInflationGenerator") mappings(value, out_.helm_charts);
        if (name == "generatorOptions") out_.generator_options = &value;
        if (name == "sortOptions") out_.sort_options = &value;
        if (name == "buildMetadata")
            for (const Value* item : value.items())
                out_.build_metadata.push_back(item->text);
        if (name == "openapi") {
            out_.has_openapi_path = value.get("path") != nullptr;
            out_.has_openapi_version = value.get("version") != nullptr;
            out_.openapi_path = value.text_of("path");
            out_.openapi_version = value.text_of("version");
        }
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
    const auto refuse = [&](std::string why, Place at) {
        out.error = std::move(why);
        out.error_at = at;
        return out;
    };
    LoadedDocuments loaded = load_documents(text, file, arena, false);
    if (!loaded.error.empty()) {
        constexpr std::string_view prefix = "MalformedYAMLError: ";
        if (loaded.error.starts_with(prefix)) loaded.error.erase(0, prefix.size());
        return refuse("invalid Kustomization: " + loaded.error, {file, {}});
    }
    if (loaded.trees.empty()) return refuse("kustomization.yaml is empty", {file, {}});
    Value* root = loaded.trees.front();
    out.root = root;
    read_as_v2(*root);
    if (root->is_null()) return refuse("kustomization.yaml is empty", root->place);
    const DecodeProblem problem = decode_strictly(*root, "types.Kustomization", arena);
    // What a template writes is not known: what is missing here may be right there.
    if (!problem.message.empty() && !loaded.templated) {
        refuse("invalid Kustomization: " + problem.message, problem.at->place);
        out.unknown_field = problem.unknown_field;
        if (!out.unknown_field) return out;
    }
    KustomizationReader(out, folder.empty() ? "." : folder).read(*root);
    return out;
}

} // namespace lockstep
