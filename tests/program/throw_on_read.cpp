// Loaded before libyaml: the first file that it is asked to read throws what LOCKSTEP_THROW names.
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string_view>

extern "C" int yaml_parser_initialize(void*) {
    const char* name = std::getenv("LOCKSTEP_THROW");
    const std::string_view what = name ? name : "";
    if (what == "memory") throw std::bad_alloc();
    if (what == "exception") throw std::runtime_error("something unforeseen");
    throw 42;
}
