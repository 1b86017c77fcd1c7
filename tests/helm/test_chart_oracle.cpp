#include "chart_folder.h"
#include "helm/render.h"
#include "helm/yaml_read.h"
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lockstep;
using Json = nlohmann::json;

namespace {

struct Outcome {
    std::string out, error;
};

Outcome render_case(const std::string& folder, const Json& test, bool helm4 = false) {
    ChartRendering rendering;
    RenderOptions options;
    options.release = "demo";
    if (helm4) options.helm = newest_helm4;
    options.release_namespace = "demo-ns";
    options.kube_version = "1.34.0";
    options.api_versions = {"monitoring.coreos.com/v1", "cert-manager.io/v1", "gateway.networking.k8s.io/v1"};
    GoValue values = make_map(rendering.arena);
    const Json args = test["args"];
    Outcome outcome;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string arg = args[i];
        if (arg == "--include-crds") options.include_crds = true;
        if (arg != "-f") continue;
        const std::string path = args[++i];
        auto text = std::make_shared<const std::string>(file_text(folder + "/" + path));
        const FileId file = rendering.store.sources.add(path, text);
        const YamlRead read = read_yaml(rendering.arena, *text, file);
        if (!read.error.empty()) outcome.error = "failed to parse " + path + ": " + read.error;
        values = merge_maps(rendering.arena, values, read.value);
    }
    Result<LoadedChart*> chart = load_chart(rendering.arena, rendering.store, folder_reader(folder + "/chart"));
    if (!chart) {
        outcome.error = chart.error().message;
        return outcome;
    }
    rendering.chart = *chart;
    render_chart(rendering, values, options);
    if (rendering.failure) {
        outcome.error = rendering.failure->message;
        if (rendering.failure->rendering) outcome.error += "\n\nUse --debug flag to render out invalid YAML";
        return outcome;
    }
    outcome.out = template_output(rendering);
    return outcome;
}

std::string without_line(std::string text, std::size_t line) {
    if (line == 0) return text;
    std::size_t at = 0;
    for (std::size_t i = 1; i < line && at != std::string::npos; ++i)
        at = text.find('\n', at) == std::string::npos ? std::string::npos : text.find('\n', at) + 1;
    if (at == std::string::npos) return text;
    return text.erase(at, text.find('\n', at) - at);
}

} // namespace

TEST_CASE("charts render as helm template prints them") {
    const std::string root = oracle_path("helm");
    if (root.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::size_t renders = 0, same = 0, fails = 0, same_reason = 0, shown = 0;
    const char* only = std::getenv("LOCKSTEP_ONLY");
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root))
        if (entry.is_directory()) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    for (const auto& folder : folders) {
        if (only && folder.filename().string().find(only) == std::string::npos) continue;
        const Json cases = Json::parse(file_text((folder / "cases.json").string()));
        for (const Json& test : cases["cases"]) {
            if (test.contains("skipped")) continue;
            const Outcome got = render_case(folder.string(), test);
            const std::string title = folder.filename().string() + " " + test["args"].dump();
            if (test["exit"] != 0) {
                ++fails;
                std::string want = test["expected_stderr"];
                if (std::filesystem::exists(folder / want)) want = file_text((folder / want).string());
                const std::size_t error = want.find("Error: ");
                want = want.substr(error == std::string::npos ? 0 : error + 7);
                while (want.ends_with('\n'))
                    want.pop_back();
                std::string have = got.error;
                while (have.ends_with('\n'))
                    have.pop_back();
                if (have == want)
                    ++same_reason;
                else if (shown++ < differences_shown())
                    MESSAGE(title << "\n  want " << want << "\n  got  " << have);
                continue;
            }
            ++renders;
            const std::size_t random = test.value("nondeterministic_line", std::size_t{0});
            const std::string want =
                without_line(file_text((folder / test["expected"].get<std::string>()).string()), random);
            const std::string have = without_line(got.out, random);
            if (got.error.empty() && have == want) {
                ++same;
                continue;
            }
            if (shown++ >= differences_shown()) continue;
            std::size_t at = 0;
            while (at < want.size() && at < have.size() && want[at] == have[at])
                ++at;
            const std::size_t line = want.rfind('\n', at) == std::string::npos ? 0 : want.rfind('\n', at);
            const std::size_t from = line < 150 ? 0 : line - 150;
            MESSAGE(title << " " << got.error << "\n  want " << want.substr(from, 420) << "\n  got  "
                          << have.substr(std::min(from, have.size()), 420));
        }
    }
    MESSAGE("helm: " << same << " of " << renders << " the same bytes, " << same_reason << " of " << fails
                     << " the same reason");
    if (only) return;
    CHECK(static_cast<double>(same) >= static_cast<double>(renders) * 0.97);
    CHECK(static_cast<double>(same_reason) >= static_cast<double>(fails) * 0.95);
}

TEST_CASE("Helm 4 renders the same charts with its own differences") {
    const std::string root = oracle_path("helm");
    if (root.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::size_t renders = 0, same = 0, shown = 0;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
        if (!entry.is_directory()) continue;
        const Json all = Json::parse(file_text((entry.path() / "cases.json").string()));
        for (const Json& test : all["cases"]) {
            if (test["exit"] != 0) continue;
            const std::string how = test["helm4"], expected = test["expected"];
            const std::string file = how == "differs" ? "helm4-" + expected : expected;
            if (!std::filesystem::exists(entry.path() / file)) continue;
            ++renders;
            const std::size_t random = test.value("nondeterministic_line", std::size_t{0});
            std::string want = file_text((entry.path() / file).string()),
                        have = render_case(entry.path().string(), test, true).out;
            if (how != "same" && how != "differs") { // all but blank lines
                const auto solid = [](const std::string& text) {
                    std::string out;
                    for (std::size_t at = 0; at < text.size();) {
                        const std::size_t end = std::min(text.find('\n', at), text.size());
                        std::string line = text.substr(at, end - at);
                        while (line.ends_with(' '))
                            line.pop_back();
                        if (!line.empty()) out += line + "\n";
                        at = end + 1;
                    }
                    return out;
                };
                want = solid(want);
                have = solid(have);
            }
            if (without_line(want, how == "differs" ? random : 0) ==
                    without_line(have, how == "differs" ? random : 0) ||
                random != 0)
                ++same;
            else if (shown++ < differences_shown()) {
                std::size_t at = 0;
                while (at < want.size() && at < have.size() && want[at] == have[at])
                    ++at;
                const std::size_t from = at < 100 ? 0 : at - 100;
                MESSAGE(entry.path().filename().string()
                        << test["args"].dump() << " " << how << "\n  want " << want.substr(from, 300) << "\n  got  "
                        << have.substr(std::min(from, have.size()), 300));
            }
        }
    }
    MESSAGE("helm 4: " << same << " of " << renders);
    CHECK(same == renders);
}
