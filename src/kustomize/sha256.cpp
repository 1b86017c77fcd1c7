// FIPS 180-4.
#include "kustomize/sha256.h"
#include <array>
#include <bit>
#include <cstdint>

namespace lockstep {
namespace {

constexpr std::array<std::uint32_t, 64> rounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void add_block(std::array<std::uint32_t, 8>& state, const unsigned char* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            w[i] = (w[i] << 8U) | block[4 * i + j];
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3U);
        const std::uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10U);
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    // Eight at a time, each with the names moved on by one, so that no value has to be moved.
    const auto round = [&](std::uint32_t A, std::uint32_t B, std::uint32_t C, std::uint32_t& D, std::uint32_t E,
                           std::uint32_t F, std::uint32_t G, std::uint32_t& H, std::size_t i) {
        H += (std::rotr(E, 6) ^ std::rotr(E, 11) ^ std::rotr(E, 25)) + (G ^ (E & (F ^ G))) + rounds[i] + w[i];
        D += H;
        H += (std::rotr(A, 2) ^ std::rotr(A, 13) ^ std::rotr(A, 22)) + ((A & B) | (C & (A | B)));
    };
    for (std::size_t i = 0; i < 64; i += 8) {
        round(a, b, c, d, e, f, g, h, i);
        round(h, a, b, c, d, e, f, g, i + 1);
        round(g, h, a, b, c, d, e, f, i + 2);
        round(f, g, h, a, b, c, d, e, i + 3);
        round(e, f, g, h, a, b, c, d, i + 4);
        round(d, e, f, g, h, a, b, c, i + 5);
        round(c, d, e, f, g, h, a, b, i + 6);
        round(b, c, d, e, f, g, h, a, i + 7);
    }
    const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i)
        state[i] += added[i];
}

} // namespace

std::string sha256_hex(std::string_view text) {
    std::array<std::uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::string rest(text.substr(text.size() - text.size() % 64));
    for (std::size_t at = 0; at + 64 <= text.size(); at += 64)
        add_block(state, reinterpret_cast<const unsigned char*>(text.data()) + at);
    rest += '\x80';
    while (rest.size() % 64 != 56)
        rest += '\0';
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    for (unsigned shift = 64; shift > 0; shift -= 8)
        rest += static_cast<char>((bits >> (shift - 8)) & 0xFFU);
    for (std::size_t at = 0; at < rest.size(); at += 64)
        add_block(state, reinterpret_cast<const unsigned char*>(rest.data()) + at);
    std::string hex;
    for (const std::uint32_t word : state)
        for (unsigned shift = 32; shift > 0; shift -= 4)
            hex += "0123456789abcdef"[(word >> (shift - 4)) & 15U];
    return hex;
}

} // namespace lockstep
