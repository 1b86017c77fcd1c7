// Compares two trees file by file and asks places whether they are on a difference.
#include "filter/changed.h"
#include "base/parallel.h"
#include <algorithm>
#include <map>

namespace lockstep {

namespace {

constexpr std::string_view moved = "this change touches the place above; the other side is here";

FileChange compare_files(const Tree& base, File& before, const Tree& head, File& after) {
    if (!before.blob.empty() && before.blob == after.blob) return {};
    // A file that nobody reads has no finding on it.
    if (before.state == FileState::listed && after.state == FileState::listed) return {};
    read_file(base, before);
    read_file(head, after);
    if (before.state != FileState::read || after.state != FileState::read) {
        const bool same = before.state == after.state && before.size == after.size;
        return {same ? FileChange::Kind::same : FileChange::Kind::changed, {{1, UINT32_MAX}}};
    }
    FileChange change{FileChange::Kind::changed, changed_lines(before.text, after.text)};
    if (change.lines.empty()) change.kind = FileChange::Kind::same; // line breaks at most
    return change;
}

std::string identity(const Suppression& one, Locator& locator) {
    std::string text(locator.locate(one.place).path);
    for (const std::string& rule : one.rules)
        text += '\x1f' + rule;
    return text + '\x1e' + one.reason + '\x1e' + one.until;
}

} // namespace

std::size_t RepositoryChange::count() const {
    return removed.size() + static_cast<std::size_t>(std::count_if(files.begin(), files.end(), [](const FileChange& f) {
               return f.kind != FileChange::Kind::same;
           }));
}

RepositoryChange compare_trees(Tree& base, Tree& head, unsigned jobs) {
    RepositoryChange change;
    change.files.resize(head.files.size());
    auto position = [](const Tree& tree, const std::string& path) {
        const auto it =
            std::lower_bound(tree.files.begin(), tree.files.end(), path,
                             [](const File& file, const std::string& wanted) { return file.path < wanted; });
        return it != tree.files.end() && it->path == path ? static_cast<std::size_t>(it - tree.files.begin())
                                                          : tree.files.size();
    };
    parallel_for(head.files.size(), jobs, [&](std::size_t i) {
        File& after = head.files[i];
        const std::size_t at = position(base, after.path);
        if (at < base.files.size())
            change.files[i] = compare_files(base, base.files[at], head, after);
        else if (!base.is_unlisted(after.path)) // what is in a submodule is not known to be new
            change.files[i].kind = FileChange::Kind::added;
    });
    for (const File& before : base.files)
        if (position(head, before.path) == head.files.size() && !head.is_unlisted(before.path))
            change.removed.push_back(before.path);
    return change;
}

bool touches(const RepositoryChange& change, Place place, Locator& locator) {
    if (place.file >= change.files.size()) return false;
    const FileChange& file = change.files[place.file];
    if (file.kind != FileChange::Kind::changed) return file.kind == FileChange::Kind::added;
    const Location at = locator.locate(place);
    // A span that ends with a line break ends on that line.
    const std::uint32_t last = at.end.column == 1 && at.end.line > at.begin.line ? at.end.line - 1 : at.end.line;
    return std::any_of(file.lines.begin(), file.lines.end(),
                       [&](const LineRange& range) { return range.first <= last && at.begin.line <= range.last; });
}

bool touches(const RepositoryChange& change, const Finding& finding, Locator& locator) {
    return touches(change, finding.place, locator) ||
           std::any_of(finding.related.begin(), finding.related.end(),
                       [&](const Related& related) { return touches(change, related.place, locator); });
}

void move_to_change(Finding& finding, const RepositoryChange& change, Locator& locator) {
    if (touches(change, finding.place, locator)) return;
    const auto side = std::find_if(finding.related.begin(), finding.related.end(),
                                   [&](const Related& related) { return touches(change, related.place, locator); });
    if (side == finding.related.end()) return;
    const Place primary = finding.place;
    finding.place = side->place;
    finding.related.erase(side);
    finding.related.insert(finding.related.begin(), {primary, std::string(moved)});
}

std::vector<Suppression> added_suppressions(const std::vector<Suppression>& head, Locator& head_locator,
                                            const std::vector<Suppression>& base, Locator& base_locator) {
    std::map<std::string, std::size_t> there; // one of two alike may be new
    for (const Suppression& one : base)
        if (one.problem.empty()) ++there[identity(one, base_locator)];
    std::vector<Suppression> added;
    for (const Suppression& one : head) {
        if (!one.problem.empty()) continue; // it does not count, and is a finding
        const auto found = there.find(identity(one, head_locator));
        if (found != there.end() && found->second > 0)
            --found->second;
        else
            added.push_back(one);
    }
    return added;
}

} // namespace lockstep
