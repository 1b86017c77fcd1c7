// One pass over the files: read, parse, take index entries and facts, forget the nodes.
#include "rules/read.h"
#include "base/parallel.h"
#include "deploy/fleet.h"
#include "index/path_class.h"
#include "index/side_paths.h"
#include "rules/compare.h"
#include "rules/relation_tables.h"
#include "rules/rendered_rows.h"
#include "tree/git_remote.h"
#include "yaml/mask.h"
#include <algorithm>
#include <atomic>
#include <map>

namespace lockstep {
namespace {

// What one file gave; taken in file order, so that threads do not show in the result.
struct Part {
    FileIndex index;
    std::vector<FactRow> rows;
    std::vector<YamlProblem> problems;
    std::uint64_t documents = 0;
    bool is_template = false;
};

bool is_shell_script(std::string_view path) {
    return path.ends_with(".sh") || path.ends_with(".bash");
}

// Helm renders every file of templates/ but partials and notes, whatever it is called.
bool is_rendered(const File& file, const Layout& layout) {
    const std::string_view name = file_name_of(file.path);
    const std::optional<ChartPlace> chart = layout.chart_of(file.path);
    if (!chart || is_indexable(file)) return false;
    const std::string_view rest = std::string_view(file.path).substr(chart->dir.empty() ? 0 : chart->dir.size() + 1);
    if (rest.starts_with("crds/")) return name.ends_with(".json");
    return chart->in_templates && !name.starts_with('_') && name != "NOTES.txt";
}

bool looks_like_manifest(std::string_view text) {
    for (std::string_view key : {"apiVersion:", "kind:"})
        if (!text.starts_with(key) && text.find("\n" + std::string(key)) == std::string_view::npos &&
            text.find("\"" + std::string(key.substr(0, key.size() - 1)) + "\"") == std::string_view::npos)
            return false;
    return true;
}

// Rules about what the pinned Flux knows look at every field of every Flux object.
bool is_looked_at_again(const FileIndex& index) {
    return std::any_of(index.objects.begin(), index.objects.end(),
                       [](const Object& object) { return object.group.ends_with(".toolkit.fluxcd.io"); });
}

Part read_one(const Tree& tree, FileId id, File& file, const FactPlan& plan, const Layout& layout,
              const YamlLimits& limits, ParsedFiles& again) {
    Part part;
    part.index.file = id;
    const auto matches = plan.match(file.path);
    const bool rendered = is_rendered(file, layout);
    const bool tasks = is_task_path(file.path);
    file.indexed = is_indexable(file) || is_shell_script(file.path) || tasks;
    if (matches.empty() && !file.indexed && !rendered) return part;
    if (file.state == FileState::listed) read_file(tree, file);
    if (file.state != FileState::read) return part;
    if (rendered && looks_like_manifest(file.text)) file.manifest = file.indexed = true;
    if (!is_indexable(file)) {
        if (tasks) part.index.published.artifacts = artifacts_pushed_by_lines(file.path, file.text);
        if (is_shell_script(file.path)) {
            part.index.bootstrap_pins = script_pins(id, file.text);
            part.index.published = published_by_script(file.path, file.text);
        }
        plan.extract(id, file, matches, nullptr, layout, part.rows);
        return part;
    }
    auto parsed = parse_file(id, file, limits);
    YamlText& yaml = parsed->yaml;
    part.index = index_view(parsed->view, layout);
    part.index.bootstrap_pins = file_pins(parsed->view, yaml);
    if (tasks) part.index.published.artifacts = artifacts_pushed_by_lines(file.path, file.text);
    plan.extract(id, file, matches, &parsed->view, layout, part.rows);
    part.documents = yaml.documents.size();
    part.is_template = yaml.masked || has_template_action(file.text);
    part.problems = std::move(yaml.problems);
    if (is_looked_at_again(part.index)) again.keep(id, std::move(parsed));
    return part;
}

void fill_named_tables(const RuleSet& rules, const FactPlan& plan, std::vector<Table>& tables) {
    for (std::size_t rule = 0; rule < rules.rules.size(); ++rule)
        for (std::size_t fact = 0; fact < rules.rules[rule].facts.size(); ++fact) {
            const FactSpec& spec = rules.rules[rule].facts[fact];
            Table& table = tables[plan.number(rule, fact)];
            if (spec.source != FactSpec::Source::table) continue;
            table.rows = rules.tables.at(spec.table).rows;
            std::erase_if(table.rows, [&](Row& row) { return !belongs(spec, row); });
        }
}

// A document that some kustomization uses as a patch, or that is one by its shape, declares nothing: it is no row.
void drop_patches(const RuleSet& rules, const FactPlan& plan, const Index& index, std::vector<Table>& tables) {
    std::map<FileId, std::vector<Span>> patches;
    for (const auto& object : index.objects)
        if (object.as_patch || (object.partial && object.name.state != State::absent))
            patches[object.file].push_back(object.document);
    auto in_patch = [&](const Row& row) {
        const auto found = patches.find(row.anchor.file);
        if (found == patches.end()) return false;
        return std::any_of(found->second.begin(), found->second.end(), [&](const Span& document) {
            return document.begin <= row.anchor.span.begin && row.anchor.span.end <= document.end;
        });
    };
    for (std::size_t rule = 0; rule < rules.rules.size(); ++rule)
        for (std::size_t fact = 0; fact < rules.rules[rule].facts.size(); ++fact)
            if (rules.rules[rule].facts[fact].source == FactSpec::Source::resources)
                std::erase_if(tables[plan.number(rule, fact)].rows, in_patch);
}

std::shared_ptr<const SidePaths> side_paths_of(const Tree& tree, const Config& config, const RuleSet& rules) {
    std::vector<std::string> folders;
    if (const auto table = rules.tables.find("side-paths"); table != rules.tables.end())
        for (const Row& row : table->second.rows)
            folders.push_back(table->second.at(row, "folder").text);
    return std::make_shared<const SidePaths>(tree, std::move(folders), config.side_paths);
}

} // namespace

void fill_applied_tables(const RuleSet& rules, const FactPlan& plan, ReadResult& result) {
    if (!result.over_total_size) take_rendered_rows(rules, plan, result);
}

const Table& ReadResult::table(std::size_t fact) const {
    const Table* of_relation = relations ? relations->find(fact) : nullptr;
    return of_relation ? *of_relation : tables[fact];
}

ReadResult read_repository(Tree& tree, const Config& config, const RuleSet& rules, const FactPlan& plan,
                           unsigned jobs) {
    ReadResult result;
    Repository& repository = result.repository;
    repository.tree = &tree;
    const Layout layout(tree, {config.template_tree}, config.live_trees);
    YamlLimits limits;
    limits.depth = config.limits.depth;
    limits.documents = config.limits.documents;
    limits.nodes = config.limits.nodes;
    limits.scalar_size = config.limits.scalar_size;

    repository.on_demand = std::shared_ptr<Repository::OnDemand>(
        new Repository::OnDemand{ParsedFiles(tree, limits), config.limits.applied});
    repository.on_demand->tree = &tree;
    repository.on_demand->applied = config.applied;
    repository.on_demand->urls = config.repository;
    repository.on_demand->charts = config.charts;
    repository.on_demand->kubernetes = config.kubernetes;
    repository.on_demand->jobs = jobs;
    for (std::string& url : remote_urls(tree.root))
        repository.on_demand->urls.push_back(std::move(url));

    result.tables.resize(plan.size());
    result.relations = std::make_shared<RelationTables>(plan.size());
    for (std::size_t rule = 0; rule < rules.rules.size(); ++rule)
        for (std::size_t fact = 0; fact < rules.rules[rule].facts.size(); ++fact)
            result.tables[plan.number(rule, fact)].columns = rules.rules[rule].facts[fact].columns;

    std::atomic<std::uint64_t> bytes = 0;
    const auto read = [&](std::size_t i) {
        if (bytes > config.limits.total_size) return Part();
        Part part =
            read_one(tree, static_cast<FileId>(i), tree.files[i], plan, layout, limits, repository.on_demand->files);
        bytes += tree.files[i].text.size();
        return part;
    };
    const auto take = [&](std::size_t i, Part& part) {
        for (auto& [fact, row] : part.rows)
            result.tables[fact].rows.push_back(std::move(row));
        const bool broken = std::any_of(part.problems.begin(), part.problems.end(),
                                        [](const YamlProblem& p) { return p.kind == YamlProblem::Kind::syntax; });
        repository.documents += part.documents;
        repository.templates_total += part.is_template ? 1 : 0;
        repository.templates_read += part.is_template && !broken ? 1 : 0;
        for (auto& problem : part.problems)
            repository.problems.push_back({static_cast<FileId>(i), std::move(problem)});
        add_file(repository.index, std::move(part.index));
    };
    parallel_in_order(tree.files.size(), jobs, read, take);
    result.over_total_size = bytes > config.limits.total_size;

    repository.index.side_paths = side_paths_of(tree, config, rules);
    IndexOptions options;
    options.own_registries = config.own_registries;
    options.jobs = jobs;
    if (const auto set = config.packs.find("catalyst"); set != config.packs.end()) options.catalyst = set->second;
    link_index(repository.index, tree, layout, options);
    drop_patches(rules, plan, repository.index, result.tables);
    fill_named_tables(rules, plan, result.tables);
    return result;
}

} // namespace lockstep
