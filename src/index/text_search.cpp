// Looks a word up in the bytes of every file.
#include "index/text_search.h"
#include <algorithm>

namespace lockstep {
namespace {

// The letter of a word that manifests have least of: memchr passes over the rest at thirty bytes a step.
std::size_t rarest(std::string_view word) {
    constexpr std::string_view common = " etaoinsrlmcpdu-:.kghbyfvw\"/x{$";
    const auto rank = [&](char letter) { return common.find(letter); }; // npos for what is rarer than all of them
    return static_cast<std::size_t>(
        std::max_element(word.begin(), word.end(), [&](char a, char b) { return rank(a) < rank(b); }) - word.begin());
}

} // namespace

bool holds(std::string_view text, std::string_view word) {
    const std::size_t pivot = rarest(word);
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
