// The globs of .Files: `*` stays in a folder, `**` does not, `{a,b}` is a choice.
#pragma once
#include <string_view>

namespace lockstep {

// A pattern that is none matches every file, as in Helm.
bool matches_file_glob(std::string_view pattern, std::string_view path);

} // namespace lockstep
