// Which scripts and documents of a tree name a path: what somebody applies by hand or reads on purpose.
#pragma once
#include "index/text_of_file.h"
#include <unordered_map>

namespace lockstep {

class PathMentions {
public:
    PathMentions(const Tree& tree, const TextOfFile& text_of);

    // A script, a workflow or a document has the path, or an end of it of at least two segments, outside of comments;
    // beside the file the bare name is enough.
    bool name(std::string_view path) const;
    // A script has this text on a line of code.
    bool scripts_have(std::string_view text) const;

private:
    struct Text {
        std::string_view path, text;
        bool script = false; // `#` begins a comment
    };
    std::vector<Text> texts_;
    template <class Begins> static bool has(const Text& one, std::string_view words, Begins begins);

    // Numbers of texts: with such a segment of a path, and of a folder.
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> with_segment_, in_folder_;
};

} // namespace lockstep
