// What kustomize build reads from: files by path, folders, and cheap heads of documents. Tests hand in trees in memory,
// the program its Tree and index.
#pragma once
#include "base/span.h"
#include "tree/tree.h"
#include "yaml/node.h"
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// An object that is annotated with it is used while building, and not built.
inline constexpr std::string_view local_config_mark = "config.kubernetes.io/local-config";

// Who a document says it is. Views into the file's text, or into memory that outlives the builder.
struct DocumentHead {
    std::string_view api_version, kind, name, ns;
    Span document;             // the bytes of the document, or of the item of a List
    bool local_config = false; // annotation config.kubernetes.io/local-config
    bool list_item = false;    // an item of a List: `document` is the item's own bytes
    bool needs_tree =
        false; // the head does not tell all: parse the document (merge keys, odd metadata, build annotations)
};

struct FileHeads {
    std::vector<DocumentHead> heads; // in file order, items of Lists in the place of their List
    std::string error;               // not empty: the file is no YAML; in the words of the reader
    Span error_at;
    bool templated = false; // Helm or Terraform template actions: not what kustomize would read
};

// Paths are relative to the root, with '/', normalised; "" is the root itself.
struct Loader {
    std::function<std::optional<FileId>(std::string_view path)> find_file;
    std::function<bool(std::string_view path)> is_folder;
    std::function<std::string_view(FileId file)> text; // must stay where it is while the builder lives
    std::function<std::string(FileId file)> path;
    // True for a path that is excluded from the tree, so that nobody knows whether it is there. May be empty.
    std::function<bool(std::string_view path)> is_unknown;
    // Heads without parsing again. May be empty, and may return nothing for a file: then it is parsed.
    std::function<std::optional<FileHeads>(FileId file)> heads;
    // The nodes of a document that somebody has kept, whole and without a fault. May be empty, and may return nothing.
    std::function<NodeRef(FileId file, Span document)> nodes;
    // Renders an entry of helmCharts. May be empty: then it is a gap.
    std::function<struct InflatedChart(const struct ChartEntry& asked)> inflate;
};

// Over a tree whose files are read when they are asked for. The tree must outlive the loader.
Loader loader_of(Tree& tree);

// The heads of one file's text, by parsing it.
FileHeads read_heads(std::string_view text);

} // namespace lockstep
