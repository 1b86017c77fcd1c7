// Looks upwards for the root of the repository.
#include "cli/repo_prefix.h"
#include "tree/tree.h"
#include <filesystem>

namespace lockstep {

namespace fs = std::filesystem;

Result<std::string> prefix_in_repository(const std::string& path, const std::string& root) {
    std::error_code bad;
    const fs::path linted = fs::canonical(path, bad);
    if (bad) {
        if (no_folder(path)) return std::string(); // the walk says what is wrong with it
        return Error{"cannot tell where this folder is: " + bad.message(), path, {0, 0}, {}};
    }
    if (root.empty()) {
        for (fs::path above = linted;; above = above.parent_path()) {
            const bool there = fs::exists(above / ".git", bad);
            if (bad) return Error{"cannot tell which repository this is: " + bad.message(), path, {0, 0}, {}};
            if (there) {
                const std::string inner = linted.lexically_relative(above).generic_string();
                return inner == "." ? std::string() : inner + "/";
            }
            if (above == above.parent_path()) return std::string();
        }
    }
    const fs::path named = fs::canonical(root, bad);
    if (bad) return Error{"--repo-root " + root + ": " + bad.message(), {}, {0, 0}, "name a folder at or above PATH"};
    const std::string inner = linted.lexically_relative(named).generic_string();
    if (inner == "." || linted == named) return std::string();
    if (inner.empty() || inner == ".." || inner.starts_with("../"))
        return Error{"--repo-root " + root + " does not hold " + path, {}, {0, 0}, "name a folder at or above PATH"};
    return inner + "/";
}

} // namespace lockstep
