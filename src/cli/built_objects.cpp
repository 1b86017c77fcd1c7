// Hands out built objects.
#include "cli/built_objects.h"
#include "cli/files.h"
#include "kustomize/ids.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
    return out;
}

// As kustomize names the files that it writes into a folder.
std::string file_name(const ResourceId& id, bool with_namespace) {
    const std::string_view ns = with_namespace && !is_cluster_scoped(id) ? effective_namespace(id) : std::string_view();
    std::string name;
    for (std::string_view part : {ns, id.group, id.version, id.kind, id.name})
        if (!part.empty()) name += (name.empty() ? "" : "_") + lower(part);
    return name;
}

} // namespace

std::string one_part(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == '\0'; }, '_');
    return name == "." || name == ".." ? "_" + name : name;
}

Result<bool> write_objects(const std::string& folder, const std::vector<BuiltObject>& objects,
                           const std::string& linted) {
    if (auto failed = make_folder(folder, linted)) return *failed;
    std::set<std::string_view> namespaces;
    for (const BuiltObject& one : objects)
        if (!is_cluster_scoped(one.id)) namespaces.insert(effective_namespace(one.id));
    std::set<std::string> taken; // names may differ by letter case alone
    for (const BuiltObject& one : objects) {
        const std::string first = one_part(file_name(one.id, namespaces.size() > 1));
        std::string name = first;
        for (std::size_t i = 2; !taken.insert(name).second; ++i)
            name = first + "_" + std::to_string(i);
        if (auto failed = write_file(folder + "/" + name + ".yaml", one.yaml, linted)) return *failed;
    }
    return true;
}

namespace {

std::string with_places(const std::vector<BuiltObject>& objects, const std::function<std::string(Place)>& shown) {
    std::vector<std::pair<std::string, std::string_view>> lines;
    for (const BuiltObject& one : objects) {
        if (!lines.empty()) lines.emplace_back("", "---");
        std::string_view rest = one.yaml;
        for (std::size_t i = 0; !rest.empty(); ++i) {
            const std::size_t end = rest.find('\n');
            std::string from;
            if (i < one.places.size()) {
                const LinePlace& line = one.places[i];
                from = shown(line.place);
                const std::string by = shown(line.changed_by);
                if (!by.empty() && by != from) from += (from.empty() ? "" : " <- ") + by;
            }
            lines.emplace_back(std::move(from), rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    std::size_t width = 0;
    for (const auto& [from, line] : lines)
        width = std::max(width, from.size());
    std::string out;
    for (auto& [from, line] : lines) {
        from.resize(width, ' ');
        out += from + " | " + std::string(line) + "\n";
    }
    return out;
}

} // namespace

BuiltObject built_object(const ResourceId& id, const Value& tree, const BuiltForm& form) {
    BuiltObject one;
    one.id = id;
    EmitOptions emit;
    if (form.places) emit.places = &one.places;
    emit_yaml(tree, one.yaml, emit);
    if (form.json) emit_json(tree, one.json, 2);
    return one;
}

std::string built_text(const std::vector<BuiltObject>& objects, const BuiltForm& form,
                       const std::function<std::string(Place)>& shown) {
    if (form.places) return with_places(objects, shown);
    std::string out;
    if (form.json) {
        out = "[";
        for (std::size_t i = 0; i < objects.size(); ++i)
            out += (i > 0 ? ",\n" : "\n") + objects[i].json;
        return out + "\n]\n";
    }
    for (std::size_t i = 0; i < objects.size(); ++i)
        out += (i > 0 ? "---\n" : "") + objects[i].yaml;
    return out;
}

} // namespace lockstep
