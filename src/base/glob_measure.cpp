// Reads from a pattern's steps what every fitting path must have, so that most paths are refused without running them.
#include "base/glob_program.h"
#include <algorithm>

namespace lockstep {

namespace {

using Kind = GlobStep::Kind;

// More endings than this cost more to compare than they save.
constexpr std::size_t max_suffixes = 16;

struct Tail {
    int bytes = 0, slashes = 0; // -1 where ways differ
    std::vector<std::string> suffixes = {""};
    bool whole = true; // the suffixes are all there is
};

int together(int a, int b) {
    return a < 0 || b < 0 ? -1 : a + b;
}

Tail either(const Tail& a, const Tail& b) {
    Tail result;
    result.bytes = a.bytes == b.bytes ? a.bytes : -1;
    result.slashes = a.slashes == b.slashes ? a.slashes : -1;
    result.suffixes = a.suffixes;
    result.suffixes.insert(result.suffixes.end(), b.suffixes.begin(), b.suffixes.end());
    result.whole = a.whole && b.whole;
    if (result.suffixes.size() > max_suffixes) {
        result.suffixes = {""};
        result.whole = false;
    }
    return result;
}

// The longest literal that no choice goes around and that is not looked for at the ends already.
std::string middle_of(const GlobProgram& program) {
    std::string_view longest;
    for (std::size_t i = 0; program.steps[i].kind != Kind::end;) {
        const GlobStep& step = program.steps[i];
        if (step.kind == Kind::split && step.end - step.begin > 1) {
            i = program.steps[program.targets[step.begin + 1] - 1U].begin; // where the first branch jumps to
            continue;
        }
        if (step.kind == Kind::literal && i > 0 && step.bytes_behind != 0 && step.end - step.begin > longest.size())
            longest = std::string_view(program.text).substr(step.begin, step.end - step.begin);
        ++i;
    }
    return longest == "/" ? std::string() : std::string(longest); // a slash is in nearly every path
}

// `**`, `dir/**`, `**/*.yaml`, `dir/**/*.{yaml,yml}`: what lies between the ends may be anything.
bool ends_decide(const GlobProgram& program, const std::vector<Tail>& tails) {
    const std::vector<GlobStep>& steps = program.steps;
    // One that begins inside of a character fits only where no character is cut.
    for (const std::string& suffix : tails[0].suffixes)
        if (!suffix.empty() && is_continuation(suffix.front())) return false;
    const std::size_t i = steps[0].kind == Kind::literal ? 1 : 0;
    if (steps[i].capture >= 0) return false;
    if (steps[i].kind == Kind::across) return tails[i + 1].whole;
    return steps[i].kind == Kind::folders && steps[i + 1].kind == Kind::in_segment && steps[i + 1].capture < 0 &&
           tails[i + 2].whole && tails[i + 2].slashes == 0;
}

} // namespace

void measure_glob(GlobProgram& program) {
    // Steps only lead forward, so each tail is known before a step that needs it.
    std::vector<Tail> tails(program.steps.size());
    for (std::size_t i = program.steps.size() - 1; i-- > 0;) {
        GlobStep& step = program.steps[i];
        Tail tail = step.kind == Kind::jump ? tails[step.begin] : tails[i + 1];
        step.bytes_behind = tail.bytes;
        step.slashes_behind = tail.slashes;
        if (const GlobStep& next = program.steps[i + 1]; next.kind == Kind::literal)
            step.next_byte = static_cast<unsigned char>(program.text[next.begin]);
        switch (step.kind) {
        case Kind::literal: {
            const std::string_view text = std::string_view(program.text).substr(step.begin, step.end - step.begin);
            tail.bytes = together(tail.bytes, static_cast<int>(text.size()));
            tail.slashes = together(tail.slashes, static_cast<int>(std::count(text.begin(), text.end(), '/')));
            if (tail.whole)
                for (std::string& suffix : tail.suffixes)
                    suffix.insert(0, text);
            break;
        }
        case Kind::split:
            tail = tails[program.targets[step.begin]];
            for (std::uint32_t t = step.begin + 1; t < step.end; ++t)
                tail = either(tail, tails[program.targets[t]]);
            break;
        case Kind::across:
        case Kind::folders:
            tail.slashes = -1;
            [[fallthrough]];
        case Kind::character:
        case Kind::set:
        case Kind::in_segment:
            tail.bytes = -1; // a character may have several bytes
            tail.whole = false;
            break;
        case Kind::jump:
        case Kind::end:
            break;
        }
        tails[i] = std::move(tail);
    }
    program.ends_decide = ends_decide(program, tails);
    program.suffixes = std::move(tails[0].suffixes);
    program.only_suffixes = tails[0].whole;
    program.middle = middle_of(program);
    const GlobStep& first = program.steps[0];
    if (first.kind == Kind::literal) program.prefix = program.text.substr(first.begin, first.end - first.begin);
}

} // namespace lockstep
