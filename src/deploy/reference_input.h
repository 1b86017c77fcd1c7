// What the resolver of references is asked with: the tables of knowledge, the config, and the scripts of a repository.
#pragma once
#include "config/config.h"
#include "deploy/references.h"
#include "deploy/repository.h"
#include "index/text_of_file.h"

namespace lockstep {

// Those of `files`, and the scripts inside manifests; those of tests left out.
std::vector<ScriptText> script_texts(const Repository& repository, const std::vector<FileId>& files,
                                     const TextOfFile& texts);
References references_of(const Repository& repository, const Config& config, const Table& references,
                         const Table& makers, std::vector<ScriptText> scripts);

// `a`, `a and b` or `a, b, c and 7 more`.
std::string listed(const std::set<std::string>& names);
// `path#Kind/namespace/name` of what an instance or an object that nothing applies was declared as.
std::string subject_of_reference(const Repository& repository, const ResolvedReference& reference);

} // namespace lockstep
