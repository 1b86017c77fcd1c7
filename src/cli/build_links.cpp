// Reads the build's environment.
#include "cli/build_links.h"
#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lockstep {
namespace {

// Nothing that would end a link in Markdown.
bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        const bool letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        return letter_or_digit || std::string_view("-._~/:").find(c) != std::string_view::npos;
    });
}

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value && is_plain(value) ? value : "";
}

} // namespace

std::string link_base_of_build() {
    const std::string_view server = variable("GITHUB_SERVER_URL"), repository = variable("GITHUB_REPOSITORY"),
                           commit = variable("GITHUB_SHA");
    if (!server.starts_with("http") || repository.empty() || commit.empty()) return {};
    // Gitea sets the same variables, but shows a commit's files elsewhere.
    const std::string_view shown = std::getenv("GITEA_ACTIONS") ? "/src/commit/" : "/blob/";
    std::string out(server);
    for (const std::string_view part : {std::string_view("/"), repository, shown, commit, std::string_view("/")})
        out += part;
    return out;
}

} // namespace lockstep
