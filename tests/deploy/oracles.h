// What the real tools put out, beside the project's root, when somebody has put it there.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

inline std::string oracle(const std::string& path) { // empty when it is not there
    const char* root = std::getenv("LOCKSTEP_SOURCE_ROOT");
    const std::string found = (root ? std::string(root) : std::string(".")) + "/../shared/oracles/" + path;
    return std::filesystem::exists(found) ? found : std::string();
}

inline std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}
