// Reads .lockstep.yaml strictly: an unknown key, a wrong type or a bad glob is an error with its place.
#include "config/config.h"
#include "base/semver.h"
#include "yaml/parse.h"
#include "yaml/path.h"
#include "yaml/strict.h"
#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

Position position_of(NodeRef node) {
    return LineTable(node.yaml().text).position(node.span().begin);
}

std::map<std::string, Severity> read_severities(StrictReader& reader, NodeRef map, Config& config) {
    std::map<std::string, Severity> levels;
    if (map && !map.is_null() && !map.is_mapping())
        reader.fail(map, "severity must be a mapping of rule ids to levels", "severity: { rule-id: warning }");
    for (auto [key, value] : map.entries()) {
        auto level = parse_severity(value.text());
        if (!level)
            reader.fail(value, "severity of " + std::string(key.text()) + " must be error, warning, note or off");
        else
            levels.emplace(key.text(), *level);
        config.named_rules.push_back({std::string(key.text()), position_of(key), key.span()});
    }
    return levels;
}

void check_globs(StrictReader& reader, NodeRef list, const std::vector<std::string>& patterns) {
    for (const auto& pattern : patterns)
        if (auto glob = Glob::compile(pattern); !glob)
            reader.fail(list, "glob `" + pattern + "`: " + glob.error().message);
}

std::vector<std::string> read_globs(StrictReader& reader, NodeRef map, std::string_view key) {
    auto patterns = reader.texts(map, key);
    check_globs(reader, map.get(key), patterns);
    return patterns;
}

void read_paths(StrictReader& reader, NodeRef list, Config& config) {
    if (!list) return;
    if (!list.is_sequence()) return reader.fail(list, "paths must be a list of { files, severity }");
    for (auto item : list.items()) {
        if (!reader.check_keys(item, "an entry of paths", {"files", "severity"})) return;
        PathSetting setting;
        auto patterns = reader.texts(item, "files");
        if (patterns.empty()) reader.fail(item, "an entry of paths needs files", "files: \"legacy/**\"");
        for (const auto& pattern : patterns) {
            auto glob = Glob::compile(pattern);
            if (!glob) return reader.fail(item.get("files"), "glob `" + pattern + "`: " + glob.error().message);
            setting.files.push_back(*glob);
        }
        setting.severity = read_severities(reader, item.get("severity"), config);
        config.paths.push_back(std::move(setting));
    }
}

void read_packs(StrictReader& reader, NodeRef map, Config& config) {
    if (!map) return;
    if (!reader.check_keys(map, "packs", {"core", "catalyst"})) return;
    for (auto pack : {"core", "catalyst"})
        if (auto on = reader.boolean(map, pack)) config.packs.emplace(pack, *on);
}

void read_tables(StrictReader& reader, NodeRef map, Config& config) {
    if (!map) return;
    if (!map.is_mapping()) return reader.fail(map, "tables must be a mapping of table names to lists of rows");
    for (auto [key, rows] : map.entries()) {
        if (!rows.is_sequence())
            return reader.fail(rows, "table " + std::string(key.text()) + " must be a list of rows");
        Table table;
        for (auto item : rows.items()) {
            if (!item.is_mapping()) return reader.fail(item, "a row of a table must be a mapping of columns to values");
            Row row;
            row.cells.resize(table.columns.size());
            for (auto [column, value] : item.entries()) {
                if (!value.is_scalar()) return reader.fail(value, "a cell of a table must be one value");
                auto index = table.column(column.text());
                if (!index) {
                    index = table.columns.size();
                    table.columns.emplace_back(column.text());
                    for (auto& earlier : table.rows)
                        earlier.cells.emplace_back();
                    row.cells.emplace_back();
                }
                row.cells[*index] = {State::known, std::string(value.text()), {no_file, value.span()}};
            }
            table.rows.push_back(std::move(row));
        }
        config.tables.emplace(key.text(), std::move(table));
    }
}

PinSite read_site(StrictReader& reader, NodeRef key, NodeRef node) {
    PinSite site;
    site.name = key.text();
    site.span = key.span();
    site.at = position_of(key);
    if (!reader.check_keys(node, "a pin site", {"files", "yaml", "text"})) return site;
    site.files = read_globs(reader, node, "files");
    site.yaml = reader.text(node, "yaml").value_or("");
    site.text = reader.text(node, "text").value_or("");
    if (site.files.empty()) reader.fail(node, "pin site " + site.name + " needs files");
    if (site.yaml.empty() == site.text.empty())
        reader.fail(node, "pin site " + site.name + " needs either yaml (a path) or text (a pattern), not both");
    if (!site.yaml.empty())
        if (auto path = YamlPath::parse(site.yaml); !path) reader.fail(node.get("yaml"), path.error().message);
    return site;
}

std::string site_names(const PinGroup& group) {
    std::string names;
    for (const auto& site : group.sites)
        names += (names.empty() ? "" : ", ") + site.name;
    return names;
}

void read_pins(StrictReader& reader, NodeRef map, Config& config) {
    if (!map) return;
    if (!map.is_mapping()) return reader.fail(map, "pins must be a mapping of group names to groups");
    for (auto [key, node] : map.entries()) {
        if (!reader.check_keys(node, "a pin group", {"severity", "relation", "canonical", "why", "sites"})) return;
        PinGroup group;
        group.name = key.text();
        group.why = reader.text(node, "why").value_or("");
        group.relation = reader.text(node, "relation").value_or("==");
        if (group.relation != "==" && group.relation != "<=" && group.relation != "same-minor")
            reader.fail(node.get("relation"), "relation must be ==, <= or same-minor");
        if (auto level = reader.text(node, "severity")) {
            auto severity = parse_severity(*level);
            if (!severity) return reader.fail(node.get("severity"), "severity must be error, warning, note or off");
            group.severity = *severity;
        }
        for (auto [name, site] : node.get("sites").entries())
            group.sites.push_back(read_site(reader, name, site));
        if (group.sites.size() < 2) return reader.fail(node, "pin group " + group.name + " needs at least two sites");
        group.canonical = reader.text(node, "canonical").value_or(group.sites.front().name);
        bool found = false;
        for (const auto& site : group.sites)
            found = found || site.name == group.canonical;
        if (!found)
            reader.fail(node.get("canonical"), "canonical names no site of pin group " + group.name,
                        "its sites: " + site_names(group));
        config.pins.push_back(std::move(group));
    }
}

// `16MiB`, `512KiB`, `4096`.
std::optional<std::uint64_t> parse_size(std::string_view text) {
    std::uint64_t number = 0;
    auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{}) return std::nullopt;
    std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
    if (number > (1ULL << 32)) return std::nullopt;
    if (unit.empty()) return number;
    if (unit == "KiB") return number << 10;
    if (unit == "MiB") return number << 20;
    if (unit == "GiB") return number << 30;
    return std::nullopt;
}

void read_limits(StrictReader& reader, NodeRef map, Config& config) {
    if (!map) return;
    if (!reader.check_keys(map, "limits",
                           {"file-size", "scalar-size", "depth", "documents", "nodes", "files", "total-size", "applied",
                            "findings", "archive-size", "archive-members"}))
        return;
    auto read_size = [&](const char* key, std::uint64_t most_gib, std::uint64_t& target) {
        const auto text = reader.text(map, key);
        if (!text) return;
        const auto size = parse_size(*text);
        if (!size || *size == 0 || *size > most_gib << 30)
            reader.fail(map.get(key), std::string(key) + " must be a size such as 16MiB, at most " +
                                          std::to_string(most_gib) + "GiB");
        else
            target = *size;
    };
    read_size("file-size", 2, config.limits.file_size); // spans are 32-bit
    read_size("scalar-size", 2, config.limits.scalar_size);
    read_size("total-size", 1024, config.limits.total_size);
    read_size("archive-size", 2, config.limits.archive_size);
    auto read_count = [&](const char* key, std::uint32_t most, std::uint32_t& target) {
        const auto text = reader.text(map, key);
        if (!text) return;
        const auto number = parse_size(*text);
        if (!number || *number == 0 || *number > most)
            reader.fail(map.get(key), std::string(key) + " must be a number from 1 to " + std::to_string(most));
        else
            target = static_cast<std::uint32_t>(*number);
    };
    read_count("depth", 10'000, config.limits.depth);
    read_count("documents", 1'000'000, config.limits.documents);
    read_count("nodes", 1'000'000'000, config.limits.nodes);
    read_count("files", 100'000'000, config.limits.files);
    read_count("findings", 100'000'000, config.limits.findings);
    read_count("applied", 1'000'000'000, config.limits.applied);
    read_count("archive-members", 10'000'000, config.limits.archive_members);
}

} // namespace

Result<Config> parse_config(std::string path, std::string_view text) {
    YamlText yaml = parse_yaml(text);
    StrictReader reader(path, yaml);
    Config config;
    config.path = std::move(path);
    if (!reader.check_syntax()) return *reader.error();
    NodeRef root = yaml.documents.empty() ? NodeRef() : NodeRef(&yaml, yaml.documents.front().root);
    if (!root || root.is_null()) return config; // an empty config is a config of defaults
    if (yaml.documents.size() > 1) reader.fail(NodeRef(&yaml, yaml.documents[1].root), "the config is one document");
    if (!reader.check_keys(root, "the config",
                           {"severity", "paths", "exclude", "packs", "must-apply", "own-registries", "registries",
                            "blueprint-shape", "external", "generated", "trees", "tables", "pins", "limits", "applied",
                            "repository", "side-paths", "charts", "kubernetes"}))
        return *reader.error();
    config.severity = read_severities(reader, root.get("severity"), config);
    read_paths(reader, root.get("paths"), config);
    config.exclude = read_globs(reader, root, "exclude");
    for (const auto& pattern : read_globs(reader, root, "side-paths")) // which has told of those that are none
        if (auto glob = Glob::compile(pattern)) config.side_paths.push_back(*glob);
    read_packs(reader, root.get("packs"), config);
    config.must_apply = reader.texts(root, "must-apply");
    config.must_apply_span = root.get_key("must-apply").span();
    for (const auto& id : config.must_apply)
        config.named_rules.push_back({id, position_of(root.get_key("must-apply")), config.must_apply_span});
    config.own_registries = reader.texts(root, "own-registries");
    config.registries = reader.texts(root, "registries");
    if (auto shape = reader.text(root, "blueprint-shape")) {
        if (*shape != "umbrella" && *shape != "overlay")
            reader.fail(root.get("blueprint-shape"), "blueprint-shape must be umbrella or overlay");
        config.overlay_blueprints = *shape == "overlay";
    }
    config.external = read_globs(reader, root, "external");
    for (const auto& name : config.external)
        if (std::count(name.begin(), name.end(), '/') != 2)
            reader.fail(root.get("external"), "`" + name + "` is not Kind/namespace/name",
                        "external: [\"Secret/flux-system/sops-age\"]");
    config.generated = read_globs(reader, root, "generated");
    config.applied = reader.texts(root, "applied");
    config.repository = reader.texts(root, "repository");
    config.charts = reader.texts(root, "charts");
    if (auto version = reader.text(root, "kubernetes")) {
        const auto parsed = parse_version(*version);
        if (!parsed) reader.fail(root.get("kubernetes"), "kubernetes must be a version", "kubernetes: \"1.33.4\"");
        config.kubernetes = *version;
    }
    if (auto trees = root.get("trees")) {
        if (reader.check_keys(trees, "trees", {"template", "live"})) {
            if (auto name = reader.text(trees, "template")) config.template_tree = *name;
            if (trees.get("live")) config.live_trees = read_globs(reader, trees, "live");
        }
    }
    read_tables(reader, root.get("tables"), config);
    read_pins(reader, root.get("pins"), config);
    read_limits(reader, root.get("limits"), config);
    if (reader.error()) return *reader.error();
    return config;
}

Severity severity_for(const Config& config, const std::vector<std::string>& ids, std::string_view path, Severity own) {
    Severity level = own;
    for (const auto& id : ids)
        if (auto found = config.severity.find(id); found != config.severity.end()) level = found->second;
    for (const auto& setting : config.paths)
        for (const auto& glob : setting.files)
            if (glob.matches(path))
                for (const auto& id : ids)
                    if (auto found = setting.severity.find(id); found != setting.severity.end()) level = found->second;
    return level;
}

} // namespace lockstep
