// Changes of trees that wait until somebody asks: a chain of steps from a document to the object as it is applied,
// shared between overlays up to where they differ.
#pragma once
#include "kustomize/build.h"
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockstep {

struct TreeWork {
    Value* tree;
    Arena& arena;
    const Resource* self; // as it was when the change was noted; may be null
    BuildError& error;
};
// False, with the reason in `error`, when it cannot be done. Called from any thread, often for several trees.
using TreeOperation = std::function<bool(TreeWork& work)>;

struct TreeStep {
    const TreeStep* before = nullptr;
    const TreeOperation* change = nullptr; // null: a source
    const Resource* self = nullptr;
    FileId file = no_file; // of a source: the document
    Span document = {};
    bool list_item = false;
    mutable std::atomic<const Value*> made = nullptr; // the tree after this step, once somebody has kept it
    mutable std::atomic<std::uint32_t> asked = 0;
};

struct LoadedDocuments;

// A patch as it was read: objects to merge, or a list of operations. Nobody changes it.
struct ReadPatch {
    std::vector<Value*> trees;
    Value* operations = nullptr;
};

// Memory of one build at a time; the builder keeps all of them until its end.
struct Workspace {
    Arena arena;
    // Read once, however many folders bring them; nobody changes them.
    std::unordered_map<std::string, ReadPatch> patches = {}; // by place and text
    std::unordered_map<FileId, std::shared_ptr<const LoadedDocuments>> files = {};
    std::deque<TreeOperation> operations;
    std::size_t changes = 0;                   // of objects, in this build
    std::vector<BuildError> failed_trees = {}; // with keep_going: what steps could not do, where nobody told it yet

    const TreeOperation* add(TreeOperation operation) { return &operations.emplace_back(std::move(operation)); }
};

// Moves them, each once.
void take_failed_trees(Workspace& work, std::vector<BuildError>& into);

// Trees from steps.
class TreeMaker {
public:
    explicit TreeMaker(const Loader& loader) : loader_(loader) {}
    // A tree that the caller may change, in its own memory. nullptr, with the reason, when a step fails; with
    // `keep_going` the tree without what the step could not do, and the first reason.
    Value* make(const TreeStep& step, Arena& arena, BuildError& error, bool keep_going = false);
    std::size_t made() const { return made_; }

private:
    struct ParsedList { // a file with a List: its items are asked for one by one
        YamlText yaml;
        std::map<std::pair<std::uint32_t, std::uint32_t>, NodeId> mappings; // by their bytes
    };
    Value* read(const TreeStep& source, Arena& arena, BuildError& error);
    Value* read_item(const TreeStep& source, Arena& arena, BuildError& error);
    std::shared_ptr<const ParsedList> list_in(FileId file);

    const Loader& loader_;
    std::mutex lists_busy_;
    std::map<FileId, std::shared_ptr<const ParsedList>> lists_;
    std::atomic<std::size_t> made_ = 0;
};

} // namespace lockstep
