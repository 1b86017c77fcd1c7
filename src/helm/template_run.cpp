// Runs templates by name: the outermost, those that are included, and texts that are templates themselves.
#include "helm/template_run.h"
#include "helm/runes.h"
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

bool TemplateRun::execute(std::string_view name, const GoValue& dot, TextBuilder& out, const ValueOrigin* why) {
    failed_ = false;
    failure_ = {};
    around_ = flow_ = nullptr;
    control_ = why;
    included_.clear();
    read_ = nullptr;
    root_ = &dot;
    const NamedTemplate* named = top_.find(name);
    if (named == nullptr) {
        failure_.message = "template: no template " + lockstep::quoted(name) + " associated with template \"gotpl\"";
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
    failure_.message = "template: " + location(*at_) + ": executing " + lockstep::quoted(name) + " at <" +
                       to_string(*at_) + ">: " + message;
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

// Where a node is: in its file, or where the bytes of its tpl text came from.
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

GoValue TemplateRun::include(FunctionCall& call) {
    const std::string_view name = call.args[0].str();
    int& count = included_[arena_.copy(name)];
    if (count > 1000)
        return call.fail("rendering template has a nested reference name: " + std::string(name) +
                         ": unable to execute template");
    const NamedTemplate* named = frame_->set->find(name);
    if (named == nullptr)
        return call.fail("template: no template " + lockstep::quoted(name) + " associated with template \"gotpl\"");
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
        return call.fail("cannot parse template " + lockstep::quoted(text->str()) + ": " + parsed.error);
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
        return call.fail("error during tpl function execution for " + lockstep::quoted(text->str()) + ": " +
                         failure_.message);
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
        out.note_nothing(origin_of_part(arena, whole, found, found + words.size()));
        at = found + words.size();
    }
    out.add_part(whole, at, bytes.size());
    return out.finish();
}

} // namespace lockstep
