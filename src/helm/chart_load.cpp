// Sorts the files of a chart into what they are, as Helm's loader does.
#include "helm/chart.h"
#include "helm/yaml_read.h"
#include "tree/archive.h"
#include "tree/helmignore.h"
#include <algorithm>
#include <map>

namespace lockstep {

FileId ChartSources::add(std::string path, std::shared_ptr<const std::string> text) {
    paths.push_back(std::move(path));
    texts.push_back(std::move(text));
    return static_cast<FileId>(paths.size() - 1);
}

LoadedChart* ChartStore::add(LoadedChart chart) {
    charts.push_back(std::make_unique<LoadedChart>(std::move(chart)));
    return charts.back().get();
}

namespace {

constexpr int deepest_chart = 20;

Error refusal(std::string message) {
    return Error{std::move(message)};
}

Result<LoadedChart*> load_files(ValueArena& arena, ChartStore& store, std::vector<ChartFile> files, int depth);

// Without a byte order mark, which Helm drops: places count behind it.
ChartFile kept(ChartStore& store, const std::string& name, std::string path, std::string text) {
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    auto bytes = std::make_shared<const std::string>(std::move(text));
    const std::string_view view = *bytes;
    return {name, view, store.sources.add(std::move(path), std::move(bytes))};
}

// The path by value: adding files moves those that are there.
Result<std::vector<ChartFile>> unpack(ChartStore& store, std::string_view tgz, const std::string path) {
    auto members = read_tgz(tgz, [](std::string_view) { return true; });
    if (!members) return members.error();
    std::vector<ChartFile> files;
    for (ArchiveMember& member : *members) {
        std::replace(member.path.begin(), member.path.end(), '\\', '/');
        const std::size_t slash = member.path.find('/');
        if (slash == std::string::npos) {
            if (member.path == "Chart.yaml") return refusal("chart yaml not in base directory");
            continue;
        }
        const std::string name = member.path.substr(slash + 1);
        if (name.empty()) continue;
        files.push_back(kept(store, name, path + "!" + name, std::move(member.text)));
    }
    if (files.empty()) return refusal("no files in chart archive");
    return files;
}

bool is_lock(std::string_view name) {
    return name == "Chart.lock" || name == "requirements.lock";
}

// Charts inside, by the name of their folder or file below charts/.
using Inner = std::map<std::string, std::vector<ChartFile>>;

std::string load_inner(ValueArena& arena, ChartStore& store, LoadedChart& chart, Inner& inner, int depth) {
    for (auto& [name, files] : inner) {
        if (name.starts_with('_') || name.starts_with('.')) continue;
        Result<LoadedChart*> loaded = refusal("");
        if (name.ends_with(".tgz")) {
            if (files[0].name != name)
                return "error unpacking subchart tar in " + chart.name() + ": expected " + name + ", got " +
                       files[0].name;
            auto members = unpack(store, files[0].text, store.sources.paths[files[0].file]);
            loaded = members ? load_files(arena, store, std::move(*members), depth + 1)
                             : Result<LoadedChart*>(members.error());
        } else {
            std::vector<ChartFile> own;
            for (ChartFile& file : files) {
                const std::size_t slash = file.name.find('/');
                if (slash == std::string::npos) continue; // a file that is no chart
                own.push_back({file.name.substr(slash + 1), file.text, file.file});
            }
            loaded = load_files(arena, store, std::move(own), depth + 1);
        }
        if (!loaded) return "error unpacking subchart " + name + " in " + chart.name() + ": " + loaded.error().message;
        (*loaded)->parent = &chart;
        chart.dependencies.push_back(*loaded);
    }
    return {};
}

Result<LoadedChart*> load_files(ValueArena& arena, ChartStore& store, std::vector<ChartFile> files, int depth) {
    if (depth > deepest_chart)
        return refusal("more than " + std::to_string(deepest_chart) + " charts inside each other");
    LoadedChart* chart = store.add({});
    bool found = false;
    for (const ChartFile& file : files) {
        if (file.name != "Chart.yaml") continue;
        found = true;
        if (std::string wrong = read_metadata(arena, file, chart->meta); !wrong.empty())
            return refusal("cannot load Chart.yaml: " + wrong);
        if (chart->meta.api_version.empty()) chart->meta.api_version = "v1";
    }
    Inner inner;
    for (ChartFile& file : files) {
        if (file.name == "Chart.yaml") continue;
        const bool v1 = chart->meta.api_version == "v1";
        if (file.name == "values.yaml") {
            YamlRead read = read_yaml(arena, file.text, file.file);
            if (read.error.empty()) read.error = wrong_for_map(read.value);
            if (!read.error.empty()) return refusal("cannot load values.yaml: " + read.error);
            chart->values = read.value.is_nil() ? make_map(arena) : read.value;
        } else if (file.name == "values.schema.json") {
            chart->schema = std::move(file);
        } else if (file.name == "requirements.yaml") {
            if (std::string wrong = read_metadata(arena, file, chart->meta); !wrong.empty())
                return refusal("cannot load requirements.yaml: " + wrong);
            found = true;
            if (v1) chart->files.push_back(std::move(file));
        } else if (is_lock(file.name)) {
            if (file.name == "requirements.lock" && v1) chart->files.push_back(std::move(file));
        } else if (file.name.starts_with("templates/")) {
            chart->templates.push_back(std::move(file));
        } else if (file.name.starts_with("charts/") && !file.name.ends_with(".prov")) {
            file.name = file.name.substr(7);
            const std::string top = file.name.substr(0, file.name.find('/'));
            inner[top].push_back(std::move(file));
        } else {
            chart->files.push_back(std::move(file));
        }
    }
    if (!found) return refusal("Chart.yaml file is missing");
    if (std::string wrong = validate_metadata(chart->meta); !wrong.empty()) return refusal("validation: " + wrong);
    if (std::string wrong = load_inner(arena, store, *chart, inner, depth); !wrong.empty())
        return refusal(std::move(wrong));
    return chart;
}

} // namespace

Result<LoadedChart*> load_chart(ValueArena& arena, ChartStore& store, const ChartReader& reader) {
    std::vector<std::string> names = reader.list();
    std::sort(names.begin(), names.end());
    std::optional<std::string> rules;
    if (std::binary_search(names.begin(), names.end(), ".helmignore")) rules = reader.read(".helmignore");
    const HelmIgnore ignore(rules.value_or(""));
    std::vector<ChartFile> files;
    for (const std::string& name : names) {
        if (ignore.ignores(name)) continue;
        std::optional<std::string> text = reader.read(name);
        if (!text) continue;
        files.push_back(kept(store, name, reader.path.empty() ? name : reader.path + "/" + name, std::move(*text)));
    }
    return load_files(arena, store, std::move(files), 0);
}

Result<LoadedChart*> load_packed_chart(ValueArena& arena, ChartStore& store, std::string_view tgz,
                                       const std::string& path) {
    auto members = unpack(store, tgz, path);
    if (!members) return members.error();
    return load_files(arena, store, std::move(*members), 0);
}

} // namespace lockstep
