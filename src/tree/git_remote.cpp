// Reads `[remote "…"] url` of .git/config; nothing else of it counts, and git is not run.
#include "tree/git_remote.h"
#include "base/text.h"
#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {
namespace {

constexpr std::size_t most_bytes = 1U << 20;

} // namespace

std::vector<std::string> urls_in_git_config(std::string_view text) {
    std::vector<std::string> urls;
    bool remote = false;
    while (!text.empty()) {
        const std::string_view line = trimmed(text.substr(0, text.find('\n')));
        text.remove_prefix(
            std::min(text.size(), text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') + 1));
        if (line.starts_with('[')) remote = line.starts_with("[remote ");
        const std::size_t equals = line.find('=');
        if (!remote || equals == std::string_view::npos || trimmed(line.substr(0, equals)) != "url") continue;
        urls.emplace_back(trimmed(line.substr(equals + 1)));
    }
    return urls;
}

std::vector<std::string> remote_urls(const std::string& root) {
    const int fd = open((root + "/.git/config").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return {};
    std::string text;
    struct stat info = {};
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        char buffer[4096];
        for (ssize_t count = 1; count > 0 && text.size() < most_bytes;) {
            count = read(fd, buffer, sizeof buffer);
            if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
        }
    }
    close(fd);
    return urls_in_git_config(text);
}

} // namespace lockstep
