#include "helm/json_io.h"
#include "helm/objects.h"
#include "helm/runes.h"
#include "helm/template_run.h"
#include "helm/yaml_read.h"
#include "helm/yaml_write.h"
#include "oracle.h"
#include <doctest/doctest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace lockstep;
using Json = nlohmann::json;

namespace {

GoValue text(ValueArena& arena, std::string_view bytes) {
    return make_string(arena, bytes);
}

// The oracle is JSON: what is no UTF-8 is there as U+FFFD.
std::string as_json_has_it(std::string_view bytes) {
    std::string out;
    for (std::size_t at = 0; at < bytes.size();) {
        const Rune rune = decode_rune(bytes, at);
        append_rune(out, rune.value);
        at += rune.size;
    }
    return out;
}

struct Rendered {
    std::string out, error;
};

// Chart c 1.2.3 as the oracle says, without the loading of charts.
Rendered render(const std::string& tpl, const std::string& values, const std::string& helpers) {
    Rendered result;
    ValueArena arena;
    YamlRead read = read_yaml(arena, values, no_file);
    if (read.error.empty()) read.error = wrong_for_map(read.value);
    if (!read.error.empty()) {
        result.error = read.error;
        return result;
    }
    TemplateRun run(arena, {});
    TemplateSource sources[2];
    sources[0].name = "c/templates/t.yaml";
    sources[0].text = tpl;
    sources[1].name = "c/templates/_helpers.tpl";
    sources[1].text = helpers;
    GoValue dot = make_map(arena);
    GoValue vals = read.value.is_map() ? read.value : make_map(arena);
    vals.type = GoType::values_map;
    put(arena, *dot.map, "Values", vals);
    GoValue release = make_map(arena);
    put(arena, *release.map, "Name", text(arena, "demo"));
    put(arena, *release.map, "Namespace", text(arena, "demo-ns"));
    put(arena, *release.map, "Service", text(arena, "Helm"));
    put(arena, *release.map, "IsInstall", make_bool(true));
    put(arena, *release.map, "IsUpgrade", make_bool(false));
    put(arena, *release.map, "Revision", make_int(1));
    put(arena, *dot.map, "Release", release);
    GoValue tmpl = make_map(arena, GoType::values_map);
    put(arena, *tmpl.map, "Name", text(arena, "c/templates/t.yaml"));
    put(arena, *tmpl.map, "BasePath", text(arena, "c/templates"));
    put(arena, *dot.map, "Template", tmpl);
    GoValue files = make_map(arena, GoType::files);
    put(arena, *dot.map, "Files", files);
    put(arena, *dot.map, "Chart",
        make_struct(make_struct_of(arena, "struct { chart.Metadata; IsRoot bool }",
                                   {{"Name", text(arena, "c")},
                                    {"Version", text(arena, "1.2.3")},
                                    {"AppVersion", text(arena, "4.5")},
                                    {"IsRoot", make_bool(true)}})));
    GoValue kube = make_struct(
        make_struct_of(arena, "chartutil.KubeVersion",
                       {{"Version", text(arena, "v1.33.0")}, {"Major", text(arena, "1")}, {"Minor", text(arena, "33")}},
                       StructKind::kube_version));
    GoValue set = make_list(arena, GoType::version_set);
    push(arena, *set.list, text(arena, "v1"));
    push(arena, *set.list, text(arena, "apps/v1"));
    put(arena, *dot.map, "Capabilities",
        make_struct(make_struct_of(arena, "*chartutil.Capabilities", {{"KubeVersion", kube}, {"APIVersions", set}},
                                   StructKind::capabilities, true)));
    put(arena, *dot.map, "Subcharts", make_map(arena));
    for (const TemplateSource& source : sources)
        if (!run.add(source)) {
            // Helm shortens a parse error to its place and its last part.
            const std::string& all = run.failure().message;
            const std::size_t a = all.find(": ") + 2;
            result.error =
                "parse error at (" + all.substr(a, all.find(": ", a) - a) + "): " + all.substr(all.rfind(": ") + 2);
            return result;
        }
    TextBuilder out(arena);
    if (!run.execute("c/templates/t.yaml", dot, out)) {
        result.error = run.failure().message;
        const std::size_t begin = result.error.find("HELM_ERR_START"), end = result.error.rfind("HELM_ERR_END");
        if (begin != std::string::npos) {
            const std::size_t a = result.error.find(": ") + 2;
            result.error = "execution error at (" + result.error.substr(a, result.error.find(": ", a) - a) +
                           "): " + result.error.substr(begin + 14, end - begin - 14);
        }
        return result;
    }
    result.out = as_json_has_it(without_no_value(arena, out).str());
    return result;
}

} // namespace

TEST_CASE("expressions give what Helm's engine gives") {
    const std::string path = oracle_path("functions/helm-expr.jsonl");
    if (path.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::ifstream in(path);
    std::size_t all = 0, good = 0, shown = 0;
    std::map<std::string, std::size_t> by_group;
    for (std::string line; std::getline(in, line);) {
        const Json test = Json::parse(line);
        ++all;
        std::string values = test.value("values", ""), helpers = test.value("helpers", "");
        if (values.starts_with('@')) values = file_text(oracle_path("functions/" + values.substr(1)));
        if (helpers.starts_with('@')) helpers = file_text(oracle_path("functions/" + helpers.substr(1)));
        const Rendered got = render(test["tpl"], values, helpers);
        const std::string want = test.value("out", ""), want_error = test.value("err", "");
        if (test.contains("err") ? got.error == want_error : got.error.empty() && got.out == want) {
            ++good;
            continue;
        }
        const std::string id = test["id"];
        ++by_group[id.substr(0, id.find('/', id.find('/') + 1))];
        if (shown++ < differences_shown())
            MESSAGE(id << ": " << test["tpl"].get<std::string>() << "\n  values " << test.value("values", "")
                       << "\n  want " << want << want_error << "\n  got  " << got.out << got.error);
    }
    for (const auto& [group, count] : by_group)
        MESSAGE(group << " " << count);
    MESSAGE("helm-expr: " << good << " of " << all);
    CHECK(static_cast<double>(good) >= static_cast<double>(all) * 0.995);
}

TEST_CASE("toYaml writes chart values as Helm does") {
    const std::string folder = oracle_path("functions/toyaml-values");
    if (folder.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::size_t all = 0, good = 0, shown = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".yaml") continue;
        ++all;
        const std::string want = file_text(std::filesystem::path(entry.path()).replace_extension(".expected").string());
        const Rendered got = render("{{ toYaml .Values }}", file_text(entry.path().string()), "");
        if (got.out == want) {
            ++good;
            continue;
        }
        std::size_t at = 0;
        while (at < want.size() && at < got.out.size() && want[at] == got.out[at])
            ++at;
        const std::size_t from = at < 80 ? 0 : at - 80;
        if (shown++ < differences_shown())
            MESSAGE(entry.path().filename().string()
                    << got.error << "\n  want " << want.substr(from, 200) << "\n  got  "
                    << got.out.substr(std::min(from, got.out.size()), 200));
    }
    MESSAGE("toyaml-values: " << good << " of " << all);
    CHECK(good == all);
}

TEST_CASE("sprig's own tests pass") {
    const std::string path = oracle_path("functions/sprig-tests.jsonl");
    if (path.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::ifstream in(path);
    std::size_t all = 0, good = 0, shown = 0;
    std::string unexpected;
    for (std::string line; std::getline(in, line);) {
        const Json test = Json::parse(line);
        ++all;
        ValueArena arena;
        TemplateRunOptions options;
        options.missing = MissingKey::invalid;
        TemplateRun run(arena, options);
        const std::string tpl = test["tpl"];
        TemplateSource source;
        source.name = "test";
        source.text = tpl;
        const GoValue vars = make_string(arena, test.value("vars", Json()).dump());
        const GoValue dot = read_json(arena, vars).value;
        TextBuilder out(arena);
        std::string error;
        if (!run.add(source) || !run.execute("test", dot, out)) error = run.failure().message;
        if (test.contains("err") ? !error.empty() : error.empty() && out.bytes == test["out"].get<std::string>()) {
            ++good;
            continue;
        }
        if (!test.contains("needs_go_types") && tpl.find("derivePassword") == std::string::npos)
            unexpected += tpl + "\n";
        if (shown++ < differences_shown())
            MESSAGE(test["test"].get<std::string>()
                    << ": " << tpl << " " << test.value("vars", Json()).dump()
                    << std::string(test.contains("needs_go_types") ? " (Go types)" : "") << "\n  want "
                    << test.value("out", "") << test.value("err", "") << "\n  got  " << out.bytes << error);
    }
    MESSAGE("sprig: " << good << " of " << all);
    CHECK(unexpected == ""); // docs/helm.md says why those two differ
}
