// Sends each document of a file to the reader of its role.
#include "index/file_index.h"
#include "index/readers.h"

namespace lockstep {

namespace {

// Tools that apply things from Git in ways we do not follow: they are named, never passed over in silence.
std::string foreign_tool(const Object& object) {
    if (object.kind.state != State::known) return {};
    const std::string& kind = object.kind.text;
    if (object.group == "argoproj.io" && (kind == "Application" || kind == "ApplicationSet" || kind == "AppProject"))
        return "Argo CD " + kind;
    if (object.group == "fleet.cattle.io") return "Fleet " + kind;
    if (object.group == "helm.cattle.io") return "k3s " + kind;
    return {};
}

EntityId add_object(FileIndex& index, const FileView& view, std::uint32_t number, const Layout& layout) {
    index.objects.push_back(read_object(view, number, layout));
    const Object& object = index.objects.back();
    std::string tool = foreign_tool(object);
    if (!tool.empty()) index.foreign.push_back({std::move(tool), object.kind.place});
    return static_cast<EntityId>(index.objects.size() - 1);
}

EntityId read_object(FileIndex& index, const FileView& view, std::uint32_t number, const Layout& layout) {
    const DocumentView& document = view.documents[number];
    const EntityId object = add_object(index, view, number, layout);
    read_typed(index, view.file, document, object);
    read_string_maps(index, view.file, document, object);
    read_scripts(index, view, document, object);
    return object;
}

} // namespace

FileIndex index_view(const FileView& view, const Layout& layout) {
    FileIndex index;
    index.file = view.file;
    // Views are in file order, holders before what they hold: an embedded script or PodSpec belongs to its holder.
    std::vector<EntityId> object_of(view.documents.size(), no_entity);
    for (std::uint32_t number = 0; number < view.documents.size(); ++number) {
        const DocumentView& document = view.documents[number];
        index.documents.push_back({{view.file, document.span}, document.role});
        EntityId object = document.holder == no_view ? no_entity : object_of[document.holder];
        switch (document.role) {
        case Role::object:
            object = read_object(index, view, number, layout);
            break;
        case Role::kustomization:
            object = document.root.get("apiVersion") && document.root.get("kind")
                         ? add_object(index, view, number, layout)
                         : no_entity;
            if (object != no_entity) read_string_maps(index, view.file, document, object);
            read_kustomization(index, view, document, object, layout);
            break;
        case Role::chart:
        case Role::chart_lock:
            read_chart_document(index, view, document, layout);
            // A kustomization may list an object under any name.
            if (document.root.get("kind") && document.root.get("metadata").resolved().is_mapping())
                object = read_object(index, view, number, layout);
            break;
        case Role::pod_spec:
        case Role::workflow:
        case Role::cloud_init:
            read_scripts(index, view, document, object);
            break;
        case Role::foreign:
            index.foreign.push_back({"helmfile", {view.file, document.span}});
            break;
        case Role::list:
        case Role::values:
        case Role::fragment:
        case Role::empty:
            break;
        }
        object_of[number] = object;
    }
    return index;
}

FileIndex index_file(FileId id, const File& file, const YamlText& yaml, const Layout& layout) {
    return index_view(view_file(id, file, yaml), layout);
}

} // namespace lockstep
