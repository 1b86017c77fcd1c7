// Lines and columns for the places that a report shows; a file's line table is built when its first place is asked for.
#include "tree/locate.h"
#include <algorithm>

namespace lockstep {

const LineTable& Locator::table(FileId file) {
    return tables_.try_emplace(file, std::string_view(tree_.files[file].text)).first->second;
}

Location Locator::locate(Place place) {
    if (place.file >= tree_.files.size()) return {};
    const File& file = tree_.files[place.file];
    if (file.text.empty()) return {file.path, {}, {}};
    const LineTable& lines = table(place.file);
    // A span that was counted in other bytes must not take the report down.
    auto size = static_cast<std::uint32_t>(file.text.size());
    std::uint32_t begin = std::min(place.span.begin, size);
    std::uint32_t end = std::clamp(place.span.end, begin, size);
    return {file.path, lines.position(begin), lines.position(end)};
}

std::string_view Locator::text(FileId file) const {
    return file < tree_.files.size() ? std::string_view(tree_.files[file].text) : std::string_view();
}

std::string_view Locator::line(FileId file, std::uint32_t number) {
    if (file >= tree_.files.size() || tree_.files[file].text.empty() || number == 0) return {};
    const LineTable& lines = table(file);
    return number > lines.line_count() ? std::string_view{} : lines.line(number);
}

} // namespace lockstep
