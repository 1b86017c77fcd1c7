// Gathers what all clusters say about one place, and words it.
#include "checks/reference_verdicts.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>

namespace lockstep {
namespace {

using Is = Resolution::Is;

// Where only convention can tell: when nearly all such references lead to something in this repository, one that does
// not is a fault; when many do not, the rest lives elsewhere.
struct Convention {
    std::set<std::string> names; // of what is here
    std::size_t here = 0, missing = 0;
    bool is_to_declare(bool by_names) const {
        const std::size_t found = by_names ? names.size() : here;
        return found >= 3 && missing * 10 <= found;
    }
};

struct Judge {
    const CheckInput& input;
    RuleOutcome& outcome;
    const ReferenceWords& words;
    References references = references_of(input);
    const Fleet& fleet = fleet_of(input.repository);
    const Index& index = input.repository.index;
    std::map<GroupKind, Convention> conventions = {};

    using Group = std::vector<const ResolvedReference*>; // of one place
    std::vector<const Group*> pending = {};              // for convention to settle

    std::string subject(const ResolvedReference& one) const {
        return subject_of_reference(input, one) + ":" + (words.key ? words.key(one) : one.row->field + "/" + one.name);
    }

    std::string clusters_of(const Group& group) const {
        std::set<std::string> proven, concerned;
        for (const Root& root : fleet.roots)
            if (root.certainty == Certainty::proven) proven.insert(fleet.clusters[root.cluster].name);
        for (const ResolvedReference* one : group)
            concerned.insert(fleet.clusters[one->cluster].name);
        return proven.size() > 1 && !concerned.contains("") ? " (in " + listed(concerned) + ")" : std::string();
    }

    Place name_place(std::uint32_t instance) const {
        const EntityId object = fleet.instances[instance].object;
        return object == no_entity ? fleet.instances[instance].resource.document : index.objects[object].name.place;
    }

    std::string tail(const ResolvedReference& one, Finding& finding) {
        if (one.is->hashed != no_number) {
            finding.related.push_back(
                {fleet.instances[one.is->hashed].resource.document, "generated here, with a hash appended to its name"});
            return ", but the generator calls it " + one.name + "-<hash>, and kustomize does not carry that into " +
                   one.row->field + " without a nameReference";
        }
        if (!one.is->others.empty()) {
            std::set<std::string> spaces;
            for (std::uint32_t other : one.is->others) {
                spaces.emplace(fleet.instances[other].id().ns);
                if (finding.related.size() < most_related)
                    finding.related.push_back({name_place(other), "the one of that name"});
            }
            return ", but " + one.name + " is in namespace " + listed(spaces);
        }
        std::string text(words.absent);
        if (one.is->unapplied != no_entity) {
            const Object& object = index.objects[one.is->unapplied];
            finding.related.push_back({object.name.place, "declared here, but nothing applies it"});
            return ", but nothing applies the one in " + input.repository.tree->files[object.file].path;
        }
        for (EntityId id : find_objects(index, one.wanted.kind, one.ns, one.name)) {
            const Object& object = index.objects[id];
            if (object.group != one.wanted.group || object.partial || object.as_patch) continue;
            finding.related.push_back({object.name.place, "declared here, for another cluster or for none"});
            return ", but this cluster does not get the one in " + input.repository.tree->files[object.file].path;
        }
        std::optional<std::string> other;
        if (!one.is->near.empty())
            other = one.is->near;
        else if (outcome.findings.size() < most_hints)
            other = references.name_near(one);
        if (!other) return text;
        for (std::uint32_t number : fleet.find(one.cluster, one.wanted.group, one.wanted.kind, one.ns, *other))
            if (finding.related.size() < 2)
                finding.related.push_back({name_place(number), "maybe this one was meant"});
        return text + "; did you mean " + *other + "?";
    }

    void fail(const Group& group, Severity at_most) {
        const ResolvedReference& one = *group.front();
        const Instance& from = fleet.instances[one.from];
        Finding finding;
        finding.place = one.place;
        const Place own = name_place(one.from);
        if (own != one.place) finding.related.push_back({own, std::string(words.role)});
        const bool with_ns = !one.ns.empty() && (words.target_with_kind || !one.is->others.empty());
        const std::string target = (words.target_with_kind ? one.wanted.kind + " " : std::string()) +
                                   (with_ns ? one.ns + "/" : std::string()) + one.name;
        finding.message = words.says(one, std::string(from.id().kind) + " " + std::string(from.id().name), target);
        finding.message += tail(one, finding) + clusters_of(group);
        finding.rule = input.rule.id;
        finding.severity = std::min(input.rule.severity, at_most);
        const bool alone = one.is->near.empty() && one.is->others.empty() && one.is->unapplied == no_entity;
        if (alone)
            finding.cause = words.one_per_object ? subject_of_reference(input, one) + " " + one.ns
                                                 : one.wanted.kind + " " + one.ns + "/" + one.name;
        for (const ResolvedReference* other : group)
            if (other->from != no_number) finding.instances.push_back(other->from);
        outcome.fail(subject(one), std::move(finding));
    }

    // The tree makes it, for another namespace; a Secret may be made by hand all the same.
    static bool is_misplaced(const ResolvedReference& one) {
        return one.is->by_convention && !one.is->others.empty() && one.wanted.kind != "Secret";
    }

    void judge(const Group& group) {
        Group missing, similar, by_convention; // `similar`: something much like it is there
        const ResolvedReference* unsure = nullptr;
        bool found = false;
        for (const ResolvedReference* one : group) {
            const Resolution& is = *one->is;
            const bool excused = one->optional && is.hashed == no_number;
            if (is.is == Is::here || is.is == Is::elsewhere || (excused && one->from != no_number))
                found = true;
            else if (is.is == Is::missing)
                missing.push_back(one);
            else if (is.open && (!is.near.empty() || is.near_ns || is_misplaced(*one)))
                similar.push_back(one);
            else if (is.by_convention && !(words.hand_made_secrets && one->wanted.kind == "Secret"))
                by_convention.push_back(one);
            else
                unsure = one;
        }
        const ResolvedReference& first = *group.front();
        Convention& convention = conventions[first.wanted];
        if (!missing.empty()) return fail(missing, Severity::error);
        if (!similar.empty()) return fail(similar, Severity::warning);
        if (!by_convention.empty()) {
            ++convention.missing;
            pending.push_back(&group);
        } else if (found) {
            ++convention.here;
            convention.names.insert(first.name);
            outcome.pass(first.place, [&] { return subject(first); });
        } else {
            outcome.undecided(first.place, subject(first), unsure ? unsure->is->why : std::string());
        }
    }

    void settle() {
        for (const Group* group : pending) {
            Group concerned;
            for (const ResolvedReference* one : *group)
                if (one->is->by_convention) concerned.push_back(one);
            const ResolvedReference& first = *concerned.front();
            const bool by_names = first.wanted.group.empty(); // one ConfigMap of settings has many readers
            if (conventions[first.wanted].is_to_declare(by_names))
                fail(concerned, Severity::warning);
            else
                outcome.undecided(first.place, subject(first), first.is->why);
        }
    }
};

} // namespace

std::string listed(const std::set<std::string>& names) {
    constexpr std::size_t most = 4;
    std::vector<std::string> shown(names.begin(), names.end());
    if (shown.size() > most) {
        const std::size_t left = shown.size() - (most - 1);
        shown.resize(most - 1);
        shown.push_back(std::to_string(left) + " more");
    }
    std::string text;
    for (std::size_t i = 0; i < shown.size(); ++i)
        text += (i == 0 ? "" : i + 1 == shown.size() ? " and " : ", ") + shown[i];
    return text;
}

std::string subject_of_reference(const CheckInput& input, const ResolvedReference& reference) {
    const Index& index = input.repository.index;
    if (reference.object != no_entity) return subject_of(index, index.objects[reference.object]);
    const Instance& from = fleet_of(input.repository).instances[reference.from];
    const FileId file = from.resource.document.file;
    return (file == no_file ? std::string() : input.repository.tree->files[file].path) + "#" +
           std::string(from.id().kind) + "/" + std::string(from.id().ns) + "/" + std::string(from.id().name);
}

std::vector<ScriptText> scripts_of(const CheckInput& input) {
    const Repository& repository = input.repository;
    std::vector<ScriptText> made;
    auto add = [&](FileId file, std::string_view text) {
        const std::string& path = repository.tree->files[file].path;
        if (!is_test_script(path)) made.push_back({path, text});
    };
    if (const Table* table = input.own_facts().find("scripts"))
        for (const Row& row : table->rows)
            add(row.anchor.file, input.text(row.anchor.file));
    for (const Script& script : repository.index.scripts) {
        const std::string_view text = repository.tree->indexed_text(script.place.file);
        add(script.place.file, text.substr(script.place.span.begin, script.place.span.end - script.place.span.begin));
    }
    return made;
}

References references_of(const CheckInput& input) {
    const RuleFacts facts = input.own_facts();
    const Repository& repository = input.repository;
    References::Input made{fleet_of(repository), repository.index, repository.on_demand->files, {}, {}, {}, {}};
    if (const Table* table = facts.find("references"))
        if (auto rows = read_reference_rows(*table)) made.rows = std::move(*rows);
    if (const Table* table = facts.find("makers"))
        if (auto rows = read_maker_rows(*table)) made.makers = std::move(*rows);
    made.external = input.config.external;
    made.scripts = scripts_of(input);
    return References(std::move(made));
}

void judge_references(const CheckInput& input, RuleOutcome& outcome, const ReferenceWords& words) {
    Judge judge{input, outcome, words};
    const std::vector<ResolvedReference> all = judge.references.of_set(words.set);
    std::map<Place, Judge::Group> by_place;
    for (const ResolvedReference& one : all)
        if (!words.is_idle || !words.is_idle(input, one)) by_place[one.place].push_back(&one);
    for (const auto& [place, group] : by_place)
        judge.judge(group);
    judge.settle();
}

} // namespace lockstep
