// Changes every word of every chart in tests/helm/provenance, one at a time: each line of the output that differs must
// name the line that was changed, among the places that `build --places` prints: before the change and after it.
#include "chart_folder.h"
#include "helm/line_places.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

using Files = std::map<std::string, std::string>;

struct Output {
    struct Line {
        std::string text; // behind the template's name
        std::vector<std::string> places;
        std::vector<SourceLines> at;
        std::vector<std::string> files;
    };
    std::vector<Line> lines;
    std::string failure;
};

Output rendered(const Files& files) {
    ChartRendering rendering;
    Output out;
    Result<LoadedChart*> loaded = load_chart(rendering.arena, rendering.store, memory_reader(files));
    if (!loaded) return {{}, loaded.error().message};
    rendering.chart = *loaded;
    render_chart(rendering, make_map(rendering.arena), {});
    if (rendering.failure) return {{}, rendering.failure->message};
    LinePlacer placer(rendering);
    for (const RenderedManifest& manifest : rendering.manifests)
        for (const PlacedLine& line : placer.lines(manifest)) {
            if (line.text.find_first_not_of(' ') == std::string_view::npos) continue;
            Output::Line made{manifest.template_path + "| " + std::string(line.text), {}, line.places, {}};
            for (const SourceLines place : line.places) {
                made.places.push_back(placer.name(place));
                made.files.push_back(rendering.store.sources.paths[place.file]);
            }
            out.lines.push_back(std::move(made));
        }
    return out;
}

struct Edit {
    std::string file;
    std::uint32_t line = 0;
    std::size_t at = 0, size = 0; // in the file
    std::string to;
};

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string other_word(const std::string& word) {
    if (word == "true") return "false";
    if (word == "false") return "true";
    if (word.find_first_not_of("0123456789") == std::string::npos && word.size() < 9)
        return std::to_string(std::stoi(word) + 1);
    return word + "q";
}

// Every word of a text without actions.
void edit_words(const std::string& file, const std::string& text, std::size_t begin, std::size_t end,
                std::uint32_t line, std::vector<Edit>& edits) {
    for (std::size_t at = begin; at < end;) {
        if (!in_word(text[at])) {
            if (text[at] == '#' && (at == begin || text[at - 1] == ' ')) return; // a comment
            ++at;
            continue;
        }
        const std::size_t from = at;
        while (at < end && in_word(text[at]))
            ++at;
        edits.push_back({file, line, from, at - from, other_word(text.substr(from, at - from))});
    }
}

// Inside an action: each literal, each path, each condition.
void edit_action(const std::string& file, const std::string& text, std::size_t begin, std::size_t end,
                 std::uint32_t line, std::vector<Edit>& edits) {
    const std::string_view action = std::string_view(text).substr(begin, end - begin);
    constexpr std::string_view opens = " if ";
    if (const std::size_t at = action.find(opens); at != std::string_view::npos) {
        const std::size_t from = begin + at + opens.size();
        std::size_t to = end;
        while (text[to - 1] == '-' || text[to - 1] == ' ')
            --to;
        edits.push_back({file, line, from, to - from, "not (" + text.substr(from, to - from) + ")"});
    }
    for (std::size_t at = begin; at < end;) {
        if (text[at] == '"') {
            const std::size_t close = text.find('"', at + 1);
            if (close >= end) return;
            edits.push_back({file, line, close, 0, "q"});
            at = close + 1;
            continue;
        }
        const std::size_t from = at;
        while (at < end && in_word(text[at]))
            ++at;
        if (at == from) {
            ++at;
            continue;
        }
        const std::string word = text.substr(from, at - from);
        if (word[0] >= '0' && word[0] <= '9')
            edits.push_back({file, line, from, word.size(), other_word(word)});
        else if (word == "true" || word == "false")
            edits.push_back({file, line, from, word.size(), other_word(word)});
        else if (from > begin && text[from - 1] == '.' && at < end && text[at] != '.')
            edits.push_back({file, line, at, 0, "q"});
    }
}

std::vector<Edit> edits_of(const std::string& file, const std::string& text) {
    std::vector<Edit> edits;
    const bool is_template = file.find("templates/") != std::string::npos;
    std::uint32_t line = 1;
    bool inside = false;
    for (std::size_t at = 0; at < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        while (is_template && at < end) {
            const std::size_t border = std::min(text.find(inside ? "}}" : "{{", at), end);
            if (inside && text.compare(at, 4, "- /*") != 0) edit_action(file, text, at, border, line, edits);
            if (!inside) edit_words(file, text, at, border, line, edits);
            if (border == end) break;
            inside = !inside;
            at = border + 2;
        }
        if (!is_template) edit_words(file, text, at, end, line, edits);
        at = end + 1;
    }
    return edits;
}

using Lines = std::map<std::string, std::vector<const Output::Line*>>;

Lines by_text(const Output& out) {
    Lines lines;
    for (const Output::Line& line : out.lines)
        lines[line.text].push_back(&line);
    return lines;
}

bool names(const Output::Line& line, const Edit& edit) {
    for (std::size_t i = 0; i < line.at.size(); ++i)
        if (line.files[i] == edit.file && line.at[i].first <= edit.line && edit.line <= line.at[i].last) return true;
    return false;
}

// Lines of `some` that `others` have not, or not as often, and that do not name the edit.
std::size_t unnamed(const Lines& some, const Lines& others, const Edit& edit, std::size_t& changed,
                    std::string& which) {
    std::size_t wrong = 0;
    for (const auto& [text, lines] : some) {
        const auto other = others.find(text);
        const std::size_t there = other == others.end() ? 0 : other->second.size();
        if (lines.size() <= there) continue;
        const std::size_t more = lines.size() - there;
        changed += more;
        const auto named = static_cast<std::size_t>(
            std::count_if(lines.begin(), lines.end(), [&](const auto* line) { return names(*line, edit); }));
        if (named >= more) continue;
        wrong += more - named;
        which += "\n    " + text + "   from";
        for (const std::string& place : lines.front()->places)
            which += " " + place;
    }
    return wrong;
}

struct Tally {
    std::size_t edits = 0, judged = 0, without_effect = 0, refused = 0, only_before = 0, lines = 0;
};

// Takes a key away: of a values file, of a map that a template makes, or those that a chart inside hands up while it is
// on. What is printed without it comes from nowhere, and no byte can name the place.
bool takes_key_away(const Files& files, const Edit& edit) {
    const std::string& text = files.at(edit.file);
    const std::size_t begin = text.rfind('\n', edit.at == 0 ? 0 : edit.at - 1) + 1;
    const std::string line = text.substr(begin, text.find('\n', edit.at) - begin);
    if (edit.file.find("templates/") != std::string::npos) return line.find("set $settings \"added\"") != line.npos;
    return text.compare(edit.at + edit.size, 1, ":") == 0 || line == "  enabled: true";
}

void judge(const Files& files, const Output& before, const Edit& edit, Tally& tally) {
    Files changed = files;
    changed[edit.file].replace(edit.at, edit.size, edit.to);
    ++tally.edits;
    const Output after = rendered(changed);
    if (!after.failure.empty()) {
        ++tally.refused;
        return;
    }
    const Lines old_lines = by_text(before), new_lines = by_text(after);
    std::size_t differ = 0;
    std::string which;
    unnamed(old_lines, new_lines, edit, differ, which);
    std::string fresh;
    const std::size_t named = differ, without_name = unnamed(new_lines, old_lines, edit, differ, fresh);
    // A line that the key's own line made still names it; what a default made of it cannot.
    if (without_name > 0 && without_name <= named && takes_key_away(files, edit))
        ++tally.only_before;
    else
        which += fresh;
    tally.lines += differ;
    ++(differ > 0 ? tally.judged : tally.without_effect);
    const std::string& text = files.at(edit.file);
    const std::size_t begin = text.rfind('\n', edit.at == 0 ? 0 : edit.at - 1) + 1;
    CHECK_MESSAGE(which.empty(), edit.file << ":" << edit.line << " `"
                                           << text.substr(begin, text.find('\n', edit.at) - begin) << "` at "
                                           << edit.at - begin << " -> " << edit.to << which);
}

} // namespace

TEST_CASE("every line of the output that a change of one word moves names the line of the change") {
    namespace fs = std::filesystem;
    const char* root = std::getenv("LOCKSTEP_SOURCE_ROOT");
    const std::string folder = (root ? std::string(root) : std::string(".")) + "/tests/helm/provenance";
    Tally tally;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const ChartReader chart = folder_reader(entry.path().string());
        Files files;
        for (const std::string& name : chart.list())
            files[name] = *chart.read(name);
        const Output before = rendered(files);
        REQUIRE_MESSAGE(before.failure == "", entry.path());
        for (const auto& [name, text] : files)
            if (!name.ends_with("Chart.yaml"))
                for (const Edit& edit : edits_of(name, text))
                    judge(files, before, edit, tally);
    }
    MESSAGE(tally.edits << " edits: " << tally.judged << " judged by " << tally.lines << " lines (in "
                        << tally.only_before << " edits only the lines that were there before name it), "
                        << tally.without_effect << " without effect, " << tally.refused << " refused");
    CHECK(tally.judged >= 1400);
    CHECK(tally.edits == tally.judged + tally.without_effect + tally.refused);
}
