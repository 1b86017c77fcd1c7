// The functions that templates call: Go's own, sprig's and Helm's, by name, with their signatures.
#pragma once
#include "helm/go_value.h"
#include <string>
#include <string_view>

namespace lockstep {

class TemplateRun;

// One call: arguments in, a value or an error out. A function that leaves the result's origin empty gets that of all
// arguments; one that keeps texts apart sets pieces.
struct FunctionCall {
    TemplateRun& run;
    ValueArena& arena;
    std::span<GoValue> args;
    std::string_view name;
    std::string error = {};   // set: the call failed with these words
    bool keep_origin = false; // the result has its own origins, or none
    bool certain = false;     // it fails whatever the arguments are

    GoValue fail(std::string message) {
        error = std::move(message);
        return {};
    }
};

// Parameters, one letter each, the last followed by `*` when it takes any number:
// s string, i int, b bool, f float64, a interface{}, r reflect.Value (any, nil too), m map[string]interface{},
// l []interface{}, u uint32, t time.Time, e []byte
struct TemplateFunction {
    std::string_view name;
    std::string_view signature;
    GoValue (*call)(FunctionCall&);
    bool builtin = false; // text/template's own
    bool helm4 = false;   // Helm 4 has it, Helm 3 has not
    char special = '\0';  // & and, | or: not all arguments are evaluated
};

const TemplateFunction* find_function(std::string_view name);

// Each part of the table, sorted together by find_function.
std::span<const TemplateFunction> builtin_functions();
std::span<const TemplateFunction> string_functions();
std::span<const TemplateFunction> case_functions();
std::span<const TemplateFunction> list_functions();
std::span<const TemplateFunction> dict_functions();
std::span<const TemplateFunction> number_functions();
std::span<const TemplateFunction> encoding_functions();
std::span<const TemplateFunction> data_functions();
std::span<const TemplateFunction> pattern_functions();
std::span<const TemplateFunction> path_functions();
std::span<const TemplateFunction> time_functions();
std::span<const TemplateFunction> chance_functions();
std::span<const TemplateFunction> helm_functions();

} // namespace lockstep
