// `lockstep why FILE`: which chains apply what a file says.
#include "base/suggest.h"
#include "cli/commands.h"
#include "report/why_report.h"
#include <filesystem>
#include <limits>

namespace lockstep {
namespace {

// The file as the user may name it: from the root, from the working folder, or by the end of its path.
Result<FileId> find_file(const Tree& tree, const std::string& root, const std::string& named) {
    const std::string plain = join_path("", named).value_or(named);
    if (const auto id = tree.find(plain)) return *id;
    std::error_code ignored;
    const std::filesystem::path below = std::filesystem::relative(named, root, ignored);
    if (const auto id = tree.find(below.generic_string()); !ignored && id) return *id;
    std::vector<FileId> ends;
    std::vector<std::string> paths;
    for (FileId id = 0; id < tree.files.size(); ++id) {
        paths.push_back(tree.files[id].path);
        if (paths.back().ends_with("/" + plain)) ends.push_back(id);
    }
    if (ends.size() == 1) return ends.front();
    if (!ends.empty()) {
        std::string all = "it is one of";
        for (std::size_t i = 0; i < ends.size() && i < 5; ++i)
            all += " " + paths[ends[i]];
        return Error{"several files end with `" + named + "`", {}, {0, 0}, all + (ends.size() > 5 ? " …" : "")};
    }
    const auto near = nearest(plain, paths);
    return Error{"there is no file `" + named + "` in " + root,
                 {},
                 {0, 0},
                 near ? "did you mean `" + *near + "`?" : "name it from the repository's root"};
}

} // namespace

Result<Printed> run_why(const Options& options) {
    auto run = read_only(request_of(options));
    if (!run) return run.error();
    LintRun& made = **run;
    const auto file = find_file(made.tree, options.path, options.file);
    if (!file) return file.error();
    const Index& index = made.read.repository.index;
    const Fleet& fleet = fleet_of(made.read.repository);
    if (auto error = fleet_beyond_limit(made.read.repository)) return *error;
    const bool json = options.format == "json";
    const std::size_t most = options.all ? std::numeric_limits<std::size_t>::max()
                             : json      ? most_chains_for_programs
                                         : most_chains;
    const FileChains found = chains_of_file(index, fleet, *file, most);
    const std::string text = json ? why_json(index, fleet, *file, found, *made.locator)
                                  : why_text(index, fleet, *file, found, *made.locator);
    return Printed{0, json ? PlainText::json(text) : PlainText::lines(text)};
}

} // namespace lockstep
