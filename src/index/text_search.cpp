// Looks a word up in the bytes of every file.
#include "index/text_search.h"
#include <algorithm>
#include <cstring>

namespace lockstep {
namespace {

// A letter of the word that manifests hardly have: memchr passes over the rest at thirty bytes a step. npos for none.
std::size_t rare_letter(std::string_view word) {
    return word.find_first_not_of(" etaoinsrlmcpdu-:.kghbyfvwjq\"/x{");
}

} // namespace

bool holds(std::string_view text, std::string_view word) {
    const std::size_t pivot = rare_letter(word);
    if (pivot == std::string_view::npos) return memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
    for (std::size_t at = text.find(word[pivot], pivot); at != std::string_view::npos;
         at = text.find(word[pivot], at + 1))
        if (text.substr(at - pivot).starts_with(word)) return true;
    return false;
}

bool is_mentioned(const Tree& tree, std::string_view word) {
    return std::any_of(tree.files.begin(), tree.files.end(),
                       [&](const File& file) { return file.indexed && holds(file.text, word); });
}

std::string_view document_text(const Tree& tree, const Object& object) {
    const std::string_view text = tree.indexed_text(object.file);
    return text.substr(object.document.begin, object.document.end - object.document.begin);
}

bool may_be_filled_in(std::string_view text) {
    for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1))
        if ((at > 0 && text[at - 1] == '$') || (at + 1 < text.size() && text[at + 1] == '{')) return true;
    return false;
}

} // namespace lockstep
