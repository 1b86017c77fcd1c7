// What a plain scalar means to the go-yaml that Helm reads and writes with (YAML 1.1: yes, on and 0777 included).
#pragma once
#include "helm/go_value.h"

namespace lockstep {

enum class ScalarMeaning : std::uint8_t { string, null, boolean, integer, natural, number, timestamp, merge };

struct PlainScalar {
    ScalarMeaning meaning = ScalarMeaning::string;
    bool boolean = false;
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    double number = 0;
};

PlainScalar resolve_plain(std::string_view text);
bool is_base60(std::string_view text); // 12:30:45, a number in YAML 1.1

} // namespace lockstep
