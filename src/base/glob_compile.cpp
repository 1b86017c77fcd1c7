// Reads a path pattern and writes its steps, or says what is wrong with it and where.
#include "base/glob_program.h"
#include <algorithm>

namespace lockstep {

namespace {

using Kind = GlobStep::Kind;

// Deeper or longer than any pattern a person writes; keeps memory and recursion small.
constexpr std::size_t max_length = 1024;
constexpr std::size_t max_captures = 32;

class Compiler {
public:
    explicit Compiler(std::string_view pattern) : pattern_(pattern) {}

    Result<GlobProgram> run() {
        if (pattern_.size() > max_length) return fail(0, "the pattern is longer than 1024 bytes");
        if (pattern_.starts_with("./")) at_ = 2;
        if (pattern_.starts_with('/')) at_ = 1;
        if (at_ == pattern_.size()) return fail(0, "the pattern is empty");
        sequence(false);
        if (!failed_) {
            add({Kind::end});
            measure_glob(program_);
            return std::move(program_);
        }
        return error_;
    }

private:
    Error fail(std::size_t offset, const std::string& what) {
        if (!failed_) {
            const auto column = LineTable(pattern_).position(static_cast<std::uint32_t>(offset)).column;
            error_.message =
                "bad pattern `" + std::string(pattern_) + "`, column " + std::to_string(column) + ": " + what;
            failed_ = true;
        }
        return error_;
    }

    std::size_t add(const GlobStep& step) {
        program_.steps.push_back(step);
        joinable_ = false;
        return program_.steps.size() - 1;
    }

    void literal(std::string_view bytes) {
        if (!joinable_) {
            GlobStep step{Kind::literal};
            step.begin = step.end = static_cast<std::uint32_t>(program_.text.size());
            add(step);
        }
        if (choices_ > 0 && bytes == "/") floats_ = true; // branches of several depths
        program_.text += bytes;
        program_.steps.back().end = static_cast<std::uint32_t>(program_.text.size());
        joinable_ = true;
        fresh_ = bytes.back() == '/';
    }

    bool done(bool in_choice) const {
        return failed_ || at_ == pattern_.size() || (in_choice && (pattern_[at_] == ',' || pattern_[at_] == '}'));
    }

    void sequence(bool in_choice) {
        while (!done(in_choice)) {
            const std::size_t start = at_;
            switch (pattern_[at_]) {
            case '*':
                stars();
                break;
            case '?':
                ++at_;
                add({Kind::character});
                fresh_ = false;
                break;
            case '[':
                set();
                break;
            case '{':
                braces();
                break;
            case '}':
                fail(start, "`}` without `{` (write `\\}` for the character)");
                break;
            case '\\':
                if (++at_ == pattern_.size()) {
                    fail(start, "`\\` at the end");
                    break;
                }
                [[fallthrough]];
            default:
                literal(pattern_.substr(at_++, 1));
            }
        }
    }

    void stars() {
        const std::size_t start = at_;
        while (at_ < pattern_.size() && pattern_[at_] == '*')
            ++at_;
        const bool slash = at_ < pattern_.size() && pattern_[at_] == '/';
        if (at_ - start == 1) {
            add({Kind::in_segment});
            fresh_ = false;
        } else if (fresh_ && slash) {
            ++at_;
            add({Kind::folders});
        } else {
            add({Kind::across});
            fresh_ = false;
        }
        floats_ = floats_ || at_ - start > 1;
    }

    char32_t set_member(std::size_t start) {
        if (pattern_[at_] == '\\') ++at_;
        if (at_ == pattern_.size()) {
            fail(start, "`[` without `]`");
            return 0;
        }
        return take_code_point(pattern_, at_);
    }

    void set() {
        const std::size_t start = at_++;
        GlobStep step{Kind::set};
        step.begin = static_cast<std::uint32_t>(program_.ranges.size());
        if (at_ < pattern_.size() && (pattern_[at_] == '!' || pattern_[at_] == '^')) {
            step.negated = true;
            ++at_;
        }
        for (const std::size_t first = at_; at_ == first || pattern_[at_] != ']';) {
            if (at_ < pattern_.size() && pattern_.substr(at_, 2) == "[:")
                fail(at_, "named classes such as `[:alpha:]` are not known here");
            if (at_ == pattern_.size()) fail(start, "`[` without `]`");
            if (failed_) return;
            const std::size_t member = at_;
            GlobRange range;
            range.first = range.last = set_member(start);
            if (at_ + 1 < pattern_.size() && pattern_[at_] == '-' && pattern_[at_ + 1] != ']') {
                ++at_;
                range.last = set_member(start);
                if (range.last < range.first) fail(member, "the range runs backwards");
            }
            if (at_ == pattern_.size()) fail(start, "`[` without `]`");
            if (failed_) return;
            program_.ranges.push_back(range);
        }
        ++at_;
        step.end = static_cast<std::uint32_t>(program_.ranges.size());
        add(step);
        fresh_ = false;
    }

    // The `]` of the set that begins there, as set() finds it; the `[` itself when it has none.
    std::size_t end_of_set(std::size_t begin) const {
        std::size_t i = begin + 1;
        if (i < pattern_.size() && (pattern_[i] == '!' || pattern_[i] == '^')) ++i;
        for (const std::size_t first = i; i < pattern_.size(); ++i) {
            if (pattern_[i] == ']' && i != first) return i;
            if (pattern_[i] == '\\') ++i;
        }
        return begin;
    }

    // `{` opens a choice when it has a comma at its own level, otherwise a capture.
    void braces() {
        std::size_t depth = 0, i = at_;
        bool comma = false;
        for (; i < pattern_.size(); ++i) {
            const char c = pattern_[i];
            if (c == '\\') ++i;
            if (c == '[') i = end_of_set(i);
            if (c == '{') ++depth;
            if (c == ',' && depth == 1) comma = true;
            if (c == '}' && --depth == 0) break;
        }
        if (i >= pattern_.size())
            fail(at_, "`{` without `}`");
        else if (comma)
            choice();
        else
            capture(i);
    }

    void choice() {
        const std::size_t start = at_;
        const std::size_t split = add({Kind::split});
        const bool was_fresh = fresh_;
        bool all_fresh = true;
        std::vector<std::uint32_t> targets;
        std::vector<std::size_t> jumps;
        const std::vector<NameUse> before = uses_;
        std::vector<NameUse> after;
        ++choices_;
        do {
            ++at_; // the `{` or the `,`
            fresh_ = was_fresh;
            uses_ = before;
            joinable_ = false;
            targets.push_back(static_cast<std::uint32_t>(program_.steps.size()));
            sequence(true);
            all_fresh = all_fresh && fresh_;
            jumps.push_back(add({Kind::jump}));
            join(after, uses_, jumps.size() == 1);
        } while (!failed_ && at_ < pattern_.size() && pattern_[at_] == ',');
        if (at_ == pattern_.size()) fail(start, "`{` without `}`");
        if (failed_) return;
        ++at_;
        --choices_;
        uses_ = std::move(after);
        for (const std::size_t jump : jumps)
            program_.steps[jump].begin = static_cast<std::uint32_t>(program_.steps.size());
        program_.steps[split].begin = static_cast<std::uint32_t>(program_.targets.size());
        program_.targets.insert(program_.targets.end(), targets.begin(), targets.end());
        program_.steps[split].end = static_cast<std::uint32_t>(program_.targets.size());
        fresh_ = all_fresh;
    }

    void capture(std::size_t close) {
        std::string_view name = pattern_.substr(at_ + 1, close - at_ - 1);
        const bool segments = name.ends_with("**");
        if (segments) name.remove_suffix(2);
        const bool clean = std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
        if (name.empty()) fail(at_, "a capture needs a name, `{name}` (write `\\{` for the character)");
        if (!clean)
            fail(at_, std::string("`").append(name).append(
                          "` is not a name: letters, digits, `_` and `-` (a choice needs a comma)"));

        GlobStep step{Kind::in_segment};
        const bool slash = close + 1 < pattern_.size() && pattern_[close + 1] == '/';
        if (segments) {
            if (!fresh_ || (!slash && close + 1 != pattern_.size()))
                fail(at_, std::string("`{").append(name).append("**}` takes whole segments: put it between slashes"));
            step.kind = slash ? Kind::folders : Kind::across;
        }
        step.not_empty = step.kind != Kind::folders;
        auto known = std::find(program_.names.begin(), program_.names.end(), name);
        step.capture = static_cast<int>(known - program_.names.begin());
        if (known == program_.names.end() && program_.names.size() == max_captures)
            fail(at_, "more than 32 captures");
        else if (known == program_.names.end()) {
            program_.names.emplace_back(name);
            program_.repeated.push_back(false);
        }
        if (failed_) return;
        note_use(static_cast<std::size_t>(step.capture), fresh_ && (slash || close + 1 == pattern_.size()));
        at_ = close + (segments && slash ? 2 : 1);
        add(step);
        fresh_ = segments && slash;
        floats_ = floats_ || segments;
    }

    // How a name is used on the paths that lead to where the compiler is.
    struct NameUse {
        bool perhaps = false, surely = false; // some way, every way has it
        bool loose = false, floats = false;   // it may take its text as a part of a segment; at several depths
    };

    // A name that appears twice is tried with every text it can take where it comes first. Those must be few: whole
    // segments, and with `**` in front, where every segment of the path is one, those of a single name.
    void note_use(std::size_t name, bool whole) {
        if (uses_.size() <= name) uses_.resize(name + 1);
        NameUse& one = uses_[name];
        const std::string shown = "`{" + program_.names[name] + "}` appears twice: ";
        if (!one.surely) {
            one.loose = one.loose || !whole;
            one.floats = one.floats || floats_;
        }
        if (one.perhaps) {
            if (one.loose) fail(at_, shown + "where it comes first, it must be a whole segment");
            if (one.floats && floating_ >= 0 && floating_ != static_cast<int>(name))
                fail(at_, shown + "after `**` only one name may");
            if (one.floats) floating_ = static_cast<int>(name);
            program_.repeated[name] = true;
        }
        one.perhaps = one.surely = true;
    }

    static void join(std::vector<NameUse>& all, const std::vector<NameUse>& branch, bool first) {
        const std::size_t size = std::max(all.size(), branch.size());
        all.resize(size);
        for (std::size_t i = 0; i < size; ++i) {
            const NameUse here = i < branch.size() ? branch[i] : NameUse();
            all[i] = {all[i].perhaps || here.perhaps, (first || all[i].surely) && here.surely,
                      all[i].loose || here.loose, all[i].floats || here.floats};
        }
    }

    std::string_view pattern_;
    std::size_t at_ = 0;
    bool fresh_ = true;     // a segment starts here
    bool joinable_ = false; // the last step is a literal that may grow
    bool failed_ = false;
    bool floats_ = false; // what is here may be at several depths of a path
    int choices_ = 0;     // that are open
    int floating_ = -1;   // the name that appears twice after `**`
    std::vector<NameUse> uses_;
    Error error_;
    GlobProgram program_;
};

} // namespace

Result<GlobProgram> compile_glob(std::string_view pattern) {
    return Compiler(pattern).run();
}

} // namespace lockstep
