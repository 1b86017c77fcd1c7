// Findings as GitLab's Code Quality report: a list of issues, each with a fingerprint that says whether it is new.
#include "report/in_repository.h"
#include "report/json_text.h"
#include <unordered_map>

namespace lockstep {
namespace {

// GitLab wants a path in every issue; what a run says about no file in particular is settled in the config.
constexpr std::string_view path_of_the_run = ".lockstep.yaml";

std::string_view code_climate_severity(Severity severity) {
    switch (severity) {
    case Severity::error:
        return "critical";
    case Severity::warning:
        return "major";
    case Severity::note:
    case Severity::off:
        break;
    }
    return "info";
}

// FNV-1a. GitLab compares fingerprints for equality and nothing else, so a short hash does.
std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

std::string fingerprint_of(std::string_view key, std::size_t occurrence) {
    std::string whole(key);
    if (occurrence > 0) whole += "\n" + std::to_string(occurrence);
    std::string out;
    for (const std::uint64_t seed : {0xcbf29ce484222325ULL, 0x84222325cbf29ce4ULL}) {
        const std::uint64_t hash = hash_of(whole, seed);
        for (int shift = 60; shift >= 0; shift -= 4)
            out += "0123456789abcdef"[(hash >> shift) & 0xfU];
    }
    return out;
}

// GitLab shows one place and the description; the other places go into the latter.
std::string describe(const Finding& finding, const Report& report) {
    constexpr std::size_t named = 3;
    std::string out = finding.message;
    for (std::size_t i = 0; i < finding.related.size() && i < named; ++i) {
        const RepositoryPlace place = place_in_repository(report, finding.related[i].place);
        out += (i == 0 ? " (see " : ", ") + place.path + ":" + std::to_string(place.begin.line);
    }
    if (finding.related.size() > named) out += " and " + std::to_string(finding.related.size() - named) + " more";
    if (!finding.related.empty()) out += ')';
    return out;
}

} // namespace

Written write_codequality(const Report& report) {
    std::string out = "[";
    std::unordered_map<std::string_view, std::size_t> seen; // keys may repeat, fingerprints may not
    for (const Finding& finding : report.findings) {
        const RepositoryPlace place = place_in_repository(report, finding.place);
        const std::string run_path = std::string(report.prefix) + std::string(path_of_the_run);
        out += out.size() == 1 ? "\n  " : ",\n  ";
        out += R"({"description":)";
        append_json_string(out, describe(finding, report));
        out += R"(,"check_name":)";
        append_json_string(out, finding.rule);
        out += R"(,"fingerprint":")" + fingerprint_of(finding.key, seen[finding.key]++);
        out += R"(","severity":")" + std::string(code_climate_severity(finding.severity));
        out += R"(","location":{"path":)";
        append_json_string(out, place.path.empty() ? run_path : place.path);
        out += R"(,"lines":{"begin":)" + std::to_string(place.begin.line);
        out += R"(,"end":)" + std::to_string(place.end.line) + "}}}";
    }
    out += out.size() == 1 ? "]\n" : "\n]\n";
    return {std::move(out)};
}

} // namespace lockstep
