// Text of a repository on its way into a page of Markdown: it is shown, it never formats, links or calls anybody.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// For running text and cells of tables, on one line.
void append_markdown(std::string& out, std::string_view text);
// For the part of an address behind its host.
void append_url_path(std::string& out, std::string_view path);

} // namespace lockstep
