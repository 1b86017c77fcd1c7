// The tables of rules/data that models read themselves, from what the program carries with it. Those of rules are
// facts.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

using DataRow = std::vector<std::string>;
// Rows in file order; empty when there is no such table, which only a broken build can cause.
std::vector<DataRow> data_table(std::string_view name);

} // namespace lockstep
