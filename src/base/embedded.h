// The rules, data and fixtures that the program carries with it; ci/embed.py writes the source at build time.
#pragma once
#include <span>
#include <string_view>

namespace lockstep {

struct EmbeddedFile {
    std::string_view path; // relative to the project, with '/': `rules/core/x.yaml`, `fixtures/x/bad-1/a.yaml`
    std::string_view text;
};

// Sorted by path: rules/<pack>/*.yaml, rules/data/*.yaml and the files under fixtures/<rule>/<case>/, without the demo.
std::span<const EmbeddedFile> embedded_files();

} // namespace lockstep
