// What scalars are to Go's YAML readers and writers, to the letter: where they differ between versions, outputs do too.
#pragma once
#include "yaml/value.h"
#include <string>

namespace lockstep {

// What a scalar is after kustomize has written it and read it back on its way to JSON.
enum class JsonType : std::uint8_t { null, boolean, number, text, bad };
struct JsonScalar {
    JsonType type = JsonType::text;
    std::string_view text; // of a text, boolean or null as it is; of a number when it is written as it stands
    std::string made;      // a number, timestamp or binary text that had to be written anew; else empty
    std::string_view shown() const { return made.empty() ? text : std::string_view(made); }
};
// `bad`: the tag and the text contradict each other, as `!!int abc` does; `made` says how go-yaml complains.
JsonScalar json_scalar(const Value& scalar);

// Whether a text that is written plainly would be read back as text by go-yaml 2, which sigs.k8s.io/yaml writes with.
bool reads_as_text_v2(std::string_view text);

// As strconv.FormatFloat(value, 'g', -1, 64) of Go, and as encoding/json writes numbers.
std::string go_float(double value);
std::string json_float(double value);

} // namespace lockstep
