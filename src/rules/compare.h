// Comparisons over cells: yes, no, or unknown where a template hides the value. A rule never guesses.
#pragma once
#include "rules/rule.h"
#include <functional>

namespace lockstep {

enum class Truth : std::uint8_t { no, yes, unknown };

// `right` is not looked at where the right side is a literal, or the operator takes none.
Truth holds(const Comparison& comparison, const Cell& left, const Cell& right);

// Of `any`: one of its lists holds; `ask` decides a single comparison.
Truth any_holds(const Comparison& comparison, const std::function<Truth(const Comparison&)>& ask);

// `*.example.org` is the same as `a.example.org`; one label, as in Kubernetes and certificates.
bool is_same_host(std::string_view a, std::string_view b);
std::string wildcard_of(std::string_view host); // `*.example.org` of `a.example.org`; empty without a dot

// The side of an ordered comparison that is known and is no version (or no range): `latest` under `<=`. Null when both
// can be compared, or a template hides the value.
const Operand* unreadable_side(const Comparison& comparison, const Cell& left, const Cell& right);

// Whether the fact's `where` keeps the row; `unsure` where that cannot be told.
bool keeps(const FactSpec& fact, const Row& row, bool& unsure);
// False when one of the fact's `where` comparisons keeps the row out; marks it unsure where that cannot be told.
bool belongs(const FactSpec& fact, Row& row);

// A value in the form in which equal values are equal text: `v1.2.3` and `1.2.3` as versions, `x/` and `x` as urls.
std::string normalised(std::string_view text, Reading reading);

} // namespace lockstep
