// Puts texts together and keeps the origin of every stretch: what indent, quote, toYaml and the output itself do.
#pragma once
#include "helm/go_value.h"

namespace lockstep {

class TextBuilder {
public:
    explicit TextBuilder(ValueArena& arena) : arena_(arena) {}

    std::string bytes;

    void add(std::string_view text, const ValueOrigin* origin = nullptr);
    void add(const GoValue& text); // a string, with its pieces
    void add_part(const GoValue& text, std::size_t begin, std::size_t end);
    // `bytes` grew behind `begin` from this origin.
    void mark(std::size_t begin, const ValueOrigin* origin);
    // Everything behind `begin` depends on this too.
    void join_from(std::size_t begin, const ValueOrigin* origin);
    // Something from there printed nothing: the line so far names it, too. That it was unknown says nothing about what
    // is before it.
    void note_nothing(const ValueOrigin* origin);
    std::size_t size() const { return bytes.size(); }
    bool spend(std::size_t work) { return arena_.spend(work) && !arena_.exhausted(); }
    // Bytes without a piece have the value's own origin.
    GoValue finish(const ValueOrigin* origin = nullptr);
    const std::vector<TextPiece>& pieces() const { return pieces_; }
    void truncate(std::size_t size);
    const ValueOrigin* origin_of_all(const GoValue& text); // of a string
    const ValueOrigin* joined(const ValueOrigin* a, const ValueOrigin* b) { return join(arena_, a, b); }

private:
    bool has_room(std::size_t more);
    ValueArena& arena_;
    std::vector<TextPiece> pieces_;
};

// A stretch of a string value, with its origin.
GoValue part_of(ValueArena& arena, const GoValue& text, std::size_t begin, std::size_t end);
// Where a stretch of a string came from.
const ValueOrigin* origin_of_part(ValueArena& arena, const GoValue& text, std::size_t begin, std::size_t end);
// The value, with all its stretches when it is a string, depends on this too.
GoValue with_origin(ValueArena& arena, GoValue value, const ValueOrigin* origin);
// All origins of a string together.
const ValueOrigin* whole_origin(ValueArena& arena, const GoValue& text);
// All that a value hangs on, without what is inside of lists and maps.
const ValueOrigin* own_origin(ValueArena& arena, const GoValue& value);
// What decides whether a value is true: a text with a known stretch is true whatever the rest is.
const ValueOrigin* truth_origin(ValueArena& arena, const GoValue& value);

} // namespace lockstep
