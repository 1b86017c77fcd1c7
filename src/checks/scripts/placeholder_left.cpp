// Tokens such as DOMAIN_PLACEHOLDER in what a cluster is given, where nothing in the tree puts a value in their place.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::placeholder_left {
namespace {

constexpr std::string_view ending = "_PLACEHOLDER";

bool is_token_char(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Token {
    std::string name;
    std::size_t at = 0;
};

std::vector<Token> tokens_in(std::string_view text) {
    std::vector<Token> found;
    for (auto at = text.find(ending); at != std::string_view::npos; at = text.find(ending, at + 1)) {
        std::size_t begin = at, end = at + ending.size();
        while (begin > 0 && is_token_char(text[begin - 1]))
            --begin;
        if (begin == at || (end < text.size() && is_token_char(text[end]))) continue;
        found.push_back({std::string(text.substr(begin, end - begin)), begin});
    }
    return found;
}

// A text that puts something in a token's place, in a container or a pipeline.
bool is_a_substitution(std::string_view text) {
    for (std::string_view word : {"sed ", "envsubst", "perl ", "replace", "yq ", "awk "})
        if (text.find(word) != std::string_view::npos) return true;
    return false;
}

struct Placeholders {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Fleet& fleet = fleet_of(input.repository);
    std::set<std::string> substituted = {};
    std::vector<bool> holds = {}; // per file: a token is in it
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;

    void add(std::string_view text) {
        for (Token& token : tokens_in(text))
            substituted.insert(std::move(token.name));
    }

    void collect() {
        holds.assign(tree.files.size(), false);
        const Table& scripts = input.facts["scripts"];
        for (const Row& row : scripts.rows)
            substituted.insert(scripts.at(row, "token").text);
        for (FileId file = 0; file < tree.files.size(); ++file) {
            const std::string& path = tree.files[file].path;
            const std::string_view text = input.text(file);
            if (text.find(ending) == std::string_view::npos) continue;
            holds[file] = is_indexable(tree.files[file]);
            if (is_workflow_path(path) || is_terraform_template(path) || !holds[file]) add(text);
        }
        for (const Script& script : index.scripts)
            if (script.place.file != no_file && holds[script.place.file])
                add(input.text(script.place.file)
                        .substr(script.place.span.begin, script.place.span.end - script.place.span.begin));
    }

    // `own_values`: what comes from the values of a chart, whoever installs it sets.
    void find(const Value& value, bool own_values, std::map<std::string, std::vector<Place>>& left) const {
        if (own_values && is_there(value.changed_by)) return;
        if (value.is_scalar() && value.text.find(ending) != std::string_view::npos && !is_a_substitution(value.text))
            for (const Token& token : tokens_in(value.text))
                left[token.name].push_back(value.place);
        for (const Value* child : value.all())
            find(*child, own_values, left);
    }

    // Annotations of the owner's own, without the prefix that a controller's have: nothing reads them.
    static std::set<Place> private_notes(const Value& made) {
        std::set<Place> found;
        const Value* annotations = value_at(&made, {"metadata", "annotations"});
        if (annotations == nullptr) return found;
        for (std::size_t i = 0; annotations->is_mapping() && i < annotations->size(); ++i)
            if (annotations->key_at(i)->text.find('/') == std::string_view::npos)
                found.insert(annotations->value_at(i)->place);
        return found;
    }

    // An instance whose file, or whose patches, hold a token.
    bool may_hold(const Instance& one) const {
        if (is_there(one.resource.document) && holds[one.resource.document.file]) return true;
        for (const Touch* touch = one.resource.patches; touch; touch = touch->before)
            if (is_there(touch->by) && holds[touch->by.file]) return true;
        return false;
    }

    // One token of a base, however many overlays and clusters get it.
    struct Left {
        std::vector<Place> places = {};
        std::vector<std::uint32_t> instances = {};
        bool read = false; // somewhere else than in a private annotation
    };
    std::map<std::pair<Place, std::string>, Left> left_over = {};

    void look_into(std::uint32_t number) {
        const Instance& one = fleet.instances[number];
        if (one.object == no_entity || !may_hold(one)) return;
        // What is applied by others counts as they apply it, not as a kustomization for local builds would.
        if (fleet.certainty_of(one) == Certainty::loose && fleet.certainty_of(one.object) != Certainty::loose) return;
        const Value* made = fleet.tree_of(one);
        if (made == nullptr) return;
        std::map<std::string, std::vector<Place>> left;
        find(*made, fleet.root_of(one).by == Root::By::chart, left);
        const std::set<Place> unread = left.empty() ? std::set<Place>() : private_notes(*made);
        for (auto& [token, places] : left) {
            Left& known = left_over[{places.front(), token}];
            known.read = known.read || std::any_of(places.begin(), places.end(),
                                                   [&](const Place& at) { return unread.count(at) == 0; });
            if (places.size() > known.places.size()) known.places = std::move(places);
            known.instances.push_back(number);
        }
    }

    void judge(const std::string& token, const Left& left, const Glob* template_tree) {
        const Instance& one = fleet.instances[left.instances.front()];
        const Object& object = index.objects[one.object];
        const Place place = left.places.front();
        const std::string subject = subject_of(index, object) + ":" + token;
        if (substituted.count(token)) return outcome.undecided(place, subject, "a script of the tree names it");
        const std::string_view own_tree = tree_of(index, object);
        if (template_tree && !own_tree.empty() && template_tree->matches(own_tree))
            return outcome.undecided(place, subject, "it belongs to the template that clusters are made from");
        Finding finding;
        finding.message = token + " is in what the cluster is given (" + object.kind.text + " " + object.name.text +
                          "), and nothing puts a value in its place there";
        finding.place = place;
        for (std::size_t i = 1; i < left.places.size(); ++i)
            finding.related.push_back({left.places[i], "and here"});
        if (is_there(one.resource.entry)) finding.related.push_back({one.resource.entry, "applied from here"});
        finding.cause = token;
        finding.instances = left.instances;
        if (!left.read) {
            finding.rule = input.rule.id;
            finding.severity = Severity::note;
        }
        outcome.fail(subject, std::move(finding));
    }

    // Scripts inside manifests, whatever object they are in.
    void collect_from(EntityId id) {
        if (!holds[index.objects[id].file] || index.objects[id].embedded) return;
        if (const Value* written = fleet.declared_tree(id)) collect_in(*written);
    }
    void collect_in(const Value& value) {
        if (value.is_scalar() && is_a_substitution(value.text)) add(value.text);
        for (const Value* child : value.all())
            collect_in(*child);
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Placeholders placeholders{input, outcome};
    placeholders.collect();
    const auto template_tree = Glob::compile(input.config.template_tree);
    for (EntityId id = 0; id < input.repository.index.objects.size(); ++id)
        placeholders.collect_from(id);
    for (std::uint32_t number = 0; number < placeholders.fleet.instances.size(); ++number)
        placeholders.look_into(number);
    for (const auto& [found, left] : placeholders.left_over)
        placeholders.judge(found.second, left, template_tree ? &*template_tree : nullptr);
}

} // namespace

constexpr NativeCheck check{run, "scripts: token"};

} // namespace lockstep::placeholder_left
