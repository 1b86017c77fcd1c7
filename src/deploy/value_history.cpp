// Finds the old value of a place by object and YAML path, or by what is around it on its line.
#include "deploy/value_history.h"
#include "index/layout.h"
#include "yaml/path.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

std::string identity_of(const Object& object) {
    return object.group + "/" + object.kind.text + "/" + object.ns.text + "/" + object.name.text;
}

std::string without_quotes(std::string_view text) {
    const bool quoted =
        text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// The scalar that is exactly this span; empty when the span is only a part of one, or no YAML.
NodeRef scalar_at(const FileView& view, Span span, std::size_t& document) {
    for (document = 0; document < view.documents.size(); ++document) {
        const DocumentView& one = view.documents[document];
        if (!one.root || one.embedded || span.begin < one.span.begin || span.end > one.span.end) continue;
        const YamlText& yaml = one.root.yaml();
        for (NodeId id = 0; id < yaml.nodes.size(); ++id) {
            const NodeRef node(&yaml, id);
            if (node.is_scalar() && node.span() == span) return node;
        }
    }
    return {};
}

} // namespace

std::string ValueHistory::now(Place place) const {
    const std::string_view text = head_.tree->files[place.file].text;
    return without_quotes(text.substr(place.span.begin, place.span.end - place.span.begin));
}

const Object* ValueHistory::object_at(Place place) const {
    for (const Object& object : head_.index.objects)
        if (object.file == place.file && object.document.begin <= place.span.begin &&
            place.span.end <= object.document.end)
            return &object;
    return nullptr;
}

const Object* ValueHistory::same_object(const Object& object) {
    if (!base_objects_) {
        base_objects_.emplace();
        for (const Object& one : base_.index.objects)
            if (!one.partial && !one.as_patch) (*base_objects_)[identity_of(one)].push_back(&one);
    }
    const auto found = base_objects_->find(identity_of(object));
    return found != base_objects_->end() && found->second.size() == 1 ? found->second.front() : nullptr;
}

std::optional<std::string> ValueHistory::before(Place place) {
    const File& file = head_.tree->files[place.file];
    if (file.state != FileState::read) return std::nullopt;
    const auto there = base_.tree->find(file.path);
    if (!there) { // the file is new; its object may come from another one
        const Object* object = object_at(place);
        const Object* old = object ? same_object(*object) : nullptr;
        return old ? by_path(place, old->file, old) : std::nullopt;
    }
    File old = base_.tree->files[*there];
    if (old.state == FileState::listed) read_file(*base_.tree, old);
    if (old.state != FileState::read) return std::nullopt;
    if (old.text == file.text) return now(place);
    if (is_indexable(file))
        if (auto found = by_path(place, *there, nullptr)) return found;
    return by_line(place, old);
}

std::optional<std::string> ValueHistory::by_path(Place place, FileId old_file, const Object* old_object) {
    std::size_t number = 0;
    const FileView& view = new_.view(place.file);
    const NodeRef node = scalar_at(view, place.span, number);
    if (!node) return std::nullopt;
    const auto path = YamlPath::parse(path_of(node));
    if (!path) return std::nullopt;
    NodeRef root;
    if (old_object) {
        root = old_.root(*old_object);
    } else if (const auto& documents = old_.view(old_file).documents; number < documents.size()) {
        root = documents[number].root;
        // Documents may have changed places: the object with the same name is the one that counts.
        const NodeRef name = view.documents[number].root.get("metadata").get("name");
        const NodeRef kind = view.documents[number].root.get("kind");
        for (const DocumentView& one : documents)
            if (name && one.root.get("kind").text() == kind.text() &&
                one.root.get("metadata").get("name").text() == name.text())
                root = one.root;
    }
    const auto match = path->find_first(root);
    if (!match || !match->value.is_scalar()) return std::nullopt;
    return std::string(match->value.text());
}

std::optional<std::string> ValueHistory::by_line(Place place, const File& old_file) const {
    const std::string_view text = head_.tree->files[place.file].text;
    const auto begin = place.span.begin == 0 ? 0 : text.rfind('\n', place.span.begin - 1) + 1; // npos + 1 is 0
    const auto end = std::min(text.find('\n', place.span.end), text.size());
    const std::string_view prefix = text.substr(begin, place.span.begin - begin);
    const std::string_view suffix = text.substr(place.span.end, end - place.span.end);
    std::set<std::string> values;
    std::string_view rest = old_file.text;
    while (!rest.empty()) {
        const auto stop = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, stop);
        rest.remove_prefix(std::min(stop + 1, rest.size()));
        if (line.size() > prefix.size() + suffix.size() && line.starts_with(prefix) && line.ends_with(suffix))
            values.emplace(line.substr(prefix.size(), line.size() - prefix.size() - suffix.size()));
    }
    return values.size() == 1 ? std::optional(without_quotes(*values.begin())) : std::nullopt;
}

} // namespace lockstep
