// Images that HelmReleases name where nobody renders their charts: in values from everywhere, laid over each other, and
// in post-renderers.
#pragma once
#include "deploy/fleet.h"
#include "deploy/images.h"

namespace lockstep {

class ReleaseImages {
public:
    explicit ReleaseImages(const Fleet& fleet) : fleet_(fleet) {}
    // Empty where all that the release brings is rendered: then that is what counts.
    std::vector<ImageUse> of(const ReleaseRow& row);

private:
    // A text of a ConfigMap or Secret, as the cluster gets it.
    struct Text {
        const Value* text = nullptr;   // as a scalar
        const Value* images = nullptr; // as YAML, of which only what names images
    };
    Text text_of(const Value& entry, const Instance& release);

    const Fleet& fleet_;
    Arena arena_;
    std::map<std::pair<std::uint32_t, std::string>, Text> texts_; // by instance and key: many releases may share one
};

} // namespace lockstep
