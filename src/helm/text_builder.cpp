// Pieces of texts: appended, cut out, joined.
#include "helm/text_builder.h"
#include <algorithm>

namespace lockstep {
namespace {

std::uint32_t small(std::size_t n) {
    return static_cast<std::uint32_t>(n);
}

const TextPiece* first_piece_behind(std::span<const TextPiece> pieces, std::size_t begin) {
    return std::upper_bound(pieces.data(), pieces.data() + pieces.size(), begin,
                            [](std::size_t at, const TextPiece& piece) { return at < piece.end; });
}

} // namespace

bool TextBuilder::has_room(std::size_t more) {
    return arena_.has_room(bytes.size() + more + pieces_.size() * sizeof(TextPiece));
}

void TextBuilder::mark(std::size_t begin, const ValueOrigin* origin) {
    if (origin == nullptr || begin == bytes.size()) return;
    if (!pieces_.empty() && pieces_.back().end == begin) {
        TextPiece& last = pieces_.back();
        if (last.origin == origin && !origin->linear) {
            last.end = small(bytes.size());
            return;
        }
    }
    pieces_.push_back({small(begin), small(bytes.size()), origin});
}

void TextBuilder::add(std::string_view text, const ValueOrigin* origin) {
    if (!has_room(text.size())) return;
    const std::size_t begin = bytes.size();
    bytes += text;
    mark(begin, origin);
}

void TextBuilder::add(const GoValue& text) {
    add_part(text, 0, text.str().size());
}

void TextBuilder::add_part(const GoValue& text, std::size_t begin, std::size_t end) {
    if (begin == end || !has_room(end - begin)) return;
    const std::size_t at = bytes.size();
    bytes += text.str().substr(begin, end - begin);
    if (text.text->pieces.empty()) {
        mark(at, origin_from(arena_, text.origin, small(begin), small(end - begin)));
        return;
    }
    std::size_t covered = begin;
    const auto pieces = text.text->pieces;
    const auto put = [&](std::size_t from, std::size_t to, const ValueOrigin* origin) {
        if (origin == nullptr || from >= to) return;
        pieces_.push_back({small(at + from - begin), small(at + to - begin), origin});
    };
    for (const TextPiece* piece = first_piece_behind(pieces, begin);
         piece != pieces.data() + pieces.size() && piece->begin < end; ++piece) {
        const std::size_t from = std::max<std::size_t>(piece->begin, begin),
                          to = std::min<std::size_t>(piece->end, end);
        put(covered, from, text.origin);
        put(from, to, origin_from(arena_, piece->origin, small(from - piece->begin), small(to - from)));
        covered = to;
    }
    put(covered, end, text.origin);
}

void TextBuilder::join_from(std::size_t begin, const ValueOrigin* origin) {
    if (origin == nullptr || begin == bytes.size()) return;
    auto piece = std::lower_bound(pieces_.begin(), pieces_.end(), begin,
                                  [](const TextPiece& p, std::size_t at) { return p.begin < at; });
    std::vector<TextPiece> tail;
    if (piece != pieces_.begin() && std::prev(piece)->end > begin) { // one that is cut in two
        TextPiece& before = *std::prev(piece);
        const std::uint32_t head = small(begin) - before.begin;
        tail.push_back({small(begin), before.end, origin_from(arena_, before.origin, head, before.end - small(begin))});
        before.end = small(begin);
    }
    tail.insert(tail.end(), piece, pieces_.end());
    pieces_.erase(piece, pieces_.end());
    std::size_t covered = begin;
    const ValueOrigin* last_in = nullptr;
    const ValueOrigin* last_out = nullptr;
    for (const TextPiece& old : tail) {
        if (covered < old.begin) pieces_.push_back({small(covered), old.begin, origin});
        if (old.origin != last_in) {
            last_in = old.origin;
            last_out = join(arena_, old.origin, origin);
        }
        pieces_.push_back({old.begin, old.end, last_out});
        covered = old.end;
    }
    if (covered < bytes.size()) pieces_.push_back({small(covered), small(bytes.size()), origin});
}

void TextBuilder::truncate(std::size_t size) {
    bytes.resize(size);
    while (!pieces_.empty() && pieces_.back().begin >= size)
        pieces_.pop_back();
    if (!pieces_.empty() && pieces_.back().end > size) pieces_.back().end = small(size);
}

void TextBuilder::note_nothing(const ValueOrigin* origin) {
    if (origin != nullptr && !origin->unknown && !bytes.empty() && bytes.back() != '\n')
        join_from(bytes.size() - 1, origin);
}

const ValueOrigin* TextBuilder::origin_of_all(const GoValue& text) {
    return whole_origin(arena_, text);
}

GoValue TextBuilder::finish(const ValueOrigin* origin) {
    GoText text{arena_.copy(bytes), {}};
    if (!pieces_.empty()) {
        TextPiece* copy = arena_.array<TextPiece>(pieces_.size());
        std::copy(pieces_.begin(), pieces_.end(), copy);
        text.pieces = {copy, pieces_.size()};
    }
    return make_text(arena_, text, origin);
}

GoValue part_of(ValueArena& arena, const GoValue& text, std::size_t begin, std::size_t end) {
    if (begin == 0 && end == text.str().size()) return text;
    const std::string_view bytes = text.str().substr(begin, end - begin);
    if (text.text->pieces.empty())
        return make_text(arena, {bytes, {}}, origin_from(arena, text.origin, small(begin), small(end - begin)));
    TextBuilder part(arena);
    part.add_part(text, begin, end);
    return part.finish(text.origin);
}

const ValueOrigin* origin_of_part(ValueArena& arena, const GoValue& text, std::size_t begin, std::size_t end) {
    const auto pieces = text.text->pieces;
    if (pieces.empty()) return origin_from(arena, text.origin, small(begin), small(end - begin));
    const ValueOrigin* all = nullptr;
    for (const TextPiece* piece = first_piece_behind(pieces, begin);
         piece != pieces.data() + pieces.size() && piece->begin < end; ++piece) {
        const std::size_t from = std::max<std::size_t>(piece->begin, begin),
                          to = std::min<std::size_t>(piece->end, end);
        all = join(arena, all, origin_from(arena, piece->origin, small(from - piece->begin), small(to - from)));
    }
    return all != nullptr ? all : text.origin;
}

GoValue with_origin(ValueArena& arena, GoValue value, const ValueOrigin* origin) {
    if (value.is_string() && !value.text->pieces.empty()) {
        TextBuilder text(arena);
        text.add(value);
        text.join_from(0, origin);
        return text.finish(join(arena, value.origin, origin));
    }
    value.origin = join(arena, value.origin, origin);
    return value;
}

namespace {

// A tree that is as deep on both sides: there may be very many, and somebody walks through them.
const ValueOrigin* join_pieces(ValueArena& arena, std::span<const TextPiece> pieces, bool known_only) {
    if (pieces.empty()) return nullptr;
    if (pieces.size() == 1) return known_only && pieces[0].origin->unknown ? nullptr : pieces[0].origin;
    const std::size_t half = pieces.size() / 2;
    return join(arena, join_pieces(arena, pieces.first(half), known_only),
                join_pieces(arena, pieces.subspan(half), known_only));
}

} // namespace

const ValueOrigin* whole_origin(ValueArena& arena, const GoValue& text) {
    if (text.text->whole == nullptr) text.text->whole = join_pieces(arena, text.text->pieces, false);
    return join(arena, text.origin, text.text->whole);
}

const ValueOrigin* own_origin(ValueArena& arena, const GoValue& value) {
    if (value.is_string()) return whole_origin(arena, value);
    return value.is_map() ? join(arena, value.origin, doubt_about(arena, value)) : value.origin;
}

const ValueOrigin* truth_origin(ValueArena& arena, const GoValue& value) {
    if (!value.is_string() || value.text->pieces.empty()) return own_origin(arena, value);
    const auto pieces = value.text->pieces;
    if (std::all_of(pieces.begin(), pieces.end(), [](const TextPiece& piece) { return piece.origin->unknown; }))
        return whole_origin(arena, value);
    if (value.text->known == nullptr) value.text->known = join_pieces(arena, pieces, true);
    return join(arena, value.unknown() ? nullptr : value.origin, value.text->known);
}

} // namespace lockstep
