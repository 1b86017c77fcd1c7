// Files of the disk as a build asks for them, without walking a repository: `lockstep build` reads what kustomize
// would.
#pragma once
#include "base/result.h"
#include "base/span.h"
#include "kustomize/loader.h"
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <unordered_map>

namespace lockstep {

class DiskFiles {
public:
    // Paths of the loader are absolute ones without their first slash. The loader must not outlive this.
    Loader loader();
    std::string_view text(FileId file);
    // The first file that is there and could not be read: what was built is not the whole.
    std::optional<Error> problem();
    // `path:line`, with the path as seen from `folder` (absolute); empty for no file.
    std::string shown(Place place, const std::string& folder);

private:
    struct Entry {
        std::string path, text;
        bool read = false;
        std::unique_ptr<LineTable> lines = {};
    };
    std::optional<FileId> find(std::string_view path);
    void note(const std::string& path, const std::error_code& error);
    std::mutex guard_;
    std::optional<Error> problem_;
    std::deque<Entry> files_;
    std::unordered_map<std::string, FileId> ids_;
};

} // namespace lockstep
