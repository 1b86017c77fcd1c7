// Text on its way into an XML document: always well formed, whatever bytes a repository holds.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// For attributes and for text: markup is escaped, what XML 1.0 cannot hold (controls, bytes that are no UTF-8) is
// spelled out as in the text report. Line breaks are spelled out too.
void append_xml(std::string& out, std::string_view text);

} // namespace lockstep
