// libyaml's events into nodes. events.cpp is the only file that knows libyaml.
#pragma once
#include "yaml/parse.h"

namespace lockstep {

// `source` and `parsed` have the same length; `parsed` differs where forbidden bytes and template actions are blanked.
struct EventInput {
    std::string_view source;
    std::string_view parsed;
    std::uint32_t indent = 0; // of the whole text: then `---` lines at this indentation separate documents
    Dialect dialect = Dialect::yaml;
    YamlLimits limits;
    bool ascii = false;     // of `parsed`: characters are bytes
    bool templates = false; // there is a `{{`, `${` or `%{` somewhere
    bool masked = false;
    bool repaired = false;   // `parsed` also differs in colons that libyaml would stumble over, see flow_colons.h
    bool odd_breaks = false; // a byte order mark somewhere, or a line break that is neither LF nor CR
};

// What a reader makes of a text.
struct EventResult {
    YamlText yaml; // offsets count from the start of `source`; `text` is not set
    bool mapping_as_key = false;
};

EventResult read_events(const EventInput& input);

} // namespace lockstep
