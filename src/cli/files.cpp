// Reading and writing by name.
#include "cli/files.h"
#include "tree/tree.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace lockstep {

Result<std::optional<std::string>> read_own_file(const std::string& path) {
    Tree place;
    place.root = path.find('/') == std::string::npos ? "." : path.substr(0, path.rfind('/') + 1);
    File file;
    file.path = file_name_of(path);
    read_file(place, file);
    if (file.state == FileState::read) return std::optional(file.text);
    if (file.state == FileState::unreadable && file.why == std::strerror(ENOENT)) return std::optional<std::string>();
    return Error{
        "cannot read the file: " + (file.why.empty() ? std::string("it is no text") : file.why), path, {0, 0}, {}};
}

std::optional<Error> write_file(const std::string& path, const std::string& text) {
    const std::string fresh = path + ".new";
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (file && std::rename(fresh.c_str(), path.c_str()) == 0) return std::nullopt;
    const std::string why = std::strerror(errno);
    std::remove(fresh.c_str());
    return Error{"cannot write the file: " + why, path, {0, 0}, "is the folder there, and writable?"};
}

} // namespace lockstep
