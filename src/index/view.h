// The documents of one parsed file as indexing sees them: Lists unrolled, YAML inside YAML parsed at its true offsets.
// For everything that needs nodes while a file's table is there: index_file, and facts of rules.
#pragma once
#include "index/entities.h"
#include "tree/tree.h"
#include "yaml/node.h"
#include "yaml/parse.h"
#include <list>

namespace lockstep {

inline constexpr std::uint32_t no_view = 0xffffffffU;

struct DocumentView {
    NodeRef root; // empty for an empty document
    Span span;
    Role role = Role::fragment;
    bool list_item = false;         // `span` is that of the item
    bool embedded = false;          // is inside a block scalar of `holder`
    bool bootstrap = false;         // in a write_files block of cloud-init
    Place outer;                    // embedded: the key of that scalar
    std::uint32_t holder = no_view; // embedded: the view that holds it; list item: its list
};

struct FileView {
    FileId file = no_file;
    std::string_view path;
    std::vector<DocumentView> documents; // in file order; what is embedded is behind its holder
    std::list<YamlText> inner;           // node tables of embedded texts; addresses are stable
};

// `yaml` and the file's text must outlive the view. Thread-safe, no shared state.
FileView view_file(FileId id, const File& file, const YamlText& yaml);

// The lines of a literal or folded block behind its header, and the blanks before each. Nothing for other scalars.
struct BlockContent {
    Span slice;
    std::uint32_t indent = 0;
};
std::optional<BlockContent> block_content(NodeRef scalar);

struct GroupVersion {
    std::string_view group, version; // the core group is ""
};
GroupVersion split_api_version(std::string_view api_version);

} // namespace lockstep
