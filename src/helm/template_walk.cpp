// Walks template trees and writes the output.
#include "helm/go_format.h"
#include "helm/runes.h"
#include "helm/template_reads.h"
#include <algorithm>
#include <utility>

namespace lockstep {

using Type = TemplateNodeType;

// What a template's text hung on, whether a branch wrote something or not. Nobody asks for that of the outermost.
void TemplateRun::add_flow(const ValueOrigin* origin) {
    if (depth_ > 1) frame_->flow = join(arena_, frame_->flow, origin);
}

TemplateRun::Flow TemplateRun::walk(const GoValue& dot, const Node& node) {
    if (!step()) return Flow::on;
    at_ = &node;
    switch (node.type) {
    case Type::action: {
        action_ = &node;
        read_ = nullptr;
        const GoValue value = eval_pipeline(dot, *node.pipe);
        if (!failed_ && node.pipe->declared.empty()) print(node, value);
        if (!failed_ && options_.note_reads) note_reads(node, dot);
        return Flow::on;
    }
    case Type::break_:
        return Flow::broke;
    case Type::continue_:
        return Flow::continued;
    case Type::if_:
    case Type::with:
        return walk_branch(dot, node);
    case Type::list:
        return walk_list(dot, node);
    case Type::range:
        return walk_range(dot, node);
    case Type::template_:
        action_ = &node;
        read_ = nullptr;
        walk_template(dot, node);
        return Flow::on;
    case Type::text: {
        const std::size_t begin = out_->size();
        if (node.source->string != nullptr)
            out_->add_part(*node.source->string, node.begin, node.end);
        else
            out_->add(node.text, origin_of(node, true));
        out_->join_from(begin, control_);
        return Flow::on;
    }
    default:
        fail("unknown node: " + to_string(node));
        return Flow::on;
    }
}

namespace {

// All of a path. Go has only the place of its second name.
Place written_at(const TemplateNode& node) {
    const std::string written = to_string(node);
    const std::size_t found = node.source->text.rfind(written, node.at);
    const auto begin = found == std::string_view::npos ? node.at : static_cast<std::uint32_t>(found);
    return {node.source->file, {begin, begin + static_cast<std::uint32_t>(written.size())}};
}

} // namespace

void TemplateRun::note_reads(const Node& action, const GoValue& dot) {
    if (action.source->string != nullptr || (control_ != nullptr && control_->unknown)) return;
    const auto [known, fresh] = printed_.try_emplace(&action);
    if (fresh) known->second = printed_values(action);
    for (const Node* node : known->second) {
        const ValueRead read = read_value(arena_, *node, dot, frame_->variables.front().value);
        if (read.found == ValueRead::Found::unclear) continue;
        PrintedRead& noted = reads_[node];
        if (noted.path.empty()) {
            noted.path = read.path;
            noted.at = written_at(*node);
        }
        if (read.found == ValueRead::Found::defined) noted.defined = true;
        if (read.found == ValueRead::Found::defined || noted.missing) continue;
        noted.missing = true;
        if (const auto places = origin_places(read.parent, 1); !places.empty()) noted.parent = places[0];
    }
}

std::vector<PrintedRead> TemplateRun::printed_reads() const {
    std::vector<PrintedRead> all;
    for (const auto& [node, read] : reads_)
        all.push_back(read);
    std::sort(all.begin(), all.end(), [](const PrintedRead& a, const PrintedRead& b) { return a.at < b.at; });
    return all;
}

void TemplateRun::print(const Node& node, const GoValue& value) {
    at_ = &node;
    const std::size_t begin = out_->size();
    if (value.is_nil())
        out_->add("<no value>", value.origin);
    else
        print_value(*out_, value);
    if (arena_.exhausted()) return fail_memory(); // here, where the line is known
    if (value.is_string() && (out_->size() == begin || !value.text->pieces.empty())) add_flow(value.origin);
    const ValueOrigin* by = join(arena_, join(arena_, origin_of(node, false), read_), control_);
    if (out_->size() > begin)
        out_->join_from(begin, by);
    else
        out_->note_nothing(join(arena_, value.origin, by));
}

// The value that a branch or a loop hangs on; from here on it is a condition of everything inside.
GoValue TemplateRun::enter(const GoValue& dot, const Node& node,
                           const ValueOrigin* (*decides)(ValueArena& arena, const GoValue& value),
                           const ValueOrigin*& decided) {
    action_ = &node;
    read_ = nullptr;
    const GoValue value = eval_pipeline(dot, *node.pipe);
    if (failed_) return value;
    const ValueOrigin* by = decides(arena_, value);
    decided = join(arena_, join(arena_, origin_of(node, false), by), read_);
    control_ = join(arena_, decided, control_);
    add_flow(decided);
    if (by != nullptr && by->unknown) undecided_.push_back(place_of(node));
    return value;
}

TemplateRun::Flow TemplateRun::walk_branch(const GoValue& dot, const Node& node) {
    const std::size_t mark = frame_->variables.size();
    const ValueOrigin* outer = control_;
    const ValueOrigin* decided = nullptr;
    const GoValue value = enter(dot, node, truth_origin, decided);
    if (failed_) return Flow::on;
    Flow flow = Flow::on;
    if (is_true(value))
        flow = walk(node.type == Type::with ? value : dot, *node.body);
    else if (node.else_body != nullptr)
        flow = walk(dot, *node.else_body);
    if (!failed_) control_ = outer;
    frame_->variables.resize(mark);
    const BranchFacts& facts = note_assigned(node, dot, decided);
    if (facts.breaks || facts.continues) frame_->left_by = join(arena_, decided, frame_->left_by);
    if (facts.breaks) frame_->broke_by = join(arena_, decided, frame_->broke_by);
    return flow;
}

// What a `break` or `continue` in a condition may leave out hangs on that condition.
TemplateRun::Flow TemplateRun::walk_list(const GoValue& dot, const Node& node) {
    const ValueOrigin* outer = control_;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        const ValueOrigin* before = frame_->left_by;
        const Flow flow = walk(dot, *node.children[i]);
        if (failed_) return flow;
        if (frame_->left_by != before) control_ = join(arena_, frame_->left_by, outer);
        if (flow == Flow::on) continue;
        for (++i; i < node.children.size() && frame_->left_by != nullptr; ++i)
            note_assigned(*node.children[i], dot, frame_->left_by);
        control_ = outer;
        return flow;
    }
    control_ = outer;
    return Flow::on;
}

TemplateRun::Flow TemplateRun::walk_item(const Node& node, const GoValue& index, const GoValue& item) {
    const auto declared = node.pipe->declared;
    const std::size_t mark = frame_->variables.size();
    if (node.pipe->assigns) {
        if (declared.size() == 1) set_variable(declared[0]->names[0], item);
        if (declared.size() > 1) {
            set_variable(declared[0]->names[0], index);
            set_variable(declared[1]->names[0], item);
        }
    } else {
        if (!declared.empty()) frame_->variables[mark - 1].value = item;
        if (declared.size() > 1) frame_->variables[mark - 2].value = index;
    }
    const Flow flow = walk(item, *node.body);
    frame_->variables.resize(mark);
    return flow;
}

TemplateRun::Flow TemplateRun::walk_range(const GoValue& dot, const Node& node) {
    const std::size_t mark = frame_->variables.size();
    const ValueOrigin* outer = control_;
    const ValueOrigin* decided = nullptr;
    const GoValue value = enter(dot, node, own_origin, decided);
    if (failed_) return Flow::on;
    const ValueOrigin* loop = control_;
    const ValueOrigin* outer_left = std::exchange(frame_->left_by, nullptr);
    const ValueOrigin* outer_broke = std::exchange(frame_->broke_by, nullptr);
    Flow flow = Flow::on;
    bool ran = false;
    // True: the loop goes on.
    const auto run = [&](const GoValue& index, const GoValue& item) {
        ran = true;
        frame_->left_by = frame_->broke_by;
        control_ = join(arena_, frame_->broke_by, loop);
        flow = walk_item(node, index, item);
        if (failed_ || flow == Flow::broke) return false;
        flow = Flow::on;
        return true;
    };
    if (value.is_integer()) {
        if (node.pipe->declared.size() > 1)
            fail("can't use " + plain_text(value) + " to iterate over more than one variable");
        for (std::int64_t i = 0; i < value.integer && !failed_; ++i)
            if (!run({}, make_int(i, value.type))) break;
    } else if (value.is_list()) {
        for (std::size_t i = 0; i < items(value).size(); ++i) {
            GoValue item = items(value)[i];
            item.boxed = value.type == GoType::any_list;
            if (value.unknown()) item.origin = join(arena_, item.origin, value.origin);
            GoValue index = make_int(static_cast<std::int64_t>(i));
            index.origin = item.origin;
            if (!run(index, item)) break;
        }
    } else if (value.is_map()) {
        const auto all = entries(value); // as it is now: the body may change the map
        const std::vector<GoEntry> copy(all.begin(), all.end());
        arena_.spend(copy.size());
        for (const GoEntry& entry : copy) {
            GoValue item = entry.value;
            item.boxed = value.is_any_map();
            if (!run(make_text(arena_, {entry.key, {}}, entry.key_origin), item)) break;
        }
    } else if (value.type == GoType::bytes) {
        for (std::size_t i = 0; i < value.str().size(); ++i)
            if (!run(make_int(static_cast<std::int64_t>(i)),
                     make_int(static_cast<unsigned char>(value.str()[i]), GoType::uint8)))
                break;
    } else if (value.is_valid() && !value.is_nil()) {
        fail("range can't iterate over " + plain_text(value));
    }
    if (flow == Flow::broke) flow = Flow::on;
    const ValueOrigin* broke_by = std::exchange(frame_->broke_by, outer_broke);
    frame_->left_by = outer_left;
    if (!failed_ && !ran && node.else_body != nullptr) flow = walk(dot, *node.else_body);
    if (!failed_) control_ = outer;
    frame_->variables.resize(mark);
    note_assigned(node, dot, join(arena_, decided, broke_by));
    return flow;
}

void TemplateRun::walk_template(const GoValue& dot, const Node& node) {
    const NamedTemplate* named = frame_->set->find(node.text);
    if (named == nullptr) {
        fail("template " + quoted(node.text) + " not defined");
        return;
    }
    const GoValue inner = node.pipe == nullptr ? GoValue{} : eval_pipeline(dot, *node.pipe);
    if (failed_) return;
    at_ = &node;
    const std::size_t begin = out_->size();
    const ValueOrigin* outer_around = std::exchange(around_, doubt());
    const ValueOrigin* outer = std::exchange(control_, nullptr);
    const bool unknown = outer != nullptr && outer->unknown;
    TextBuilder& out = *out_;
    run_template(*named, *frame_->set, inner, out);
    around_ = outer_around;
    if (failed_) {
        failure_.unknown = failure_.unknown || unknown;
        failure_.places.push_back(place_of(node));
        return;
    }
    control_ = outer;
    add_flow(flow_);
    out.join_from(begin, join(arena_, join(arena_, origin_of(node, false), read_), outer));
}

} // namespace lockstep
