// What a path alone tells: whether a script is there, and of which kind.
#pragma once
#include <string_view>

namespace lockstep {

// Scripts, files of make and just, and those of Terraform.
bool is_script_path(std::string_view path);
// Files of make, just and Task: a command on each line.
bool is_task_path(std::string_view path);

} // namespace lockstep
