// What applies a file, for people and for programs.
#pragma once
#include "deploy/chain_words.h"
#include "deploy/why.h"
#include "tree/locate.h"
#include <string>

namespace lockstep {

std::string why_text(const Index& index, const Fleet& fleet, FileId file, const FileChains& found, Locator& locator);
std::string why_json(const Index& index, const Fleet& fleet, FileId file, const FileChains& found,
                     Locator& locator); // ends with a line break

// `Deployment shop/web`; a templated or absent namespace as it is.
std::string identity_text(std::string_view kind, std::string_view ns, std::string_view name);
std::string_view word_for(Part::As as);
std::string_view word_for(Certainty certainty);

} // namespace lockstep
