// The tables of rules/data that a build needs, read from what the program carries with it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

using DataRow = std::vector<std::string>;
// Rows in file order; empty when there is no such table, which only a broken build can cause.
std::vector<DataRow> data_table(std::string_view name);

} // namespace lockstep
