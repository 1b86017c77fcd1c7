// Finds literal blocks that hold YAML and parses them at their true offsets.
#include "index/embedded.h"
#include "index/layout.h"

namespace lockstep {

namespace {

constexpr int deepest_nesting = 4;

bool may_be_yaml(std::string_view text) {
    if (text.find("apiVersion:") != std::string_view::npos && text.find("kind:") != std::string_view::npos) return true;
    return text.find("containers:") != std::string_view::npos || text.find("#cloud-config") != std::string_view::npos;
}

int nesting(const FileView& view, std::uint32_t number) {
    int levels = 0;
    for (std::uint32_t at = number; at != no_view; at = view.documents[at].holder)
        if (view.documents[at].embedded) ++levels;
    return levels;
}

void append_text(FileView& view, std::uint32_t number, NodeRef key, NodeRef text, bool bootstrap) {
    // A folded block joins lines, so that offsets would lie: literal ones only.
    if (!text.is_scalar() || text.node().style != NodeStyle::literal || !may_be_yaml(text.source())) return;
    std::optional<BlockContent> content = block_content(text);
    if (!content) return;
    Dialect dialect = is_terraform_template(view.path) ? Dialect::terraform : Dialect::yaml;
    const YamlText& inner =
        view.inner.emplace_back(parse_yaml_slice(text.yaml().text, content->slice, content->indent, dialect));
    DocumentView mould;
    mould.embedded = true;
    mould.bootstrap = bootstrap || view.documents[number].bootstrap;
    mould.outer = {view.file, key ? key.span() : text.span()};
    mould.holder = number;
    append_documents(view, inner, mould);
}

void append_values(FileView& view, std::uint32_t number, NodeRef map) {
    map = map.resolved();
    if (!map.is_mapping()) return;
    for (const NodeRef::Entry& entry : map.entries())
        append_text(view, number, entry.key, entry.value.resolved(), false);
}

} // namespace

void append_embedded(FileView& view, std::uint32_t number) {
    const DocumentView document = view.documents[number];
    if (nesting(view, number) >= deepest_nesting) return;
    if (document.role == Role::cloud_init) {
        for (NodeRef item : document.root.get("write_files").resolved().items()) {
            NodeRef file = item.resolved();
            append_text(view, number, file.get_key("content"), file.get("content").resolved(), true);
        }
        return;
    }
    if (document.role != Role::object) return;
    if (document.root.get("apiVersion").resolved().text() != "v1") return;
    std::string_view kind = document.root.get("kind").resolved().text();
    if (kind == "ConfigMap") append_values(view, number, document.root.get("data"));
    if (kind == "Secret") append_values(view, number, document.root.get("stringData"));
}

} // namespace lockstep
