// Walks template trees and writes the output.
#include "helm/template_run.h"
#include "helm/go_format.h"
#include "helm/runes.h"
#include <algorithm>
#include <utility>

namespace lockstep {

using Type = TemplateNodeType;

const NamedTemplate* TemplateSet::find(std::string_view name) const {
    for (const TemplateSet* set = this; set != nullptr; set = set->below_)
        if (const auto found = set->named_.find(name); found != set->named_.end()) return &found->second;
    return nullptr;
}

void TemplateSet::add(const NamedTemplate& named) {
    if (is_empty(named.root) && find(named.name) != nullptr) return;
    named_[named.name] = named;
}

bool TemplateRun::add(const TemplateSource& source) {
    ParsedTemplate parsed = parse_template(arena_, source);
    if (!parsed.error.empty()) {
        failure_ = {parsed.error, {{source.file, {parsed.error_at, parsed.error_at}}}};
        return false;
    }
    for (const NamedTemplate& named : parsed.templates)
        top_.add(named);
    return true;
}

bool TemplateRun::execute(std::string_view name, const GoValue& dot, TextBuilder& out) {
    failed_ = false;
    failure_ = {};
    control_ = around_ = flow_ = nullptr;
    included_.clear();
    read_ = nullptr;
    root_ = &dot;
    const NamedTemplate* named = top_.find(name);
    if (named == nullptr) {
        failure_.message = "template: no template " + quoted(name) + " associated with template \"gotpl\"";
        return false;
    }
    run_template(*named, top_, dot, out);
    if (arena_.exhausted()) fail_memory(); // the last text may have been cut
    return !failed_;
}

bool TemplateRun::run_template(const NamedTemplate& named, const TemplateSet& set, const GoValue& dot,
                               TextBuilder& out) {
    if (depth_ >= options_.limits.depth) {
        fail_limit("more than " + std::to_string(options_.limits.depth) + " templates inside each other");
        return false;
    }
    Frame frame;
    frame.named = &named;
    frame.set = &set;
    frame.variables.push_back({"$", dot});
    Frame* outer_frame = std::exchange(frame_, &frame);
    TextBuilder* outer_out = std::exchange(out_, &out);
    const Node* outer_at = at_;
    const Node* outer_action = action_;
    const ValueOrigin* outer_read = read_;
    ++depth_;
    walk(dot, *named.root);
    --depth_;
    read_ = outer_read;
    frame_ = outer_frame;
    flow_ = frame.flow;
    out_ = outer_out;
    if (!failed_) at_ = outer_at;
    action_ = outer_action;
    return !failed_;
}

bool TemplateRun::step() {
    if (failed_) return false;
    if (++steps_ > options_.limits.steps)
        fail_limit("more than " + std::to_string(options_.limits.steps) + " steps");
    else if (out_->size() > options_.limits.output)
        fail_limit("more than " + std::to_string(options_.limits.output) + " bytes of output");
    else if (arena_.exhausted())
        fail_memory();
    return !failed_;
}

void TemplateRun::fail_memory() {
    fail_limit(arena_.overworked() ? "the functions of the templates read more than one chart may"
                                   : "the values of the templates take more memory than one chart may have");
}

void TemplateRun::fail_limit(const std::string& message) {
    if (failed_) return;
    fail(message);
    failure_.limit = true;
}

GoValue TemplateRun::fail(const std::string& message) {
    if (failed_) return {};
    failed_ = true;
    const std::string name = frame_ == nullptr ? std::string() : std::string(frame_->named->name);
    if (at_ == nullptr) {
        failure_.message = "template: " + name + ": " + message;
        return {};
    }
    failure_.message =
        "template: " + location(*at_) + ": executing " + quoted(name) + " at <" + to_string(*at_) + ">: " + message;
    failure_.places.push_back(place_of(*at_));
    failure_.unknown = failure_.unknown || (control_ != nullptr && control_->unknown);
    return {};
}

Place TemplateRun::place_of(const Node& node) const {
    if (const ValueOrigin* origin = origin_of(node, false)) {
        const auto places = origin_places(origin, 1);
        if (!places.empty()) return places[0];
    }
    return {};
}

// Where a node stands: in its file, or where the bytes of its tpl text came from.
const ValueOrigin* TemplateRun::origin_of(const Node& node, bool linear) const {
    std::uint32_t begin = node.begin, end = node.end;
    if (end == 0) {
        begin = node.at;
        end = begin + static_cast<std::uint32_t>(to_string(node).size());
        end = std::min(end, static_cast<std::uint32_t>(node.source->text.size()));
    }
    if (node.source->string != nullptr) return origin_of_part(arena_, *node.source->string, begin, end);
    if (node.source->file == no_file) return nullptr;
    return make_origin(arena_, {node.source->file, {begin, end}}, linear);
}

const ValueOrigin* TemplateRun::here() {
    return action_ == nullptr ? nullptr : origin_of(*action_, false);
}

const ValueOrigin* TemplateRun::decided() {
    return join(arena_, join(arena_, join(arena_, here(), read_), control_), around_);
}

const ValueOrigin* TemplateRun::doubt() {
    return control_ != nullptr && control_->unknown ? join(arena_, control_, around_) : around_;
}

// Enough for whoever asks where a text came from; that something was unknown is never left out.
void TemplateRun::add_flow(const ValueOrigin* origin) {
    constexpr int most = 64;
    const bool news = origin != nullptr && origin->unknown && (frame_->flow == nullptr || !frame_->flow->unknown);
    if (frame_->flows >= most && !news) return;
    frame_->flow = join(arena_, frame_->flow, origin);
    ++frame_->flows;
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
        for (const Node* child : node.children) {
            const Flow flow = walk(dot, *child);
            if (failed_ || flow != Flow::on) return flow;
        }
        return Flow::on;
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

void TemplateRun::print(const Node& node, const GoValue& value) {
    at_ = &node;
    const std::size_t begin = out_->size();
    if (value.is_nil())
        out_->add("<no value>", value.origin);
    else
        print_value(*out_, value);
    if (arena_.exhausted()) return fail_memory(); // here, where the line is known
    if (value.is_string() && (out_->size() == begin || !value.text->pieces.empty())) add_flow(value.origin);
    out_->join_from(begin, join(arena_, join(arena_, origin_of(node, false), read_), control_));
}

TemplateRun::Flow TemplateRun::walk_branch(const GoValue& dot, const Node& node) {
    const std::size_t mark = frame_->variables.size();
    action_ = &node;
    read_ = nullptr;
    const GoValue value = eval_pipeline(dot, *node.pipe);
    if (failed_) return Flow::on;
    const ValueOrigin* outer = control_;
    const ValueOrigin* truth = truth_origin(arena_, value);
    const ValueOrigin* decided = join(arena_, join(arena_, origin_of(node, false), truth), read_);
    control_ = join(arena_, decided, outer);
    add_flow(decided);
    if (truth != nullptr && truth->unknown) undecided_.push_back(place_of(node));
    Flow flow = Flow::on;
    if (is_true(value))
        flow = walk(node.type == Type::with ? value : dot, *node.body);
    else if (node.else_body != nullptr)
        flow = walk(dot, *node.else_body);
    if (!failed_) control_ = outer;
    frame_->variables.resize(mark);
    note_assigned(node, dot, decided);
    return flow;
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
    action_ = &node;
    read_ = nullptr;
    const GoValue value = eval_pipeline(dot, *node.pipe);
    if (failed_) return Flow::on;
    const ValueOrigin* outer = control_;
    const ValueOrigin* items_of = own_origin(arena_, value);
    const ValueOrigin* decided = join(arena_, join(arena_, origin_of(node, false), items_of), read_);
    control_ = join(arena_, decided, outer);
    add_flow(decided);
    if (items_of != nullptr && items_of->unknown) undecided_.push_back(place_of(node));
    Flow flow = Flow::on;
    bool ran = false;
    // True: the loop goes on.
    const auto run = [&](const GoValue& index, const GoValue& item) {
        ran = true;
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
    if (!failed_ && !ran && node.else_body != nullptr) flow = walk(dot, *node.else_body);
    if (!failed_) control_ = outer;
    frame_->variables.resize(mark);
    note_assigned(node, dot, decided);
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

GoValue TemplateRun::include(FunctionCall& call) {
    const std::string_view name = call.args[0].str();
    int& count = included_[arena_.copy(name)];
    if (count > 1000)
        return call.fail("rendering template has a nested reference name: " + std::string(name) +
                         ": unable to execute template");
    const NamedTemplate* named = frame_->set->find(name);
    if (named == nullptr)
        return call.fail("template: no template " + quoted(name) + " associated with template \"gotpl\"");
    ++count;
    const GoValue dot = call.args[1];
    TextBuilder out(arena_);
    const ValueOrigin* outer_around = std::exchange(around_, doubt());
    const ValueOrigin* outer = std::exchange(control_, nullptr);
    const bool unknown = outer != nullptr && outer->unknown;
    const bool ok = run_template(*named, *frame_->set, dot, out);
    control_ = outer;
    around_ = outer_around;
    --included_[name];
    if (!ok) {
        failed_ = failure_.limit;
        failure_.unknown = failure_.unknown || unknown;
        return call.fail(failure_.message);
    }
    return out.finish(join(arena_, call.args[0].origin, flow_)); // an empty text came from there too
}

GoValue TemplateRun::tpl(FunctionCall& call) {
    GoValue* text = arena_.make<GoValue>(call.args[0]);
    auto* source = arena_.make<TemplateSource>();
    source->name = "gotpl";
    source->text = text->str();
    source->string = text;
    source->helm4 = options_.helm4;
    ParsedTemplate parsed = parse_template(arena_, *source);
    if (!parsed.error.empty()) {
        const ValueOrigin* origin = origin_of_part(arena_, *text, parsed.error_at, parsed.error_at);
        if (const auto places = origin_places(origin, 1); !places.empty()) failure_.places.push_back(places[0]);
        return call.fail("cannot parse template " + quoted(text->str()) + ": " + parsed.error);
    }
    TemplateSet set(frame_->set);
    for (const NamedTemplate& named : parsed.templates)
        if (named.name != source->name) set.add(named);
    const GoValue dot = call.args[1];
    TextBuilder out(arena_);
    const ValueOrigin* outer_around = std::exchange(around_, doubt());
    const ValueOrigin* outer = std::exchange(control_, nullptr);
    const bool unknown = outer != nullptr && outer->unknown;
    const bool ok = run_template(parsed.templates.back(), set, dot, out);
    control_ = outer;
    around_ = outer_around;
    if (!ok) {
        failed_ = failure_.limit;
        failure_.unknown = failure_.unknown || unknown;
        return call.fail("error during tpl function execution for " + quoted(text->str()) + ": " + failure_.message);
    }
    GoValue result = without_no_value(arena_, out);
    if (result.text->pieces.empty()) result.origin = whole_origin(arena_, *text);
    result.origin = join(arena_, result.origin, flow_);
    return result;
}

GoValue without_no_value(ValueArena& arena, TextBuilder& text) {
    constexpr std::string_view words = "<no value>";
    if (text.bytes.find(words) == std::string::npos) return text.finish();
    const GoValue whole = text.finish();
    TextBuilder out(arena);
    const std::string_view bytes = whole.str();
    std::size_t at = 0;
    for (std::size_t found = bytes.find(words); found != std::string_view::npos; found = bytes.find(words, at)) {
        out.add_part(whole, at, found);
        at = found + words.size();
    }
    out.add_part(whole, at, bytes.size());
    return out.finish();
}

} // namespace lockstep
