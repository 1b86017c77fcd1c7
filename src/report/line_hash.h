// The fingerprint by which GitHub follows an alert from commit to commit: a hash of the text from its line on.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockstep {

// Of these lines (counted from 1), as github/codeql-action computes `primaryLocationLineHash`: «hash:n», where n says
// how many lines so far had this hash. The text is seen as UTF-16 without blanks and tabs, CR and CRLF as LF, with
// U+FFFF behind its end; a line's hash is the polynomial of base 37, modulo 2^64, of the 100 units that start with it,
// zeros where the text has ended.
std::unordered_map<std::uint32_t, std::string> github_line_hashes(std::string_view text,
                                                                  const std::vector<std::uint32_t>& lines);

} // namespace lockstep
