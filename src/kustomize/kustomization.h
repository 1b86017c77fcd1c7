// One kustomization.yaml: what it says, each entry with its place. Read once per file, however many folders use it.
#pragma once
#include "kustomize/build.h"
#include <string>
#include <vector>

namespace lockstep {

struct TextEntry {
    std::string_view text;
    const Value* node = nullptr; // the scalar: its place is the entry's
};

struct PatchEntry {
    std::string_view path, patch;
    const Value* node = nullptr;      // the whole entry
    const Value* text_node = nullptr; // of `patch`
    const Value* target = nullptr;
    bool allow_name_change = false, allow_kind_change = false;
};

struct KustomizationFile {
    FileId file = no_file;
    std::string name; // kustomization.yaml or one of its other names
    const Value* root = nullptr;
    bool component = false;
    std::string_view ns, name_prefix, name_suffix;
    const Value *ns_node = nullptr, *prefix_node = nullptr, *suffix_node = nullptr;
    std::vector<TextEntry> resources, components, crds, configurations, generators, transformers, validators,
        patches_strategic_merge;
    std::vector<PatchEntry> patches, patches_json6902;
    const Value *common_labels = nullptr, *common_annotations = nullptr, *generator_options = nullptr,
                *sort_options = nullptr;
    std::vector<const Value*> labels, images, replicas, replacements, vars, config_map_generator, secret_generator,
        helm_charts;
    std::vector<std::string_view> build_metadata;
    std::string_view openapi_path, openapi_version;
    bool has_openapi_path = false, has_openapi_version = false;
    std::vector<Place> deprecated;
    // Why the file cannot be used, in kustomize's words; empty for nothing.
    std::string error;
    Place error_at;
    bool unknown_field = false; // the error: whoever decodes less strictly uses the rest
};

inline constexpr std::string_view kustomization_names[] = {"kustomization.yaml", "kustomization.yml", "Kustomization"};

// `root` as it is shown in errors: the folder of the file.
KustomizationFile read_kustomization(std::string_view text, FileId file, std::string_view folder, Arena& arena);
PatchEntry read_patch_entry(const Value& entry);

bool truth(const Value* value); // `true` of a YAML boolean

} // namespace lockstep
