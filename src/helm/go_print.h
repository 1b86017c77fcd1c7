// One value by one verb: what fmt does once it has read the format.
#pragma once
#include "helm/text_builder.h"

namespace lockstep {

struct FormatFlags {
    bool plus = false, minus = false, sharp = false, space = false, zero = false, plus_v = false, sharp_v = false;
    bool has_width = false, has_precision = false;
    int width = 0, precision = 0;
};

void print_with(TextBuilder& out, const FormatFlags& flags, const GoValue& value, char32_t verb, int depth);

} // namespace lockstep
