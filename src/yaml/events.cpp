// Runs libyaml over one text, document by document. One that cannot be read leaves one problem and no nodes; reading
// goes on behind it. The only file that knows libyaml.
#include "yaml/events.h"
#include "yaml/builder.h"
#include "yaml/explain.h"
#include "yaml/flow_colons.h"
#include "yaml/places.h"
#include <new>
#include <yaml.h>

namespace lockstep {
namespace {

using Step = TableBuilder::Step;

class Parser {
public:
    explicit Parser(std::string_view bytes) {
        ok_ = yaml_parser_initialize(&raw_) != 0;
        if (!ok_) throw std::bad_alloc();
        yaml_parser_set_encoding(&raw_, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&raw_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    }
    ~Parser() {
        if (ok_) yaml_parser_delete(&raw_);
    }
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    bool next(yaml_event_t& event) {
        if (yaml_parser_parse(&raw_, &event) != 0) return true;
        // No fault of the text: as with any other piece of memory that there is not. libyaml does not always say it.
        if (raw_.error == YAML_MEMORY_ERROR || raw_.error == YAML_NO_ERROR) throw std::bad_alloc();
        return false;
    }
    bool failed_in_reader() const { return ok_ && raw_.error == YAML_READER_ERROR; }
    std::string_view problem() const { return ok_ && raw_.problem != nullptr ? raw_.problem : "out of memory"; }
    std::string_view context() const { return ok_ && raw_.context != nullptr ? raw_.context : ""; }
    std::size_t problem_byte() const { return ok_ ? raw_.problem_offset : 0; }
    std::size_t problem_index() const { return ok_ ? raw_.problem_mark.index : 0; }
    std::size_t context_index() const { return ok_ ? raw_.context_mark.index : 0; }
    int flow_level() const { return ok_ ? raw_.flow_level : 0; }
    // As go-yaml words it. A scanner counts lines from 0, everybody else says the line before.
    std::string go_message() const {
        std::size_t line = 0;
        if (ok_ && raw_.error != YAML_READER_ERROR) {
            line = raw_.problem_mark.line;
            if (line != 0 && raw_.error == YAML_SCANNER_ERROR) ++line;
            if (line == 0) line = raw_.context_mark.line;
        }
        return (line == 0 ? std::string() : "line " + std::to_string(line) + ": ") + std::string(problem());
    }

private:
    yaml_parser_t raw_;
    bool ok_ = false;
};

std::string_view view(const yaml_char_t* text) {
    return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

NodeStyle style_of(yaml_scalar_style_t style) {
    switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
        return NodeStyle::single_quoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        return NodeStyle::double_quoted;
    case YAML_LITERAL_SCALAR_STYLE:
        return NodeStyle::literal;
    case YAML_FOLDED_SCALAR_STYLE:
        return NodeStyle::folded;
    default:
        return NodeStyle::plain;
    }
}

class EventReader {
public:
    explicit EventReader(const EventInput& input)
        : input_(input), cursor_(input.parsed, input.ascii), builder_(input) {}

    EventResult run() {
        const std::string_view bytes = input_.parsed;
        if (const auto blanks = long_blank_run(bytes))
            builder_.add_problem({YamlProblem::Kind::syntax,
                                  *blanks,
                                  "more than " + std::to_string(longest_blank_run) +
                                      " blanks or empty lines in a row; the text was not read",
                                  {},
                                  {},
                                  true});
        else if (input_.indent > 0)
            read_indented();
        else
            read_from(0);
        return builder_.take_result();
    }

    // Where a colon stopped libyaml that go-yaml takes as part of a value, and how deep in brackets that is.
    struct FlowColon {
        std::uint32_t at = 0;
        int depth = 0;
    };
    const std::optional<FlowColon>& flow_colon() const { return flow_colon_; }

private:
    void read_from(std::uint32_t begin) {
        const auto size = static_cast<std::uint32_t>(input_.parsed.size());
        while (read_part(begin, size) == Step::broken) {
            const auto next = separator_after_document(input_.parsed, builder_.here());
            if (!next || next->line <= begin) return;
            begin = next->line;
        }
    }

    // libyaml sees separators at column 0 only: an indented text is cut at its own.
    void read_indented() {
        const auto size = static_cast<std::uint32_t>(input_.parsed.size());
        std::optional<Separator> before;
        while (true) {
            const std::uint32_t begin = before ? before->behind : 0;
            const auto next = next_separator(input_.parsed, begin, input_.indent);
            std::vector<YamlDocument>& documents = builder_.documents();
            const std::size_t count = documents.size();
            const Step step = read_part(begin, next ? next->line : size);
            if (step == Step::stop) return;
            if (before && step == Step::finished) {
                if (documents.size() == count) documents.push_back({no_node, {begin, begin}});
                documents[count].span.begin = begin - 3;
            }
            if (!next) return;
            before = next;
        }
    }

    Step read_part(std::uint32_t begin, std::uint32_t end) {
        // libyaml would take a byte order mark for a character of the first column.
        while (input_.parsed.substr(begin, end - begin).starts_with("\xef\xbb\xbf"))
            begin += 3;
        Parser parser(input_.parsed.substr(begin, end - begin));
        cursor_.restart(begin);
        builder_.restart(begin);
        const std::size_t documents = builder_.documents().size();
        while (true) {
            yaml_event_t event;
            if (!parser.next(event)) {
                // Text behind a document that no `---` has ended: that document is the broken one.
                const ReaderFailure failure = failure_of(parser, begin);
                if (failure.problem == "found unexpected ':'" && !flow_colon_)
                    flow_colon_ = {failure.at, parser.flow_level()};
                // go-yaml, asked for one document, never looks at what is between `...` and the next `---`.
                if (!builder_.in_document() && builder_.documents().size() > documents &&
                    has_end_mark(builder_.here(), failure.at))
                    return Step::broken;
                const bool trailing = !builder_.in_document() && builder_.documents().size() > documents &&
                                      failure.problem == "did not find expected <document start>";
                if (trailing) builder_.documents().pop_back();
                if (trailing || builder_.in_document()) builder_.discard_document();
                YamlProblem problem = explain(input_.parsed.substr(0, end), failure);
                problem.reader_message = parser.go_message();
                problem.in_first_document = builder_.documents().empty();
                builder_.add_problem(std::move(problem));
                return Step::broken;
            }
            const Step step = take(event);
            yaml_event_delete(&event);
            if (step == Step::go_on) continue;
            if (step != Step::finished) {
                builder_.discard_document();
                builder_.add_limit_problem();
            }
            return step;
        }
    }

    ReaderFailure failure_of(const Parser& parser, std::uint32_t begin) {
        ReaderFailure failure{parser.problem(),          parser.context(),       begin, begin,
                              !parser.context().empty(), builder_.open_bracket()};
        if (parser.failed_in_reader()) {
            const std::size_t at = begin + parser.problem_byte();
            failure.at = static_cast<std::uint32_t>(std::min(at, input_.parsed.size()));
            failure.has_context_at = false;
            return failure;
        }
        failure.at = cursor_.byte_of(parser.problem_index());
        if (failure.has_context_at) failure.context_at = cursor_.byte_of(parser.context_index());
        return failure;
    }

    bool has_end_mark(std::uint32_t from, std::uint32_t to) const {
        if (from > 0) --from; // a block scalar ends behind its line break
        return input_.parsed.substr(from, to - from).find("\n...") != std::string_view::npos;
    }

    Step take(const yaml_event_t& event) {
        switch (event.type) {
        case YAML_DOCUMENT_START_EVENT: {
            const std::uint32_t begin = cursor_.byte_of(event.start_mark.index);
            return builder_.start_document(begin, cursor_.byte_of(event.end_mark.index));
        }
        case YAML_DOCUMENT_END_EVENT:
            builder_.end_document();
            return Step::go_on;
        case YAML_SCALAR_EVENT: {
            const auto& data = event.data.scalar;
            TableBuilder::Event node = described(event, NodeKind::scalar, data.anchor, data.tag);
            node.style = style_of(data.style);
            node.value = {reinterpret_cast<const char*>(data.value), data.length};
            return builder_.add_scalar(node);
        }
        case YAML_ALIAS_EVENT:
            return builder_.add_alias(described(event, NodeKind::alias, event.data.alias.anchor, nullptr));
        case YAML_SEQUENCE_START_EVENT: {
            const auto& data = event.data.sequence_start;
            TableBuilder::Event node = described(event, NodeKind::sequence, data.anchor, data.tag);
            node.style = data.style == YAML_FLOW_SEQUENCE_STYLE ? NodeStyle::flow : NodeStyle::block;
            return builder_.start_collection(node);
        }
        case YAML_MAPPING_START_EVENT: {
            const auto& data = event.data.mapping_start;
            TableBuilder::Event node = described(event, NodeKind::mapping, data.anchor, data.tag);
            node.style = data.style == YAML_FLOW_MAPPING_STYLE ? NodeStyle::flow : NodeStyle::block;
            return builder_.start_collection(node);
        }
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT: {
            // Only a bracket has a width; `[a: b]` holds a flow mapping without any.
            const bool bracket = event.end_mark.index > event.start_mark.index;
            builder_.end_collection(bracket ? cursor_.byte_of(event.end_mark.index) : 0);
            return Step::go_on;
        }
        case YAML_STREAM_END_EVENT:
            return Step::finished;
        default:
            return Step::go_on;
        }
    }

    TableBuilder::Event described(const yaml_event_t& event, NodeKind kind, const yaml_char_t* anchor,
                                  const yaml_char_t* tag) {
        TableBuilder::Event node;
        node.kind = kind;
        node.begin = cursor_.byte_of(event.start_mark.index);
        node.end = cursor_.byte_of(event.end_mark.index);
        node.anchor = view(anchor);
        node.tag = view(tag);
        node.properties = (anchor != nullptr ? 1 : 0) + (tag != nullptr ? 1 : 0);
        return node;
    }

    const EventInput& input_;
    ByteCursor cursor_;
    TableBuilder builder_;
    std::optional<FlowColon> flow_colon_;
};

} // namespace

// A text with such colons is read again with all of one bracket taken out of libyaml's sight; the nodes keep the bytes
// of the source. Texts that the quick reader takes, which are nearly all, never come here.
EventResult read_events(const EventInput& input) {
    constexpr std::size_t most_turns = 100, most_bytes = 64 << 20;
    std::string repaired;
    EventInput again = input;
    for (std::size_t turn = 1;; ++turn) {
        EventReader reader(again);
        EventResult result = reader.run();
        const auto colon = reader.flow_colon();
        if (!colon || turn > most_turns || turn * input.parsed.size() > most_bytes) return result;
        if (repaired.empty()) repaired = input.parsed;
        hide_flow_colons(repaired, colon->at, colon->depth);
        again.parsed = repaired;
        again.repaired = true;
    }
}

} // namespace lockstep
