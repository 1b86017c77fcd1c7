// What rows of facts from documents have in common, whether the document is a file's or a rendered one.
#pragma once
#include "index/layout.h"
#include "rules/extract.h"

namespace lockstep {

// What all rows of one file share.
struct FileContext {
    FileId id;
    const File& file;
    std::optional<ChartPlace> chart;
    std::string tree;
};

struct Identity { // of the object that the document is
    Cell kind, name_space, name;
    std::string group;
};

Cell known_cell(std::string_view text, Place place);
bool kind_fits(const FactSpec& fact, const Identity& identity);
// Whether a fact's `files` and `skip` take the path; fills the captures in the fact's order.
bool takes_file(const FactSpec& fact, std::string_view path, std::vector<std::string>& captures);
// `path#Kind/namespace/name`, as keys of findings begin.
std::string document_subject(const FileContext& context, const Identity& identity);
// The columns behind the fact's own.
void add_common(const FileContext& context, const FactSpec& fact, const std::vector<std::string>& captures,
                const Identity& identity, Row& row);
// Keeps the row where the fact's `where` takes it; one that lacks a field is lost.
void finish_row(const FactSpec& fact, std::size_t number, const FileContext& context, Row&& row,
                std::vector<FactRow>& rows);

} // namespace lockstep
