// `pins:` of the config as rules: each site is compared with the canonical one.
#include "rules/load.h"

namespace lockstep {
namespace {

Error at_site(const Config& config, const PinSite& site, const Error& error) {
    return {"pin site " + site.name + ": " + error.message, config.path, site.at, error.hint};
}

Result<FactSpec> site_fact(const Config& config, const PinGroup& group, const PinSite& site) {
    FactSpec fact;
    fact.name = site.name;
    for (const auto& pattern : site.files) {
        auto glob = Glob::compile(pattern);
        if (!glob) return at_site(config, site, glob.error());
        fact.files.push_back(*glob);
        for (const auto& name : glob->capture_names())
            fact.captures.push_back(name);
    }
    if (!site.yaml.empty()) {
        auto path = YamlPath::parse(site.yaml);
        if (!path) return at_site(config, site, path.error());
        fact.source = FactSpec::Source::yaml;
        fact.fields.push_back({"value", {{*path, false}}, false});
    } else {
        auto pattern = Pattern::compile(site.text);
        if (!pattern) return at_site(config, site, pattern.error());
        if (pattern->names() != std::vector<std::string>{"value"})
            return Error{"pin site " + site.name + " of group " + group.name +
                             ": the pattern needs one group named value",
                         config.path,
                         {0, 0},
                         "text: 'version: (?P<value>\\S+)'"};
        fact.source = FactSpec::Source::text;
        fact.value = *pattern;
    }
    fact.columns = {"value"};
    fact.columns.insert(fact.columns.end(), fact.captures.begin(), fact.captures.end());
    for (auto name : common_columns)
        if (!fact.column(name)) fact.columns.emplace_back(name);
    fact.readings.assign(fact.columns.size(), Reading::text);
    fact.readings.front() = Reading::version;
    return fact;
}

} // namespace

Result<std::vector<Rule>> pin_rules(const Config& config, FileId config_file) {
    std::vector<Rule> rules;
    for (const auto& group : config.pins) {
        const PinSite* canonical = nullptr;
        for (const auto& site : group.sites)
            if (site.name == group.canonical) canonical = &site;
        if (!canonical) return Error{"canonical names no site of pin group " + group.name, config.path, {0, 0}, {}};
        for (const auto& site : group.sites) {
            if (&site == canonical) continue;
            Rule rule;
            rule.id = group.name;
            rule.pack = "pins";
            rule.judges = Judges::pins;
            rule.severity = group.severity;
            rule.path = config.path;
            rule.summary = "Pins of " + group.name + " disagree";
            rule.why = group.why.empty() ? "The config says that these pins move together." : group.why;
            rule.fix = "Move all sites of " + group.name + " in the same change.";
            for (const PinSite* one : {&site, canonical}) {
                auto fact = site_fact(config, group, *one);
                if (!fact) return fact.error();
                rule.facts.push_back(*fact);
                rule.must_match.emplace_back(rule.facts.size() - 1, Place{config_file, one->span});
            }
            Join join;
            join.fact = 1;
            join.optional = true; // a site without a match is reported at the config
            rule.joins.push_back(join);
            auto comparison = parse_comparison(
                site.name + ".value " + group.relation + " " + canonical->name + ".value", rule.facts, false);
            if (!comparison) return at_site(config, site, comparison.error());
            auto partner_there = parse_comparison(canonical->name + ".value exists", rule.facts, false);
            Case only;
            only.when.push_back(*partner_there);
            only.what.push_back(*comparison);
            rule.cases.push_back(std::move(only));
            auto message = parse_message(site.name + " says {" + site.name + ".value}, " + canonical->name + " says {" +
                                             canonical->name + ".value}",
                                         rule.facts);
            rule.message.parts = {{*message}};
            rule.at = Anchor{0, 0};
            rules.push_back(std::move(rule));
        }
    }
    return rules;
}

} // namespace lockstep
