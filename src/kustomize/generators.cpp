// Generated config maps and secrets.
#include "kustomize/generators.h"
#include "kustomize/ids.h"
#include "kustomize/json_patch.h"
#include "kustomize/sha256.h"
#include "kustomize/tree_edit.h"
#include "yaml/emit.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

struct Pair {
    std::string key, value;
    Place place;
};

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const std::size_t size = c < 0x80                ? 1
                                 : c >= 0xC2 && c < 0xE0 ? 2
                                 : c >= 0xE0 && c < 0xF0 ? 3
                                 : c >= 0xF0 && c < 0xF5 ? 4
                                                         : 0;
        if (size == 0 || i + size > text.size()) return false;
        for (std::size_t j = 1; j < size; ++j)
            if ((static_cast<unsigned char>(text[i + j]) & 0xC0U) != 0x80U) return false;
        if (size == 3) {
            const auto d = static_cast<unsigned char>(text[i + 1]);
            if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d >= 0xA0)) return false;
        }
        if (size == 4) {
            const auto d = static_cast<unsigned char>(text[i + 1]);
            if ((c == 0xF0 && d < 0x90) || (c == 0xF4 && d >= 0x90)) return false;
        }
        i += size;
    }
    return true;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t j = 0; j < 3; ++j)
            word = (word << 8U) | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            out += i + j <= bytes.size() ? letters[(word >> (18 - 6 * j)) & 63U] : '=';
    }
    return out;
}

// Lines of 70 characters, each with its break, for texts longer than one.
std::string base64_lines(std::string_view bytes) {
    const std::string text = base64(bytes);
    if (text.size() <= 70) return text;
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += 70)
        out += text.substr(at, 70) + "\n";
    return out;
}

std::string without_quotes(std::string_view text) {
    if (text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\''))
        return std::string(text.substr(1, text.size() - 2));
    return std::string(text);
}

std::string list_text(const std::vector<const Value*>& items) {
    std::string out = "[";
    for (const Value* item : items)
        out += (out.size() > 1 ? " " : "") + std::string(item->text);
    return out + "]";
}

std::vector<const Value*> texts_of(const Value& entry, std::string_view key) {
    std::vector<const Value*> out;
    if (const Value* list = entry.get(key))
        for (const Value* item : list->items())
            if (item->is_scalar()) out.push_back(item);
    return out;
}

std::string read_env_lines(std::string_view text, Place place, std::vector<Pair>& out) {
    bool first = true;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!is_utf8(line)) return "line has invalid utf8 bytes : " + std::string(line);
        if (first && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
        first = false;
        while (!line.empty() && (line.front() == ' ' || (line.front() >= '\t' && line.front() <= '\r')))
            line.remove_prefix(1);
        if (line.empty() || line.front() == '#') continue;
        const std::size_t equals = line.find('=');
        Pair pair{std::string(line.substr(0, equals)), {}, place};
        if (equals != std::string_view::npos) pair.value = line.substr(equals + 1);
        out.push_back(std::move(pair));
    }
    return {};
}

class KeyValues {
public:
    KeyValues(const BuildContext& context, const PatchFiles& files) : context_(context), files_(files) {}

    Failure read(const Value& entry) {
        std::vector<const Value*> envs = texts_of(entry, "envs");
        if (const Value* env = entry.get("env"); env && env->is_scalar() && !env->text.empty()) envs.push_back(env);
        for (const Value* path : envs) {
            FileId file = no_file;
            Failure failed = files_.find(path->text, path->place, file);
            if (!failed) {
                std::string error = read_env_lines(context_.loader.text(file), {file, {}}, pairs);
                if (!error.empty()) failed = failure(error, path->place);
            }
            if (failed) return wrapped(failed, "loading KV pairs: env source files: " + list_text(envs) + ": ");
        }
        const std::vector<const Value*> literals = texts_of(entry, "literals");
        for (const Value* literal : literals) {
            const std::size_t equals = literal->text.find('=');
            if (equals == 0 || equals == std::string_view::npos)
                return failure("loading KV pairs: literal sources " + list_text(literals) +
                                   ": invalid literal source " + std::string(literal->text) + ", expected key=value",
                               literal->place);
            pairs.push_back({std::string(literal->text.substr(0, equals)),
                             without_quotes(literal->text.substr(equals + 1)), literal->place});
        }
        const std::vector<const Value*> files = texts_of(entry, "files");
        for (const Value* source : files)
            if (Failure failed = read_file_source(*source))
                return wrapped(failed, "loading KV pairs: file sources: " + list_text(files) + ": ");
        return {};
    }

    std::vector<Pair> pairs;

private:
    Failure read_file_source(const Value& source) {
        const std::string_view text = source.text;
        const auto count = std::count(text.begin(), text.end(), '=');
        std::string key(text.substr(text.find_last_of('/') + 1)), path(text);
        const auto quoted = [](std::string_view one) { return "\"" + std::string(one) + "\""; };
        if (count > 1) return failure("source " + quoted(text) + " key name or file path contains '='", source.place);
        if (count == 1) {
            const std::size_t equals = text.find('=');
            key = text.substr(0, equals);
            path = text.substr(equals + 1);
            if (key.empty())
                return failure("missing key name for file path " + quoted(path) + " in source " + quoted(text),
                               source.place);
            if (path.empty())
                return failure("missing file path for key name " + quoted(key) + " in source " + quoted(text),
                               source.place);
        }
        FileId file = no_file;
        if (Failure failed = files_.find(path, source.place, file)) return failed;
        pairs.push_back({std::move(key), std::string(context_.loader.text(file)), source.place});
        return {};
    }

    const BuildContext& context_;
    const PatchFiles& files_;
};

void add_pairs(const Value* local, const Value* global, std::string_view name, std::string_view field, Value& object,
               Arena& arena) {
    std::map<std::string_view, const Value*> all;
    for (const Value* options : {global, local}) {
        const Value* map = options ? options->get(name) : nullptr;
        if (!map || !map->is_mapping()) continue;
        for (std::size_t i = 0; i < map->size(); ++i)
            all[map->key_at(i)->text] = map->value_at(i);
    }
    if (all.empty()) return;
    Value& target = child_mapping(child_mapping(object, "metadata", arena), field, arena);
    for (const auto& [key, value] : all)
        set_entry(target, key, value->text, "!!str", arena, value->place);
}

// A text as kyaml stores it in data: CRs before line ends are not YAML's to keep.
Value* data_text(std::string_view text, Place place, Arena& arena) {
    Value* value = make_text(arena, text);
    value->place = place;
    return value;
}

Resource::Behavior behavior_of(std::string_view name) {
    if (name == "replace") return Resource::Behavior::replace;
    if (name == "merge") return Resource::Behavior::merge;
    if (name == "create") return Resource::Behavior::create;
    return Resource::Behavior::unspecified;
}

std::string_view behavior_name(Resource::Behavior behavior) {
    constexpr std::string_view names[] = {"unspecified", "create", "replace", "merge"};
    return names[static_cast<std::size_t>(behavior)];
}

std::string shown_id(const ResourceId& id) {
    const auto quoted = [](std::string_view text) { return "\"" + std::string(text) + "\""; };
    return "resid.ResId{Gvk:resid.Gvk{Group:" + quoted(id.group) + ", Version:" + quoted(id.version) +
           ", Kind:" + quoted(id.kind) + ", isClusterScoped:" + (is_cluster_scoped(id) ? "true" : "false") +
           "}, Name:" + quoted(id.name) + ", Namespace:" + quoted(id.ns) + "}";
}

// Entries of `from` that `into` does not have.
void merge_map(Value& into, const Value* from, std::string_view name, Arena& arena) {
    const Value* old = from ? from->get(name) : nullptr;
    if (!old || !old->is_mapping()) return;
    Value& map = child_mapping(into, name, arena);
    for (std::size_t i = 0; i < old->size(); ++i)
        if (!map.get(old->key_at(i)->text))
            append_entry(map, clone(*old->key_at(i), arena), clone(*old->value_at(i), arena), arena);
}

} // namespace

Failure generate(const BuildContext& context, const PatchFiles& files, const Value& entry, bool secret,
                 const Value* options, Resource& made) {
    Arena& arena = context.arena();
    const std::string_view name = entry.text_of("name"), ns = entry.text_of("namespace");
    if (name.empty()) return failure("a configmap must have a name", entry.place);
    KeyValues values(context, files);
    if (Failure failed = values.read(entry)) return failed;
    std::map<std::string_view, const Pair*> data;
    for (const Pair& pair : values.pairs)
        if (!data.emplace(pair.key, &pair).second)
            return failure("configmap " + std::string(name) + " illegally repeats the key `" + pair.key + "`",
                           pair.place);

    Value* tree = make_mapping(arena);
    tree->place = entry.place;
    const Place by = entry.place;
    set_entry(*tree, "apiVersion", "v1", "!!str", arena, by);
    set_entry(*tree, "kind", secret ? "Secret" : "ConfigMap", "!!str", arena, by);
    Value& metadata = child_mapping(*tree, "metadata", arena);
    set_entry(metadata, "name", name, "!!str", arena, entry.get("name")->place);
    if (!ns.empty()) set_entry(metadata, "namespace", ns, "!!str", arena, entry.get("namespace")->place);
    if (secret)
        set_entry(*tree, "type", entry.text_of("type").empty() ? "Opaque" : entry.text_of("type"), "!!str", arena, by);
    if (secret) child_mapping(*tree, "data", arena);
    for (const auto& [key, pair] : data) {
        const bool text = !secret && is_utf8(pair->value);
        Value& map = child_mapping(*tree, secret || text ? "data" : "binaryData", arena);
        const std::string content = text ? pair->value : base64_lines(pair->value);
        Value* name_node = make_text(arena, key);
        name_node->place = pair->place;
        append_entry(map, name_node, data_text(content, pair->place, arena), arena);
    }
    const Value* own = entry.get("options");
    if (own && !own->is_mapping()) own = nullptr;
    add_pairs(own, options, "labels", "labels", *tree, arena);
    add_pairs(own, options, "annotations", "annotations", *tree, arena);
    const auto either = [&](std::string_view key) {
        return (own && truth(own->get(key))) || (options && truth(options->get(key)));
    };
    if (either("immutable")) set_entry(*tree, "immutable", "true", "!!bool", arena, by);
    made.id = {"", "v1", secret ? "Secret" : "ConfigMap", arena.keep(ns), arena.keep(name)};
    made.document = made.entry = entry.place;
    made.generated = true;
    made.hashed = !either("disableNameSuffixHash");
    made.behavior = behavior_of(entry.text_of("behavior"));
    context.set_tree(made, tree);
    return {};
}

std::string content_hash(const Value& tree) {
    Arena arena;
    const std::string_view kind = tree.text_of("kind");
    Value* encoded = make_mapping(arena);
    const auto put = [&](std::string_view key, const Value* value, bool only_map) {
        if (!value) {
            if (!only_map) set(*encoded, key, make_text(arena, ""), arena);
            return;
        }
        if (only_map && !value->is_mapping()) return;
        Value* copy = clone(*value, arena);
        if (copy->is_scalar()) copy->tag = "!!str";
        make_json(*copy, arena);
        set(*encoded, key, copy, arena);
    };
    std::string text;
    if (kind == "ConfigMap" || kind == "Secret") {
        set(*encoded, "kind", make_text(arena, kind), arena);
        // The real tool looks under the key `metadata/name`, which nothing has.
        put("name", tree.get("metadata/name"), false);
        if (kind == "Secret") put("type", tree.get("type"), false);
        put("data", tree.get("data"), false);
        put(kind == "Secret" ? "stringData" : "binaryData", tree.get(kind == "Secret" ? "stringData" : "binaryData"),
            true);
        emit_json(*encoded, text);
    } else
        emit_json(tree, text);
    // encoding/json writes these as escapes.
    std::string escaped;
    escaped.reserve(text.size());
    for (std::string_view rest = text; !rest.empty();) {
        std::size_t plain = 0;
        while (plain < rest.size() && rest[plain] != '<' && rest[plain] != '>' && rest[plain] != '&')
            ++plain;
        escaped += rest.substr(0, plain);
        rest.remove_prefix(plain);
        if (rest.empty()) break;
        escaped += rest[0] == '<' ? "\\u003c" : rest[0] == '>' ? "\\u003e" : "\\u0026";
        rest.remove_prefix(1);
    }
    std::string hash = sha256_hex(escaped).substr(0, 10);
    for (char& c : hash)
        c = c == '0' ? 'g' : c == '1' ? 'h' : c == '3' ? 'k' : c == 'a' ? 'm' : c == 'e' ? 't' : c;
    return hash;
}

Failure add_hashes(const BuildContext& context, Resources& resources) {
    for (Resource& resource : resources) {
        if (!resource.hashed) continue;
        BuildError error;
        const Value* tree = context.look(resource, error);
        if (!tree) return error;
        context.store_previous_id(resource);
        const std::string_view name = context.arena().keep(std::string(resource.id.name) + "-" + content_hash(*tree));
        resource.id.name = name;
        context.add_change(resource, context.work.add([name](TreeWork& work) {
            set_name(*work.tree, name, work.arena);
            return true;
        }));
    }
    return {};
}

Failure absorb(const BuildContext& context, Resources& resources, Resource made) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < resources.size(); ++i) {
        bool any = same_object(resources[i].id, made.id);
        for (const EarlierId* one = resources[i].earlier; one && !any; one = one->before)
            any = same_object({resources[i].id.group, resources[i].id.version, one->kind, one->ns, one->name}, made.id);
        if (any) found.push_back(i);
    }
    const bool changes = made.behavior == Resource::Behavior::merge || made.behavior == Resource::Behavior::replace;
    if (found.empty()) {
        if (changes)
            return not_found("id " + shown_id(made.id) + " does not exist; cannot merge or replace", made.entry);
        resources.push_back(made);
        return {};
    }
    if (found.size() > 1)
        return failure("found multiple objects that could accept merge of " + to_string(made.id), made.entry);
    Resource& old = resources[found.front()];
    if (!changes) {
        Failure failed = failure("id " + shown_id(made.id) + " exists; can not use behavior: '" +
                                     std::string(behavior_name(made.behavior)) + "', behavior must be merge or replace",
                                 made.entry);
        failed->kind = BuildError::Kind::twice;
        failed->document = made.document;
        failed->first_document = old.document;
        failed->first_entry = old.entry;
        failed->id = made.id;
        return failed;
    }
    BuildError error;
    const Value* before = context.look(old, error);
    if (!before) return error;
    Value* tree = context.take_tree(made, error);
    if (!tree) return error;
    Arena& arena = context.arena();
    const Value* old_metadata = before->get("metadata");
    Value& metadata = child_mapping(*tree, "metadata", arena);
    merge_map(metadata, old_metadata, "labels", arena);
    merge_map(metadata, old_metadata, "annotations", arena);
    restring_map(*tree, "labels", arena);
    restring_map(*tree, "annotations", arena);
    if (const Value* origin = metadata_map(*before, "annotations");
        origin && made.behavior == Resource::Behavior::merge)
        if (const Value* old_origin = origin->get("config.kubernetes.io/origin"))
            set_annotation(*tree, "config.kubernetes.io/origin", old_origin->text, arena);
    if (made.behavior == Resource::Behavior::merge)
        for (std::string_view name : {"data", "binaryData"})
            merge_map(*tree, before, name, arena);
    const ResourceId id = id_of(*before);
    set_name(*tree, id.name, arena);
    set_namespace(*tree, id.ns, arena);
    const bool hashed = made.hashed && old.hashed;
    Resource joined = old;
    joined.hashed = hashed;
    joined.entry = made.entry;
    context.touch(joined, made.entry);
    context.set_tree(joined, tree);
    old = joined;
    return {};
}

} // namespace lockstep
