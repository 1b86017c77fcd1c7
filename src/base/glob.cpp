// Says which paths a pattern takes: a cheap look for its fixed parts first, the compiled steps only when that fits.
#include "base/glob.h"
#include "base/glob_program.h"
#include <algorithm>

namespace lockstep {

struct Glob::Program {
    std::string pattern;
    GlobProgram code;
};

namespace {

// Most patterns are asked about most paths, and nearly all answers are no.
bool may_fit(const GlobProgram& code, std::string_view path) {
    if (!path.starts_with(code.prefix)) return false;
    const bool ends = std::any_of(code.suffixes.begin(), code.suffixes.end(), [&](const std::string& suffix) {
        if (!suffix.empty() && (path.empty() || path.back() != suffix.back())) return false;
        if (code.only_suffixes) return path == suffix;
        return path.size() >= code.prefix.size() + suffix.size() && path.ends_with(suffix);
    });
    return ends && (code.middle.empty() || path.find(code.middle) != std::string_view::npos);
}

} // namespace

Glob::Glob() = default;
Glob::~Glob() = default;
Glob::Glob(Glob&&) noexcept = default;
Glob& Glob::operator=(Glob&&) noexcept = default;
Glob::Glob(const Glob&) = default;
Glob& Glob::operator=(const Glob&) = default;

Result<Glob> Glob::compile(std::string_view pattern) {
    auto code = compile_glob(pattern);
    if (!code) return code.error();
    Glob glob;
    glob.program_ = std::make_shared<const Program>(Program{std::string(pattern), std::move(*code)});
    return glob;
}

bool Glob::matches(std::string_view path) const {
    const GlobProgram& code = program_->code;
    if (!may_fit(code, path)) return false;
    if (code.only_suffixes || code.ends_decide) return true;
    std::vector<GlobSpan> spans;
    std::size_t work = 0;
    return run_glob(code, path, spans, work);
}

bool Glob::match(std::string_view path, std::vector<std::string>& captures) const {
    const GlobProgram& code = program_->code;
    std::vector<GlobSpan> spans;
    std::size_t work = 0;
    if (!may_fit(code, path) || !run_glob(code, path, spans, work)) return false;
    captures.clear();
    for (const GlobSpan& span : spans)
        captures.emplace_back(span.begin == std::string_view::npos ? std::string_view{}
                                                                   : path.substr(span.begin, span.end - span.begin));
    return true;
}

const std::vector<std::string>& Glob::capture_names() const {
    return program_->code.names;
}

const std::string& Glob::pattern() const {
    return program_->pattern;
}

} // namespace lockstep
