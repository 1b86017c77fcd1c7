// The columns that every row has, and which rows count.
#include "rules/fact_row.h"
#include "rules/compare.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t common_count = std::size(common_columns);

void resolve_paths(const FactSpec& fact, const FileContext& context, Row& row) {
    for (auto column : fact.resolve) {
        Cell& cell = row.cells[column];
        if (cell.state != State::known) continue;
        if (auto path = join_path(directory_of(context.file.path), cell.text)) cell.text = *path;
    }
}

// `registry:5000/team/app:1.2@sha256:…` into its parts, each with its own place where the text stands as it is.
void split_images(const FactSpec& fact, Row& row) {
    for (const auto& columns : fact.images) {
        const Cell image = row.cells[columns.image];
        row.cells.resize(std::max(row.cells.size(), columns.first + 3));
        const std::string& text = image.text;
        const std::size_t at = std::min(text.find('@'), text.size());
        const std::size_t slash = text.rfind('/', at);
        const std::size_t colon = text.find(':', slash == std::string::npos ? 0 : slash);
        const std::size_t name_end = std::min(colon, at);
        const bool plain = image.place.span.end - image.place.span.begin == text.size();
        const auto part = [&](std::size_t begin, std::size_t end, bool there) {
            Cell cell{there ? image.state : State::absent, {}, image.place};
            if (image.state == State::absent || !there) return cell;
            cell.text = text.substr(begin, end - begin);
            // A template that was masked leaves nothing to tell its parts by.
            const bool visible = text.find("${") != std::string::npos || text.find("{{") != std::string::npos;
            if (image.state == State::templated && visible && cell.text.find_first_of("{}$") == std::string::npos)
                cell.state = State::known;
            if (plain)
                cell.place.span = {static_cast<std::uint32_t>(image.place.span.begin + begin),
                                   static_cast<std::uint32_t>(image.place.span.begin + end)};
            return cell;
        };
        const bool tagged = name_end < at;
        row.cells[columns.first] = part(0, name_end, true);
        row.cells[columns.first + 1] = part(std::min(name_end + 1, at), at, tagged);
        row.cells[columns.first + 2] = part(std::min(at + 1, text.size()), text.size(), at < text.size());
    }
}

} // namespace

Cell known_cell(std::string_view text, Place place) {
    return {State::known, std::string(text), place};
}

bool kind_fits(const FactSpec& fact, const Identity& identity) {
    return std::any_of(fact.kinds.begin(), fact.kinds.end(), [&](const KindSpec& kind) {
        return kind.kind == identity.kind.text && (kind.group.empty() || kind.group == identity.group);
    });
}

bool takes_file(const FactSpec& fact, std::string_view path, std::vector<std::string>& captures) {
    captures.assign(fact.captures.size(), {});
    std::vector<std::string> found;
    const auto taken = std::find_if(fact.files.begin(), fact.files.end(), [&](const Glob& glob) {
        return glob.capture_names().empty() ? glob.matches(path) : glob.match(path, found);
    });
    if (taken == fact.files.end() && !fact.files.empty()) return false;
    if (std::any_of(fact.skip.begin(), fact.skip.end(), [&](const Glob& skip) { return skip.matches(path); }))
        return false;
    if (taken == fact.files.end()) return true;
    for (std::size_t i = 0; i < taken->capture_names().size(); ++i) {
        const auto slot = std::find(fact.captures.begin(), fact.captures.end(), taken->capture_names()[i]);
        captures[static_cast<std::size_t>(slot - fact.captures.begin())] = found[i];
    }
    return true;
}

void add_common(const FileContext& context, const FactSpec& fact, const std::vector<std::string>& captures,
                const Identity& identity, Row& row) {
    const Place whole{context.id, row.anchor.span};
    row.cells.reserve(fact.columns.size());
    for (std::size_t i = 0; i < fact.captures.size(); ++i)
        row.cells.push_back(i < captures.size() ? known_cell(captures[i], whole) : Cell{});
    const std::string_view path = context.file.path;
    const Cell common[common_count] = {
        known_cell(path, whole),
        known_cell(directory_of(path), whole),
        context.chart ? known_cell(context.chart->dir, whole) : Cell{State::absent, {}, whole},
        context.tree.empty() ? Cell{State::absent, {}, whole} : known_cell(context.tree, whole),
        identity.kind,
        identity.name_space,
        identity.name};
    // A fact's own field of the same name has taken the place of the common one.
    const std::size_t own = row.cells.size();
    for (std::size_t i = 0; i < common_count; ++i) {
        const auto column = fact.column(common_columns[i]);
        if (column && *column >= own) row.cells.push_back(common[i]);
    }
}

std::string document_subject(const FileContext& context, const Identity& identity) {
    std::string subject = context.file.path;
    if (identity.kind.state == State::absent) return subject;
    subject += "#" + identity.kind.text + "/";
    if (identity.name_space.state != State::absent) subject += identity.name_space.text + "/";
    return subject + identity.name.text;
}

void finish_row(const FactSpec& fact, std::size_t number, const FileContext& context, Row&& row,
                std::vector<FactRow>& rows) {
    resolve_paths(fact, context, row);
    split_images(fact, row);
    if (!belongs(fact, row)) return;
    for (std::size_t i = 0; i < fact.fields.size(); ++i)
        if (!fact.fields[i].optional && row.cells[i].state == State::absent && row.lost.empty()) {
            row.lost = fact.fields[i].name;
            row.anchor = row.cells[i].place;
        }
    rows.push_back({number, std::move(row)});
}

} // namespace lockstep
