// `lockstep build`: what a kustomization gives, as kustomize writes it, and where each line comes from.
#include "kustomize/build.h"
#include "cli/commands.h"
#include "cli/disk_files.h"
#include "cli/files.h"
#include "yaml/emit.h"
#include <algorithm>
#include <filesystem>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct BuiltObject {
    ResourceId id;
    std::string yaml, json;
    std::vector<LinePlace> places;
};

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
    return out;
}

// As kustomize names the files that it writes into a folder.
std::string file_name(const ResourceId& id, bool with_namespace) {
    std::string name;
    for (std::string_view part : {with_namespace ? id.ns : std::string_view(), id.group, id.version, id.kind, id.name})
        if (!part.empty()) name += (name.empty() ? "" : "_") + lower(part);
    return name + ".yaml";
}

Result<bool> write_files(const std::string& folder, const std::vector<BuiltObject>& objects,
                         const std::string& linted) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{"cannot make the folder: " + error.message(), folder};
    std::vector<std::string_view> namespaces;
    for (const BuiltObject& one : objects)
        if (!one.id.ns.empty()) namespaces.push_back(one.id.ns);
    std::sort(namespaces.begin(), namespaces.end());
    const bool several = std::unique(namespaces.begin(), namespaces.end()) - namespaces.begin() > 1;
    for (const BuiltObject& one : objects) {
        std::string name = file_name(one.id, several);
        std::replace(name.begin(), name.end(), '/', '_'); // a name is no way to another folder
        if (auto failed = write_file(folder + "/" + name, one.yaml, linted)) return *failed;
    }
    return true;
}

std::string with_places(const std::vector<BuiltObject>& objects, DiskFiles& files, const std::string& here) {
    std::vector<std::pair<std::string, std::string_view>> lines;
    for (const BuiltObject& one : objects) {
        if (!lines.empty()) lines.emplace_back("", "---");
        std::string_view rest = one.yaml;
        for (std::size_t i = 0; !rest.empty(); ++i) {
            const std::size_t end = rest.find('\n');
            std::string from;
            if (i < one.places.size()) {
                const LinePlace& line = one.places[i];
                from = files.shown(line.place, here);
                const std::string by = files.shown(line.changed_by, here);
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

Result<Printed> run_build(const Options& options) {
    if (is_chart(options.path)) {
        ChartBuild chart = options.chart;
        chart.chart = options.path;
        chart.places = options.places;
        Result<std::string> text = build_chart(chart);
        if (!text) return text.error();
        return Printed{0, PlainText::report(std::move(*text))};
    }
    std::error_code error;
    const std::string here = fs::current_path(error).string();
    const fs::path folder = fs::canonical(options.path, error);
    if (error || !fs::is_directory(folder, error))
        return Error{"there is no such folder", options.path, {0, 0}, "name a folder with a kustomization.yaml"};
    DiskFiles files;
    Builder builder(files.loader());
    BuildOptions how;
    how.load_anywhere = options.load_restrictor == "LoadRestrictionsNone";
    how.keep_order = options.reorder == "none";
    const Build build = builder.build(folder.string().substr(1), how);

    Printed printed;
    std::string out;
    const auto at = [&](Place place) {
        const std::string shown = files.shown(place, here);
        return shown.empty() ? shown : shown + ": ";
    };
    for (const BuildGap& gap : build.gaps)
        printed.err += PlainText::lines(at(gap.place) + "left out: " + gap.reason + "\n");
    if (!build.gaps.empty()) printed.exit_code = 1;
    std::vector<BuiltObject> objects;
    for (const Resource& resource : build.resources) {
        BuildError why;
        const Value* tree = builder.tree(resource, &why);
        if (!tree) return Error{at(why.place) + why.message};
        BuiltObject& one = objects.emplace_back();
        one.id = resource.id;
        EmitOptions emit;
        if (options.places) emit.places = &one.places;
        emit_yaml(*tree, one.yaml, emit);
        if (options.format == "json") emit_json(*tree, one.json, 2);
    }
    if (!build.errors.empty()) return Error{at(build.errors.front().place) + build.errors.front().message};
    if (!options.into.empty()) {
        if (auto written = write_files(options.into, objects, options.path); !written) return written.error();
    } else if (options.places)
        out = with_places(objects, files, here);
    else if (options.format == "json") {
        out = "[";
        for (std::size_t i = 0; i < objects.size(); ++i)
            out += (i > 0 ? ",\n" : "\n") + objects[i].json;
        out += "\n]\n";
    } else
        for (std::size_t i = 0; i < objects.size(); ++i)
            out += (i > 0 ? "---\n" : "") + objects[i].yaml;
    printed.out = PlainText::report(std::move(out)); // what kubectl would be given, byte for byte
    return printed;
}

} // namespace lockstep
