// Helm's own functions.
#include "helm/functions.h"
#include "helm/template_run.h"
#include "helm/unknowns.h"
#include <array>

namespace lockstep {
namespace {

// Helm marks the words of a chart's own complaint, to find them again in the long error.
std::string marked(std::string_view words) {
    return "HELM_ERR_START" + std::string(words) + "HELM_ERR_END";
}

GoValue include(FunctionCall& call) {
    return call.run.include(call);
}

GoValue tpl(FunctionCall& call) {
    return call.run.tpl(call);
}

GoValue required(FunctionCall& call) {
    call.keep_origin = true;
    const GoValue& value = call.args[1];
    if (value.is_nil() || (value.is_string() && value.str().empty())) return call.fail(marked(call.args[0].str()));
    return value;
}

GoValue fail(FunctionCall& call) {
    call.certain = true;
    return call.fail(marked(call.args[0].str()));
}

GoValue lookup(FunctionCall& call) {
    GoValue map = make_map(call.arena);
    map.origin = unknown_origin(call);
    return map;
}

GoValue get_host_by_name(FunctionCall& call) {
    return make_string(call.arena, "", unknown_origin(call));
}

constexpr std::array helm_functions_table = {
    TemplateFunction{"fail", "s", fail},          TemplateFunction{"getHostByName", "s", get_host_by_name},
    TemplateFunction{"include", "sa", include},   TemplateFunction{"lookup", "ssss", lookup},
    TemplateFunction{"required", "sa", required}, TemplateFunction{"tpl", "sa", tpl},
};

} // namespace

std::span<const TemplateFunction> helm_functions() {
    return helm_functions_table;
}

} // namespace lockstep
