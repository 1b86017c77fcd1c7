// The nodes behind an entity of the index, for checks that need more than the index keeps (see ParsedFiles).
#pragma once
#include "deploy/repository.h"
#include "index/view.h"

namespace lockstep {

class Nodes {
public:
    explicit Nodes(const Repository& repository) : repository_(repository) {}
    NodeRef root(const Object& object);    // the object's document
    const FileView& view(FileId file);     // all documents of a file, embedded ones included
    Cell cell(FileId file, NodeRef value); // a scalar with its state and place; absent for an empty reference

private:
    const Repository& repository_;
};

} // namespace lockstep
