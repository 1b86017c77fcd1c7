// Compares key by key.
#include "filter/softening.h"
#include <algorithm>

namespace lockstep {
namespace {

using Lines = std::vector<std::string>;

bool has(const Lines& list, const std::string& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
}

void note_added(std::string_view key, const Lines& before, const Lines& after, Lines& out) {
    for (const std::string& one : after)
        if (!has(before, one)) out.push_back(std::string(key) + ": adds " + one);
}

void note_removed(std::string_view key, const Lines& before, const Lines& after, Lines& out) {
    for (const std::string& one : before)
        if (!has(after, one)) out.push_back(std::string(key) + ": no longer has " + one);
}

Lines patterns_of(const std::vector<Glob>& globs) {
    Lines patterns;
    for (const Glob& glob : globs)
        patterns.push_back(glob.pattern());
    return patterns;
}

// A rule that the config does not name has its own severity, which may be anything up to error.
void note_severities(const std::map<std::string, Severity>& before, const std::map<std::string, Severity>& after,
                     Lines& out) {
    auto in = [](const std::map<std::string, Severity>& all, const std::string& id) {
        const auto found = all.find(id);
        return found == all.end() ? Severity::error : found->second;
    };
    for (const auto& [id, severity] : after)
        if (severity < in(before, id))
            out.push_back("severity: " + id + " becomes " + std::string(to_string(severity)));
    for (const auto& [id, severity] : before)
        if (severity >= Severity::warning && !after.contains(id)) out.push_back("severity: no longer names " + id);
}

void note_paths(const std::vector<PathSetting>& before, const std::vector<PathSetting>& after, Lines& out) {
    auto words = [](const PathSetting& one) {
        std::string text;
        for (const Glob& glob : one.files)
            text += glob.pattern() + " ";
        for (const auto& [id, severity] : one.severity)
            text += id + "=" + std::string(to_string(severity)) + " ";
        return text;
    };
    Lines old, fresh;
    for (const PathSetting& one : before)
        old.push_back(words(one));
    for (const PathSetting& one : after)
        fresh.push_back(words(one));
    if (old == fresh) return;
    note_added("paths", old, fresh, out);
    note_removed("paths", old, fresh, out);
    if (out.empty()) out.push_back("paths: another order"); // the last that fits wins
}

void note_limits(const Limits& before, const Limits& after, Lines& out) {
    auto note = [&](std::string_view name, std::uint64_t was, std::uint64_t is) {
        if (was != is)
            out.push_back("limits: " + std::string(name) + " from " + std::to_string(was) + " to " +
                          std::to_string(is));
    };
    note("file-size", before.file_size, after.file_size);
    note("depth", before.depth, after.depth);
    note("documents", before.documents, after.documents);
    note("nodes", before.nodes, after.nodes);
    note("scalar-size", before.scalar_size, after.scalar_size);
    note("files", before.files, after.files);
    note("applied", before.applied, after.applied);
    note("total-size", before.total_size, after.total_size);
    note("findings", before.findings, after.findings);
    note("archive-size", before.archive_size, after.archive_size);
    note("archive-members", before.archive_members, after.archive_members);
}

std::string words_of(const PinGroup& group) {
    std::string text = std::string(to_string(group.severity)) + '\x1f' + group.relation + '\x1f' + group.canonical;
    for (const PinSite& site : group.sites) {
        text += '\x1e' + site.name + '\x1f' + site.yaml + '\x1f' + site.text;
        for (const std::string& files : site.files)
            text += '\x1f' + files;
    }
    return text;
}

void note_pins(const std::vector<PinGroup>& before, const std::vector<PinGroup>& after, Lines& out) {
    for (const PinGroup& old : before) {
        const auto same =
            std::find_if(after.begin(), after.end(), [&](const PinGroup& g) { return g.name == old.name; });
        if (same == after.end())
            out.push_back("pins: no longer has " + old.name);
        else if (words_of(*same) != words_of(old))
            out.push_back("pins: " + old.name + " differs");
    }
}

std::string words_of(const Table& table) {
    std::string text;
    for (const std::string& column : table.columns)
        text += column + '\x1f';
    for (const Row& row : table.rows) {
        text += '\x1e';
        for (const Cell& cell : row.cells)
            text += cell.text + '\x1f';
    }
    return text;
}

void note_tables(const std::map<std::string, Table>& before, const std::map<std::string, Table>& after, Lines& out) {
    for (const auto& [name, table] : before)
        if (!after.contains(name)) out.push_back("tables: no longer has " + name);
    for (const auto& [name, table] : after) {
        const auto old = before.find(name);
        if (old == before.end() || words_of(old->second) != words_of(table))
            out.push_back("tables: " + name + " differs");
    }
}

} // namespace

Lines softened_config(const Config& before, const Config& after) {
    Lines out;
    note_paths(before.paths, after.paths, out);
    note_severities(before.severity, after.severity, out);
    note_added("exclude", before.exclude, after.exclude, out);
    note_added("external", before.external, after.external, out);
    note_added("generated", before.generated, after.generated, out);
    note_added("side-paths", patterns_of(before.side_paths), patterns_of(after.side_paths), out);
    note_removed("must-apply", before.must_apply, after.must_apply, out);
    for (const auto& [pack, on] : after.packs)
        if (!on && !(before.packs.contains(pack) && !before.packs.at(pack)))
            out.push_back("packs: switches off " + pack);
    for (const auto& [pack, on] : before.packs)
        if (on && !after.packs.contains(pack)) out.push_back("packs: no longer switches on " + pack);
    if (before.own_registries != after.own_registries) out.push_back("own-registries: differ");
    // Fewer places where something is applied, or another idea of which repository this is: less is judged.
    note_removed("applied", before.applied, after.applied, out);
    if (before.applied.empty()) note_added("applied", before.applied, after.applied, out); // the rest is not, then
    note_removed("charts", before.charts, after.charts, out); // what is not at hand is not rendered
    if (before.kubernetes != after.kubernetes) out.push_back("kubernetes: differs");
    if (before.repository != after.repository) out.push_back("repository: differs");
    if (before.registries != after.registries) out.push_back("registries: differ");
    if (after.overlay_blueprints && !before.overlay_blueprints) out.push_back("blueprint-shape: becomes overlay");
    if (before.template_tree != after.template_tree || before.live_trees != after.live_trees)
        out.push_back("trees: differ");
    note_tables(before.tables, after.tables, out);
    note_pins(before.pins, after.pins, out);
    note_limits(before.limits, after.limits, out);
    return out;
}

Lines softened_rules(const std::vector<RuleFile>& before, const std::vector<RuleFile>& after) {
    Lines out;
    auto find = [](const std::vector<RuleFile>& files, const std::string& path) {
        return std::find_if(files.begin(), files.end(), [&](const RuleFile& file) { return file.path == path; });
    };
    for (const RuleFile& old : before) {
        const auto now = find(after, old.path);
        if (now == after.end())
            out.push_back(old.path + ": removed");
        else if (now->text != old.text)
            out.push_back(old.path + ": differs");
    }
    for (const RuleFile& fresh : after)
        if (find(before, fresh.path) == before.end() && fresh.text.find("replaces") != std::string::npos)
            out.push_back(fresh.path + ": replaces findings of other rules");
    return out;
}

} // namespace lockstep
