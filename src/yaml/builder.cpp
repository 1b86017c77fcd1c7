// Events into nodes: spans, texts, anchors, and the limits that keep a hostile file from growing without end.
#include "yaml/builder.h"
#include "yaml/places.h"
#include <algorithm>

namespace lockstep {
namespace {

using Step = TableBuilder::Step;

constexpr std::size_t most_alias_problems = 100;
// libyaml looks at every open bracket for every token: brackets 64 deep all through a file are not by hand, and would
// cost minutes.
constexpr std::uint64_t free_flow_work = 20'000'000, flow_work_per_node = 64;
constexpr std::size_t most_names = 0xffff; // tags and anchors are 16-bit numbers in a node

bool is_block_scalar(NodeStyle style) {
    return style == NodeStyle::literal || style == NodeStyle::folded;
}

std::string too_many(std::uint32_t limit, std::string_view what, std::string_view name) {
    return "more than " + std::to_string(limit) + " " + std::string(what) +
           " in one file; `limits: " + std::string(name) + "` in .lockstep.yaml raises that";
}

std::uint16_t number_for(std::vector<std::string>& names, std::string_view name) {
    if (names.size() >= most_names) return 0;
    names.emplace_back(name);
    return static_cast<std::uint16_t>(names.size());
}

} // namespace

TableBuilder::TableBuilder(const EventInput& input) : input_(input) {
    result_.yaml.nodes.reserve(input.source.size() / 16 + 16);
}

void TableBuilder::restart(std::uint32_t at) {
    here_ = at;
    in_document_ = false;
    stack_.clear();
    flow_depth_ = 0;
}

std::optional<std::uint32_t> TableBuilder::open_bracket() const {
    for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame)
        if (result_.yaml.nodes[frame->id].style == NodeStyle::flow) return result_.yaml.nodes[frame->id].begin;
    return std::nullopt;
}

Step TableBuilder::start_document(std::uint32_t begin, std::uint32_t end) {
    const YamlText& yaml = result_.yaml;
    document_ = {yaml.nodes.size(), yaml.decoded.size(), yaml.problems.size(), begin};
    in_document_ = true;
    root_ = no_node;
    here_ = end;
    if (++documents_seen_ <= input_.limits.documents) return Step::go_on;
    return over_limit(begin, too_many(input_.limits.documents, "documents", "documents"), Step::stop);
}

void TableBuilder::end_document() {
    in_document_ = false;
    if (root_ != no_node) {
        const Node& root = result_.yaml.nodes[root_];
        const bool nothing = root.kind == NodeKind::scalar && root.style == NodeStyle::plain &&
                             root.begin == root.end && root.tag == 0 && root.anchor == 0 && !root.templated;
        if (nothing) {
            result_.yaml.nodes.pop_back();
            root_ = no_node;
        }
    }
    documents().push_back({root_, {document_.begin, here_}});
}

void TableBuilder::discard_document() {
    result_.yaml.nodes.resize(document_.nodes);
    result_.yaml.decoded.resize(document_.decoded);
    result_.yaml.problems.resize(document_.problems);
    here_ = document_.begin;
}

Step TableBuilder::over_limit(std::uint32_t at, std::string message, Step step) {
    const auto size = static_cast<std::uint32_t>(input_.source.size());
    limit_problem_ = {YamlProblem::Kind::syntax, {at, std::min(at + 1, size)}, std::move(message), {}, {}, true};
    return step;
}

Step TableBuilder::add_node(const Event& event, std::uint32_t begin, std::uint32_t end) {
    std::vector<Node>& nodes = result_.yaml.nodes;
    if (nodes.size() >= input_.limits.nodes)
        return over_limit(begin, too_many(input_.limits.nodes, "nodes", "nodes"), Step::stop);
    flow_work_ += flow_depth_;
    if (flow_work_ > free_flow_work && flow_work_ > nodes.size() * flow_work_per_node)
        return over_limit(begin, "too many values in deeply nested brackets", Step::stop);
    Node& node = nodes.emplace_back();
    node.begin = begin;
    node.end = end;
    node.kind = event.kind;
    node.style = event.style;
    if (stack_.empty())
        root_ = last();
    else
        node.parent = stack_.back().id;
    return event.properties == 0 || event.kind == NodeKind::alias ? Step::go_on : set_properties(event);
}

Step TableBuilder::set_properties(const Event& event) {
    YamlText& yaml = result_.yaml;
    Node& node = yaml.nodes.back();
    if (!event.anchor.empty()) {
        auto found = anchors_.find(event.anchor);
        if (found == anchors_.end())
            found = anchors_.emplace(event.anchor, Anchor{number_for(yaml.anchors, event.anchor)}).first;
        found->second.target = last();
        found->second.document = documents_seen_;
        node.anchor = found->second.number;
    }
    if (event.tag.empty()) return Step::go_on;
    auto found = tags_.find(event.tag);
    if (found == tags_.end()) found = tags_.emplace(event.tag, number_for(yaml.tags, event.tag)).first;
    node.tag = found->second;
    if (node.tag != 0) return Step::go_on;
    return over_limit(node.begin, "more than 65535 different tags in one file", Step::stop);
}

void TableBuilder::close_node(NodeId id) {
    Node& node = result_.yaml.nodes[id];
    node.after = last() + 1;
    here_ = std::max(here_, node.end);
    if (stack_.empty()) return;
    ++stack_.back().children;
    stack_.back().last_end = std::max(stack_.back().last_end, node.end);
}

Step TableBuilder::add_scalar(const Event& event) {
    const std::string_view parsed = input_.parsed;
    const bool nothing = event.style == NodeStyle::plain && event.value.empty();
    std::uint32_t begin = event.begin, end = event.end;
    if (nothing && event.properties == 0)
        begin = end = place_of_nothing(parsed, here_, begin);
    else if (nothing)
        begin = end = skip_properties(parsed, begin, event.properties, false);
    else if (event.properties > 0)
        begin = std::min(end, skip_properties(parsed, begin, event.properties, true));
    if (is_block_scalar(event.style)) end = end_of_block_scalar(parsed, begin, end);
    if (end - begin > input_.limits.scalar_size)
        return over_limit(begin,
                          "a value of more than " + std::to_string(input_.limits.scalar_size) +
                              " bytes; `limits: scalar-size` in .lockstep.yaml raises that",
                          Step::broken);

    if (const Step step = add_node(event, begin, end); step != Step::go_on) return step;
    Node& node = result_.yaml.nodes.back();
    store_text(node, event.value);
    if (input_.templates && !nothing)
        node.templated = has_template(input_.source.substr(begin, end - begin), input_.dialect);
    else if (input_.templates && input_.masked)
        node.templated = is_filled_by_template(input_.source, parsed, end, input_.dialect);
    close_node(last());
    return Step::go_on;
}

void TableBuilder::store_text(Node& node, std::string_view value) {
    std::uint32_t begin = node.begin, end = node.end;
    const bool quoted = node.style == NodeStyle::single_quoted || node.style == NodeStyle::double_quoted;
    if (quoted && end - begin >= 2) ++begin, --end;
    const std::string_view source = input_.source.substr(begin, end - begin);
    const std::string_view parsed = input_.parsed.substr(begin, end - begin);

    const bool filled = (input_.masked || input_.repaired) && source != parsed;
    const bool one_line = filled && !is_block_scalar(node.style) && parsed.find('\n') == std::string_view::npos;
    if (value == source || one_line) {
        node.text_begin = begin;
        node.text_size = end - begin;
        return;
    }
    std::string& decoded = result_.yaml.decoded;
    node.decoded = true;
    node.text_begin = static_cast<std::uint32_t>(decoded.size());
    if (filled)
        append_unmasked(node, value, parsed, source);
    else
        decoded.append(value);
    node.text_size = static_cast<std::uint32_t>(decoded.size()) - node.text_begin;
}

void TableBuilder::append_unmasked(const Node& node, std::string_view value, std::string_view parsed,
                                   std::string_view source) {
    std::size_t indent = std::string_view::npos;
    if (is_block_scalar(node.style)) {
        // The header line holds no value, and the first line with content shows the indentation.
        const std::size_t header = std::min(parsed.find('\n'), parsed.size() - 1) + 1;
        parsed.remove_prefix(header);
        source.remove_prefix(header);
        const std::size_t first = std::min(parsed.find_first_not_of(" \r\n"), parsed.size());
        const std::size_t line = parsed.substr(0, first).rfind('\n') + 1; // 0 when there is none
        indent = first - line;
    }
    result_.yaml.decoded.append(unmask(value, parsed, source, indent));
}

Step TableBuilder::add_alias(const Event& event) {
    if (const Step step = add_node(event, event.begin, event.end); step != Step::go_on) return step;
    std::vector<Node>& nodes = result_.yaml.nodes;
    Node& node = nodes.back();
    node.text_begin = no_node;
    const auto found = anchors_.find(event.anchor);
    const bool known = found != anchors_.end() && found->second.document == documents_seen_;
    // A node that is still open holds this alias: nobody could ever finish reading it.
    const bool circular = known && nodes[found->second.target].after == no_node;
    if (known) node.anchor = found->second.number;
    if (known && !circular) {
        node.text_begin = found->second.target;
    } else if (alias_problems_++ < most_alias_problems) {
        const std::string name(event.anchor);
        add_problem({YamlProblem::Kind::syntax,
                     {event.begin, event.end},
                     circular ? "anchor &" + name + " contains itself by this alias"
                              : "no anchor &" + name + " is before this alias in its document"});
    }
    close_node(last());
    return Step::go_on;
}

Step TableBuilder::start_collection(const Event& event) {
    std::uint32_t begin = event.begin;
    if (event.properties > 0) begin = skip_properties(input_.parsed, begin, event.properties, true);
    if (stack_.size() >= input_.limits.depth)
        return over_limit(begin,
                          "nested deeper than " + std::to_string(input_.limits.depth) +
                              " levels; `limits: depth` in .lockstep.yaml raises that",
                          Step::broken);
    if (event.kind == NodeKind::mapping && !stack_.empty() && stack_.back().children % 2 == 0 &&
        result_.yaml.nodes[stack_.back().id].kind == NodeKind::mapping)
        result_.mapping_as_key = true;
    if (const Step step = add_node(event, begin, begin); step != Step::go_on) return step;
    const bool bracket = event.style == NodeStyle::flow && begin < input_.parsed.size();
    here_ = std::max(here_, bracket ? begin + 1 : begin);
    stack_.push_back({last(), 0, here_});
    if (event.style == NodeStyle::flow) ++flow_depth_;
    return Step::go_on;
}

void TableBuilder::end_collection(std::uint32_t bracket_end) {
    const Frame frame = stack_.back();
    stack_.pop_back();
    if (result_.yaml.nodes[frame.id].style == NodeStyle::flow) --flow_depth_;
    result_.yaml.nodes[frame.id].end = bracket_end > 0 ? bracket_end : frame.last_end;
    close_node(frame.id);
}

} // namespace lockstep
