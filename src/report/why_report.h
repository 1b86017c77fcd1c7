// What applies a file, for people and for programs.
#pragma once
#include "index/ways.h"
#include "tree/locate.h"
#include <string>

namespace lockstep {

std::string why_text(const Index& index, FileId file, const FileWays& found, Locator& locator);
std::string why_json(const Index& index, FileId file, const FileWays& found,
                     Locator& locator); // ends with a line break

// `Deployment shop/web`; a templated or absent namespace as it stands.
std::string identity_text(std::string_view kind, const Cell& ns, const Cell& name);
std::string_view word_for(WayStep::By by);
std::string_view word_for(Part::As as);
std::string name_of(const Index& index, const WayStep& step);

} // namespace lockstep
