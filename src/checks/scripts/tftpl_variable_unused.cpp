// Variables that a templatefile() call passes and that its template does not read.
#include "checks/template_calls.h"

namespace lockstep::tftpl_variable_unused {
namespace {

void judge_keys(const CheckInput& input, FileId file, const std::vector<CallOfTemplate>& calls, RuleOutcome& outcome) {
    const Tree& tree = *input.repository.tree;
    const TemplateNames read = template_names(input.text(file));
    std::set<std::string, std::less<>> names;
    for (const TerraformName& name : read.names)
        names.insert(name.name);
    for (const CallOfTemplate& call : calls)
        for (const TerraformName& key : call.call.keys) {
            const Place place{call.file, key.span};
            const std::string subject = subject_in_file(tree, call.file, tree.files[file].path + ":" + key.name);
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

void run(const CheckInput& input, RuleOutcome& outcome) {
    for (const auto& [file, list] : read_template_calls(input).by_template)
        judge_keys(input, file, list, outcome);
}

} // namespace

constexpr NativeCheck check{run, "terraform; templates"};

} // namespace lockstep::tftpl_variable_unused
