#include "chart_folder.h"
#include "helm/json_io.h"
#include "helm/render.h"
#include "helm/yaml_read.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

using Files = std::map<std::string, std::string>;

const Files shop = {
    {"Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"
                   "dependencies: [{name: redis, version: ^1, repository: ''}]\n"},
    {"values.yaml", "redis: {auth: {user: x}}\nopt: {a: 1, b: null}\nsize: 2\n"},
    {"templates/t.yaml", "v: {{ toJson .Values }}\n"},
    {"charts/redis/Chart.yaml", "apiVersion: v2\nname: redis\nversion: 1.0.0\n"},
    {"charts/redis/values.yaml", "port: 1\nauth: {user: u, pass: p}\nglobal: {zone: a}\n"},
    {"charts/redis/templates/r.yaml", "r: {{ toJson .Values }}\n"},
};

struct Seen {
    std::string shop, redis, error, at;
};

Seen render(const Files& files, const std::string& given, HelmVersion helm) {
    ChartRendering rendering;
    const Result<LoadedChart*> loaded = load_chart(rendering.arena, rendering.store, memory_reader(files));
    REQUIRE(loaded);
    rendering.chart = *loaded;
    auto text = std::make_shared<const std::string>(given);
    const YamlRead read = read_yaml(rendering.arena, *text, rendering.store.sources.add("given.yaml", text));
    RenderOptions options;
    options.helm = helm;
    render_chart(rendering, read.value, options);
    Seen seen;
    if (rendering.failure) {
        seen.error = rendering.failure->message;
        for (const Place place : rendering.failure->places)
            if (place.file != no_file && seen.at.empty()) {
                const LineTable table(*rendering.store.sources.texts[place.file]);
                seen.at = rendering.store.sources.paths[place.file] + ":" +
                          std::to_string(table.position(place.span.begin).line);
            }
    }
    for (const RenderedManifest& one : rendering.manifests) {
        std::string all(one.text.str());
        while (all.ends_with('\n')) // Helm 4 keeps it
            all.pop_back();
        (all.starts_with("v: ") ? seen.shop : seen.redis) = all.substr(3);
    }
    return seen;
}

std::string redis_of(const std::string& given, HelmVersion helm) {
    return render(shop, given, helm).redis;
}

std::string option_of(const std::string& given, HelmVersion helm) {
    const std::string all = render(shop, given, helm).shop;
    const std::size_t from = all.find("\"opt\":");
    return from == std::string::npos ? "" : all.substr(from + 6, all.find('}', from) - from - 5);
}

constexpr HelmVersion helm_3_12{3, 12, 3}, helm_3_17{3, 17, 0}, helm_3_17_1{3, 17, 1}, helm_3_19{3, 19, 2},
    helm_3_19_5{3, 19, 5}, helm_4_1_1{4, 1, 1}, helm_4_1_3{4, 1, 3};

std::string set_into(const std::string& given, const std::string& text, bool as_strings = false,
                     HelmVersion helm = newest_helm3) {
    ValueArena arena;
    const YamlRead read = read_yaml(arena, arena.copy(given), no_file);
    GoValue values = read.value;
    const std::string wrong = set_values(arena, values, arena.copy(text), as_strings, helm, nullptr);
    if (!wrong.empty()) return wrong;
    TextBuilder out(arena);
    write_json(out, values);
    return out.bytes;
}

} // namespace

TEST_CASE("a null for a key of a chart inside takes that chart's default away, from Helm 3.17.1 on") {
    const std::string given = "redis: {auth: null}\n";
    const std::string without = R"({"global":{"zone":"a"},"port":1})";
    const std::string with = R"({"auth":{"pass":"p","user":"u"},"global":{"zone":"a"},"port":1})";
    CHECK(redis_of(given, newest_helm3) == without);
    CHECK(redis_of(given, newest_helm4) == without);
    CHECK(redis_of(given, helm_4_1_1) == without);
    CHECK(redis_of(given, helm_3_17_1) == without);
    CHECK(redis_of(given, helm_3_17) == with); // the null is used up by what the chart above says
}

TEST_CASE("a null for a chart inside as a whole takes away what the chart above says about it") {
    const std::string defaults = R"({"auth":{"pass":"p","user":"u"},"global":{"zone":"a"},"port":1})";
    for (const HelmVersion helm : {helm_3_12, newest_helm3, newest_helm4})
        CHECK(redis_of("redis: null\n", helm) == defaults);
    Files silent = shop;
    silent["values.yaml"] = "size: 2\n";
    const Seen seen = render(silent, "size: 3\nredis: null\n", newest_helm3);
    CHECK(seen.error == "type mismatch on redis: %!t(<nil>)");
    CHECK(seen.at == "given.yaml:2");
    CHECK(render(silent, "redis: text\n", newest_helm4).error ==
          "chart dependencies processing failed: type mismatch on redis: %!t(string=text)");
    silent["values.yaml"] = "redis: [1]\n";
    CHECK(render(silent, "", newest_helm3).at == "values.yaml:1");
}

TEST_CASE("a null for a global takes it away everywhere") {
    for (const HelmVersion helm : {helm_3_12, helm_3_19, helm_3_19_5, newest_helm3, helm_4_1_1, newest_helm4})
        CHECK(redis_of("global: {zone: null}\nredis: {auth: null, port: null}\n", helm).find("zone") ==
              std::string::npos);
    CHECK(render(shop, "global: {zone: b}\n", newest_helm3).redis.find(R"("zone":"b")") != std::string::npos);
}

TEST_CASE("a null that nothing overrides stays or goes, as the Helm at hand does it") {
    const std::string given = "opt: {new: null}\n";
    CHECK(option_of(given, helm_3_19) == R"({"a":1,"b":null,"new":null})");
    CHECK(option_of(given, helm_3_19_5) == R"({"a":1,"b":null})");
    CHECK(option_of(given, newest_helm3) == R"({"a":1,"b":null,"new":null})");
    CHECK(option_of(given, helm_4_1_1) == R"({"a":1,"b":null})");
    CHECK(option_of(given, helm_4_1_3) == R"({"a":1,"b":null,"new":null})");
    CHECK(option_of(given, newest_helm4) == R"({"a":1,"new":null})");
}

TEST_CASE("a null of the chart's own stays, and Helm 4.2 drops it") {
    CHECK(option_of("", newest_helm3) == R"({"a":1,"b":null})");
    CHECK(option_of("", helm_4_1_3) == R"({"a":1,"b":null})");
    CHECK(option_of("", newest_helm4) == R"({"a":1})");
    CHECK(option_of("opt: {a: 5}\n", newest_helm4) == R"({"a":5})");
    CHECK(option_of("opt: {b: null}\n", newest_helm3) == R"({"a":1,"b":null})");
}

TEST_CASE("a null that imports hand up reaches the values only from Helm 3.13 on") {
    Files files = shop;
    files["Chart.yaml"] =
        "apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n"
        "- {name: redis, version: ^1, repository: '', import-values: [{child: auth, parent: login}]}\n";
    files["charts/redis/values.yaml"] = "auth: {user: u, pass: null}\n";
    CHECK(render(files, "", newest_helm3).shop.find(R"("login":{"pass":null,"user":"x"})") != std::string::npos);
    CHECK(render(files, "", helm_3_12).shop.find(R"("login":{"user":"x"})") != std::string::npos);
    CHECK(render(files, "login: {user: null}\n", newest_helm3).shop.find("user\":\"x\"},\"opt") == std::string::npos);
}

TEST_CASE("two names of one chart: Helm 4 lets each have charts of its own inside") {
    const Files files = {
        {"Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n"
                       "- {name: db, version: ^1, repository: '', alias: one}\n"
                       "- {name: db, version: ^1, repository: '', alias: two}\n"},
        {"charts/db/Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.0.0\ndependencies:\n"
                                 "- {name: log, version: ^1, repository: '', alias: journal}\n"},
        {"charts/db/charts/log/Chart.yaml", "apiVersion: v2\nname: log\nversion: 1.0.0\n"},
        {"charts/db/charts/log/templates/l.yaml", "r: {{ .Chart.Name }}\n"},
    };
    const auto paths = [&](HelmVersion helm) {
        ChartRendering rendering;
        const Result<LoadedChart*> loaded = load_chart(rendering.arena, rendering.store, memory_reader(files));
        REQUIRE(loaded);
        rendering.chart = *loaded;
        RenderOptions options;
        options.helm = helm;
        render_chart(rendering, make_map(rendering.arena), options);
        std::string all = rendering.failure ? rendering.failure->message : "";
        for (const RenderedManifest& one : rendering.manifests)
            all += one.template_path + " ";
        return all;
    };
    CHECK(paths(newest_helm4) ==
          "shop/charts/one/charts/journal/templates/l.yaml shop/charts/two/charts/journal/templates/l.yaml ");
    // Helm 3 renames the declaration that both share, so the second no longer finds its chart under that name.
    CHECK(paths(newest_helm3) ==
          "shop/charts/one/charts/journal/templates/l.yaml shop/charts/two/charts/log/templates/l.yaml ");
}

TEST_CASE("--set reads keys, indexes, lists, types and backslashes") {
    CHECK(set_into("", "a.b=1,c={x,2},d[1].e=true,f=null,g=01,h\\.i=x") ==
          R"({"a":{"b":1},"c":["x",2],"d":[null,{"e":true}],"f":null,"g":"01","h.i":"x"})");
    CHECK(set_into("", "s=5", true) == R"({"s":"5"})");
    CHECK(set_into("a: 1\nb: {c: 2}\n", "a=null,b.c=null") == R"({"a":null,"b":{"c":null}})");
    CHECK(set_into("l: [1, 2]\n", "l[0]=null,l[2][1]=x") == R"({"l":[null,2,[null,"x"]]})");
    CHECK(set_into("", "a=,b={}") == R"({"a":"","b":[""]})");
    CHECK(set_into("", "a=") == R"({"a":""})");
    CHECK(set_into("", "a[0]") == R"({"a":[]})");
    CHECK(set_into("", "a[0].b=") == R"({"a":[]})"); // the end of the text comes before the item is put in
    CHECK(set_into("", "a.") == "{}");
}

TEST_CASE("--set refuses what Helm refuses, in its words") {
    const std::string conversion = "unable to parse key: interface conversion: interface {} is ";
    CHECK(set_into("", "a") == "key \"a\" has no value");
    CHECK(set_into("", "a,b=1") == "key \"a\" has no value (cannot end with ,)");
    CHECK(set_into("", "a={1,2") == "list must terminate with '}'");
    CHECK(set_into("", "a.=x") == "key map \"a\" has no value");
    CHECK(set_into("a: x\n", "a.b=1") == conversion + "string, not map[string]interface {}");
    CHECK(set_into("a: null\n", "a.b=1") == conversion + "nil, not map[string]interface {}");
    CHECK(set_into("a: {b: 1}\n", "a[0]=1") == conversion + "map[string]interface {}, not []interface {}");
    CHECK(set_into("a: [x]\n", "a[0][1]=1") == conversion + "string, not []interface {}");
    CHECK(set_into("", "a[x]=1") == "error parsing index: strconv.Atoi: parsing \"x\": invalid syntax");
    CHECK(set_into("", "a[99999999999999999999]=1") ==
          "error parsing index: strconv.Atoi: parsing \"99999999999999999999\": value out of range");
    CHECK(set_into("", "a[-1]=1") == "negative -1 index not allowed");
    CHECK(set_into("", "a[65537]=1") == "index of 65537 is greater than maximum supported index of 65536");
    CHECK(set_into("", "a[0]b'=1") == "unexpected data at end of array index: ['b' '\\'']");
    CHECK(set_into("", "a[0") == "error parsing index: EOF");
    CHECK(set_into("", "a[0", false, newest_helm4) == "{}");
    std::string deep = "a";
    for (int i = 0; i < 31; ++i)
        deep += ".a";
    CHECK(set_into("", deep + "=1") == "value name nested level is greater than maximum supported nested level of 30");
    std::string lists = "a";
    for (int i = 0; i < 100'000; ++i)
        lists += "[0]";
    CHECK(set_into("", lists + "=1") == "lists are nested more than 1000 deep");
}
