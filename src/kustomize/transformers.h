// The transformers that follow field specs: they change identities at once and trees when somebody asks.
#pragma once
#include "kustomize/context.h"

namespace lockstep {

using Resources = std::vector<Resource>;

struct NamespaceArgs {
    std::string_view ns;
    FieldRows rows;
    bool unset_only = false;
    enum class Subjects : std::uint8_t { default_only, all_service_accounts, none } subjects = Subjects::default_only;
};
Failure transform_namespace(const BuildContext& context, Resources& resources, const NamespaceArgs& args, Place by);
Failure transform_names(const BuildContext& context, Resources& resources, std::string_view affix, bool prefix,
                        const FieldRows& rows, Place by);
// Labels and annotations: `pairs` is a mapping of texts.
void transform_pairs(const BuildContext& context, Resources& resources, const Value& pairs, FieldRows rows);

struct ImageArgs {
    std::string_view name, new_name, new_tag, digest, tag_suffix;
};
void transform_images(const BuildContext& context, Resources& resources, const ImageArgs& args, FieldRows rows,
                      Place by);
Failure transform_replicas(const BuildContext& context, Resources& resources, std::string_view name,
                           std::string_view count, const FieldRows& rows, Place by);

// `name`, `name:tag`, `name@digest` and the parts of an image.
bool is_image(std::string_view image, std::string_view name);
struct ImageParts {
    std::string_view name, tag, digest;
};
ImageParts split_image(std::string_view image);

} // namespace lockstep
