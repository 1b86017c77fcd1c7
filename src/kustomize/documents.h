// Documents of files and of texts inside kustomizations, checked as kustomize checks them when it loads them.
#pragma once
#include "kustomize/loader.h"
#include "yaml/value.h"
#include <string>
#include <vector>

namespace lockstep {

struct DuplicateKey { // kustomize notices when it writes the object
    std::string message;
    Place place;
};

struct LoadedDocuments {
    std::vector<Value*> trees; // objects, Lists unrolled
    std::string error;         // in kustomize's words, or empty
    Place error_at;
    bool templated = false;
    std::vector<DuplicateKey> duplicates;
};

// `objects`: every document must be an object with kind and name, as resources and strategic merge patches are.
LoadedDocuments load_documents(std::string_view text, FileId file, Arena& arena, bool objects);
// The same of a text inside a scalar; places lead into the file where the scalar is a block.
LoadedDocuments load_inline_documents(const Value& scalar, std::string_view file_text, Arena& arena, bool objects);
// First document, of any shape; nullptr with an error, or without one when there is none.
Value* load_first(std::string_view text, FileId file, Arena& arena, std::string& error);

std::string go_quoted(std::string_view text); // as Go's %q

// What is wrong with an object that is to be a resource; empty for nothing.
std::string object_problem(const Value& object);
bool is_local_config(const Value& object);

} // namespace lockstep
