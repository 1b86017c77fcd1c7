// Looks a word up in the bytes of every file.
#include "checks/mentions.h"
#include <algorithm>
#include <cstring>

namespace lockstep {
namespace {

bool holds(std::string_view text, std::string_view word) {
    return memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

} // namespace

bool is_mentioned(const Tree& tree, std::string_view word) {
    return std::any_of(tree.files.begin(), tree.files.end(),
                       [&](const File& file) { return file.indexed && holds(file.text, word); });
}

std::string_view document_text(const Tree& tree, const Object& object) {
    const std::string_view text = tree.indexed_text(object.file);
    return text.substr(object.document.begin, object.document.end - object.document.begin);
}

bool may_be_filled_in(std::string_view text) {
    return holds(text, "{{") || holds(text, "${");
}

} // namespace lockstep
