// The tree of one parsed template. Nodes are in the arena of the rendering and know their bytes in the source.
#pragma once
#include "helm/go_value.h"

namespace lockstep {

enum class TemplateNodeType : std::uint8_t {
    text,
    action,
    list,
    if_,
    range,
    with,
    template_,
    break_,
    continue_,
    pipe,
    command,
    field,
    variable,
    identifier,
    chain,
    dot,
    nil,
    boolean,
    number,
    string,
    end,   // only while parsing
    else_, // only while parsing
};

// A text that was parsed: a file of the chart, or a string that was given to tpl.
struct TemplateSource {
    std::string_view name; // as Go's errors name it
    std::string_view text;
    bool helm4 = false;              // has Helm 4's functions too
    FileId file = no_file;           // of a file
    const GoValue* string = nullptr; // of a tpl string: its pieces say where its bytes came from
};

struct TemplateNode;
using TemplateNodes = std::span<const TemplateNode* const>;

struct TemplateNumber {
    bool is_int = false, is_uint = false, is_float = false, is_complex = false;
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    double number = 0;
};

// One struct for all types: which members count is said beside them.
struct TemplateNode {
    TemplateNodeType type;
    std::uint32_t at = 0;             // byte where Go says the node is
    std::uint32_t begin = 0, end = 0; // bytes of the whole action, for text and actions
    const TemplateSource* source = nullptr;
    TemplateNodes children = {};                  // list: nodes; pipe: commands; command: arguments
    TemplateNodes declared = {};                  // pipe: variables
    bool assigns = false;                         // pipe: `=`, not `:=`
    const TemplateNode* pipe = nullptr;           // action, if, range, with, template
    const TemplateNode* body = nullptr;           // if, range, with
    const TemplateNode* else_body = nullptr;      // if, range, with
    const TemplateNode* inner = nullptr;          // chain: what the fields are taken from
    std::span<const std::string_view> names = {}; // field, chain; variable: `$x` and its fields
    std::string_view text = {};                   // text; identifier; string; template: its name
    std::string_view literal = {};                // string and number: as written
    const TemplateNumber* number = nullptr;
    const GoValue* value = nullptr;                    // string, boolean: ready made
    bool is_true = false;                              // boolean
    const struct TemplateFunction* function = nullptr; // identifier: looked up while parsing
};

// A named template: a file, or what define and block made.
struct NamedTemplate {
    std::string_view name;
    const TemplateNode* root = nullptr;
};

// As Go prints a node in its errors.
std::string to_string(const TemplateNode& node);
bool is_empty(const TemplateNode* node); // nothing but blanks and comments
// `name:line:column`, the column counted as Go counts it: bytes from 0.
std::string location(const TemplateNode& node);

} // namespace lockstep
