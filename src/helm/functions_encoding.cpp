// Checksums and encodings as template functions. They scramble: the result has the origin of all of its input.
#include "helm/functions.h"
#include "helm/hashes.h"
#include <array>

namespace lockstep {
namespace {

GoValue sha1sum(FunctionCall& call) {
    return make_string(call.arena, hex_text(sha1_bytes(call.args[0].str())));
}

GoValue sha256sum(FunctionCall& call) {
    return make_string(call.arena, hex_text(sha256_bytes(call.args[0].str())));
}

GoValue sha512sum(FunctionCall& call) {
    return make_string(call.arena, hex_text(sha512_bytes(call.args[0].str())));
}

GoValue adler32sum(FunctionCall& call) {
    return make_string(call.arena, std::to_string(adler32_sum(call.args[0].str())));
}

GoValue b64enc(FunctionCall& call) {
    return make_string(call.arena, base64_text(call.args[0].str()));
}

GoValue b32enc(FunctionCall& call) {
    return make_string(call.arena, base32_text(call.args[0].str()));
}

GoValue decoded(FunctionCall& call, const Decoded& result, std::string_view name) {
    if (result.corrupt_at)
        return make_string(call.arena, "illegal " + std::string(name) + " data at input byte " +
                                           std::to_string(*result.corrupt_at));
    return make_string(call.arena, result.bytes);
}

GoValue b64dec(FunctionCall& call) {
    return decoded(call, decode_base64(call.args[0].str()), "base64");
}

GoValue b32dec(FunctionCall& call) {
    return decoded(call, decode_base32(call.args[0].str()), "base32");
}

constexpr std::array encoding_functions_table = {
    TemplateFunction{"adler32sum", "s", adler32sum}, TemplateFunction{"b32dec", "s", b32dec},
    TemplateFunction{"b32enc", "s", b32enc},         TemplateFunction{"b64dec", "s", b64dec},
    TemplateFunction{"b64enc", "s", b64enc},         TemplateFunction{"sha1sum", "s", sha1sum},
    TemplateFunction{"sha256sum", "s", sha256sum},   TemplateFunction{"sha512sum", "s", sha512sum},
};

} // namespace

std::span<const TemplateFunction> encoding_functions() {
    return encoding_functions_table;
}

} // namespace lockstep
