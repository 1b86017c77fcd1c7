// Values of a chart that is not rendered, laid over each other as Helm does it: trees, texts of YAML, single values by
// their path. Only what names images is kept.
#pragma once
#include "deploy/images.h"
#include <map>
#include <memory>

namespace lockstep {

// The first document of a text, all of it at `place`; nullptr when it is no YAML, or neither mapping nor list.
Value* yaml_in(std::string_view text, Place place, Arena& arena);
Value* yaml_of(FileId file, std::string_view text,
               Arena& arena); // the same of a whole file, each node at its own place
// The same tree without what leads to no image; nullptr when nothing is left.
Value* images_only(const Value& tree, Arena& arena);

// What is added must outlive it.
class ImageValues {
public:
    void add(const Value& values); // overrules what was added before, key by key; a list replaces a list
    void add(std::string_view path, const Value& value); // `a.b.c`, as --set takes it
    std::vector<ImageUse> images() const;
    bool is_full() const; // more was added than is kept

private:
    struct Node {
        std::map<std::string_view, std::unique_ptr<Node>> below;
        const Value* value = nullptr; // anything but a mapping
    };
    bool add(Node& node, const Value& values, bool inside);
    static void find(const Node& node, std::vector<ImageUse>& found);
    Node top_;
    std::size_t kept_ = 0;
};

} // namespace lockstep
