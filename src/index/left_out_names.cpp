// Reads series, commented entries and head comments.
#include "index/left_out_names.h"
#include <algorithm>
#include <cctype>

namespace lockstep {
namespace {

std::string_view without_ending(std::string_view name) {
    for (std::string_view ending : {".yaml", ".yml"})
        if (name.ends_with(ending)) name.remove_suffix(ending.size());
    return name;
}

std::vector<std::string_view> words_of(std::string_view name) {
    std::vector<std::string_view> words;
    name = without_ending(name);
    while (!name.empty()) {
        const std::size_t end = std::min(name.find_first_of("-_."), name.size());
        if (end > 0) words.push_back(name.substr(0, end));
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return words;
}

// The next line, without its end.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

} // namespace

SeriesName series_name(std::string_view file_name) {
    SeriesName made{without_ending(file_name)};
    const std::size_t last = made.stem.find_last_not_of("0123456789");
    if (last == std::string_view::npos || last + 1 == made.stem.size() || made.stem.size() - last > 6) return made;
    made.number = 0;
    for (char digit : made.stem.substr(last + 1))
        made.number = made.number * 10 + static_cast<unsigned>(digit - '0');
    std::string_view stem = made.stem.substr(0, last + 1);
    if (stem.size() > 2 && stem.ends_with('v') && std::string_view("-_.").find(stem[stem.size() - 2]) != stem.npos) {
        made.version = true;
        stem.remove_suffix(1);
    }
    while (stem.size() > 1 && std::string_view("-_.").find(stem.back()) != stem.npos)
        stem.remove_suffix(1);
    made.stem = stem;
    return made;
}

std::vector<std::string_view> commented_entries(std::string_view text) {
    std::vector<std::string_view> found;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (!line.starts_with('#')) continue;
        line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
        if (!line.starts_with("- ")) continue;
        line.remove_prefix(std::min(line.find_first_not_of("- \t\"'"), line.size()));
        line = line.substr(0, line.find_first_of(" \t\"'#"));
        if (!line.empty()) found.push_back(line);
    }
    return found;
}

// `# moved to ...`: a sentence, no entry.
std::string said_to_be_left_out(std::string_view text) {
    while (!text.empty()) {
        std::string_view line = take_line(text);
        const std::size_t mark = line.find('#');
        if (mark == std::string_view::npos) continue;
        std::string lower(line.substr(mark));
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        for (std::string_view word : {" moved ", " removed ", " disabled ", " replaced ", " deprecated "})
            if ((lower + ' ').find(word) != std::string::npos) return std::string(word.substr(1, word.size() - 2));
    }
    return {};
}

// `# the PVC already exists, it is not managed here`: a comment that says so of this name.
std::string said_to_be_made_by_hand(std::string_view text, std::string_view name) {
    std::string wanted(name);
    const auto lower_all = [](std::string& words) {
        std::transform(words.begin(), words.end(), words.begin(), [](unsigned char c) {
            return std::isalnum(c) || c == '-' ? static_cast<char>(std::tolower(c)) : ' ';
        });
        words = " " + words + " ";
    };
    lower_all(wanted);
    while (!text.empty()) {
        std::string_view line = take_line(text);
        const std::size_t mark = line.find('#');
        if (mark == std::string_view::npos) continue;
        std::string said(line.substr(mark));
        lower_all(said);
        if (said.find(wanted) == std::string::npos) continue;
        for (std::string_view phrase :
             {" already exist ", " already exists ", " not managed ", " by hand ", " manually "})
            if (said.find(phrase) != std::string::npos) return std::string(phrase.substr(1, phrase.size() - 2));
    }
    return {};
}

bool are_much_alike(std::string_view a, std::string_view b) {
    const auto left = words_of(a), right = words_of(b);
    std::size_t common = 0;
    for (std::string_view word : left)
        if (std::find(right.begin(), right.end(), word) != right.end()) ++common;
    return common > 1 && 3 * common >= 2 * std::max(left.size(), right.size());
}

bool head_names_kustomization(std::string_view text) {
    while (!text.empty()) {
        std::string_view line = take_line(text);
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos || line == "---") continue;
        if (line[first] != '#') return false;
        if (line.find("$schema") != std::string_view::npos) continue;
        std::string lower(line);
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (lower.find("kustomization") != std::string::npos) return true;
    }
    return false;
}

std::string_view word_for_put_aside(std::string_view name) {
    constexpr std::string_view words[] = {"archive",    "archived", "old", "disabled",
                                          "deprecated", "unused",   "bak", "obsolete"};
    while (!name.empty()) {
        const std::size_t end = std::min(name.find_first_of("-_./"), name.size());
        const std::string_view word = name.substr(0, end);
        if (std::find(std::begin(words), std::end(words), word) != std::end(words)) return word;
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return {};
}

} // namespace lockstep
