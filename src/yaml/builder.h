// Writes the node table down, event by event. Knows what nodes look like, and nothing of the library that reads.
#pragma once
#include "yaml/events.h"
#include <optional>
#include <unordered_map>

namespace lockstep {

// Offsets are bytes from the start of EventInput::source. An event that breaks a limit returns something else than
// go_on; `limit_problem` then says which.
class TableBuilder {
public:
    enum class Step : std::uint8_t {
        go_on,
        finished,
        broken, // this document cannot be read
        stop,   // nothing more of this text can
    };
    struct Event {
        NodeKind kind = NodeKind::scalar;
        NodeStyle style = NodeStyle::plain;
        std::uint32_t begin = 0, end = 0; // `begin` may be that of the properties
        std::string_view value, anchor, tag;
        int properties = 0; // anchor and tag
    };

    explicit TableBuilder(const EventInput& input);

    Step start_document(std::uint32_t begin, std::uint32_t end);
    void end_document();
    void discard_document(); // the one that is open, or the last one
    Step add_scalar(const Event& event);
    Step add_alias(const Event& event); // `anchor` is the name
    Step start_collection(const Event& event);
    void end_collection(std::uint32_t bracket_end); // 0: no bracket

    void restart(std::uint32_t at); // a new part of the text, with no document open
    void add_problem(YamlProblem problem) { result_.yaml.problems.push_back(std::move(problem)); }
    void add_limit_problem() { add_problem(std::move(limit_problem_)); }
    bool in_document() const { return in_document_; }
    std::optional<std::uint32_t> open_bracket() const; // where the innermost flow collection that is open began
    std::uint32_t here() const { return here_; }       // behind the last thing seen
    std::vector<YamlDocument>& documents() { return result_.yaml.documents; }
    EventResult take_result() { return std::move(result_); }

private:
    Step add_node(const Event& event, std::uint32_t begin, std::uint32_t end);
    Step set_properties(const Event& event);
    void close_node(NodeId id);
    void store_text(Node& node, std::string_view value);
    void append_unmasked(const Node& node, std::string_view value, std::string_view parsed, std::string_view source);
    Step over_limit(std::uint32_t at, std::string message, Step step);
    NodeId last() const { return static_cast<NodeId>(result_.yaml.nodes.size() - 1); }

    struct Frame {
        NodeId id;
        std::uint32_t children;
        std::uint32_t last_end; // of the last child: where a block collection ends
    };
    struct Checkpoint {
        std::size_t nodes = 0, decoded = 0, problems = 0;
        std::uint32_t begin = 0;
    };
    struct Anchor {
        std::uint16_t number = 0;
        NodeId target = no_node;
        std::uint32_t document = 0; // anchors do not reach into the next document
    };
    struct NameHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
    };
    template <class Value> using ByName = std::unordered_map<std::string, Value, NameHash, std::equal_to<>>;

    const EventInput& input_;
    EventResult result_;
    std::vector<Frame> stack_;
    ByName<Anchor> anchors_;
    ByName<std::uint16_t> tags_;
    Checkpoint document_; // of the document that is open, or was last
    YamlProblem limit_problem_;
    bool in_document_ = false;
    NodeId root_ = no_node;
    std::uint32_t here_ = 0;
    std::uint32_t documents_seen_ = 0;
    std::size_t alias_problems_ = 0;
    std::uint64_t flow_depth_ = 0, flow_work_ = 0;
};

} // namespace lockstep
