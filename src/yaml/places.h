// Where things are in the bytes: what libyaml's marks leave out, found by walking the bytes around them.
#pragma once
#include "yaml/parse.h"
#include <optional>

namespace lockstep {

// libyaml counts characters, we count bytes. Marks come nearly in order, so walking from the last one is linear.
class ByteCursor {
public:
    ByteCursor(std::string_view bytes, bool ascii) : bytes_(bytes), ascii_(ascii) {}
    void restart(std::uint32_t at); // character 0 is at this byte from now on
    std::uint32_t byte_of(std::size_t index);

private:
    std::string_view bytes_;
    bool ascii_;
    std::uint32_t start_ = 0, byte_ = 0;
    std::size_t index_ = 0;
};

// Behind `count` properties (`&anchor`, `!tag`) that begin at `at`; with `to_content` also behind the blanks, line
// breaks and comments between them and the node.
std::uint32_t skip_properties(std::string_view bytes, std::uint32_t at, int count, bool to_content);
// The last content byte of the block scalar whose header is at `begin`: blank lines at its end are left out.
std::uint32_t end_of_block_scalar(std::string_view bytes, std::uint32_t begin, std::uint32_t end);
// Where a value that is not there would be: behind the last indicator between `from` and `to`.
std::uint32_t place_of_nothing(std::string_view bytes, std::uint32_t from, std::uint32_t to);

// A line that starts a document: `---` behind `indent` blanks.
struct Separator {
    std::uint32_t line = 0;   // start of the line
    std::uint32_t behind = 0; // behind the `---`
};
std::optional<Separator> next_separator(std::string_view bytes, std::uint32_t from, std::uint32_t indent);
// The same, behind the separator that belongs to the document that starts at `from`.
std::optional<Separator> separator_after_document(std::string_view bytes, std::uint32_t from);

// A run of blanks or of empty lines that libyaml would clear again and again, for every word of the scalar around it.
inline constexpr std::size_t longest_blank_run = 8192;
std::optional<Span> long_blank_run(std::string_view bytes);

bool has_template(std::string_view source, Dialect dialect);
// Whether an action was between `at` and the next content of the masked `parsed`: then a value that is not there is
// one that nobody knows.
bool is_filled_by_template(std::string_view source, std::string_view parsed, std::uint32_t at, Dialect dialect);
// A value read from masked bytes, with the filler turned back into what was there; the bytes themselves where that
// is unknown. `indent` blanks at the start of each line are not part of the value.
std::string unmask(std::string_view value, std::string_view parsed, std::string_view source, std::size_t indent);

} // namespace lockstep
