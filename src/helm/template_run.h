// Runs parsed templates: text/template's executor over go_value.h, with Helm's include and tpl, and with limits.
#pragma once
#include "helm/functions.h"
#include "helm/template_parse.h"
#include "helm/text_builder.h"
#include <unordered_map>
#include <vector>

namespace lockstep {

struct TemplateLimits {
    std::uint64_t steps = 20'000'000;             // nodes walked and functions called
    std::size_t output = std::size_t{64} << 20;   // bytes of one text
    std::size_t memory = ValueArena::most_memory; // bytes of all values together
    std::size_t work = ValueArena::most_work;     // bytes and values that functions look at
    int depth = 300;                              // templates inside templates: include, template, tpl
};

// What Go does with a key that is not in a map.
enum class MissingKey : std::uint8_t { invalid, zero, error };

struct TemplateRunOptions {
    MissingKey missing = MissingKey::zero;
    TemplateLimits limits = {};
    bool helm4 = false;
    bool note_reads = false; // see printed_reads()
};

// A value that an action prints without looking after its absence.
struct PrintedRead {
    std::string path; // below `.Values`
    Place at;
    Place parent;         // the deepest key above it that is there
    bool missing = false; // at least once, and else it was there at least once
    bool defined = false;
};

// Why a run stopped: Go's words, and where, innermost first.
struct TemplateFailure {
    std::string message;
    std::vector<Place> places;
    bool unknown = false; // it would perhaps not have happened: something unknown decided
    bool limit = false;
};

// The templates of one rendering, by name. A tpl call sees those of its caller and adds its own on top.
class TemplateSet {
public:
    explicit TemplateSet(const TemplateSet* below = nullptr) : below_(below) {}
    const NamedTemplate* find(std::string_view name) const;
    void add(const NamedTemplate& named);                           // an empty one does not replace one that is there
    template <typename Visit> void each(const Visit& visit) const { // in no order, without those below
        for (const auto& [name, named] : named_)
            visit(named);
    }

private:
    const TemplateSet* below_;
    std::unordered_map<std::string_view, NamedTemplate> named_;
};

class TemplateRun {
public:
    TemplateRun(ValueArena& arena, const TemplateRunOptions& options) : arena_(arena), options_(options) {}

    // Parses a text and adds what it defines. False: failure() says why.
    bool add(const TemplateSource& source);
    // Runs a template by name. `out` has what was written before a failure.
    // `why`: what decided that it runs at all.
    bool execute(std::string_view name, const GoValue& dot, TextBuilder& out, const ValueOrigin* why = nullptr);
    const TemplateFailure& failure() const { return failure_; }
    // Conditions that hang on something unknown: what they left out may be there in a cluster.
    const std::vector<Place>& undecided() const { return undecided_; }
    const TemplateSet& templates() const { return top_; }
    // With note_reads: each place once.
    std::vector<PrintedRead> printed_reads() const;
    const TemplateRunOptions& options() const { return options_; }
    ValueArena& arena() { return arena_; }

    GoValue include(FunctionCall& call);
    GoValue tpl(FunctionCall& call);
    const GoValue* root() const { return root_; }
    const ValueOrigin* here();    // the action that runs now
    const ValueOrigin* decided(); // and what its variables and the conditions around it hang on
    const ValueOrigin* doubt();   // that it runs at all: nothing where it is certain

private:
    enum class Flow : std::uint8_t { on, broke, continued };
    struct Variable {
        std::string_view name;
        GoValue value;
        const ValueOrigin* set_by = nullptr; // the action, and what decided that it ran
    };
    // What one running template has of its own.
    struct Frame {
        const NamedTemplate* named = nullptr;
        const TemplateSet* set = nullptr;
        const GoValue* string = nullptr; // of a tpl text
        std::vector<Variable> variables;
        const ValueOrigin* flow = nullptr; // what its branches and loops hung on, whether they wrote something or not
        // Conditions around a `break` or `continue` so far: of this turn of the loop, and of all its turns.
        const ValueOrigin *left_by = nullptr, *broke_by = nullptr;
    };
    struct BranchFacts {
        std::vector<std::string_view> assigned; // variables, in its bodies
        bool breaks = false, continues = false; // the loop around it
    };
    using Node = TemplateNode;

    bool run_template(const NamedTemplate& named, const TemplateSet& set, const GoValue& dot, TextBuilder& out);
    Flow walk(const GoValue& dot, const Node& node);
    Flow walk_list(const GoValue& dot, const Node& node);
    GoValue enter(const GoValue& dot, const Node& node,
                  const ValueOrigin* (*decides)(ValueArena& arena, const GoValue& value), const ValueOrigin*& decided);
    Flow walk_branch(const GoValue& dot, const Node& node);
    Flow walk_range(const GoValue& dot, const Node& node);
    Flow walk_item(const Node& node, const GoValue& index, const GoValue& item);
    void walk_template(const GoValue& dot, const Node& node);
    void print(const Node& node, const GoValue& value);

    GoValue eval_pipeline(const GoValue& dot, const Node& pipe);
    GoValue eval_command(const GoValue& dot, const Node& command, const GoValue* final);
    GoValue eval_field_node(const GoValue& dot, const Node& node, TemplateNodes args, const GoValue* final);
    GoValue eval_chain(const GoValue& dot, const Node& node, TemplateNodes args, const GoValue* final);
    GoValue eval_variable(const GoValue& dot, const Node& node, TemplateNodes args, const GoValue* final);
    GoValue eval_fields(const GoValue& dot, GoValue receiver, const Node& node, std::span<const std::string_view> names,
                        TemplateNodes args, const GoValue* final);
    GoValue eval_field(const GoValue& dot, std::string_view name, const Node& node, TemplateNodes args,
                       const GoValue* final, const GoValue& receiver);
    GoValue eval_function(const GoValue& dot, const Node& node, const Node& command, TemplateNodes args,
                          const GoValue* final);
    GoValue eval_call(const GoValue& dot, const TemplateFunction& function, const Node& node, std::string_view name,
                      TemplateNodes args, const GoValue* final, const GoValue* receiver);
    GoValue eval_and_or(const GoValue& dot, bool is_or, TemplateNodes args, const GoValue* final);
    GoValue eval_argument(const GoValue& dot, char type, const Node& node);
    GoValue eval_constant(char type, const Node& node);
    GoValue eval_any(const Node& node);
    GoValue ideal_constant(const Node& node);
    GoValue check_type(const GoValue& value, char type);
    Variable* find_variable(std::string_view name);
    void set_variable(std::string_view name, const GoValue& value);
    const BranchFacts& note_assigned(const Node& branch, const GoValue& dot, const ValueOrigin* decided);
    static void find_facts(const Node* node, bool in_loop, BranchFacts& facts);
    void add_flow(const ValueOrigin* origin);
    void note_reads(const Node& action, const GoValue& dot);

    bool step(); // false: a limit is met
    GoValue fail(const std::string& message);
    void fail_memory();
    void fail_limit(const std::string& message);
    Place place_of(const Node& node) const;
    const ValueOrigin* origin_of(const Node& node, bool linear) const;

    ValueArena& arena_;
    TemplateRunOptions options_;
    TemplateSet top_;
    Frame* frame_ = nullptr;
    const GoValue* root_ = nullptr;
    const Node* at_ = nullptr;
    const Node* action_ = nullptr;
    TextBuilder* out_ = nullptr;
    const ValueOrigin* control_ = nullptr;
    const ValueOrigin* around_ = nullptr; // unknown conditions around the templates that included this one
    const ValueOrigin* flow_ = nullptr;   // of the template that ended last
    const ValueOrigin* read_ = nullptr;   // what set the variables that the running action read
    std::unordered_map<const Node*, BranchFacts> facts_;
    std::unordered_map<std::string_view, int> included_;
    std::unordered_map<const Node*, std::vector<const Node*>> printed_; // by action
    std::unordered_map<const Node*, PrintedRead> reads_;
    std::uint64_t steps_ = 0;
    int depth_ = 0;
    bool failed_ = false;
    TemplateFailure failure_;
    std::vector<Place> undecided_;
};

std::string_view signature_type(char letter); // Go's name of a parameter's type
// Puts nothing where Go wrote `<no value>`, as Helm does.
GoValue without_no_value(ValueArena& arena, TextBuilder& text);

} // namespace lockstep
