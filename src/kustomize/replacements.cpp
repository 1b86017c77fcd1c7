// Copies values between objects.
#include "kustomize/replacements.h"
#include "kustomize/documents.h"
#include "kustomize/ids.h"
#include "kustomize/selector.h"
#include "kustomize/tree_edit.h"
#include "kustomize/tree_path.h"
#include "yaml/emit.h"
#include <charconv>
#include <unordered_map>

namespace lockstep {
namespace {

// Values that are put into each other double with every entry.
constexpr std::size_t longest_value = std::size_t{4} << 20U;

struct FieldOptions {
    std::string_view delimiter;
    int index = 0;
    bool create = false;
};

FieldOptions options_of(const Value& entry) {
    FieldOptions options;
    const Value* given = entry.get("options");
    if (!given || !given->is_mapping()) return options;
    options.delimiter = given->text_of("delimiter");
    const std::string_view index = given->text_of("index");
    std::from_chars(index.data(), index.data() + index.size(), options.index);
    options.create = truth(given->get("create"));
    return options;
}

std::vector<std::string> split_text(std::string_view text, std::string_view delimiter) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t at = text.find(delimiter);
        parts.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + delimiter.size());
    }
}

std::vector<ResourceId> all_ids(const Resource& resource) {
    std::vector<ResourceId> ids{resource.id};
    for (const ResourceId& id : earlier_ids(resource))
        ids.push_back(id);
    return ids;
}

class Replacer {
public:
    Replacer(const BuildContext& context, Resources& resources) : context_(context), resources_(resources) {}

    Failure apply(const Value& entry) {
        const Value *source = entry.get("source"), *targets = entry.get("targets"), *given = entry.get("sourceValue");
        if (source && source->is_null()) source = nullptr;
        if ((!source && !given) || !targets || targets->is_null())
            return failure("replacements must specify a source and at least one target", entry.place);
        if (source && given) return failure("value and resource selectors are mutually exclusive", entry.place);
        Value* value = nullptr;
        if (given) {
            value = clone(*given, context_.arena());
            value->tag = "!!str";
        } else if (Failure failed = read_source(*source, value))
            return failed;
        for (const Value* target : targets->items())
            if (Failure failed = write_target(*target, *value)) return failed;
        return {};
    }

    // Hands the changed trees back.
    void finish() {
        for (const auto& [index, tree] : trees_) {
            Resource& resource = resources_[index];
            const ResourceId id = id_of(*tree);
            Arena& arena = context_.arena();
            resource.id = {arena.keep(id.group), arena.keep(id.version), arena.keep(id.kind), arena.keep(id.ns),
                           arena.keep(id.name)};
            resource.local_config = is_local_config(*tree);
            context_.set_tree(resource, tree);
        }
    }

private:
    Failure read_source(const Value& source, Value*& value) {
        const ResourceId wanted{source.text_of("group"), source.text_of("version"), source.text_of("kind"),
                                source.text_of("namespace"), source.text_of("name")};
        std::string_view path = source.text_of("fieldPath");
        const FieldOptions options = options_of(source);
        std::string shown = to_string(wanted);
        if (!path.empty()) shown += ":" + std::string(path);
        if (!options.delimiter.empty() || options.create)
            shown += ":" + std::string(options.delimiter) + "(" + std::to_string(options.index) +
                     "), create=" + (options.create ? "true" : "false");
        const auto selected = [&](const ResourceId& id) {
            return (wanted.name.empty() || wanted.name == id.name) &&
                   (wanted.ns.empty() || same_namespace(wanted, id)) &&
                   KindFilter{std::string(wanted.group), std::string(wanted.version), std::string(wanted.kind)}.selects(
                       id.group, id.version, id.kind);
        };
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < resources_.size(); ++i)
            for (const ResourceId& id : all_ids(current(i)))
                if (selected(id)) {
                    if (found) return failure("multiple matches for selector " + shown, source.place);
                    found = i;
                    break;
                }
        if (!found) return not_found("nothing selected by " + shown, source.place);
        Value* tree = nullptr;
        if (Failure failed = tree_of(*found, tree)) return failed;
        if (path.empty()) path = "metadata.name";
        std::string error;
        Value* node = look_up(*tree, split_field_path(path), error);
        if (!error.empty()) return failure("error looking up replacement source: " + error, source.place);
        if (!node || (node->is_scalar() ? node->is_null() : node->count == 0))
            return failure("fieldPath `" + std::string(path) + "` is missing for replacement source " +
                               to_string(wanted),
                           source.place);
        if (node->is_scalar() && node->text.size() > longest_value) {
            Failure failed = failure("a replacement copies a value of more than 4 MiB", source.place);
            failed->kind = BuildError::Kind::limit;
            return failed;
        }
        value = clone(*node, context_.arena());
        if (options.delimiter.empty()) return {};
        if (!value->is_scalar()) return failure("delimiter option can only be used with scalar nodes", source.place);
        const std::vector<std::string> parts = split_text(value->text, options.delimiter);
        if (options.index < 0 || static_cast<std::size_t>(options.index) >= parts.size())
            return failure("options.index " + std::to_string(options.index) + " is out of bounds for value " +
                               std::string(value->text),
                           source.place);
        value->text = context_.arena().keep(parts[static_cast<std::size_t>(options.index)]);
        return {};
    }

    static bool same_namespace(const ResourceId& wanted, const ResourceId& id) {
        return effective_namespace(wanted) == effective_namespace(id);
    }

    Failure write_target(const Value& target, const Value& value) {
        const Value* wanted = target.get("select");
        if (!wanted || wanted->is_null()) return failure("target must specify resources to select", target.place);
        Selector selector;
        if (std::string error = Selector::parse(*wanted, selector); !error.empty())
            return failure("error creating target selector: " + error, target.place);
        std::vector<Selector> rejects;
        if (const Value* list = target.get("reject"))
            for (const Value* item : list->items())
                if (std::string error = Selector::parse(*item, rejects.emplace_back()); !error.empty())
                    return failure("error creating target selector: " + error, target.place);
        for (std::size_t i = 0; i < resources_.size(); ++i) {
            bool selected = false;
            if (Failure failed = is_selected(i, selector, rejects, selected)) return failed;
            if (!selected) continue;
            Value* tree = nullptr;
            if (Failure failed = tree_of(i, tree)) return failed;
            context_.touch(resources_[i], target.place);
            ++context_.work.changes;
            if (Failure failed = context_.over_limit(target.place)) return failed;
            if (Failure failed = write_fields(*tree, target, value)) return failed;
        }
        return {};
    }

    Failure is_selected(std::size_t index, const Selector& selector, const std::vector<Selector>& rejects,
                        bool& selected) {
        const auto matches = [](const Selector& one, const ResourceId& id) {
            return one.matches_kind(id) && one.matches_name(id.name) && one.matches_namespace(id.ns);
        };
        const std::vector<ResourceId> ids = all_ids(current(index));
        for (const Selector& reject : rejects)
            if (!reject.names_nothing())
                for (const ResourceId& id : ids)
                    if (matches(reject, id)) return {};
        for (const ResourceId& id : ids)
            if (matches(selector, id)) selected = true;
        if (!selected) return {};
        std::string why;
        for (std::size_t i = 0; i <= rejects.size(); ++i) {
            const Selector& one = i == 0 ? selector : rejects[i - 1];
            if (!one.by_content()) continue;
            Value* tree = nullptr;
            if (Failure failed = tree_of(index, tree)) return failed;
            if (one.matches_content(*tree, why) != (i == 0)) selected = false;
            if (!why.empty()) return failure(why, {});
        }
        return {};
    }

    Failure write_fields(Value& tree, const Value& target, const Value& value) {
        const FieldOptions options = options_of(target);
        std::vector<std::string_view> paths;
        if (const Value* list = target.get("fieldPaths"))
            for (const Value* item : list->items())
                paths.push_back(item->text);
        if (paths.empty()) paths.push_back("metadata.name");
        for (const std::string_view path : paths) {
            const std::vector<std::string> parts = split_field_path(path);
            if (set_in_text(tree, parts, options, value, target.place)) continue;
            std::string error;
            const std::vector<Value*> nodes =
                match_path(tree, parts, {options.create, value.kind}, context_.arena(), error);
            const std::string missing = "unable to find " + std::string(options.create ? "or create " : "") +
                                        "field \"" + std::string(path) + "\" in replacement target";
            if (!error.empty()) return failure(missing + ": " + error, target.place);
            if (nodes.empty()) return failure(missing, target.place);
            for (Value* node : nodes)
                if (std::string why = set_node(*node, options, value, target.place); !why.empty())
                    return failure(why, target.place);
        }
        return {};
    }

    std::string set_node(Value& node, const FieldOptions& options, const Value& value, Place by) {
        Arena& arena = context_.arena();
        std::string text(value.is_scalar() ? value.text : std::string_view());
        if (!options.delimiter.empty()) {
            if (!node.is_scalar()) return "delimiter option can only be used with scalar nodes";
            std::vector<std::string> parts = split_text(node.text, options.delimiter);
            if (options.index < 0)
                parts.insert(parts.begin(), text);
            else if (static_cast<std::size_t>(options.index) >= parts.size())
                parts.push_back(text);
            else
                parts[static_cast<std::size_t>(options.index)] = text;
            text.clear();
            for (std::size_t i = 0; i < parts.size(); ++i)
                text += (i > 0 ? std::string(options.delimiter) : "") + parts[i];
        }
        if (node.is_scalar()) {
            node.text = arena.keep(text);
            // The type stays; a node that was made without one takes what its text is.
            if (node.tag.empty() && node.style == NodeStyle::plain) node.tag = "";
        } else {
            const Place place = node.place;
            node = *clone(value, arena);
            if (value.is_scalar()) node.text = arena.keep(text);
            node.place = place;
        }
        node.changed_by = by;
        return {};
    }

    // A path that leads into a text which is JSON or YAML itself: the text is written anew. False: not such a path.
    bool set_in_text(Value& tree, const std::vector<std::string>& parts, const FieldOptions& options,
                     const Value& value, Place by) {
        if (parts.size() < 2) return false;
        for (std::size_t i = 1; i < parts.size(); ++i) {
            std::string error;
            const std::vector<std::string> head(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i));
            Value* scalar = look_up(tree, head, error);
            if (!error.empty() || !scalar || !scalar->is_scalar()) continue;
            Arena& arena = context_.arena();
            Value* inner = load_first(scalar->text, no_file, arena, error);
            if (!error.empty() || !inner) continue;
            const std::vector<std::string> rest(parts.begin() + static_cast<std::ptrdiff_t>(i), parts.end());
            const std::vector<Value*> nodes = match_path(*inner, rest, {options.create, value.kind}, arena, error);
            if (!error.empty() || nodes.empty()) return false;
            for (Value* node : nodes)
                if (!set_node(*node, options, value, by).empty()) return false;
            std::string text;
            const std::string_view old = scalar->text;
            const std::size_t first = old.find_first_not_of(" \t\r\n");
            if (first != std::string_view::npos && (old[first] == '{' || old[first] == '['))
                emit_json(*inner, text,
                          old.find('\n') != std::string_view::npos && old.find("  ") != std::string_view::npos ? 2 : 0);
            else {
                emit_yaml(*inner, text, {false, nullptr});
                while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
                    text.pop_back();
            }
            scalar->text = arena.keep(text);
            scalar->changed_by = by;
            return true;
        }
        return false;
    }

    Failure tree_of(std::size_t index, Value*& tree) {
        const auto known = trees_.find(index);
        if (known != trees_.end()) {
            tree = known->second;
            return {};
        }
        BuildError error;
        tree = context_.take_tree(resources_[index], error);
        if (!tree) return error;
        trees_[index] = tree;
        return {};
    }

    // Who the resource is with the changes so far.
    Resource current(std::size_t index) const {
        Resource resource = resources_[index];
        if (const auto known = trees_.find(index); known != trees_.end()) resource.id = id_of(*known->second);
        return resource;
    }

    const BuildContext& context_;
    Resources& resources_;
    std::unordered_map<std::size_t, Value*> trees_;
};

} // namespace

Failure apply_replacements(const BuildContext& context, const PatchFiles& files, Resources& resources,
                           const std::vector<const Value*>& entries) {
    std::vector<const Value*> all;
    for (const Value* entry : entries) {
        const std::string_view path = entry->text_of("path");
        if (path.empty()) {
            all.push_back(entry);
            continue;
        }
        const auto configuring = [&](const std::string& why) {
            return failure("trouble configuring builtin ReplacementTransformer with config: `\n`: " + why,
                           entry->place);
        };
        if (entry->get("source") || entry->get("targets"))
            return configuring("cannot specify both path and inline replacement");
        FileId file = no_file;
        if (Failure failed = files.find(path, entry->place, file)) return configuring(failed->message);
        std::string error;
        const Value* document = load_first(context.loader.text(file), file, context.arena(), error);
        if (!error.empty()) return configuring(error);
        if (!document || document->is_scalar())
            return configuring("unsupported replacement type encountered within replacement path: invalid");
        if (document->is_mapping()) all.push_back(document);
        for (const Value* item : document->items())
            all.push_back(item);
    }
    Replacer replacer(context, resources);
    for (const Value* entry : all)
        if (Failure failed = replacer.apply(*entry)) {
            replacer.finish();
            return failed;
        }
    replacer.finish();
    return {};
}

} // namespace lockstep
