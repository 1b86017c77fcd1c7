// One chart rendered with the values of one release, with places that count in this tree. What Helm made of it is gone
// by then: a document is its text, and stretches of it with the place each came from.
#pragma once
#include "deploy/chart_library.h"
#include "yaml/value.h"

namespace lockstep {

struct RenderedPiece {
    std::uint32_t begin = 0, end = 0; // of the document's text
    Place from;                       // the template's text or action; file == no_file when it is not in this tree
    Place value;                      // what the action printed: values, Chart.yaml; file == no_file for none
    bool linear = false;              // byte i of it is byte i of `from`
    bool unknown = false;
};

struct RenderedDocument {
    std::string text;
    std::vector<RenderedPiece> pieces; // in order
    Place at;                          // where it begins
    std::string source;                // `chart/templates/x.yaml`, as Helm names it
    std::vector<std::string> hooks;    // events
    bool unknown = false;              // whether a cluster gets it hangs on something unknown
    bool crd = false;                  // a file of crds/, unchanged
};

struct RenderProblem {
    std::string message;       // in Helm's words
    std::vector<Place> places; // innermost first; those of this tree
    bool rendering = false;    // while templates ran, not while the chart was loaded
    bool unknown = false;      // something unknown decided
    bool limit = false;
    bool asked = false;  // the chart's own `fail` or `required`
    bool schema = false; // values.schema.json
};

struct RenderedChart {
    std::string name, version;
    std::vector<RenderedDocument> documents; // in Helm's order: crds, release, hooks
    std::vector<RenderProblem> problems;     // empty: Helm renders it
    std::vector<DependencyOutcome> dependencies;
    std::vector<DependencyOutcome> missing; // those that are switched on, and not at hand
    std::vector<Place> undecided;           // conditions that hang on something unknown
    struct UndefinedInclude {
        std::string name;
        Place place;
    };
    std::vector<UndefinedInclude> undefined; // of its own templates, whether they run or not
    struct Read {                            // of a value that is printed as it is
        std::string path;
        Place at, parent;
        bool missing = false, defined = false; // once or more
    };
    std::vector<Read> reads;
    bool loaded = false;
    bool kubernetes_known = false; // else it was rendered for the newest
    bool empty_helpers = false;    // a .tpl file without a word: what it defined elsewhere is not known

    // Why it is not, or not wholly, what Helm would make: a chart inside that is not at hand, and what that led to.
    std::string why_not() const;
    // It shows all that the release brings.
    bool complete() const { return problems.empty() && missing.empty() && undecided.empty(); }
};

// One source of values; later ones overrule.
struct ValuesPart {
    const Value* tree = nullptr; // spec.values
    std::string text = {};       // YAML of a ConfigMap, a Secret or a file; or the value for `target_path`
    Place place = {};            // of the text
    bool linear = false;         // the text is the file
    std::string target_path = {};
    bool literal = false; // of `target_path`: the text is the value to the letter
    bool known = true;
};

struct ChartRequest {
    EntityId chart = no_entity;            // a folder of the tree, or
    const ShelfArchive* archive = nullptr; // a packed one
    std::string release = "release-name", ns = "default";
    std::vector<ValuesPart> values = {};
    struct ValuesFile {
        std::string path; // as written
        Place at;         // where it is asked for
    };
    std::vector<ValuesFile> values_files = {}; // in place of the chart's own values.yaml
    bool files_of_chart = false;               // paths begin at the chart, not at the root of the repository
    bool skip_missing_files = false;
    bool skip_schema = false;
    std::string kube_version = {}; // empty: the newest
    HelmVersion helm = newest_helm3;
    bool crds = true;
};

// `chart redis 20.0.0 is not at hand; this repository has charts/redis 19.1.0`.
std::string words_for_missing(const DependencyOutcome& missing);

// For several threads at a time.
RenderedChart render_request(const ChartLibrary& library, const Tree& tree, const ChartRequest& request);

// Puts the places of a rendered document into its tree: the template's, and that of the value as what decided it.
void place_rendered(Value& tree, FileId rendered, const RenderedDocument& document);

} // namespace lockstep
