// `lockstep graph`: the repository as a drawing.
#include "base/suggest.h"
#include "cli/commands.h"
#include "report/graph_report.h"

namespace lockstep {

Result<Printed> run_graph(const Options& options) {
    constexpr std::size_t readable = 120;
    auto run = read_only(request_of(options));
    if (!run) return run.error();
    LintRun& made = **run;
    const Repository& repository = made.read.repository;
    RepositoryGraph graph = build_graph(repository.index, fleet_of(repository));
    if (auto error = fleet_beyond_limit(repository)) return *error;
    if (!options.focus.empty()) {
        RepositoryGraph part = focus_graph(graph, options.focus);
        if (part.nodes.empty()) {
            const auto near = nearest(options.focus, graph_names(graph));
            return Error{"nothing in the graph is called `" + options.focus + "`",
                         {},
                         {0, 0},
                         near ? "did you mean `" + *near + "`?" : "`lockstep graph --format json` lists all names"};
        }
        graph = std::move(part);
    }
    Printed printed;
    if (options.format == "json") {
        printed.out = PlainText::json(graph_json(graph, *made.locator));
        return printed;
    }
    const std::size_t whole = graph.nodes.size();
    graph = fold_graph(std::move(graph), readable);
    printed.out = PlainText::lines(options.format == "mermaid" ? graph_mermaid(graph, *made.locator)
                                                               : graph_dot(graph, *made.locator));
    if (graph.nodes.empty())
        printed.err = PlainText::own("no Flux Kustomization and no HelmRelease: the graph is empty\n");
    else if (whole > readable)
        printed.err =
            PlainText::own("folded " + std::to_string(whole) + " nodes into " + std::to_string(graph.nodes.size()) +
                           "; --focus NAME shows one and all around it\n");
    return printed;
}

} // namespace lockstep
