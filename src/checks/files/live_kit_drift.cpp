// Files of live clusters against the same files of the template tree: what differs beyond names that were put in and
// pins that lag.
#include "base/semver.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::live_kit_drift {
namespace {

struct Difference {
    std::string what;
    Span live, original;
};

bool is_upper(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// `${X}`, `{{ x }}`, `X_PLACEHOLDER`: where the value of one cluster goes. Length 0 for none.
Span hole(std::string_view text) {
    if (const auto at = text.find("_PLACEHOLDER"); at != std::string_view::npos) {
        std::size_t begin = at;
        while (begin > 0 && is_upper(text[begin - 1]))
            --begin;
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at + 12)};
    }
    for (const auto& [open, close] :
         {std::pair<std::string_view, std::string_view>{"${", "}"}, {"{{", "}}"}, {"<", ">"}})
        if (const auto at = text.find(open); at != std::string_view::npos)
            if (const auto end = text.find(close, at); end != std::string_view::npos)
                return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end + close.size())};
    return {};
}

bool fits_hole(std::string_view original, std::string_view live) {
    const Span at = hole(original);
    if (at == Span{}) return false;
    const std::string_view before = original.substr(0, at.begin);
    if (!live.starts_with(before)) return false;
    const std::string_view rest = original.substr(at.end);
    if (hole(rest) != Span{}) return true; // several: what is between them is not compared with anything
    return live.size() >= before.size() + rest.size() && live.ends_with(rest);
}

// `repo:1.2` against `repo:1.3`.
bool is_pin_of_one_image(std::string_view a, std::string_view b) {
    const auto colon = a.rfind(':'), other = b.rfind(':');
    return colon != std::string_view::npos && other != std::string_view::npos &&
           a.substr(0, colon) == b.substr(0, other);
}

bool is_pin(std::string_view key, std::string_view a, std::string_view b) {
    for (std::string_view name : {"version", "tag", "newTag", "digest", "semver", "appVersion", "commit"})
        if (key == name) return true;
    return (parse_version(a) && parse_version(b) && a.find('.') != std::string_view::npos) || is_pin_of_one_image(a, b);
}

class Comparison {
public:
    explicit Comparison(std::string_view tree) : name_(file_name_of(tree)) {}

    void compare(NodeRef original, NodeRef live, std::string_view key) {
        original = original.resolved();
        live = live.resolved();
        if (original.is_mapping() && live.is_mapping()) return maps(original, live);
        if (original.is_sequence() && live.is_sequence()) {
            const auto theirs = original.items(), ours = live.items();
            if (theirs.size() != ours.size())
                return add(path_of(live) + " has " + std::to_string(ours.size()) + " items here, " +
                               std::to_string(theirs.size()) + " there",
                           live.span(), original.span());
            for (std::size_t i = 0; i < ours.size(); ++i)
                compare(theirs[i], ours[i], key);
            return;
        }
        if (original.is_scalar() && live.is_scalar()) return scalars(original, live, key);
        if (original.is_scalar() && hole(original.text()) != Span{}) return;
        add(path_of(live) + " has another shape", live.span(), original.span());
    }

    void add(std::string what, Span live, Span original) { found.push_back({std::move(what), live, original}); }

    std::vector<Difference> found;

private:
    void maps(NodeRef original, NodeRef live) {
        for (const auto& entry : original.entries()) {
            const NodeRef ours = live.get(entry.key.text());
            if (hole(entry.key.text()) != Span{}) continue;
            if (!live.get_key(entry.key.text()))
                add(path_of(entry.value) + " is only there", first_of(live), entry.key.span());
            else
                compare(entry.value, ours, entry.key.text());
        }
        const auto theirs = original.entries();
        const bool with_holes = std::any_of(theirs.begin(), theirs.end(),
                                            [](const auto& entry) { return hole(entry.key.text()) != Span{}; });
        for (const auto& entry : live.entries())
            if (!original.get_key(entry.key.text()) && !with_holes)
                add(path_of(entry.value) + " is only here", entry.key.span(), first_of(original));
    }

    static Span first_of(NodeRef map) {
        const auto entries = map.entries();
        return entries.empty() ? map.span() : entries.front().key.span();
    }

    void scalars(NodeRef original, NodeRef live, std::string_view key) {
        const std::string_view theirs = original.text(), ours = live.text();
        if (theirs == ours || fits_hole(theirs, ours) || is_pin(key, theirs, ours)) return;
        std::string named(theirs);
        for (auto at = named.find("_template"); at != std::string::npos;
             at = named.find("_template", at + name_.size()))
            named.replace(at, 9, name_);
        if (named == ours) return;
        auto shown = [](std::string_view text) {
            const std::string_view line = text.substr(0, text.find('\n'));
            return "`" + std::string(line.substr(0, 40)) + (line.size() < text.size() || line.size() > 40 ? "…`" : "`");
        };
        add(path_of(live) + " is " + shown(ours) + " here, " + shown(theirs) + " there", live.span(), original.span());
    }

    std::string name_; // of the live cluster's folder
};

struct Kits {
    const CheckInput& input;
    RuleOutcome& outcome;
    Nodes nodes;

    void judge(FileId live, FileId original, const std::string& tree) {
        const std::string& path = input.repository.tree->files[live].path;
        const auto &theirs = nodes.view(original).documents, &ours = nodes.view(live).documents;
        auto plain = [](const std::vector<DocumentView>& all) {
            std::vector<const DocumentView*> documents;
            for (const DocumentView& document : all)
                if (!document.embedded && !document.list_item && document.root) documents.push_back(&document);
            return documents;
        };
        const auto there = plain(theirs), here = plain(ours);
        Comparison comparison(tree);
        for (std::size_t i = 0; i < std::min(there.size(), here.size()); ++i)
            comparison.compare(there[i]->root, here[i]->root, {});
        if (there.size() != here.size())
            comparison.add("there are " + std::to_string(here.size()) + " documents here, " +
                               std::to_string(there.size()) + " there",
                           {}, {});
        const auto& found = comparison.found;
        if (found.empty()) return outcome.pass({live, {}}, path);
        Finding finding;
        finding.message = "differs from " + input.repository.tree->files[original].path +
                          " beyond names and pins: " + found.front().what;
        if (found.size() > 1) finding.message += ", and " + std::to_string(found.size() - 1) + " more";
        finding.place = {live, found.front().live};
        finding.related.push_back({{original, found.front().original}, "the template"});
        for (std::size_t i = 1; i < std::min<std::size_t>(found.size(), 10); ++i)
            finding.related.push_back({{live, found[i].live}, found[i].what});
        outcome.fail(path, std::move(finding));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    const std::string& base = input.config.template_tree;
    if (base.find_first_of("*?[{") != std::string::npos || !tree.has_directory(base)) return;
    Kits kits{input, outcome, Nodes(input.repository)};
    for (FileId file = 0; file < tree.files.size(); ++file) {
        const std::string& live = index.file_trees[file];
        const std::string_view path = tree.files[file].path;
        if (live.empty() || live == base || tree.files[file].state != FileState::read) continue;
        if (!path.ends_with(".yaml") && !path.ends_with(".yml")) continue;
        const auto original = tree.find(base + std::string(path.substr(live.size())));
        if (original && tree.files[*original].state == FileState::read) kits.judge(file, *original, live);
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::live_kit_drift
