// Every image that a repository uses, wherever it is named.
#pragma once
#include "base/table.h"
#include "deploy/images.h"
#include "deploy/repository.h"

namespace lockstep {

// As clusters get them, after patches, transformers and substitution; as written in what no cluster gets, in texts of
// objects and in values files.
// `values`: rows of values files, with the columns text, registry, repository, tag.
std::vector<ImageUse> used_images(const Repository& repository, const Table& values);

// The trees of an object in all clusters; empty when none gets it, or when one of them cannot be built.
std::vector<const Value*> applied_trees(const Repository& repository, EntityId object);

} // namespace lockstep
