// A folder on disk that lives as long as one test.
#pragma once
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>

struct Scratch {
    std::filesystem::path path;

    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "lockstep-test-XXXXXX").string();
        if (!::mkdtemp(name.data())) throw std::runtime_error("no scratch folder");
        path = name;
        // Other users of the machine are part of some tests.
        std::filesystem::permissions(path, std::filesystem::perms(0755));
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::string root() const { return path.string(); }
    std::filesystem::path operator/(std::string_view below) const { return path / below; }
    void write(std::string_view below, std::string_view text = "a: 1\n") const {
        std::filesystem::path file = path / below;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }
    void folder(std::string_view below) const { std::filesystem::create_directories(path / below); }
    void link(std::string_view below, std::string_view target) const {
        std::filesystem::path at = path / below;
        std::filesystem::create_directories(at.parent_path());
        std::filesystem::create_symlink(target, at);
    }
};

inline std::string output_of(const std::string& command) {
    std::string out;
    FILE* pipe = ::popen(command.c_str(), "r");
    if (!pipe) return out;
    std::array<char, 4096> piece;
    for (std::size_t got; (got = std::fread(piece.data(), 1, piece.size(), pipe)) != 0;)
        out.append(piece.data(), got);
    ::pclose(pipe);
    return out;
}

inline bool has_program(const std::string& name) {
    return !output_of("command -v " + name).empty();
}
