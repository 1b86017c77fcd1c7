// Any bytes as YAML, in both dialects: the table must be a tree, every span must be inside the text, and what the
// quick reader takes it must read as libyaml does.
#include "../yaml/same_table.h"
#include "expect.h"
#include "yaml/comments.h"
#include "yaml/quick.h"

using namespace lockstep;

namespace {

void check_node(const YamlText& yaml, NodeId id) {
    const Node& node = yaml.nodes[id];
    EXPECT(is_inside({node.begin, node.end}, yaml.text));
    EXPECT(node.after > id && node.after <= yaml.nodes.size());
    EXPECT(node.tag <= yaml.tags.size() && node.anchor <= yaml.anchors.size());
    if (node.parent != no_node) {
        EXPECT(node.parent < id);
        EXPECT(node.after <= yaml.nodes[node.parent].after);
        EXPECT(yaml.nodes[node.parent].kind == NodeKind::mapping || yaml.nodes[node.parent].kind == NodeKind::sequence);
    }
    const NodeRef ref(&yaml, id);
    if (node.kind == NodeKind::scalar) {
        const std::string_view store = node.decoded ? std::string_view(yaml.decoded) : yaml.text;
        EXPECT(node.text_begin <= store.size() && node.text_size <= store.size() - node.text_begin);
    }
    EXPECT(ref.source().size() == node.end - node.begin);
    // An alias leads to something that is not around it.
    if (const NodeRef target = ref.resolved(); target && node.kind == NodeKind::alias) {
        EXPECT(target.node().kind != NodeKind::alias);
        EXPECT(target.id() < id && target.node().after <= id);
    }
    ref.get("name");
    ref.at(1);
}

void check(std::string_view text, Dialect dialect) {
    const YamlText yaml = parse_yaml(text, dialect, {100, 50, 20000});
    EXPECT(yaml.documents.size() <= 50 && yaml.nodes.size() <= 20000);
    NodePaths paths;
    for (NodeId id = 0; id < yaml.nodes.size(); ++id) {
        check_node(yaml, id);
        paths.of({&yaml, id});
    }
    for (const YamlDocument& document : yaml.documents) {
        EXPECT(is_inside(document.span, text));
        EXPECT(document.root == no_node || document.root < yaml.nodes.size());
    }
    for (const YamlProblem& problem : yaml.problems) {
        EXPECT(is_inside(problem.span, text));
        EXPECT(is_inside(problem.other, text));
        EXPECT(!problem.message.empty());
    }
    const std::vector<Span> comments = yaml_comments(yaml);
    for (const Span& comment : comments)
        EXPECT(is_inside(comment, text));
    EXPECT(blank_comments(text, comments).size() == text.size());
}

void check_quick_reader(std::string_view text) {
    const ByteScan scan = scan_bytes(text);
    if (!scan.readable) return;
    EventInput input = input_of(text, scan);
    input.limits = {100, 50, 20000};
    if (const auto quick = read_quickly(input)) EXPECT(first_difference(*quick, read_events(input)).empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    check(as_text(data, size), Dialect::yaml);
    check(as_text(data, size), Dialect::terraform);
    check_quick_reader(as_text(data, size));
    return 0;
}
