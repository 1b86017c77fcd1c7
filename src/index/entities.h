// What the repository declares, as plain values with their places: the vocabulary of the index. Filled per file by
// file_index.h, merged and linked by index.h. Nothing here points into a node table.
#pragma once
#include "base/span.h"
#include "base/table.h"
#include "yaml/node.h"
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// A number into one of Index's vectors (into FileIndex's own before the merge).
using EntityId = std::uint32_t;
inline constexpr EntityId no_entity = 0xffffffffU;

inline constexpr std::string_view flux_source_group = "source.toolkit.fluxcd.io";

// What one YAML document of a file is. Every document has exactly one role, so that nothing is passed over unseen.
enum class Role : std::uint8_t {
    object,        // apiVersion and kind; Flux objects, blueprints and all the rest
    list,          // kind: List; its items are objects of their own
    kustomization, // kustomize's own Kustomization or Component
    chart,         // Chart.yaml (and requirements.yaml)
    chart_lock,    // Chart.lock (and requirements.lock)
    values,        // values for a chart
    workflow,      // .github/workflows, .gitea/workflows
    cloud_init,
    pod_spec, // a bare PodSpec inside a ConfigMap
    fragment, // a mapping or list of no kind that we know: patches by JSON pointer, application config
    foreign,  // another tool's file: helmfile
    empty,
};

struct DocumentRole {
    Place place;
    Role role = Role::fragment;
};

struct Pair {
    Cell key, value;
};

// A name that points to another object. `place` is the whole mapping, or the scalar when the name stands alone.
struct Reference {
    Cell kind, name, ns, api_version;
    Cell optional_flag; // `optional: true` of valuesFrom and substituteFrom
    Place place;
};

// Every object with apiVersion and kind, typed entities included: those name their object by its number.
struct Object {
    FileId file = no_file;
    std::uint32_t ordinal = 0; // which of objects_of(file)
    Span document;             // the document, or the item of a List
    std::string group;
    Cell api_version, kind, name, ns;
    std::shared_ptr<const Cell> generate_name; // few have one
    std::vector<Cell> forces; // kustomize.toolkit.fluxcd.io/force where it is set: as annotation, as label
    std::string chart;        // directory of the enclosing chart; meaningful when in_chart
    Place outer;              // embedded: the key of the text that holds it
    bool in_chart = false;
    bool in_templates = false; // below the chart's templates/
    bool embedded = false;     // YAML inside YAML
    bool bootstrap = false;    // written by cloud-init before Flux runs
    bool list_item = false;
    bool partial = false;     // no declaration by itself: no name, a top-level `$patch`, a HelmRelease without a chart
    bool sops = false;        // values are encrypted; keys may be used
    bool as_patch = false;    // some kustomization uses the file as a patch (set by the merge)
    bool build_marks = false; // annotations that kustomize itself reads
    bool string_maps = false, templated_strings = false; // has maps as of LooseValue; with templated values in them

    std::string_view version() const { // of api_version
        const std::string_view text = api_version.text;
        return text.substr(text.find('/') + 1);
    }
    const Cell& name_or_generated() const { return !is_named() && generate_name ? *generate_name : name; }
    bool is_named() const { return name.state != State::absent; }
};

// A value that is no string where Kubernetes declares one.
struct LooseValue {
    EntityId object = no_entity;
    enum class Map : std::uint8_t { annotations, labels, pod_annotations, pod_labels, config_map, secret };
    Map map = Map::annotations;
    enum class Type : std::uint8_t { boolean, number, mapping, list } type = Type::boolean;
    std::string key, text;
    Place place; // the value; for a mapping or list its key
};

struct ChartDependency {
    Cell name, version, repository, alias, condition;
    Place place;
};

struct Vendored { // a chart in charts/, as a folder or as .tgz
    Cell name, version, app_version;
    FileId file = no_file; // the folder's Chart.yaml or the archive
    bool archive = false;
    std::string problem; // an archive that cannot be read says why
};

struct Chart {
    FileId file = no_file;
    std::string dir, tree;
    Cell api_version, name, version, app_version, type, description;
    std::vector<Pair> annotations;
    std::vector<ChartDependency> dependencies;
    Place place;             // the document
    bool subchart = false;   // is in the charts/ folder of another chart
    bool helmignore = false; // from here on set by the merge
    FileId lock_file = no_file;
    std::vector<ChartDependency> lock;
    std::vector<Vendored> vendored;
    std::vector<FileId> values_files, templates;
};

// Chart.lock and the requirements files of Helm 2 are beside the chart; the merge joins them to it.
struct ChartSide {
    FileId file = no_file;
    std::string dir;
    bool lock = false;
    std::vector<ChartDependency> dependencies;
};

// A patch in any of kustomize's and Flux's spellings: a file, or text inside the YAML.
struct Patch {
    Cell path;                // absent for an inline one
    Place inline_text;        // content of a literal block, or the scalar; file == no_file when it is a file
    std::uint32_t indent = 0; // of a literal block
    bool json6902 = false;    // by its field, or because it is a list of operations
    Cell target_group, target_kind, target_name, target_namespace, target_selector, target_annotation_selector;
};

struct HelmRelease {
    EntityId object = no_entity;
    Cell chart, version;
    Reference source, chart_ref; // one of them has a known or templated name, unless the release is partial
    Cell release_name, target_namespace, storage_namespace, suspend;
    std::vector<Reference> depends_on, values_from;
    Place spec, values, install, upgrade; // file == no_file when the key is not there
    std::vector<Cell> value_keys;         // top keys of spec.values
    std::vector<Patch> post_render_patches;
    bool partial = false; // neither chartRef nor a chart with its source: a patch document
};

struct ArtifactCopy {
    Cell from, to;
};

// HelmRepository, OCIRepository, GitRepository, Bucket, ExternalArtifact, HelmChart (Flux's).
struct Source {
    EntityId object = no_entity;
    Cell name, ns; // those of the object, except for artifacts of an ArtifactGenerator
    std::string kind;
    Cell url, type, tag, semver, branch, commit, digest, ref_name, secret, suspend;
    Cell chart, version; // HelmChart
    Reference source;    // HelmChart, ExternalArtifact: what it is made from
    bool generated = false;
    std::vector<Reference> inputs;    // ArtifactGenerator's sources; `api_version` holds the alias
    std::vector<ArtifactCopy> copies; // how its folders came from them
};

struct FluxKustomization {
    EntityId object = no_entity;
    Cell path, target_namespace, name_prefix, name_suffix, prune, force, wait, suspend;
    Reference source;
    std::vector<Reference> depends_on, health_checks, substitute_from;
    std::vector<Pair> substitute, common_annotations, common_labels;
    std::vector<Patch> patches;
    std::vector<Cell> components;
    Place spec, post_build, kube_config; // file == no_file when absent
};

enum class Listing : std::uint8_t {
    resource,
    base,
    component,
    crd,
    configuration,
    replacement,
    generator,
    transformer,
    validator,
    patch,
    generated_from, // a file of a configMapGenerator or secretGenerator
    helm_values,
    openapi,
};

struct Listed {
    Listing as = Listing::resource;
    Cell path; // as written; of `key=path` only the path
};

struct Generator {
    Cell name, ns, behavior;
    bool secret = false;
    bool name_suffix_hash = true;
    Place place;
};

struct KustomizeChart {
    Cell name, version, repository, release_name, ns;
    Place place;
};

struct ImageOverride {
    Cell name, new_name, new_tag, digest;
};

struct Kustomization {
    EntityId object = no_entity; // no_entity when the file has neither apiVersion nor kind
    FileId file = no_file;
    std::string dir, tree;
    Place place; // the document
    bool component = false;
    bool embedded = false;      // a text inside another file: its paths lead nowhere in this tree
    std::vector<Listed> listed; // patches that are files too
    std::vector<Patch> patches;
    std::vector<Generator> generators;
    std::vector<KustomizeChart> helm_charts;
    std::vector<ImageOverride> images;
    Cell ns, name_prefix, name_suffix;
    std::vector<Pair> common_annotations, common_labels, labels;
    bool inline_plugins = false; // generators or transformers written as texts into the kustomization
};

// What a CustomResourceDefinition says about the objects of its kind.
struct CustomKind {
    EntityId object = no_entity;
    std::string group, kind;
    bool cluster_scoped = false;
};

struct Blueprint {
    EntityId object = no_entity;
    Cell version, chart;
    std::vector<Cell> depends;
};

// A script inside YAML. `slice` is the content of a literal block (lines behind its header), or the scalar without
// its quotes; `style` tells which.
struct Script {
    enum class From : std::uint8_t { container, config_map, workflow, cloud_init } from = From::container;
    Place place; // the slice
    std::uint32_t indent = 0;
    NodeStyle style = NodeStyle::literal;
    Cell image;                  // of the container, when known
    Cell name;                   // data key, file path, container or step name
    EntityId object = no_entity; // the object it belongs to
    bool bootstrap = false;
};

struct ContainerImage {
    Cell image;
    EntityId object = no_entity;
    bool in_parts = false; // `{registry, repository, tag}` of a chart's values: the chart may add what is not there
    bool embedded = false; // in a text of the object: a PodSpec in a ConfigMap
};

// Another tool's declaration: counted by name and shown, not understood.
struct Foreign {
    std::string tool; // `Argo CD Application`, `helmfile`
    Place place;
};

} // namespace lockstep
