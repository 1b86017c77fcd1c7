// `.lockstep.yaml`: what a repository says about itself. Everything has a default; nothing is guessed.
#pragma once
#include "base/finding.h"
#include "base/glob.h"
#include "base/result.h"
#include "base/table.h"
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

inline constexpr std::string_view config_name = ".lockstep.yaml";

struct PathSetting {
    std::vector<Glob> files;
    std::map<std::string, Severity> severity;
};

// A group of places that must carry related values, for people who do not want to write a rule.
struct PinSite {
    std::string name;
    std::vector<std::string> files; // globs
    std::string yaml;               // a YAML path, or
    std::string text;               // an RE2 with a group named `value`
    Span span;                      // where the site is in the config
    Position at = {0, 0};
};

struct PinGroup {
    std::string name;
    Severity severity = Severity::error;
    std::string relation = "=="; // `==`, `<=` (the site is not ahead of the canonical one), `same-minor`
    std::string canonical;       // name of a site
    std::string why;
    std::vector<PinSite> sites;
};

struct Limits {
    std::uint64_t file_size = 16ULL << 20;
    std::uint32_t depth = 1000;
    std::uint32_t documents = 10000;        // in one file
    std::uint32_t nodes = 20'000'000;       // in one file
    std::uint64_t scalar_size = 4U << 20;   // of one value
    std::uint32_t files = 1'000'000;        // and folders, in the repository
    std::uint32_t applied = 1'000'000;      // objects and kustomizations, by every way that leads to them
    std::uint64_t total_size = 4ULL << 30;  // of all files that are read
    std::uint32_t findings = 250'000;       // of one rule
    std::uint64_t archive_size = 64U << 20; // of one packed chart, expanded
    std::uint32_t archive_members = 10'000;
};

struct NamedRule {
    std::string id;
    Position at;
    Span span;
};

struct Config {
    std::string path; // relative to the root, or as given with --config; empty when there is no file
    std::map<std::string, Severity> severity;
    std::vector<PathSetting> paths;
    std::vector<std::string> exclude;
    std::vector<Glob> side_paths;      // files kept to be read, besides those of rules/data/side-paths.yaml
    std::map<std::string, bool> packs; // absent: a pack switches itself on
    std::vector<std::string> must_apply;
    std::vector<std::string> own_registries;
    std::vector<std::string> registries; // that blueprints are pulled from; empty: those of one kit agree
    bool overlay_blueprints = false;     // `blueprint-shape: overlay`: an upstream block in place of dependencies
    std::vector<std::string> external;   // `Kind/namespace/name` with `*`: exists outside this repository
    std::vector<std::string> generated;  // globs of files that exist only after a build step
    std::vector<std::string> applied;    // folders that another repository applies
    std::vector<std::string> repository; // urls of this repository
    std::vector<std::string> charts;     // folders with packed charts
    std::string kubernetes;              // version that the clusters run; empty: what the tree pins
    std::string template_tree = "clusters/_template";
    std::vector<std::string> live_trees = {"clusters/*"};
    std::map<std::string, Table> tables; // rows that come before those of the built-in table; places without a file
    std::vector<PinGroup> pins;
    Limits limits;
    // Not of the file: what a first look at the repository brought to light. Paths that are excluded, and that
    // something applies; files that something applies and whose names do not say that they are YAML. Sorted.
    std::vector<std::string> brought_in, manifests;
    std::vector<NamedRule> named_rules; // every rule id the file names, to be checked later
    Span must_apply_span;
};

// `path` is only for messages. `text` must outlive the call only.
Result<Config> parse_config(std::string path, std::string_view text);

// The severity of a rule on a path: the last matching entry of `paths`, then `severity`, then the rule's own.
// `ids` are the rule's id and its former ids.
Severity severity_for(const Config& config, const std::vector<std::string>& ids, std::string_view path, Severity own);

} // namespace lockstep
