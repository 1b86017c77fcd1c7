// Files that the user names on the command line: read whole, written whole or not at all.
#pragma once
#include "base/result.h"
#include "tree/tree.h"
#include <optional>
#include <string>

namespace lockstep {

// Nothing when it is not there.
Result<std::optional<std::string>> read_own_file(const std::string& path);
// Of config and rules, which are read before anything could raise a limit.
std::string why_unread(const File& file);
// No link inside a repository is followed on the way: `linted` is the root of one, whether git knows it or not.
std::optional<Error> write_file(const std::string& path, const std::string& text, const std::string& linted);
// With those above it that are not there; the same about links.
std::optional<Error> make_folder(const std::string& path, const std::string& linted);

} // namespace lockstep
