// Files that are kept to be read, tried or filled in, not to be applied: samples, tests, archives, templates of
// generators. The one place that answers it, for the law of severity and for checks.
#pragma once
#include "base/glob.h"
#include "index/index.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace lockstep {

class SidePaths {
public:
    // `folders` are names, at any depth; `globs` those of the config.
    SidePaths(const Tree& tree, std::vector<std::string> folders, std::vector<Glob> globs)
        : tree_(tree), folders_(std::move(folders)), globs_(std::move(globs)), asked_(tree.files.size()) {}

    bool covers(std::string_view path) const; // by its path alone
    // By its path, or because a generator fills it in: `<TOKEN>` as a value, a `.j2` beside it, a Go program that
    // embeds its folder. For several threads at a time.
    bool covers(FileId file) const;

private:
    enum Asked : std::uint8_t { never, no, yes };
    bool is_filled_in(FileId file) const;
    bool is_beside_templates(std::string_view folder) const;
    bool is_embedded(std::string_view path) const;
    bool embeds(FileId go_file) const;

    const Tree& tree_;
    std::vector<std::string> folders_;
    std::vector<Glob> globs_;
    mutable std::vector<std::atomic<Asked>> asked_; // per file; several threads may find out the same
    mutable std::mutex asking_;
    mutable std::unordered_map<std::string, bool> embedding_; // per folder: a Go file there has `//go:embed`
};

// A cluster tree is none, whatever it is called: `clusters/test` is a cluster.
bool is_side_path(const Index& index, FileId file);
bool is_side_path(const Index& index, std::string_view path);

} // namespace lockstep
