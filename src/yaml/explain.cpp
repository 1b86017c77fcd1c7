// Turns what libyaml says into what is wrong with the file: the place a person would look at, and a hint in plain
// words.
#include "yaml/explain.h"
#include <algorithm>

namespace lockstep {
namespace {

using Offset = std::uint32_t;

constexpr std::size_t longest_key = 1024; // characters, for a key that is not marked by `?`

Span one_character(std::string_view bytes, Offset at) {
    if (at >= bytes.size()) {
        const std::size_t last = bytes.find_last_not_of(" \t\r\n");
        const auto end = static_cast<Offset>(last == std::string_view::npos ? 0 : last + 1);
        return {end, end};
    }
    Offset end = at + 1;
    while (end < bytes.size() && (static_cast<unsigned char>(bytes[end]) & 0xc0U) == 0x80U)
        ++end;
    return {at, bytes[at] == '\n' || bytes[at] == '\r' ? at : end};
}

struct Line {
    std::string_view text;
    Offset begin = 0;
    Offset content = 0; // of the first byte that is no blank, from the line's begin
};

Line line_around(std::string_view bytes, Offset at) {
    const std::size_t before = at == 0 ? std::string_view::npos : bytes.rfind('\n', at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view text = bytes.substr(begin, std::min(bytes.find('\n', begin), bytes.size()) - begin);
    const std::size_t content = std::min(text.find_first_not_of(" \t\r"), text.size());
    return {text, static_cast<Offset>(begin), static_cast<Offset>(content)};
}

struct Reader {
    std::string_view bytes;
    const ReaderFailure& failure;

    bool says(std::string_view words) const { return failure.problem.find(words) != std::string_view::npos; }
    bool within(std::string_view words) const { return failure.context.find(words) != std::string_view::npos; }
    char here() const { return failure.at < bytes.size() ? bytes[failure.at] : '\0'; }

    YamlProblem at(Offset place, std::string message) const {
        return {YamlProblem::Kind::syntax, one_character(bytes, place), std::move(message)};
    }
    YamlProblem here(std::string message, std::string other = {}) const {
        YamlProblem problem = at(failure.at, std::move(message));
        if (!failure.has_context_at || other.empty() || failure.context_at == failure.at) return problem;
        problem.other = one_character(bytes, failure.context_at);
        problem.other_message = std::move(other);
        return problem;
    }
    // Where the construct began is the better place when it is not closed: the end of the file tells nobody anything.
    YamlProblem at_begin(std::string message, std::string other) const {
        YamlProblem problem = at(failure.context_at, std::move(message));
        problem.other = one_character(bytes, failure.at);
        problem.other_message = std::move(other);
        return problem;
    }
};

// The first tab in the indentation of the line on which reading stopped.
std::string_view::size_type tab_in_indentation(const Line& line) {
    return line.text.substr(0, line.content).find('\t');
}

// Nothing but the end of the document is left.
bool is_at_end(const Reader& reader, const Line& line) {
    return reader.bytes.find_first_not_of(" \t\r\n", reader.failure.at) == std::string_view::npos ||
           line.text.starts_with("---") || line.text.starts_with("...");
}

YamlProblem explain_unclosed(const Reader& reader, Offset bracket) {
    std::string message = "this `";
    message += reader.bytes[bracket];
    message += "` is never closed";
    YamlProblem problem = reader.at(bracket, std::move(message));
    problem.other = one_character(reader.bytes, reader.failure.at);
    problem.other_message = "reading stopped here";
    return problem;
}

YamlProblem explain_flow(const Reader& reader, const Line& line) {
    const bool list = reader.within("sequence");
    const Line first = line_around(reader.bytes, reader.failure.context_at);
    const bool outside =
        line.begin > first.begin && line.content <= first.content && reader.here() != ']' && reader.here() != '}';
    if (is_at_end(reader, line) || outside) return explain_unclosed(reader, reader.failure.context_at);
    return reader.here(list ? "expected `,` or `]` here" : "expected `,` or `}` here",
                       list ? "the list begins here" : "the mapping begins here");
}

YamlProblem explain_value(const Reader& reader, const Line& line) {
    const std::string_view before = line.text.substr(0, reader.failure.at - line.begin);
    if (before.size() > longest_key + line.content)
        return reader.here("mapping values are not allowed here: a key may have 1024 characters");
    if (before.find(": ") != std::string_view::npos)
        return reader.here("mapping values are not allowed here: a second `: ` on one line; quote the value");
    return reader.here(
        "mapping values are not allowed here: the line above ends in a value or lacks its `:`; fix it or "
        "this line's indentation");
}

YamlProblem explain_key(const Reader& reader, const Line& line) {
    const std::string begun = "the mapping begins here";
    if (reader.failure.at != line.begin + line.content)
        return reader.here("did not find expected key: text after the end of a value; quote the whole value", begun);
    if (reader.here() == ':') return reader.here("did not find expected key before this `:`", begun);
    if (reader.here() == '-')
        return reader.here("did not find expected key: found a list item where the mapping continues", begun);
    return reader.here("did not find expected key: this line's indentation fits nothing above it", begun);
}

} // namespace

YamlProblem explain(std::string_view bytes, const ReaderFailure& failure) {
    const Reader reader{bytes, failure};
    const Line line = line_around(bytes, failure.at);
    const auto tab = tab_in_indentation(line);
    if (reader.says("tab character") || tab != std::string_view::npos) {
        const auto place = tab == std::string_view::npos ? failure.at : line.begin + static_cast<Offset>(tab);
        return reader.at(place, "a tab cannot indent YAML; use spaces");
    }
    if (reader.within("quoted scalar") && reader.says("found unexpected"))
        return reader.at_begin("this quote is never closed",
                               reader.says("stream") ? "the text ends here" : "the document ends here");
    if (reader.says("expected ',' or")) return explain_flow(reader, line);
    if (reader.says("mapping values")) return explain_value(reader, line);
    if (reader.says("did not find expected key")) return explain_key(reader, line);
    if (reader.says("'-' indicator"))
        return reader.here("expected `- `: the list continues here", "the list begins here");
    if (reader.says("could not find expected ':'")) {
        const bool too_long = failure.at - failure.context_at > longest_key;
        return reader.at_begin(too_long ? "could not find expected `:`: a key may have 1024 characters"
                                        : "could not find expected `:` after this key",
                               "reading stopped here");
    }
    if (reader.says("cannot start any token"))
        return reader.here("a value cannot start with `" + std::string(1, reader.here()) + "`; quote it");
    if (reader.says("alphabetic or numeric") && failure.has_context_at && failure.context_at < bytes.size())
        return reader.at(failure.context_at,
                         "a value that starts with `" + std::string(1, bytes[failure.context_at]) + "` must be quoted");
    if (reader.says("unknown escape"))
        return reader.here("found unknown escape character `" + std::string(bytes.substr(failure.at, 2)) +
                           "`; use single quotes or double the backslash");
    if (reader.says("block sequence entries"))
        return reader.here("a list item cannot be here; start it on a line of its own");
    if (reader.says("<document start>"))
        return reader.here("text after the end of the document; `---` starts a new one");
    if (reader.says("node content") && failure.open_bracket && is_at_end(reader, line))
        return explain_unclosed(reader, *failure.open_bracket);
    if (reader.says("node content")) return reader.here("expected a value here");
    return reader.here(std::string(failure.problem), std::string(failure.context));
}

} // namespace lockstep
