// Fields that the API server does not let change on a live object, compared with what they were before this change.
#include "checks/chain_verdicts.h"
#include "deploy/field_values.h"
#include "deploy/force_mark.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::immutable_field_change {
namespace {

enum class Law : std::uint8_t { refused, cluster_ip, service_type, storage_class, volume_claims, job };

Law law_of(std::string_view how) {
    if (how == "cluster-ip") return Law::cluster_ip;
    if (how == "service-type") return Law::service_type;
    if (how == "class") return Law::storage_class;
    if (how == "claims") return Law::volume_claims;
    return how == "job" ? Law::job : Law::refused;
}

// One row per field. Forced objects of a stateless kind are recreated; the others hold data.
struct ImmutableField {
    std::string group, kind, name;
    Law law;
    bool stateful;
    FieldPath path = {}; // parts of the name
};

std::vector<ImmutableField> immutable_fields(const Table& table) {
    std::vector<ImmutableField> fields;
    for (const Row& row : table.rows)
        fields.push_back({table.at(row, "group").text, table.at(row, "kind").text, table.at(row, "path").text,
                          law_of(table.at(row, "how").text), table.at(row, "data").text == "yes"});
    for (ImmutableField& field : fields) // none of them moves any more
        for (std::string_view rest = field.name; !rest.empty();) {
            const std::size_t end = std::min(rest.find('.'), rest.size());
            field.path.push_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    return fields;
}

// What the API server fills in, or does not count.
void settle(const ImmutableField& field, FieldValues& values) {
    if (field.law == Law::service_type && values.leaves.empty()) values.leaves[""] = {"ClusterIP", values.place};
    if (field.law != Law::volume_claims) return;
    std::erase_if(values.leaves, [](const auto& entry) {
        const std::string& path = entry.first;
        return path.ends_with("].apiVersion") || path.ends_with("].kind") ||
               path.find("].status") != std::string::npos ||
               (path.ends_with("].spec.volumeMode") && entry.second.text == "Filesystem");
    });
}

std::string text_of(const Leaf* leaf) {
    return leaf ? "`" + leaf->text.substr(0, 60) + "`" : "not there";
}

std::string what_changed(const ImmutableField& field, const std::vector<FieldDifference>& changed) {
    const FieldDifference& first = changed.front();
    std::string text = field.name;
    if (!first.path.empty()) text += (first.path.starts_with('[') ? "" : ".") + first.path;
    text += " was " + text_of(first.before) + ", now it is " + text_of(first.now);
    if (changed.size() > 1) text += " (and " + std::to_string(changed.size() - 1) + " more below it)";
    return text;
}

struct Judged {
    Severity severity = Severity::error;
    std::string consequence;
    std::string undecided;
    bool fine = false;
};

Judged judge_cluster_ip(const FieldDifference& change) {
    const std::string before = change.before ? change.before->text : "", now = change.now ? change.now->text : "";
    if (now == "None") return {Severity::error, "the API server refuses to make a live Service headless", {}, false};
    if (before == "None") return {Severity::error, "a live Service stays headless until it is deleted", {}, false};
    if (now.empty()) return {Severity::error, {}, {}, true}; // it keeps the address it has
    if (before.empty()) return {Severity::error, {}, "the Service may have this address already", false};
    return {Severity::error, "the address of a live Service cannot change", {}, false};
}

Judged judge_field(const ImmutableField& field, const std::vector<FieldDifference>& changed,
                   const std::string& type_now, const std::string& type_before) {
    const FieldDifference& first = changed.front();
    switch (field.law) {
    case Law::cluster_ip:
        if (type_now == "ExternalName" || type_before == "ExternalName") return {Severity::error, {}, {}, true};
        return judge_cluster_ip(first);
    case Law::service_type:
        if (type_now == "ExternalName")
            return {Severity::error,
                    "the live Service would have to give up its address; delete and recreate it",
                    {},
                    false};
        return {Severity::warning,
                "addresses and node ports of the live Service may stay as the old type left them",
                {},
                false};
    case Law::storage_class:
        if (!first.before || !first.now)
            return {Severity::error, {}, "the cluster's default class may be the one that is named", false};
        break;
    default:
        break;
    }
    return {Severity::error, "the field is immutable: the API server refuses the apply", {}, false};
}

class FieldJudge {
public:
    FieldJudge(const CheckInput& input, const Identities& base, const Identities& head)
        : rule_(input.rule), base_(base), head_(head) {}

    void judge(const ImmutableField& field, const std::string& identity, const Instance& now, ChainVerdicts& verdicts) {
        FieldValues values = field_values(head_.fleet().tree_of(now), field.path);
        settle(field, values);
        const auto candidates = lockstep::before(base_, head_, identity, now);
        std::vector<FieldValues> before;
        for (std::uint32_t number : candidates) {
            before.push_back(field_values(base_.fleet().tree_of(base_.instance(number)), field.path));
            settle(field, before.back());
        }
        if (before.empty()) return;
        for (std::size_t i = 1; i < before.size(); ++i)
            if (!differences(before[0], before[i]).empty()) {
                verdicts.undecided = "before, the field differed from place to place";
                return;
            }
        const auto changed = differences(before.front(), values);
        if (changed.empty()) {
            if (!values.unsure.empty()) verdicts.undecided = values.unsure;
            return;
        }
        const Instance& old = base_.instance(candidates.front());
        verdicts.undecided = unclear(field, before.front(), values, changed, old);
        if (verdicts.undecided.empty()) report(field, now, old, values, changed, verdicts);
    }

private:
    std::string unclear(const ImmutableField& field, const FieldValues& before, const FieldValues& now,
                        const std::vector<FieldDifference>& changed, const Instance& old) {
        for (const FieldValues* one : {&before, &now})
            if (!one->unsure.empty()) return one->unsure;
        for (const FieldDifference& one : changed)
            if ((one.before && one.before->templated) || (one.now && one.now->templated)) return "a templated value";
        if (field.law == Law::job && value_at(base_.fleet().tree_of(old), {"spec", "ttlSecondsAfterFinished"}))
            return "the finished Job may be gone by then: it has ttlSecondsAfterFinished";
        return {};
    }

    static std::string type_of(const Identities& tree, const Instance& one) {
        const Cell type = cell_at(tree.fleet().tree_of(one), {"spec", "type"});
        return is_known(type) ? type.text : "ClusterIP";
    }

    void report(const ImmutableField& field, const Instance& now, const Instance& old, const FieldValues& values,
                const std::vector<FieldDifference>& changed, ChainVerdicts& verdicts) {
        const bool service = field.kind == "Service";
        const Judged judged =
            judge_field(field, changed, service ? type_of(head_, now) : "", service ? type_of(base_, old) : "");
        if (!judged.undecided.empty()) verdicts.undecided = judged.undecided;
        if (judged.fine || !judged.undecided.empty()) return;
        if (is_left_alone(head_.fleet().tree_of(now))) return;
        std::string unsure;
        const bool forced = is_forced(head_.fleet(), now, unsure);
        if (!forced && !unsure.empty() && !field.stateful) {
            verdicts.undecided = unsure;
            return;
        }
        Finding finding;
        finding.rule = rule_.id;
        finding.severity = judged.severity;
        finding.message = field.kind + " " + std::string(now.id().name) + ": " + what_changed(field, changed);
        if (field.stateful) {
            finding.message += "; the field is immutable and the object holds data: migrate to a new one, never force";
        } else if (forced) {
            finding.severity = Severity::note;
            finding.message += "; force is on, so it will be recreated";
        } else {
            finding.message += "; " + judged.consequence;
        }
        finding.place = changed.front().now ? changed.front().now->place : values.place;
        const bool rendered = head_.fleet().root_of(now).is_rendered();
        const Place written = rendered && changed.front().now ? changed.front().now->written : Place();
        if (is_there(written) && written != finding.place) finding.related.push_back({written, "rendered here"});
        if (is_there(now.resource.entry)) finding.related.push_back({now.resource.entry, "applied from here"});
        verdicts.findings.push_back(std::move(finding));
    }

    const Rule& rule_;
    const Identities& base_;
    const Identities& head_;
};

bool is_of(const ImmutableField& field, const Instance& one) {
    return one.id().group == field.group && one.id().kind == field.kind;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base) return;
    const Index& index = input.repository.index;
    const std::vector<ImmutableField> fields = immutable_fields(input.facts["fields"]);
    auto wanted = [&](const Instance& one) {
        return std::any_of(fields.begin(), fields.end(),
                           [&](const ImmutableField& field) { return is_of(field, one); });
    };
    const Identities base(fleet_of(*input.base), wanted), head(fleet_of(input.repository), wanted);
    FieldJudge judge(input, base, head);
    std::map<std::tuple<EntityId, std::string, std::size_t>, ChainVerdicts> verdicts; // objects are in file order
    std::map<std::string, Place> places;
    for (const auto& [identity, all] : head.all()) {
        if (!base.all().contains(identity)) continue; // new, or renamed: nothing live to change
        for (std::uint32_t number : all)
            for (std::size_t i = 0; i < fields.size(); ++i)
                if (const Instance& one = head.instance(number); is_of(fields[i], one) && !is_hook(head.fleet(), one)) {
                    const std::string subject = subject_of(index, one);
                    places.emplace(subject, place_of(index, one));
                    judge.judge(fields[i], identity, one, verdicts[{one.object, subject, i}]);
                }
    }
    for (auto& [what, verdict] : verdicts) {
        const auto& [object, subject, field] = what;
        verdict.report(outcome, subject + ":" + fields[field].name, places.at(subject));
    }
}

} // namespace

constexpr NativeCheck check{run, "fields: group kind path how data"};

} // namespace lockstep::immutable_field_change
