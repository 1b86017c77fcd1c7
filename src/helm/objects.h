// The struct-like values that templates meet: .Chart, .Capabilities, versions, times.
#pragma once
#include "base/semver.h"
#include "helm/go_value.h"
#include <initializer_list>
#include <optional>

namespace lockstep {

// What fmt prints for a struct with a String method; nothing for one without.
std::optional<std::string> struct_text(const GoStruct& object);
const StructField* struct_field(const GoStruct& object, std::string_view name);
const GoStruct* make_struct_of(ValueArena& arena, std::string_view type_name, std::initializer_list<StructField> fields,
                               StructKind kind = StructKind::plain, bool pointer = false);
const GoStruct* make_version(ValueArena& arena, const Version& version, std::string_view original);
// Seconds since 1970, UTC. Only chance or the clock gives a time; both are unknown.
const GoStruct* make_time(ValueArena& arena, std::int64_t seconds);

} // namespace lockstep
