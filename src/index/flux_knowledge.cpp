// The tables of Flux's APIs, fields and Helm releases, ready for look-up.
#include "index/flux_knowledge.h"
#include <algorithm>

namespace lockstep {
namespace {

const Cell* cell(const Table& table, const Row& row, std::string_view column) {
    const auto number = table.column(column);
    return number ? &row.cells[*number] : nullptr;
}

std::string text(const Table& table, const Row& row, std::string_view column) {
    const Cell* found = cell(table, row, column);
    return found ? found->text : std::string();
}

// `install{crds remediation{retries}} interval`: names by blanks, what is below a name in braces.
void add_fields(std::string_view& rest, const std::string& since, FluxField& into) {
    FluxField* last = nullptr;
    while (!rest.empty()) {
        const char c = rest.front();
        if (c == '}') return;
        if (c == '{' && last) {
            rest.remove_prefix(1);
            add_fields(rest, since, *last);
            if (!rest.empty()) rest.remove_prefix(1);
        } else if (c == ' ' || c == '{') {
            rest.remove_prefix(1);
        } else {
            const std::string_view name = rest.substr(0, rest.find_first_of(" {}"));
            last = &into.fields[std::string(name)];
            if (last->since.empty()) last->since = since;
            rest.remove_prefix(name.size());
        }
    }
}

bool is_before(std::string_view a, std::string_view b) {
    const auto left = parse_version(a), right = parse_version(b);
    return left && right && compare(*left, *right) < 0;
}

} // namespace

std::string_view FluxApi::version() const {
    const std::string_view all = name;
    const std::size_t slash = all.find('/');
    return all.substr(slash + 1, all.rfind('/') - slash - 1);
}

FluxKnowledge::FluxKnowledge(const Table* helm, const Table* apis, const Table* fields) {
    if (helm)
        for (const Row& row : helm->rows) {
            const std::string flux = text(*helm, row, "flux");
            if (const auto version = parse_version(flux))
                releases_.push_back({*version, flux, text(*helm, row, "helm")});
        }
    std::stable_sort(releases_.begin(), releases_.end(),
                     [](const Release& a, const Release& b) { return compare(a.version, b.version) < 0; });
    if (!releases_.empty()) {
        oldest_ = releases_.front().flux;
        newest_ = releases_.back().flux;
    }
    read_apis(apis);
    read_fields(fields);
}

void FluxKnowledge::read_apis(const Table* apis) {
    if (!apis) return;
    for (const Row& row : apis->rows) {
        FluxApi api;
        api.name = text(*apis, row, "api");
        api.served = text(*apis, row, "served");
        api.deprecated = text(*apis, row, "deprecated");
        api.gone = text(*apis, row, "gone");
        const auto [slot, fresh] = apis_.emplace(api.name, api);
        const std::size_t first = api.name.find('/'), last = api.name.rfind('/');
        if (fresh && first < last)
            versions_[api.name.substr(0, first) + api.name.substr(last)].push_back(&slot->second);
    }
    for (auto& [kind, list] : versions_)
        std::stable_sort(list.begin(), list.end(),
                         [](const FluxApi* a, const FluxApi* b) { return is_before(a->served, b->served); });
}

void FluxKnowledge::read_fields(const Table* fields) {
    if (!fields) return;
    for (const Row& row : fields->rows) {
        const Cell* names = cell(*fields, row, "fields");
        const auto found = apis_.find(text(*fields, row, "api"));
        if (!names || found == apis_.end()) continue;
        std::string_view rest = names->text;
        add_fields(rest, text(*fields, row, "since"), found->second.spec);
    }
}

const FluxApi* FluxKnowledge::api(std::string_view group, std::string_view version, std::string_view kind) const {
    const auto found = apis_.find(std::string(group) + "/" + std::string(version) + "/" + std::string(kind));
    return found == apis_.end() ? nullptr : &found->second;
}

const std::vector<const FluxApi*>& FluxKnowledge::versions(std::string_view group, std::string_view kind) const {
    static const std::vector<const FluxApi*> none;
    const auto found = versions_.find(std::string(group) + "/" + std::string(kind));
    return found == versions_.end() ? none : found->second;
}

Known FluxKnowledge::has(const Version& flux, std::string_view since) const {
    const auto first = parse_version(since);
    if (!first || releases_.empty() || compare(flux, releases_.front().version) < 0) return Known::unsure;
    if (compare(flux, *first) >= 0) return Known::yes;
    // The release before `since` is the last that is known to be without it.
    const Release* before = nullptr;
    for (const Release& release : releases_)
        if (compare(release.version, *first) < 0) before = &release;
    return before && compare(flux, before->version) <= 0 ? Known::no : Known::unsure;
}

std::string FluxKnowledge::helm_of(const Version& flux) const {
    for (const Release& release : releases_)
        if (compare(release.version, flux) == 0) return release.helm;
    return {};
}

std::string FluxKnowledge::flux_with_helm(std::string_view helm) const {
    for (const Release& release : releases_)
        if (!is_before(release.helm, helm)) return release.flux;
    return {};
}

bool FluxKnowledge::is_newer(const Version& flux) const {
    return !releases_.empty() && compare(flux, releases_.back().version) > 0;
}

std::string FluxKnowledge::newest_in(const Range& range) const {
    std::string found;
    for (const Release& release : releases_)
        if (range.contains(release.version)) found = release.flux;
    return found;
}

std::string FluxKnowledge::oldest_in(const Range& range) const {
    for (const Release& release : releases_)
        if (range.contains(release.version)) return release.flux;
    return {};
}

} // namespace lockstep
