// The nodes behind an entity of the index, for checks that need more than the index keeps: its file is parsed again
// when the first check asks, and only then.
#pragma once
#include "index/view.h"
#include "rules/read.h"
#include <map>
#include <memory>

namespace lockstep {

class Nodes {
public:
    explicit Nodes(const Repository& repository) : repository_(repository) {}
    NodeRef root(const Object& object);    // the object's document
    const FileView& view(FileId file);     // all documents of a file, embedded ones included
    Cell cell(FileId file, NodeRef value); // a scalar with its state and place; absent for an empty reference

private:
    struct Parsed {
        YamlText yaml;
        FileView view;
    };
    const Repository& repository_;
    std::map<FileId, std::unique_ptr<Parsed>> files_;
};

} // namespace lockstep
