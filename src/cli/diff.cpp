// `lockstep diff`: what a change does to pins, sources, dependsOn edges and objects.
#include "cli/change.h"
#include "cli/commands.h"
#include "cli/diff_items.h"

namespace lockstep {

Result<Printed> run_diff(const Options& options) {
    if (options.base.empty() && !options.staged)
        return Error{"lockstep diff needs --base REV or --staged", {}, {0, 0}, "see lockstep diff --help"};
    LintRequest request = request_of(options);
    request.selection.only = {"yaml-syntax"}; // nothing has to be judged
    if (auto error = add_change(options, request)) return *error;
    auto run = lint(request);
    if (!run) return run.error();
    LintRun& made = **run;

    ChangePage page;
    page.base = request.base_shown;
    page.submodules = made.base_tree->submodules;
    page.removed = made.change.removed.size();
    for (const FileChange& file : made.change.files) {
        page.changed += file.kind == FileChange::Kind::changed ? 1 : 0;
        page.added += file.kind == FileChange::Kind::added ? 1 : 0;
    }
    page.differences = differences(diff_items(made.base_read->repository), diff_items(made.read.repository),
                                   *made.base_tree, made.tree);
    Locator base(*made.base_tree);
    return Printed{0, PlainText::lines(options.format == "markdown" ? change_page_markdown(page, base, *made.locator)
                                                                    : change_page_text(page, base, *made.locator))};
}

} // namespace lockstep
