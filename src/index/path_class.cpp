// Classes of files by name.
#include "index/path_class.h"
#include "tree/tree.h"

namespace lockstep {

bool is_script_path(std::string_view path) {
    const std::string_view name = file_name_of(path);
    for (std::string_view whole : {"Makefile", "justfile", ".justfile", "Justfile"})
        if (name == whole) return true;
    for (std::string_view ending : {".sh", ".bash", ".tf", ".tofu", ".tfvars", ".hcl", ".py", ".just"})
        if (name.ends_with(ending)) return true;
    return false;
}

} // namespace lockstep
