// Runs a path through a pattern's steps. What failed once from a place is not tried from there again, so no pattern
// can make this slow.
#include "base/glob_program.h"
#include <algorithm>
#include <array>

namespace lockstep {

namespace {

using Kind = GlobStep::Kind;
constexpr std::size_t none = std::string_view::npos;

class Run {
public:
    Run(const GlobProgram& program, std::string_view path, std::vector<GlobSpan>& captures)
        : program_(program), path_(path), captures_(captures), width_(path.size() + 1),
          words_((program.steps.size() * width_ + 63) / 64) {
        captures_.assign(program.names.size(), GlobSpan{});
        if (words_ > small_.size()) large_.resize(words_);
        failed_ = large_.empty() ? small_.data() : large_.data();
        std::fill_n(failed_, words_, 0U);
    }

    bool from(std::size_t pc, std::size_t at) {
        ++work_;
        if (failed(pc, at)) return false;
        if (go(pc, at)) return true;
        fail(pc, at);
        return false;
    }

    std::size_t work() const { return work_; }

private:
    bool failed(std::size_t pc, std::size_t at) const {
        const std::size_t bit = pc * width_ + at;
        return ((failed_[bit / 64] >> (bit % 64)) & 1U) != 0;
    }
    void fail(std::size_t pc, std::size_t at) {
        const std::size_t bit = pc * width_ + at;
        failed_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }

    bool go(std::size_t pc, std::size_t at) {
        for (;; ++pc) {
            const GlobStep& step = program_.steps[pc];
            switch (step.kind) {
            case Kind::literal: {
                const std::size_t size = step.end - step.begin;
                if (path_.compare(at, size, program_.text, step.begin, size) != 0) return false;
                at += size;
                break;
            }
            case Kind::character:
            case Kind::set:
                if (!character(step, at)) return false;
                break;
            case Kind::in_segment:
                return in_segment(pc, step, at);
            case Kind::across:
                return across(pc, step, at);
            case Kind::folders:
                return folders(pc, step, at);
            case Kind::split:
                return std::any_of(program_.targets.begin() + step.begin, program_.targets.begin() + step.end,
                                   [&](std::uint32_t target) { return from(target, at); });
            case Kind::jump:
                pc = step.begin - 1U; // the loop adds one
                break;
            case Kind::end:
                return at == path_.size();
            }
        }
    }

    bool character(const GlobStep& step, std::size_t& at) const {
        if (at == path_.size() || path_[at] == '/') return false;
        const char32_t c = take_code_point(path_, at);
        if (step.kind == Kind::character) return true;
        const auto begin = program_.ranges.begin();
        const bool listed = std::any_of(begin + step.begin, begin + step.end,
                                        [&](const GlobRange& range) { return range.first <= c && c <= range.last; });
        return listed != step.negated;
    }

    // Inside of a character of several bytes. A byte that goes on nothing is a character of its own.
    bool splits_character(std::size_t at) const {
        if (at == 0 || at >= path_.size() || !is_continuation(path_[at])) return false;
        std::size_t lead = at - 1;
        while (lead > 0 && at - lead < 3 && is_continuation(path_[lead]))
            --lead;
        take_code_point(path_, lead); // moves behind the character that begins there
        return lead > at;
    }

    // Goes on behind a wildcard that took [begin, end); the next step starts at `next`.
    bool take(std::size_t pc, const GlobStep& step, std::size_t begin, std::size_t end, std::size_t next) {
        const int byte = next < path_.size() ? static_cast<unsigned char>(path_[next]) : -1;
        if (step.next_byte >= 0 && byte != step.next_byte) return false;
        if (splits_character(next)) return false;
        if (step.not_empty && begin == end) return false;
        if (step.capture < 0) return from(pc + 1, next);

        const auto index = static_cast<std::size_t>(step.capture);
        GlobSpan& span = captures_[index];
        if (span.begin != none) {
            const std::string_view bound = path_.substr(span.begin, span.end - span.begin);
            return path_.substr(begin, end - begin) == bound && from(pc + 1, next);
        }
        span = {begin, end};
        bool fits = false;
        if (program_.repeated[index]) {
            // What fails under this text may fit under another: failures known from here on count only for it.
            const std::vector<std::uint64_t> outside(failed_, failed_ + words_);
            std::fill_n(failed_, words_, 0U);
            fits = from(pc + 1, next);
            std::copy(outside.begin(), outside.end(), failed_);
        } else {
            fits = from(pc + 1, next);
        }
        if (!fits) span = {};
        return fits;
    }

    bool in_segment(std::size_t pc, const GlobStep& step, std::size_t at) {
        const std::size_t slash = std::min(path_.find('/', at), path_.size());
        if (step.bytes_behind >= 0) {
            const auto behind = static_cast<std::size_t>(step.bytes_behind);
            if (behind > path_.size() - at || path_.size() - behind > slash) return false;
            return take(pc, step, at, path_.size() - behind, path_.size() - behind);
        }
        return longest_first(pc, step, at, slash);
    }

    bool across(std::size_t pc, const GlobStep& step, std::size_t at) {
        if (step.bytes_behind >= 0) {
            const auto behind = static_cast<std::size_t>(step.bytes_behind);
            if (behind > path_.size() - at) return false;
            return take(pc, step, at, path_.size() - behind, path_.size() - behind);
        }
        return longest_first(pc, step, at, path_.size());
    }

    // A step from a later place has the same ends to choose from: where that failed, they are known to fail. Each place
    // is marked as soon as its own ends are tried, which keeps the whole linear. Not so for a repeated name: there it
    // matters what text lies between.
    bool shares_ends(const GlobStep& step) const {
        return step.capture < 0 || !program_.repeated[static_cast<std::size_t>(step.capture)];
    }

    bool longest_first(std::size_t pc, const GlobStep& step, std::size_t at, std::size_t limit) {
        if (step.capture >= 0 && captures_[static_cast<std::size_t>(step.capture)].begin != none) {
            const GlobSpan bound = captures_[static_cast<std::size_t>(step.capture)];
            const std::size_t end = at + (bound.end - bound.begin);
            ++work_;
            return end <= limit && take(pc, step, at, end, end);
        }
        const bool shared = shares_ends(step);
        std::size_t top = at;
        while (top < limit && (top == at || !shared || !failed(pc, top)))
            ++top;
        for (std::size_t end = top + 1; end-- > at;) {
            ++work_;
            if (take(pc, step, at, end, end)) return true;
            if (shared && !step.not_empty) fail(pc, end);
            if (shared && step.not_empty && end > at) fail(pc, end - 1);
        }
        return false;
    }

    bool folders(std::size_t pc, const GlobStep& step, std::size_t at) {
        if (step.slashes_behind >= 0) {
            std::size_t next = path_.size();
            for (int i = 0; i <= step.slashes_behind; ++i) {
                const std::size_t slash = next == 0 ? none : path_.rfind('/', next - 1);
                if (slash == none && i < step.slashes_behind) return false;
                next = slash == none ? 0 : (i < step.slashes_behind ? slash : slash + 1);
            }
            return next >= at && take(pc, step, at, next > at ? next - 1 : at, next);
        }
        const bool shared = shares_ends(step);
        std::size_t next = at;
        for (std::size_t slash = path_.find('/', at); slash != none && !(shared && failed(pc, slash + 1));
             slash = path_.find('/', slash + 1))
            next = slash + 1;
        for (;;) {
            ++work_;
            if (take(pc, step, at, next > at ? next - 1 : at, next)) return true;
            if (shared) fail(pc, next);
            if (next == at) return false;
            const std::size_t slash = next < 2 ? none : path_.rfind('/', next - 2);
            next = slash == none || slash < at ? at : slash + 1;
        }
    }

    const GlobProgram& program_;
    std::string_view path_;
    std::vector<GlobSpan>& captures_;
    std::size_t width_, words_;
    std::array<std::uint64_t, 32> small_;
    std::vector<std::uint64_t> large_;
    std::uint64_t* failed_;
    std::size_t work_ = 0;
};

} // namespace

bool run_glob(const GlobProgram& program, std::string_view path, std::vector<GlobSpan>& captures, std::size_t& work) {
    Run run(program, path, captures);
    const bool fits = run.from(0, 0);
    work += run.work();
    return fits;
}

char32_t take_code_point(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t start = at++;
    const unsigned lead = byte(start);
    const std::size_t more = lead < 0xc2 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
    if (lead < 0x80) return lead;
    char32_t value = lead & (0x3fU >> more);
    for (std::size_t i = 0; i < more; ++i) {
        if (start + 1 + i >= text.size() || !is_continuation(text[start + 1 + i])) return 0x110000U + lead;
        value = (value << 6U) | (byte(start + 1 + i) & 0x3fU);
    }
    if (more == 0) return 0x110000U + lead;
    at = start + 1 + more;
    return value;
}

} // namespace lockstep
