// Building and printing of structs.
#include "helm/objects.h"
#include "helm/go_time.h"

namespace lockstep {

const StructField* struct_field(const GoStruct& object, std::string_view name) {
    for (const StructField& field : object.fields)
        if (field.name == name) return &field;
    return nullptr;
}

std::optional<std::string> struct_text(const GoStruct& object) {
    switch (object.kind) {
    case StructKind::kube_version:
    case StructKind::semver:
        return std::string(object.fields[0].value.str());
    case StructKind::time:
        return format_time(object.fields[0].value.integer, "2006-01-02 15:04:05 -0700 MST");
    default:
        return std::nullopt;
    }
}

const GoStruct* make_struct_of(ValueArena& arena, std::string_view type_name, std::initializer_list<StructField> fields,
                               StructKind kind, bool pointer) {
    auto* copy = arena.array<StructField>(fields.size());
    std::copy(fields.begin(), fields.end(), copy);
    GoStruct made;
    made.type_name = type_name;
    made.fields = {copy, fields.size()};
    made.kind = kind;
    made.pointer = pointer;
    return arena.make<GoStruct>(made);
}

const GoStruct* make_version(ValueArena& arena, const Version& version, std::string_view original) {
    std::string text =
        std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch);
    if (!version.prerelease.empty()) text += "-" + version.prerelease;
    if (!version.build.empty()) text += "+" + version.build;
    const auto number = [](std::uint64_t n) { return make_int(static_cast<std::int64_t>(n), GoType::uint64); };
    return make_struct_of(arena, "*semver.Version",
                          {{"\x01text", make_string(arena, text)},
                           {"\x01major", number(version.major)},
                           {"\x01minor", number(version.minor)},
                           {"\x01patch", number(version.patch)},
                           {"\x01prerelease", make_string(arena, version.prerelease)},
                           {"\x01build", make_string(arena, version.build)},
                           {"\x01original", make_string(arena, original)}},
                          StructKind::semver, true);
}

const GoStruct* make_time(ValueArena& arena, std::int64_t seconds) {
    return make_struct_of(arena, "time.Time", {{"\x01seconds", make_int(seconds, GoType::int64)}}, StructKind::time);
}

} // namespace lockstep
