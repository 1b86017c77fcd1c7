// What a template computes with: Go's values as Helm's templates see them, each with the places it came from.
// Values are plain structs whose payloads are in the arena of the rendering. Maps and lists are shared by reference,
// as in Go; a map's entries are in key order, because Go's templates walk and print them so.
#pragma once
#include "base/span.h"
#include "helm/value_arena.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// Where a value or a piece of text came from: its own place and the values that it was made of. A graph, not a tree;
// origin_places() walks it. `unknown`: cluster, time or chance had a part in it.
struct ValueOrigin {
    Place at;
    bool unknown = false;
    bool linear = false; // byte i of the text is byte i of the place
    bool put = false; // of a list or map that an action put into another: `right` is that action, with its conditions
    const ValueOrigin* left = nullptr;
    const ValueOrigin* right = nullptr;
};

// A stretch of a text and its origin.
struct TextPiece {
    std::uint32_t begin = 0, end = 0;
    const ValueOrigin* origin = nullptr;
};

struct GoText {
    std::string_view bytes;
    std::span<const TextPiece> pieces; // empty: all of it has the origin of the value that holds it
    // Of all pieces together, and of those that are known; made when somebody asks.
    mutable const ValueOrigin *whole = nullptr, *known = nullptr;
};

// Go's dynamic types, so far as templates can tell them apart.
enum class GoType : std::uint8_t {
    invalid, // no value at all: Go's zero reflect.GoValue
    nil,     // nil in an interface: a null, or a key that is not there
    boolean,
    int_,
    int64,
    int32,
    uint8,
    uint64,
    float64,
    string,
    bytes,       // []uint8
    any_list,    // []interface {}
    string_list, // []string
    int_list,    // []int
    list_list,   // [][]interface {}
    object_list, // of pointers to objects: Chart.Dependencies, Chart.Maintainers
    version_set, // chartutil.VersionSet
    any_map,     // map[string]interface {}
    values_map,  // chartutil.Values
    string_map,  // map[string]string
    files,       // engine.files
    object,      // a struct: Chart, Capabilities, a version, a time
};

struct GoList;
struct GoMap;
struct GoStruct;

struct GoValue {
    GoType type = GoType::invalid;
    bool boxed = false; // Go would hold it as an interface {}: only its words about wrong types tell
    union {
        bool boolean;
        std::int64_t integer = 0;
        std::uint64_t natural;
        double number;
        const GoText* text;
        GoList* list;
        GoMap* map;
        const GoStruct* object;
    };
    const ValueOrigin* origin = nullptr;

    bool is_valid() const { return type != GoType::invalid; }
    bool is_nil() const { return type == GoType::nil || type == GoType::invalid; } // what Go code sees as nil
    bool is_string() const { return type == GoType::string; }
    bool is_integer() const { return type >= GoType::int_ && type <= GoType::uint64; }
    bool is_list() const { return type >= GoType::any_list && type <= GoType::version_set; }
    bool is_map() const { return type >= GoType::any_map && type <= GoType::files; }
    bool is_any_map() const { return type == GoType::any_map || type == GoType::values_map; }
    std::string_view str() const { return text->bytes; } // of a string or of bytes
    bool unknown() const { return origin != nullptr && origin->unknown; }
};
static_assert(sizeof(GoValue) == 24);

// A payload that is null is Go's nil list or nil map.
struct GoList {
    GoValue* items = nullptr;
    std::uint32_t size = 0, room = 0;
    std::span<GoValue> all() const { return {items, size}; }
};

struct GoEntry {
    std::string_view key;
    const ValueOrigin* key_origin = nullptr;
    GoValue value;
};

// A map may differ in a cluster: a branch that something unknown decided changes it, whether that branch ran or not.
struct MapDoubt {
    std::string_view key; // empty: any
    const ValueOrigin* by = nullptr;
    const MapDoubt* next = nullptr;
};

struct GoMap {
    GoEntry* entries = nullptr;
    std::uint32_t size = 0, room = 0;
    const MapDoubt* doubts = nullptr;
    std::span<GoEntry> all() const { return {entries, size}; }
    GoEntry* find(std::string_view key) const;
};

// A struct of Go's as templates use it: named fields in order, and methods by name.
struct StructField {
    std::string_view name;
    GoValue value;
    std::string_view json = {}; // its name in JSON, when that is another; `-` for none
    bool omit_empty = false;
};
enum class StructKind : std::uint8_t { plain, chart, capabilities, kube_version, semver, time };
struct GoStruct {
    std::string_view type_name; // as %T prints it
    std::span<const StructField> fields;
    StructKind kind = StructKind::plain;
    bool pointer = false; // reached by a pointer: nil is possible, printing shows &{…}
};

GoValue make_bool(bool value);
GoValue make_int(std::int64_t value, GoType type = GoType::int_);
GoValue make_float(double value);
GoValue make_string(ValueArena& arena, std::string_view text, const ValueOrigin* origin = nullptr); // copies the text
GoValue make_text(ValueArena& arena, GoText text, const ValueOrigin* origin = nullptr);
GoValue make_nil(const ValueOrigin* origin = nullptr);
GoValue make_list(ValueArena& arena, GoType type = GoType::any_list, std::size_t room = 0);
GoValue make_map(ValueArena& arena, GoType type = GoType::any_map);
GoValue make_struct(const GoStruct* object);

void push(ValueArena& arena, GoList& list, GoValue value);
GoEntry& put(ValueArena& arena, GoMap& map, std::string_view key, GoValue value,
             const ValueOrigin* key_origin = nullptr);
void remove(GoMap& map, std::string_view key);
GoValue deep_copy(ValueArena& arena, const GoValue& value, int depth = 0);
bool deep_equal(ValueArena& arena, const GoValue& a, const GoValue& b, int depth = 0); // Go's reflect.DeepEqual
std::size_t length(const GoValue& value);                                              // of strings, lists and maps
std::span<GoValue> items(const GoValue& list);                                         // nothing for a nil list
std::span<GoEntry> entries(const GoValue& map);
GoValue element(const GoValue& value, std::string_view key); // of a map; nil where the key is not there

// Truth in `if`: not empty, not zero, not nil. Structs are always true.
bool is_true(const GoValue& value);
std::string type_name(const GoValue& value); // `%T`
std::string_view kind_name(const GoValue& value);
std::string_view kind_name(GoType type);
std::string_view type_name(GoType type);

// The unknown origins of what a map has at a key, or, without one, of which keys it has; nothing where it is known.
const ValueOrigin* doubt_about(ValueArena& arena, const GoValue& map, std::string_view key = {});
void add_doubt(ValueArena& arena, GoMap& map, std::string_view key, const ValueOrigin* by);

const ValueOrigin* make_origin(ValueArena& arena, Place at, bool linear = false);
// What depends on both; either may be missing.
const ValueOrigin* join(ValueArena& arena, const ValueOrigin* a, const ValueOrigin* b);
// The origin of bytes from `offset` on: places of one-to-one copies move along.
const ValueOrigin* origin_from(ValueArena& arena, const ValueOrigin* origin, std::uint32_t offset,
                               std::uint32_t length);
// All places of an origin, nearest first, each once, at most `most`.
std::vector<Place> origin_places(const ValueOrigin* origin, std::size_t most = 64);

} // namespace lockstep
