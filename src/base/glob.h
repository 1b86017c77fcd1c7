// Path patterns of rules, configs and ignore files. `*` stays in a segment, `**` crosses segments, `{name}` captures
// one segment or a part of one, `{name**}` captures one or more whole segments, `{a,b}` is a choice, `[a-z]` a class,
// `?` one character. The pattern must fit the whole path from the root.
//
// `**/` and `{name**}/` also fit no segment at all, so `{dir**}/Chart.yaml` takes Chart.yaml at the root with an empty
// `dir`; `dir/**` is everything below dir. A choice may hold any other pattern (`*.{yaml,yml}`, `{a/*,b}/c`); a capture
// in a branch that was not taken is empty. `*` may be empty, `{name}` may not. Where a path fits in several ways, what
// is first takes as much as it can. `\` takes away the meaning of the next character. A leading `/` or `./` is the
// root. A name may appear twice and then takes the same text; where it is first it must be a whole segment, and
// behind
// `**` only one name may. Matching takes time in proportion to pattern times path, with such a name times the depth.
#pragma once
#include "base/result.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

class Glob {
public:
    static Result<Glob> compile(std::string_view pattern);
    bool matches(std::string_view path) const;
    // On a match fills `captures` in the order of capture_names(). A name used twice must capture the same text.
    bool match(std::string_view path, std::vector<std::string>& captures) const;
    const std::vector<std::string>& capture_names() const;
    const std::string& pattern() const;
    ~Glob();
    Glob(Glob&&) noexcept;
    Glob& operator=(Glob&&) noexcept;
    Glob(const Glob&);
    Glob& operator=(const Glob&);

private:
    Glob();
    struct Program;
    std::shared_ptr<const Program> program_;
};

} // namespace lockstep
