// Names that a Terraform template reads against the variables that its templatefile() calls pass, both ways.
#include "base/suggest.h"
#include "checks/checks.h"
#include "index/terraform.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

struct Call {
    FileId file = no_file; // the .tf file
    TemplateCall call;
    std::set<std::string, std::less<>> keys;

    Place place() const { return {file, call.span}; }
};

struct Calls {
    std::map<FileId, std::vector<Call>> by_template;
    std::vector<std::pair<Place, std::string>> elsewhere; // calls whose template is not known, and why
};

Calls collect(const CheckInput& input) {
    Calls found;
    const Tree& tree = *input.repository.tree;
    const Table* files = input.own_facts().find("terraform");
    for (const Row& row : files ? files->rows : std::vector<Row>()) {
        const FileId file = row.anchor.file;
        for (TemplateCall& call : template_calls(input.text(file))) {
            const auto path =
                call.path.empty() ? std::nullopt : join_path(directory_of(tree.files[file].path), call.path);
            const auto target = path ? tree.find(*path) : std::nullopt;
            if (!target || tree.files[*target].state != FileState::read || !input.text(*target).data()) {
                found.elsewhere.emplace_back(Place{file, call.span}, call.path.empty() ? "the path is not written out"
                                                                                       : "the template is not here");
                continue;
            }
            Call one{file, std::move(call), {}};
            for (const TerraformName& key : one.call.keys)
                one.keys.insert(key.name);
            found.by_template[*target].push_back(std::move(one));
        }
    }
    return found;
}

std::string subject_of(const Tree& tree, FileId file, std::string_view name) {
    return tree.files[file].path + ":" + std::string(name);
}

bool in_comment(std::string_view text, std::uint32_t at) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::size_t first = text.find_first_not_of(" \t", line);
    return first < at && text[first] == '#';
}

void judge_reads(const CheckInput& input, FileId file, const std::vector<Call>& calls, RuleOutcome& outcome) {
    const Tree& tree = *input.repository.tree;
    const std::string_view text = input.text(file);
    const TemplateNames read = template_names(text);
    if (read.broken)
        return outcome.undecided({file, {}}, tree.files[file].path, "the template cannot be read to its end");
    std::map<std::string, std::vector<Span>> places;
    for (const TerraformName& name : read.names)
        places[name.name].push_back(name.span);
    for (const auto& [name, spans] : places) {
        std::vector<const Call*> without;
        bool open = false;
        for (const Call& call : calls) {
            if (call.keys.count(name) != 0) continue;
            if (call.call.open)
                open = true;
            else
                without.push_back(&call);
        }
        const Place first{file, spans.front()};
        if (without.empty()) {
            if (open)
                outcome.undecided(first, subject_of(tree, file, name), "the call passes more than is written out");
            else
                outcome.pass(first, subject_of(tree, file, name));
            continue;
        }
        Finding finding;
        finding.place = first;
        finding.message =
            "`" + name + "` is read here and not passed by templatefile() in " + tree.files[without.front()->file].path;
        std::vector<std::string> keys; // a hint is for a slip: not for thousands of them
        if (outcome.findings.size() < most_hints)
            keys.assign(without.front()->keys.begin(), without.front()->keys.end());
        if (const auto near = nearest(name, keys))
            finding.message += "; did you mean `" + *near + "`?";
        else if (in_comment(text, spans.front().begin))
            finding.message += "; Terraform reads comments too, `$${` keeps it as text";
        for (std::size_t i = 1; i < spans.size() && finding.related.size() < most_related; ++i)
            finding.related.push_back({{file, spans[i]}, "and here"});
        for (std::size_t i = 0; i < without.size() && finding.related.size() < most_related; ++i)
            finding.related.push_back({without[i]->place(), "the call that does not pass it"});
        outcome.fail(subject_of(tree, file, name), std::move(finding));
    }
}

void judge_keys(const CheckInput& input, FileId file, const std::vector<Call>& calls, RuleOutcome& outcome) {
    const Tree& tree = *input.repository.tree;
    const TemplateNames read = template_names(input.text(file));
    std::set<std::string, std::less<>> names;
    for (const TerraformName& name : read.names)
        names.insert(name.name);
    for (const Call& call : calls)
        for (const TerraformName& key : call.call.keys) {
            const Place place{call.file, key.span};
            const std::string subject = subject_of(tree, call.file, tree.files[file].path + ":" + key.name);
            if (names.count(key.name) != 0) {
                outcome.pass(place, subject);
            } else if (read.broken) {
                outcome.undecided(place, subject, "the template cannot be read to its end");
            } else {
                Finding finding;
                finding.place = place;
                finding.message =
                    "`" + key.name + "` is passed to " + tree.files[file].path + ", which does not read it";
                outcome.fail(subject, std::move(finding));
            }
        }
}

} // namespace

void check_tftpl_unset(const CheckInput& input, RuleOutcome& outcome) {
    const Calls calls = collect(input);
    for (const auto& [place, why] : calls.elsewhere)
        outcome.undecided(place, subject_of(*input.repository.tree, place.file, "templatefile"), why);
    for (const auto& [file, list] : calls.by_template)
        judge_reads(input, file, list, outcome);
}

void check_tftpl_unused(const CheckInput& input, RuleOutcome& outcome) {
    for (const auto& [file, list] : collect(input).by_template)
        judge_keys(input, file, list, outcome);
}

} // namespace lockstep
