// Names that a Terraform template reads and that a templatefile() call of it does not pass.
#include "base/suggest.h"
#include "checks/template_calls.h"

namespace lockstep::tftpl_variable_unset {
namespace {

bool in_comment(std::string_view text, std::uint32_t at) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::size_t first = text.find_first_not_of(" \t", line);
    return first < at && text[first] == '#';
}

void judge_reads(const CheckInput& input, FileId file, const std::vector<CallOfTemplate>& calls, RuleOutcome& outcome) {
    const Tree& tree = *input.repository.tree;
    const std::string_view text = input.text(file);
    const TemplateNames read = template_names(text);
    if (read.broken)
        return outcome.undecided({file, {}}, tree.files[file].path, "the template cannot be read to its end");
    std::map<std::string, std::vector<Span>> places;
    for (const TerraformName& name : read.names)
        places[name.name].push_back(name.span);
    for (const auto& [name, spans] : places) {
        std::vector<const CallOfTemplate*> without;
        bool open = false;
        for (const CallOfTemplate& call : calls) {
            if (call.keys.count(name) != 0) continue;
            if (call.call.open)
                open = true;
            else
                without.push_back(&call);
        }
        const Place first{file, spans.front()};
        if (without.empty()) {
            if (open)
                outcome.undecided(first, subject_in_file(tree, file, name), "the call passes more than is written out");
            else
                outcome.pass(first, subject_in_file(tree, file, name));
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
        outcome.fail(subject_in_file(tree, file, name), std::move(finding));
    }
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const TemplateCalls calls = read_template_calls(input);
    for (const auto& [place, why] : calls.elsewhere)
        outcome.undecided(place, subject_in_file(*input.repository.tree, place.file, "templatefile"), why);
    for (const auto& [file, list] : calls.by_template)
        judge_reads(input, file, list, outcome);
}

} // namespace

constexpr NativeCheck check{run, "terraform; templates"};

} // namespace lockstep::tftpl_variable_unset
