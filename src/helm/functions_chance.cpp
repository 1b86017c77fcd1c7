// Functions that chance or a key decides: they give a text of the right length and shape, marked as unknown.
#include "helm/functions.h"
#include "helm/hashes.h"
#include "helm/objects.h"
#include "helm/template_run.h"
#include "helm/unknowns.h"
#include <array>

namespace lockstep {

const ValueOrigin* unknown_origin(FunctionCall& call) {
    ValueOrigin unknown;
    unknown.unknown = true;
    unknown.left = call.run.here();
    if (unknown.left != nullptr) unknown.at = unknown.left->at;
    for (const GoValue& value : call.args)
        unknown.right = join(call.arena, unknown.right, value.origin);
    return call.arena.make<ValueOrigin>(unknown);
}

namespace {

GoValue unknown_text(FunctionCall& call, std::string_view text) {
    return make_string(call.arena, text, unknown_origin(call));
}

GoValue random_text(FunctionCall& call, char filler) {
    const std::int64_t count = call.args[0].integer;
    if (count < 0 || count > 1000000) return unknown_text(call, "");
    return unknown_text(call, std::string(static_cast<std::size_t>(count), filler));
}

GoValue rand_letters(FunctionCall& call) {
    return random_text(call, 'x');
}

GoValue rand_digits(FunctionCall& call) {
    return random_text(call, '1');
}

GoValue rand_bytes(FunctionCall& call) {
    const GoValue bytes = random_text(call, 'x');
    return unknown_text(call, base64_text(bytes.str()));
}

GoValue rand_int(FunctionCall& call) {
    if (call.args[1].integer <= call.args[0].integer) return call.fail("invalid argument to Intn");
    GoValue value = call.args[0];
    value.origin = unknown_origin(call);
    return value;
}

GoValue uuid(FunctionCall& call) {
    return unknown_text(call, "00000000-0000-4000-8000-000000000000");
}

GoValue shuffle(FunctionCall& call) {
    return unknown_text(call, call.args[0].str());
}

constexpr std::string_view unknown_hash = "$2a$10$................................................................";

GoValue bcrypt(FunctionCall& call) {
    return unknown_text(call, unknown_hash.substr(0, 60));
}

GoValue htpasswd(FunctionCall& call) {
    if (call.args[0].str().find(':') != std::string_view::npos)
        return make_string(call.arena, "invalid username: " + std::string(call.args[0].str()));
    return unknown_text(call, std::string(call.args[0].str()) + ":" + std::string(unknown_hash.substr(0, 60)));
}

std::string pem(std::string_view kind) {
    return "-----BEGIN " + std::string(kind) + "-----\nunknown\n-----END " + std::string(kind) + "-----\n";
}

GoValue private_key(FunctionCall& call) {
    return unknown_text(call, pem("RSA PRIVATE KEY"));
}

GoValue certificate(FunctionCall& call) {
    const ValueOrigin* origin = unknown_origin(call);
    GoValue value = make_struct(make_struct_of(call.arena, "sprig.certificate",
                                               {{"Cert", make_string(call.arena, pem("CERTIFICATE"), origin)},
                                                {"Key", make_string(call.arena, pem("RSA PRIVATE KEY"), origin)}}));
    value.origin = origin;
    return value;
}

GoValue custom_certificate(FunctionCall& call) {
    const Decoded cert = decode_base64(call.args[0].str()), key = decode_base64(call.args[1].str());
    if (cert.corrupt_at) return call.fail("unable to decode base64 certificate");
    if (key.corrupt_at) return call.fail("unable to decode base64 private key");
    return make_struct(make_struct_of(call.arena, "sprig.certificate",
                                      {{"Cert", make_string(call.arena, cert.bytes, call.args[0].origin)},
                                       {"Key", make_string(call.arena, key.bytes, call.args[1].origin)}}));
}

GoValue secret_text(FunctionCall& call) {
    return unknown_text(call, "unknown");
}

constexpr std::array chance_functions_table = {
    TemplateFunction{"bcrypt", "s", bcrypt},
    TemplateFunction{"buildCustomCert", "ss", custom_certificate},
    TemplateFunction{"decryptAES", "ss", secret_text},
    TemplateFunction{"derivePassword", "ussss", secret_text},
    TemplateFunction{"encryptAES", "ss", secret_text},
    TemplateFunction{"genCA", "si", certificate},
    TemplateFunction{"genCAWithKey", "sis", certificate},
    TemplateFunction{"genPrivateKey", "s", private_key},
    TemplateFunction{"genSelfSignedCert", "slli", certificate},
    TemplateFunction{"genSelfSignedCertWithKey", "sllis", certificate},
    TemplateFunction{"genSignedCert", "sllia", certificate},
    TemplateFunction{"genSignedCertWithKey", "sllias", certificate},
    TemplateFunction{"htpasswd", "ss", htpasswd},
    TemplateFunction{"randAlpha", "i", rand_letters},
    TemplateFunction{"randAlphaNum", "i", rand_letters},
    TemplateFunction{"randAscii", "i", rand_letters},
    TemplateFunction{"randBytes", "i", rand_bytes},
    TemplateFunction{"randInt", "ii", rand_int},
    TemplateFunction{"randNumeric", "i", rand_digits},
    TemplateFunction{"shuffle", "s", shuffle},
    TemplateFunction{"uuidv4", "", uuid},
};

} // namespace

std::span<const TemplateFunction> chance_functions() {
    return chance_functions_table;
}

} // namespace lockstep
