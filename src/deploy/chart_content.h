// What of a chart reaches a cluster, in a form that can be compared: without comments, formatting, documentation and
// tests, and without the image tags that automation moves.
#pragma once
#include "index/index.h"
#include <map>
#include <string>
#include <vector>

namespace lockstep {

// Files of a chart by their path inside it, those that .helmignore or their name leaves out not among them.
std::map<std::string, FileId> chart_files(const Index& index, const Chart& chart);

// True when the two files differ in what they make of a chart; then `at` is the first such place in `now`.
bool content_differs(const Tree& base, FileId before, const Tree& head, FileId now, std::string_view path, Span& at);

} // namespace lockstep
