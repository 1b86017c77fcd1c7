// What was at a place before the change: the value of the same field of the same object, or on the same line of a
// text.
#pragma once
#include "deploy/nodes.h"
#include <optional>
#include <unordered_map>

namespace lockstep {

class ValueHistory {
public:
    ValueHistory(const Repository& base, const Repository& head) : base_(base), head_(head), old_(base), new_(head) {}

    std::string now(Place place) const; // the bytes, without quotes
    // Nothing when the base has no such place, or several.
    std::optional<std::string> before(Place place);

private:
    std::optional<std::string> by_path(Place place, FileId old_file, const Object* old_object);
    std::optional<std::string> by_line(Place place, const File& old_file) const;
    const Object* object_at(Place place) const;      // of the head
    const Object* same_object(const Object& object); // of the base

    const Repository& base_;
    const Repository& head_;
    Nodes old_, new_;
    std::optional<std::unordered_map<std::string, std::vector<const Object*>>> base_objects_;
};

} // namespace lockstep
