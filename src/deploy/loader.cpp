// What kustomize reads here: the tree's files, and the index' objects in place of a second parsing.
#include "deploy/fleet_walk.h"
#include "index/cells.h"
#include "index/layout.h"
#include "kustomize/tree_bytes.h"

namespace lockstep {
namespace {

// The line break behind a document belongs to a block of text at its end.
Span with_line_end(std::string_view text, Span document) {
    while (document.end < text.size() && text[document.end] == '\r')
        ++document.end;
    if (document.end < text.size() && text[document.end] == '\n') ++document.end;
    return document;
}

class TreeFiles {
public:
    TreeFiles(Tree& tree, const Index& index)
        : tree_(tree), index_(index), bytes_(tree), first_object_(tree.files.size() + 1, 0),
          first_document_(tree.files.size() + 1, 0) {
        for (const Object& object : index.objects) // in file order
            ++first_object_[object.file + 1];
        for (const DocumentRole& document : index.documents)
            ++first_document_[document.place.file + 1];
        for (std::size_t i = 1; i < first_object_.size(); ++i) {
            first_object_[i] += first_object_[i - 1];
            first_document_[i] += first_document_[i - 1];
        }
    }

    std::string_view text(FileId id) { return bytes_.of(id); }

    std::optional<FileHeads> heads(FileId id) {
        const std::string_view text = tree_.files[id].text;
        if (first_document_[id] == first_document_[id + 1] || text.find("{{") != std::string_view::npos)
            return std::nullopt;
        FileHeads made;
        Span holder; // the last document that is no text inside another one
        std::uint32_t next = first_object_[id];
        for (std::uint32_t i = first_document_[id]; i < first_document_[id + 1]; ++i) {
            const DocumentRole& document = index_.documents[i];
            const bool inside = document.place.span.begin < holder.end;
            const Object* object = next < first_object_[id + 1] && index_.objects[next].document == document.place.span
                                       ? &index_.objects[next]
                                       : nullptr;
            if (object) ++next;
            if (document.role == Role::list) continue; // its items come next
            if (inside || document.role == Role::empty) continue;
            if (document.role != Role::object || !object) return std::nullopt;
            holder = document.place.span;
            if (!is_set(object->name) || !is_set(object->kind) || !is_set(object->api_version)) return std::nullopt;
            made.heads.push_back({object->api_version.text, object->kind.text, object->name.text, object->ns.text,
                                  object->list_item ? object->document : with_line_end(text, object->document), false,
                                  object->list_item, object->build_marks});
        }
        return made;
    }

private:
    Tree& tree_;
    const Index& index_;
    TreeBytes bytes_;
    std::vector<std::uint32_t> first_object_, first_document_; // per file and one more
};

} // namespace

Loader loader_for(Tree& tree, const Index& index, const ParsedFiles& parsed,
                  std::shared_ptr<const RenderedFiles> rendered) {
    auto files = std::make_shared<TreeFiles>(tree, index);
    Loader loader;
    loader.find_file = [&tree, rendered](std::string_view path) {
        return path.starts_with(RenderedFiles::folder) ? rendered->find(path) : tree.find(path);
    };
    loader.is_folder = [&tree](std::string_view path) {
        return path == RenderedFiles::folder || tree.has_directory(path);
    };
    loader.text = [files, rendered](FileId file) {
        return rendered->holds(file) ? std::string_view(rendered->document(file).text) : files->text(file);
    };
    loader.path = [&tree, rendered](FileId file) {
        return rendered->holds(file) ? rendered->document(file).source : tree.files[file].path;
    };
    loader.is_unknown = [&tree](std::string_view path) { return tree.is_unlisted(path); };
    loader.heads = [files, rendered](FileId file) { return rendered->holds(file) ? std::nullopt : files->heads(file); };
    loader.nodes = [&tree, &parsed, rendered](FileId file, Span document) {
        if (rendered->holds(file) || is_terraform_template(tree.files[file].path)) return NodeRef();
        const ParsedFile* kept = parsed.kept(file);
        if (!kept || kept->yaml.masked || !kept->yaml.problems.empty()) return NodeRef();
        for (const YamlDocument& one : kept->yaml.documents)
            if (one.span.begin == document.begin) return NodeRef(&kept->yaml, one.root);
        return NodeRef();
    };
    return loader;
}

} // namespace lockstep
