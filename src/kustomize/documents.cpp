// Reads and checks documents.
#include "kustomize/documents.h"
#include "kustomize/loader.h"
#include "kustomize/tree_edit.h"
#include "yaml/emit.h"
#include "yaml/parse.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string go_map(const Value* mapping) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [key, text] : string_pairs(mapping))
        pairs.emplace_back(key, text);
    std::sort(pairs.begin(), pairs.end());
    std::string out = "map[";
    for (std::size_t i = 0; i < pairs.size(); ++i)
        out += (i > 0 ? " " : "") + pairs[i].first + ":" + pairs[i].second;
    return out + "]";
}

std::string shown_metadata(const Value& object) {
    const Value* metadata = object.get("metadata");
    const auto text = [&](std::string_view key) {
        return metadata ? std::string(metadata->text_of(key)) : std::string();
    };
    return "{{" + std::string(object.text_of("apiVersion")) + " " + std::string(object.text_of("kind")) + "} {{" +
           text("name") + " " + text("namespace") + "} " + go_map(metadata_map(object, "labels")) + " " +
           go_map(metadata_map(object, "annotations")) + "}}";
}

bool find_empty_item(const Value& value, std::string& path) {
    if (value.is_mapping())
        for (std::size_t i = 0; i < value.size(); ++i) {
            std::string below;
            if (find_empty_item(*value.value_at(i), below)) {
                path = std::string(value.key_at(i)->text) + "/" + below;
                return true;
            }
        }
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        const Value& item = *value.items()[i];
        if (item.is_null()) return true;
        std::string below;
        if (find_empty_item(item, below)) {
            path = "[" + std::to_string(i) + "]/" + below;
            return true;
        }
    }
    return false;
}

std::uint32_t line_of(std::string_view text, std::uint32_t offset) {
    return 1 + static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + offset, '\n'));
}

const YamlProblem* first_syntax_problem(const YamlText& yaml) {
    for (const YamlProblem& problem : yaml.problems)
        if (problem.kind == YamlProblem::Kind::syntax) return &problem;
    return nullptr;
}

std::string duplicate_message(std::string_view text, const YamlProblem& problem) {
    return "yaml: unmarshal errors:\n  line " + std::to_string(line_of(text, problem.span.begin)) + ": mapping key \"" +
           std::string(text.substr(problem.span.begin, problem.span.end - problem.span.begin)) +
           "\" already defined at line " + std::to_string(line_of(text, problem.other.begin));
}

void erase_entry(Value& mapping, std::uint32_t index) {
    for (std::uint32_t i = 2 * index; i + 2 < mapping.count; ++i)
        mapping.children[i] = mapping.children[i + 2];
    mapping.count -= 2;
}

// kustomize puts the annotations of an object together before it decodes it: a doubled map is one map, of which the
// first says the value, and of a key that one map has twice the last counts. Other doubled keys it refuses.
void join_annotations(Value& object, Arena& arena, std::vector<Span>& joined) {
    Value* metadata = object.is_mapping() ? object.get("metadata") : nullptr;
    if (!metadata || !metadata->is_mapping()) return;
    Value* first = nullptr;
    for (std::uint32_t i = 0; i < metadata->size();) {
        Value& one = *metadata->value_at(i);
        const bool own = metadata->key_at(i)->text == "annotations" && (one.is_mapping() || one.is_null());
        if (!own) {
            ++i;
            continue;
        }
        joined.push_back(metadata->key_at(i)->place.span);
        for (std::uint32_t key = 0; one.is_mapping() && key < one.size(); ++key)
            joined.push_back(one.key_at(key)->place.span);
        for (std::uint32_t key = 0; one.is_mapping() && key < one.size();) {
            std::uint32_t next = key + 1;
            while (next < one.size() && one.key_at(next)->text != one.key_at(key)->text)
                ++next;
            if (next < one.size())
                erase_entry(one, key);
            else
                ++key;
        }
        if (!first) {
            first = &one;
            ++i;
            continue;
        }
        if (first->is_null()) assign(*first, one);
        for (std::uint32_t key = 0; one.is_mapping() && key < one.size(); ++key)
            if (!first->get(one.key_at(key)->text)) append_entry(*first, one.key_at(key), one.value_at(key), arena);
        erase_entry(*metadata, i);
    }
}

bool is_empty(const Value& value) {
    return value.is_null() || (!value.is_scalar() && value.count == 0);
}

// Items of Lists take the place of the List at the end of the queue, as kustomize does it.
void add_objects(Value* first, bool only_document, LoadedDocuments& loaded) {
    std::vector<Value*> queue{first};
    for (std::size_t at = 0; at < queue.size(); ++at) {
        Value* object = queue[at];
        if (is_empty(*object)) continue;
        const std::string_view kind = object->text_of("kind");
        Value* items = kind.ends_with("List") ? object->get("items") : nullptr;
        const bool unwrapped = kind == "List" && items && only_document;
        if (!unwrapped) loaded.error = object_problem(*object);
        if (!loaded.error.empty()) {
            loaded.error_at = object->place;
            return;
        }
        if (!items) {
            loaded.trees.push_back(object);
            continue;
        }
        if (!items->is_null() && !items->is_sequence()) {
            loaded.error = "expected array in " + std::string(kind) + "/items, but found string";
            loaded.error_at = items->place;
            return;
        }
        for (Value* item : items->items())
            queue.push_back(item);
    }
}

void copy_places(Value& to, const Value& from) {
    to.place = from.place;
    if (to.kind != from.kind || to.count != from.count) return;
    for (std::uint32_t i = 0; i < to.count; ++i)
        copy_places(*to.children[i], *from.children[i]);
}

void set_places(Value& value, Place place) {
    value.place = place;
    for (Value* child : value.all())
        set_places(*child, place);
}

// The lines of a block scalar behind its header.
bool block_slice(std::string_view text, Span span, Span& slice, std::uint32_t& indent) {
    const std::size_t line = text.find('\n', span.begin);
    if (line == std::string_view::npos || line >= span.end) return false;
    slice = {static_cast<std::uint32_t>(line + 1), span.end};
    std::size_t at = slice.begin;
    while (at < slice.end && (text[at] == '\n' || text[at] == '\r'))
        ++at;
    const std::size_t begin = text.rfind('\n', at == 0 ? 0 : at - 1) + 1;
    while (at < slice.end && text[at] == ' ')
        ++at;
    indent = static_cast<std::uint32_t>(at - begin);
    return at < slice.end;
}

} // namespace

std::string go_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else
            out += c;
    }
    return out + "\"";
}

bool is_local_config(const Value& object) {
    const Value* annotations = metadata_map(object, "annotations");
    const Value* mark = annotations ? annotations->get(local_config_mark) : nullptr;
    return mark && mark->text != "false";
}

std::string object_problem(const Value& object) {
    const Value* metadata = object.get("metadata");
    const bool bare = object.text_of("apiVersion").empty() && object.text_of("kind").empty();
    if (!object.is_mapping() || (bare && (!metadata || is_empty(*metadata)))) return "missing Resource metadata";
    if (object.text_of("kind").empty()) return "missing kind in object " + shown_metadata(object);
    if (!object.text_of("kind").ends_with("List") && (!metadata || metadata->text_of("name").empty()))
        return "missing metadata.name in object " + shown_metadata(object);
    std::string path;
    if (find_empty_item(object, path)) {
        std::string shown;
        emit_yaml(object, shown, {false, nullptr});
        return "empty item at " + path + " in object " + shown;
    }
    return {};
}

LoadedDocuments load_documents(std::string_view text, FileId file, Arena& arena, bool objects) {
    LoadedDocuments loaded;
    const YamlText yaml = parse_yaml(text);
    loaded.templated = yaml.masked;
    if (const YamlProblem* problem = first_syntax_problem(yaml)) {
        loaded.error = "MalformedYAMLError: yaml: line " + std::to_string(line_of(text, problem->span.begin)) + ": " +
                       problem->message;
        loaded.error_at = {file, problem->span};
        return loaded;
    }
    for (const YamlProblem& problem : yaml.problems)
        if (problem.kind == YamlProblem::Kind::duplicate_key)
            loaded.duplicates.push_back({duplicate_message(text, problem), {file, problem.span}});
    std::vector<Span> joined;
    std::size_t count = 0;
    for (const YamlDocument& document : yaml.documents)
        if (document.root != no_node) ++count;
    for (const YamlDocument& document : yaml.documents) {
        if (document.root == no_node) continue;
        Value* tree = value_of({&yaml, document.root}, file, arena, &loaded.error);
        if (!tree) {
            loaded.error_at = {file, document.span};
            return loaded;
        }
        if (objects && !loaded.duplicates.empty()) join_annotations(*tree, arena, joined);
        if (objects)
            add_objects(tree, count == 1, loaded);
        else
            loaded.trees.push_back(tree);
        if (!loaded.error.empty()) return loaded;
    }
    std::erase_if(loaded.duplicates, [&](const auto& one) {
        return std::find(joined.begin(), joined.end(), one.place.span) != joined.end();
    });
    return loaded;
}

LoadedDocuments load_inline_documents(const Value& scalar, std::string_view file_text, Arena& arena, bool objects) {
    // Texts stay views into what was parsed: it must live as long as the trees do.
    const std::string_view text = scalar.text;
    LoadedDocuments loaded = load_documents(text, scalar.place.file, arena, objects);
    Span slice;
    std::uint32_t indent = 0;
    LoadedDocuments placed;
    if (scalar.style == NodeStyle::literal && scalar.place.file != no_file &&
        block_slice(file_text, scalar.place.span, slice, indent)) {
        const YamlText yaml = parse_yaml_slice(file_text, slice, indent);
        for (const YamlDocument& document : yaml.documents)
            if (document.root != no_node)
                if (Value* tree = value_of({&yaml, document.root}, scalar.place.file, arena))
                    placed.trees.push_back(tree);
    }
    for (std::size_t i = 0; i < loaded.trees.size(); ++i) {
        set_places(*loaded.trees[i], scalar.place);
        if (placed.trees.size() == loaded.trees.size()) copy_places(*loaded.trees[i], *placed.trees[i]);
    }
    if (!loaded.error.empty()) loaded.error_at = scalar.place;
    return loaded;
}

Value* load_first(std::string_view text, FileId file, Arena& arena, std::string& error) {
    LoadedDocuments loaded = load_documents(text, file, arena, false);
    error = loaded.error;
    return loaded.trees.empty() ? nullptr : loaded.trees.front();
}

FileHeads read_heads(std::string_view text) {
    FileHeads heads;
    Arena arena;
    const LoadedDocuments loaded = load_documents(text, no_file, arena, true);
    heads.error = loaded.error;
    heads.error_at = loaded.error_at.span;
    heads.templated = loaded.templated;
    if (!heads.error.empty()) return heads;
    for (const Value* tree : loaded.trees) {
        // Texts that had to be decoded are in memory that ends here: then the tree tells, not the head.
        const ResourceId id = id_of(*tree);
        const auto in_text = [&](std::string_view part) {
            return part.empty() || (part.data() >= text.data() && part.data() < text.data() + text.size());
        };
        const bool plain = in_text(id.group) && in_text(id.kind) && in_text(id.name) && in_text(id.ns);
        heads.heads.push_back({tree->text_of("apiVersion"), id.kind, id.name, id.ns, tree->place.span,
                               is_local_config(*tree), true, !plain});
    }
    return heads;
}

} // namespace lockstep
