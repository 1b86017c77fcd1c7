// `lockstep build`: what a kustomization gives, as kustomize writes it, and where each line comes from.
#include "kustomize/build.h"
#include "cli/build_fleet.h"
#include "cli/built_objects.h"
#include "cli/commands.h"
#include "cli/disk_charts.h"
#include "cli/disk_files.h"
#include <filesystem>

namespace lockstep {
namespace fs = std::filesystem;

Result<Printed> run_build(const Options& options) {
    if (!options.flux.empty() || !options.cluster.empty()) return run_build_fleet(options);
    if (is_chart(options.path)) {
        ChartBuild chart = options.chart;
        chart.chart = options.path;
        chart.form = {options.places, options.format == "json"};
        chart.apart = !options.into.empty();
        Result<BuiltChart> made = build_chart(chart);
        if (!made) return made.error();
        if (chart.apart) {
            if (auto written = write_objects(options.into, made->objects, options.path); !written)
                return written.error();
            return Printed{};
        }
        if (chart.form.json && !chart.form.places)
            return Printed{0, PlainText::report(built_text(made->objects, chart.form, {}))};
        return Printed{0, PlainText::report(std::move(made->text))};
    }
    std::error_code error;
    const std::string here = fs::current_path(error).string();
    const fs::path folder = fs::canonical(options.path, error);
    if (error || !fs::is_directory(folder, error))
        return Error{"there is no such folder", options.path, {0, 0}, "name a folder with a kustomization.yaml"};
    DiskFiles files;
    Loader loader = files.loader();
    loader.inflate = disk_chart_inflater(loader.find_file);
    Builder builder(std::move(loader));
    BuildOptions how;
    how.load_anywhere = options.load_restrictor == "LoadRestrictionsNone";
    how.keep_order = options.reorder == "none";
    const Build build = builder.build(folder.string().substr(1), how);

    Printed printed;
    const auto at = [&](Place place) {
        const std::string shown = files.shown(place, here);
        return shown.empty() ? shown : shown + ": ";
    };
    for (const BuildGap& gap : build.gaps)
        printed.err += PlainText::lines(at(gap.place) + "left out: " + gap.reason + "\n");
    if (!build.gaps.empty()) printed.exit_code = 1;
    const BuiltForm form{options.places, options.format == "json"};
    std::vector<BuiltObject> objects;
    for (const Resource& resource : build.resources) {
        BuildError why;
        const Value* tree = builder.tree(resource, &why);
        if (auto problem = files.problem()) return *problem;
        if (!tree) return Error{at(why.place) + why.message};
        objects.push_back(built_object(resource.id, *tree, form));
    }
    if (auto problem = files.problem()) return *problem;
    if (!build.errors.empty()) return Error{at(build.errors.front().place) + build.errors.front().message};
    if (!options.into.empty()) {
        if (auto written = write_objects(options.into, objects, options.path); !written) return written.error();
        return printed;
    }
    // What kubectl would be given, byte for byte.
    printed.out = PlainText::report(built_text(objects, form, [&](Place place) { return files.shown(place, here); }));
    return printed;
}

} // namespace lockstep
