// Finds the exact outputs of the real tools beside the project, and reads their files.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace lockstep {

inline std::string oracle_path(const std::string& name) {
    const char* root = std::getenv("LOCKSTEP_SOURCE_ROOT");
    const std::string path = (root ? std::string(root) : std::string(".")) + "/../shared/oracles/" + name;
    return std::filesystem::exists(path) ? path : std::string();
}

inline std::string file_text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Up to this many differences are shown.
inline std::size_t differences_shown() {
    const char* wanted = std::getenv("LOCKSTEP_SHOW");
    return wanted ? static_cast<std::size_t>(std::atoi(wanted)) : 20;
}

} // namespace lockstep
