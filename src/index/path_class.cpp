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

bool is_task_path(std::string_view path) {
    const std::string_view name = file_name_of(path);
    for (std::string_view whole : {"Makefile", "GNUmakefile", "makefile", "justfile", ".justfile", "Justfile"})
        if (name == whole) return true;
    return name.ends_with(".mk") || name.ends_with(".just") || name.starts_with("Taskfile") ||
           path.starts_with(".taskfiles/") || path.find("/.taskfiles/") != std::string_view::npos;
}

} // namespace lockstep
