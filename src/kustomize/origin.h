// The annotations that `buildMetadata` asks for: where an object came from, and which transformers changed it.
#pragma once
#include "kustomize/folder_build.h"

namespace lockstep {

inline constexpr std::string_view origin_annotation = "config.kubernetes.io/origin",
                                  transformations_annotation = "alpha.config.kubernetes.io/transformations";

std::string join_origin(std::string_view path, std::string_view more); // normalised, as filepath.Join
void add_origin(const BuildContext& context, Resource& resource, const Origin& origin, std::string_view path);
void add_generator_origin(const BuildContext& context, Resource& resource, const Origin& origin,
                          std::string_view file_name, std::string_view kind);
void add_transformer_origin(const BuildContext& context, Resources& resources, const Origin& origin,
                            std::string_view file_name, std::string_view kind);
// The same of a plugin's own object, that `configured_in` holds.
struct PluginOrigin {
    std::string configured_in, api_version, kind, name, ns;
};
void add_plugin_origin(const BuildContext& context, Resource& resource, const PluginOrigin& origin);
void add_plugin_transformer(const BuildContext& context, Resources& resources, const PluginOrigin& origin);

} // namespace lockstep
