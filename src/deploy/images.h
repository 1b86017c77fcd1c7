// Images that objects name, as their clusters get them: of containers, of image volumes, in fields of operators' kinds
// and in the values of charts; and what a reference to an image says.
#pragma once
#include "base/table.h"
#include "yaml/value.h"
#include <string>
#include <vector>

namespace lockstep {

// `nginx`, `library/nginx` and `docker.io/library/nginx` are one image.
struct ImageName {
    std::string host, path, tag; // path without host; tag empty for none
    bool by_digest = false, host_written = false;
    std::string full() const { return host + "/" + path; }
};
ImageName image_name_of(std::string_view text);

// As DNS has it: in small letters, without port, user and a final dot.
std::string host_of_url(std::string_view url);

struct ImageUse {
    Cell image;
    Place tag = {};        // in parts: where the tag is
    bool in_parts = false; // `{registry, repository, tag}`: a chart may add what is not there
};
bool names_image(std::string_view key); // `image`, `initImage`, `imageName`
// All of one object's tree: every field whose name ends with `image` or `imageName`, wherever it is.
std::vector<ImageUse> images_in(const Value* tree);
// What a patch brings, strategic or a list of operations, whatever it is applied to.
std::vector<ImageUse> images_in_patch(const Value& patch);
ImageUse image_of_parts(const Cell& registry, const Cell& repository, const Cell& tag);

} // namespace lockstep
