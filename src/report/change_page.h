// The page of `lockstep diff`: what a change does to pins, references and objects, for whoever reviews it.
#pragma once
#include "tree/locate.h"
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

struct Difference {
    enum class Section : std::uint8_t { pins, sources, depends_on, objects, clusters } section = Section::pins;
    struct Side {
        std::string value; // empty where being there is all that counts
        Place place;
    };
    std::string what;
    std::optional<Side> before, after; // one of them at least
};

struct ChangePage {
    std::string base;                                // `1a2b3c4d5e6f, where HEAD left main`
    std::vector<Difference> differences;             // by section
    std::size_t changed = 0, added = 0, removed = 0; // files
    std::vector<std::string> submodules;             // not looked into
};

std::string change_page_text(const ChangePage& page, Locator& base, Locator& head);
std::string change_page_markdown(const ChangePage& page, Locator& base, Locator& head);

} // namespace lockstep
