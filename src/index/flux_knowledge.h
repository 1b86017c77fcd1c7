// What is known of the Flux releases: the APIs each serves, the fields of their specs, the Helm inside helm-controller.
// Made from the tables of rules/data that a rule names among its facts; a table it does not name answers nothing.
#pragma once
#include "base/semver.h"
#include "base/table.h"
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// A field and those below it. One without fields of its own is not looked into: a value, or a map of the user's keys.
struct FluxField {
    std::string since; // the release that brought it
    std::map<std::string, FluxField, std::less<>> fields;
};

struct FluxApi {
    std::string name;                     // `helm.toolkit.fluxcd.io/v2/HelmRelease`
    std::string served, deprecated, gone; // the first release of each; empty for none
    FluxField spec;

    std::string_view version() const; // `v2`
};

enum class Known : std::uint8_t { no, unsure, yes };

class FluxKnowledge {
public:
    FluxKnowledge(const Table* helm, const Table* apis, const Table* fields);

    const FluxApi* api(std::string_view group, std::string_view version, std::string_view kind) const;
    // All versions of a kind, in the order of their first release; empty when the table does not have the kind.
    const std::vector<const FluxApi*>& versions(std::string_view group, std::string_view kind) const;
    // Whether a release at `since` or later; a pin between two releases that were read is unsure.
    Known has(const Version& flux, std::string_view since) const;
    std::string helm_of(const Version& flux) const;          // empty: not known
    std::string flux_with_helm(std::string_view helm) const; // the first release that carries it or a later one
    const std::string& oldest() const { return oldest_; }
    const std::string& newest() const { return newest_; }
    bool is_newer(const Version& flux) const;        // than all that were read
    std::string newest_in(const Range& range) const; // empty: no release that was read is in it
    std::string oldest_in(const Range& range) const;

private:
    struct Release {
        Version version;
        std::string flux, helm;
    };
    void read_apis(const Table* apis);
    void read_fields(const Table* fields);

    std::vector<Release> releases_;                                            // in order
    std::map<std::string, FluxApi, std::less<>> apis_;                         // by name
    std::map<std::string, std::vector<const FluxApi*>, std::less<>> versions_; // by group and kind
    std::string oldest_, newest_;
};

} // namespace lockstep
