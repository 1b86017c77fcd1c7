// From actions to blocks: which define an action is in, whether a condition surrounds it, and whom it calls.
#include "index/template_blocks.h"
#include "base/text.h"

namespace lockstep {
namespace {

// Behind the next whole word of that text; npos when there is none.
std::size_t behind_word(std::string_view text, std::string_view word, std::size_t from) {
    for (std::size_t at = text.find(word, from); at != npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.' && text[at - 1] != '$')) &&
            (end == text.size() || !is_word(text[end])))
            return end;
    }
    return npos;
}

// A string right behind `at` and blanks.
Span quoted_behind(std::string_view text, std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    if (at >= text.size() || (text[at] != '"' && text[at] != '`')) return {};
    const std::size_t end = text.find(text[at], at + 1);
    if (end == npos) return {};
    return {static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(end)};
}

std::string_view cut(std::string_view text, Span span) {
    return text.substr(span.begin, span.end - span.begin);
}

// The same text with the insides of its strings blanked: a word in there calls nothing.
std::string without_strings(std::string_view text) {
    std::string plain(text);
    for (std::size_t at = 0; at < plain.size(); ++at) {
        const char quote = plain[at];
        if (quote != '"' && quote != '`') continue;
        for (++at; at < plain.size() && plain[at] != quote; ++at) {
            if (plain[at] == '\\' && quote == '"' && at + 1 < plain.size()) plain[at++] = ' ';
            plain[at] = ' ';
        }
    }
    return plain;
}

struct BlockReader {
    FileId file;
    std::string_view text;
    std::vector<TemplateAction> actions;
    std::vector<TemplateBlock> blocks;

    Place placed(std::size_t base, Span span) const {
        const auto shift = static_cast<std::uint32_t>(base);
        return {file, {span.begin + shift, span.end + shift}};
    }

    void take_calls(const TemplateAction& action, bool guarded, TemplateBlock& block) const {
        const std::string_view body = text.substr(action.begin, action.end - action.begin);
        const std::string plain = without_strings(body);
        if (behind_word(plain, "and", 0) != npos || behind_word(plain, "or", 0) != npos) guarded = true;
        for (std::string_view word : {"include", "template"})
            for (std::size_t at = behind_word(plain, word, 0); at != npos; at = behind_word(plain, word, at)) {
                Span name = quoted_behind(body, at);
                if (name == Span{}) {
                    // (print $.Template.BasePath "/x.yaml"): a file of this chart
                    const std::size_t close = std::min(body.find(')', at), body.size());
                    const std::size_t base = body.find("Template.BasePath", at);
                    if (base < close) name = quoted_behind(body, base + std::string_view("Template.BasePath").size());
                    if (name == Span{} || !cut(body, name).starts_with('/')) continue;
                }
                block.calls.push_back({std::string(cut(body, name)), placed(action.begin, name), guarded});
            }
    }

    std::vector<TemplateBlock> run(std::string_view below_templates) {
        blocks.push_back({"/" + std::string(below_templates), {file, {}}, {}});
        struct Open {
            std::size_t block; // that actions belong to
            bool guarded;
        };
        std::vector<Open> open{{0, false}};
        for (const TemplateAction& action : actions) {
            if (action.kind == TemplateAction::Kind::comment) continue;
            const std::string_view body = text.substr(action.begin, action.end - action.begin);
            if (!action.opens) {
                if (action.opener != TemplateAction::none && !action.otherwise) {
                    if (open.size() > 1) open.pop_back();
                    continue;
                }
                take_calls(action, open.back().guarded || action.otherwise, blocks[open.back().block]);
                continue;
            }
            const std::size_t word = std::min(behind_word(body, "define", 0), behind_word(body, "block", 0));
            if (action.defines || (word != npos && word < 12)) {
                const Span name = quoted_behind(body, word == npos ? 0 : word);
                blocks.push_back({std::string(cut(body, name)), placed(action.begin, name), {}});
                open.push_back({blocks.size() - 1, false});
                continue;
            }
            take_calls(action, open.back().guarded, blocks[open.back().block]); // the condition itself always runs
            open.push_back({open.back().block, true});
        }
        return std::move(blocks);
    }
};

} // namespace

std::vector<TemplateBlock> template_blocks(FileId file, std::string_view text, std::string_view below_templates) {
    return BlockReader{file, text, go_actions(text), {}}.run(below_templates);
}

} // namespace lockstep
