// What a native check may see, and what it says it takes.
#include "rules/check.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string_view cut(std::string_view& text, char at) {
    const std::string_view part = text.substr(0, text.find(at));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return trimmed(part);
}

} // namespace

std::string_view CheckInput::text(FileId file) const {
    const File& read = repository.tree->files[file];
    if (read.indexed) return read.text;
    const bool asked = std::any_of(rule.facts.begin(), rule.facts.end(),
                                   [&](const FactSpec& fact) { return asks_for_file(fact, read.path); });
    return asked ? std::string_view(read.text) : std::string_view();
}

CheckSignature signature_of(const NativeCheck& check) {
    CheckSignature signature;
    signature.name = check.name;
    for (std::string_view rest = check.takes; !rest.empty();) {
        std::string_view fact = cut(rest, ';');
        CheckSignature::Fact& taken = signature.facts.emplace_back();
        taken.name = cut(fact, ':');
        while (!(fact = trimmed(fact)).empty())
            taken.columns.emplace_back(cut(fact, ' '));
    }
    return signature;
}

} // namespace lockstep
