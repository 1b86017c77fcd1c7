// Where the linted folder is in its repository: what others read against the root needs it before every path.
#pragma once
#include "base/result.h"
#include <string>

namespace lockstep {

// Empty, or a path with a last `/`. Without `root` the root is the nearest folder at or above `path` that holds `.git`;
// where there is none, the linted folder is the root.
Result<std::string> prefix_in_repository(const std::string& path, const std::string& root);

} // namespace lockstep
