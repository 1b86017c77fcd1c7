// Methods of the values that have some: .Files, .Capabilities.APIVersions, .Values, versions.
#pragma once
#include "helm/functions.h"

namespace lockstep {

// The receiver is the call's first argument; the signature does not count it.
const TemplateFunction* find_method(const GoValue& receiver, std::string_view name);

} // namespace lockstep
