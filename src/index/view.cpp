// Which role each document of a file plays, with Lists unrolled.
#include "index/view.h"
#include "index/embedded.h"
#include "index/layout.h"

namespace lockstep {

GroupVersion split_api_version(std::string_view api_version) {
    std::size_t slash = api_version.find('/');
    if (slash == std::string_view::npos) return {{}, api_version};
    return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

std::optional<BlockContent> block_content(NodeRef scalar) {
    if (!scalar.is_scalar()) return std::nullopt;
    if (scalar.node().style != NodeStyle::literal && scalar.node().style != NodeStyle::folded) return std::nullopt;
    std::string_view source = scalar.source();
    std::size_t header = source.find('\n');
    if (header == std::string_view::npos) return std::nullopt;
    BlockContent content;
    content.slice = {scalar.span().begin + static_cast<std::uint32_t>(header) + 1, scalar.span().end};
    std::string_view lines = source.substr(header + 1);
    for (std::size_t at = 0; at < lines.size();) {
        std::size_t end = std::min(lines.find('\n', at), lines.size());
        std::size_t text = lines.find_first_not_of(' ', at);
        if (text < end && lines[text] != '\r') {
            content.indent = static_cast<std::uint32_t>(text - at);
            break;
        }
        at = end + 1;
    }
    // `|2`: the indentation is counted from the parent's, and the first line may be deeper.
    std::size_t digit = source.substr(0, header).find_first_of("123456789");
    if (digit < source.substr(0, header).find('#')) {
        NodeRef parent(&scalar.yaml(), scalar.node().parent);
        std::string_view text = scalar.yaml().text;
        std::uint32_t begin = parent ? parent.span().begin : 0;
        std::size_t line = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
        std::size_t column = line == std::string_view::npos ? begin : begin - line - 1;
        auto wanted = static_cast<std::uint32_t>(column) + static_cast<std::uint32_t>(source[digit] - '0');
        content.indent = std::min(content.indent, wanted);
    }
    return content;
}

namespace {

bool has(NodeRef root, std::string_view key) {
    return static_cast<bool>(root.get_key(key));
}

bool is_cloud_init(NodeRef root, const YamlText& yaml) {
    if (has(root, "apiVersion")) return false;
    if (has(root, "runcmd") || has(root, "write_files") || has(root, "bootcmd")) return true;
    // The marker is in the comments before the first key.
    std::string_view before = yaml.text.substr(0, root.span().begin);
    while (!before.empty()) {
        std::size_t start = before.find_last_of('\n', before.size() - 1);
        std::string_view line = before.substr(start == std::string_view::npos ? 0 : start + 1);
        std::size_t text = line.find_first_not_of(" \t\r");
        if (text != std::string_view::npos && line[text] != '#') return false;
        if (text != std::string_view::npos && line.substr(text).starts_with("#cloud-config")) return true;
        before = before.substr(0, start == std::string_view::npos ? 0 : start);
    }
    return false;
}

// By its name, or by its releases with a chart or its defaults: helmfiles include one another under any name.
bool is_helmfile(std::string_view path, NodeRef root) {
    std::string_view name = file_name_of(path);
    if (name.starts_with("helmfile.") || file_name_of(directory_of(path)) == "helmfile.d") return true;
    const NodeRef first = root.get("releases").resolved().at(0).resolved();
    return has(first, "name") && (has(first, "chart") || has(root, "helmDefaults")) &&
           name.find("values") == std::string_view::npos;
}

Role role_by_name(std::string_view path, NodeRef root) {
    std::string_view name = file_name_of(path);
    if (name == "Chart.yaml" || (name == "requirements.yaml" && has(root, "dependencies"))) return Role::chart;
    if (name == "Chart.lock" || name == "requirements.lock") return Role::chart_lock;
    return Role::fragment;
}

Role role_of(NodeRef root, std::string_view path, const YamlText& yaml, bool embedded) {
    if (!root || root.is_null()) return Role::empty;
    if (!root.is_mapping()) return Role::fragment;
    if (!embedded) {
        Role named = role_by_name(path, root);
        if (named != Role::fragment) return named;
    }
    NodeRef kind = root.get("kind").resolved();
    NodeRef api = root.get("apiVersion").resolved();
    if (kind.is_scalar() && api.is_scalar() && !kind.is_null() && !api.is_null()) {
        if (split_api_version(api.text()).group == "kustomize.config.k8s.io") return Role::kustomization;
        if (kind.text().ends_with("List") && root.get("items").resolved().is_sequence()) return Role::list;
        return Role::object;
    }
    if (is_cloud_init(root, yaml)) return Role::cloud_init;
    if (embedded) return root.get("containers").resolved().is_sequence() ? Role::pod_spec : Role::fragment;
    if (is_kustomization_name(file_name_of(path))) return Role::kustomization;
    if (is_workflow_path(path)) return Role::workflow;
    if (is_helmfile(path, root)) return Role::foreign;
    if (file_name_of(path).find("values") != std::string_view::npos) return Role::values;
    return Role::fragment;
}

} // namespace

void append_documents(FileView& view, const YamlText& yaml, const DocumentView& mould) {
    for (const YamlDocument& document : yaml.documents) {
        DocumentView made = mould;
        made.root = NodeRef(&yaml, document.root);
        made.span = document.span;
        made.role = role_of(made.root, view.path, yaml, mould.embedded);
        // A text in a ConfigMap is taken for YAML only where it says so itself.
        if (mould.embedded && (made.role == Role::fragment || made.role == Role::empty)) continue;
        view.documents.push_back(made);
        std::uint32_t number = static_cast<std::uint32_t>(view.documents.size()) - 1;
        if (made.role != Role::list) {
            append_embedded(view, number);
            continue;
        }
        for (NodeRef item : made.root.get("items").resolved().items()) {
            DocumentView part = made;
            part.root = item.resolved();
            part.span = part.root.span();
            part.role = role_of(part.root, view.path, yaml, true);
            if (part.role == Role::list) part.role = Role::fragment; // no List of Lists
            part.list_item = true;
            part.holder = number;
            view.documents.push_back(part);
            append_embedded(view, static_cast<std::uint32_t>(view.documents.size()) - 1);
        }
    }
}

FileView view_file(FileId id, const File& file, const YamlText& yaml) {
    FileView view;
    view.file = id;
    view.path = file.path;
    append_documents(view, yaml, {});
    // A file of comments alone has no document; it is still there.
    if (view.documents.empty() && yaml.problems.empty()) {
        DocumentView nothing;
        nothing.role = Role::empty;
        view.documents.push_back(nothing);
    }
    return view;
}

} // namespace lockstep
