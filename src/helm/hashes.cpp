// SHA-1, SHA-2, Adler-32, base 64 and base 32.
#include "helm/hashes.h"
#include <array>
#include <bit>

namespace lockstep {
namespace {

// Fractions of cube and square roots of the first primes: SHA-512 takes all 64 bits, SHA-256 the upper 32.
// clang-format off
constexpr std::array<std::uint64_t, 80> cube_roots = {
    0x428a2f98d728ae22U, 0x7137449123ef65cdU, 0xb5c0fbcfec4d3b2fU, 0xe9b5dba58189dbbcU, 0x3956c25bf348b538U,
    0x59f111f1b605d019U, 0x923f82a4af194f9bU, 0xab1c5ed5da6d8118U, 0xd807aa98a3030242U, 0x12835b0145706fbeU,
    0x243185be4ee4b28cU, 0x550c7dc3d5ffb4e2U, 0x72be5d74f27b896fU, 0x80deb1fe3b1696b1U, 0x9bdc06a725c71235U,
    0xc19bf174cf692694U, 0xe49b69c19ef14ad2U, 0xefbe4786384f25e3U, 0x0fc19dc68b8cd5b5U, 0x240ca1cc77ac9c65U,
    0x2de92c6f592b0275U, 0x4a7484aa6ea6e483U, 0x5cb0a9dcbd41fbd4U, 0x76f988da831153b5U, 0x983e5152ee66dfabU,
    0xa831c66d2db43210U, 0xb00327c898fb213fU, 0xbf597fc7beef0ee4U, 0xc6e00bf33da88fc2U, 0xd5a79147930aa725U,
    0x06ca6351e003826fU, 0x142929670a0e6e70U, 0x27b70a8546d22ffcU, 0x2e1b21385c26c926U, 0x4d2c6dfc5ac42aedU,
    0x53380d139d95b3dfU, 0x650a73548baf63deU, 0x766a0abb3c77b2a8U, 0x81c2c92e47edaee6U, 0x92722c851482353bU,
    0xa2bfe8a14cf10364U, 0xa81a664bbc423001U, 0xc24b8b70d0f89791U, 0xc76c51a30654be30U, 0xd192e819d6ef5218U,
    0xd69906245565a910U, 0xf40e35855771202aU, 0x106aa07032bbd1b8U, 0x19a4c116b8d2d0c8U, 0x1e376c085141ab53U,
    0x2748774cdf8eeb99U, 0x34b0bcb5e19b48a8U, 0x391c0cb3c5c95a63U, 0x4ed8aa4ae3418acbU, 0x5b9cca4f7763e373U,
    0x682e6ff3d6b2b8a3U, 0x748f82ee5defb2fcU, 0x78a5636f43172f60U, 0x84c87814a1f0ab72U, 0x8cc702081a6439ecU,
    0x90befffa23631e28U, 0xa4506cebde82bde9U, 0xbef9a3f7b2c67915U, 0xc67178f2e372532bU, 0xca273eceea26619cU,
    0xd186b8c721c0c207U, 0xeada7dd6cde0eb1eU, 0xf57d4f7fee6ed178U, 0x06f067aa72176fbaU, 0x0a637dc5a2c898a6U,
    0x113f9804bef90daeU, 0x1b710b35131c471bU, 0x28db77f523047d84U, 0x32caab7b40c72493U, 0x3c9ebe0a15c9bebcU,
    0x431d67c49c100d4cU, 0x4cc5d4becb3e42b6U, 0x597f299cfc657e2aU, 0x5fcb6fab3ad6faecU, 0x6c44198c4a475817U,
};
constexpr std::array<std::uint64_t, 8> square_roots = {
    0x6a09e667f3bcc908U, 0xbb67ae8584caa73bU, 0x3c6ef372fe94f82bU, 0xa54ff53a5f1d36f1U, 0x510e527fade682d1U,
    0x9b05688c2b3e6c1fU, 0x1f83d9abfb41bd6bU, 0x5be0cd19137e2179U,
};
// clang-format on

// The message with its padding, in blocks of `block` bytes.
std::string padded(std::string_view text, std::size_t block) {
    std::string all(text);
    const std::size_t length_size = block / 8;
    all += '\x80';
    while (all.size() % block != block - length_size)
        all += '\0';
    const std::uint64_t bits = static_cast<std::uint64_t>(text.size()) * 8;
    all.append(length_size - 8, '\0');
    for (int i = 7; i >= 0; --i)
        all += static_cast<char>(static_cast<unsigned char>(bits >> (8 * i)));
    return all;
}

template <class Word> Word load(std::string_view bytes, std::size_t at) {
    Word word = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i)
        word = static_cast<Word>(word << 8U) | static_cast<unsigned char>(bytes[at + i]);
    return word;
}

template <class Word> void store(std::string& out, Word word) {
    for (std::size_t i = sizeof(Word); i > 0; --i)
        out += static_cast<char>(static_cast<unsigned char>(word >> (8 * (i - 1))));
}

// Both members of SHA-2: they differ in the width of a word, the rounds and the rotations.
template <class Word, int rounds, int a1, int a2, int a3, int e1, int e2, int e3, int s1, int s2, int s3, int t1,
          int t2, int t3>
std::string sha2(std::string_view text) {
    constexpr unsigned drop = 64 - 8 * sizeof(Word);
    std::array<Word, 8> state;
    for (std::size_t i = 0; i < 8; ++i)
        state[i] = static_cast<Word>(square_roots[i] >> drop);
    const std::string all = padded(text, 16 * sizeof(Word));
    for (std::size_t at = 0; at < all.size(); at += 16 * sizeof(Word)) {
        std::array<Word, rounds> w;
        for (std::size_t i = 0; i < 16; ++i)
            w[i] = load<Word>(all, at + i * sizeof(Word));
        for (std::size_t i = 16; i < rounds; ++i) {
            const Word x = w[i - 15], y = w[i - 2];
            w[i] = w[i - 16] + (std::rotr(x, s1) ^ std::rotr(x, s2) ^ (x >> s3)) + w[i - 7] +
                   (std::rotr(y, t1) ^ std::rotr(y, t2) ^ (y >> t3));
        }
        auto [a, b, c, d, e, f, g, h] = state;
        for (std::size_t i = 0; i < rounds; ++i) {
            const Word first = h + (std::rotr(e, e1) ^ std::rotr(e, e2) ^ std::rotr(e, e3)) + ((e & f) ^ (~e & g)) +
                               static_cast<Word>(cube_roots[i] >> drop) + w[i];
            const Word second =
                (std::rotr(a, a1) ^ std::rotr(a, a2) ^ std::rotr(a, a3)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + first;
            d = c;
            c = b;
            b = a;
            a = first + second;
        }
        const std::array<Word, 8> more = {a, b, c, d, e, f, g, h};
        for (std::size_t i = 0; i < 8; ++i)
            state[i] += more[i];
    }
    std::string out;
    for (Word word : state)
        store(out, word);
    return out;
}

constexpr std::string_view letters64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view letters32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

std::string encode(std::string_view bytes, std::string_view letters, unsigned bits, std::size_t group) {
    std::string out;
    std::uint32_t store_bits = 0;
    unsigned have = 0;
    for (char c : bytes) {
        store_bits = (store_bits << 8U) | static_cast<unsigned char>(c);
        for (have += 8; have >= bits; have -= bits)
            out += letters[(store_bits >> (have - bits)) & ((1U << bits) - 1)];
    }
    if (have > 0) out += letters[(store_bits << (bits - have)) & ((1U << bits) - 1)];
    while (out.size() % group != 0)
        out += '=';
    return out;
}

Decoded decode(std::string_view text, std::string_view letters, unsigned bits, std::size_t group) {
    Decoded result;
    std::uint32_t store_bits = 0;
    unsigned have = 0;
    std::size_t count = 0;
    const auto corrupt = [&](std::size_t at) {
        result.corrupt_at = at;
        return result;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\n' || c == '\r') continue;
        if (c == '=') {
            const std::size_t in_group = count % group;
            const bool allowed =
                group == 4 ? in_group >= 2 : in_group == 2 || in_group == 4 || in_group == 5 || in_group == 7;
            if (!allowed) return corrupt(at);
            std::size_t wanted = group - in_group;
            std::size_t i = at;
            for (; i < text.size() && wanted > 0; ++i) {
                if (text[i] == '\n' || text[i] == '\r') continue;
                if (text[i] != '=') return corrupt(i);
                --wanted;
            }
            if (wanted > 0) return corrupt(text.size());
            while (i < text.size() && (text[i] == '\n' || text[i] == '\r'))
                ++i;
            if (i < text.size()) return corrupt(i);
            return result;
        }
        const std::size_t digit = letters.find(c);
        if (digit == std::string_view::npos) return corrupt(at);
        store_bits = (store_bits << bits) | static_cast<std::uint32_t>(digit);
        have += bits;
        ++count;
        if (have >= 8) {
            have -= 8;
            result.bytes += static_cast<char>(static_cast<unsigned char>(store_bits >> have));
        }
    }
    if (count % group != 0) return corrupt(text.size() - count % group);
    return result;
}

} // namespace

std::string sha1_bytes(std::string_view text) {
    std::array<std::uint32_t, 5> state = {0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U, 0xc3d2e1f0U};
    const std::string all = padded(text, 64);
    for (std::size_t at = 0; at < all.size(); at += 64) {
        std::array<std::uint32_t, 80> w;
        for (std::size_t i = 0; i < 80; ++i)
            w[i] = i < 16 ? load<std::uint32_t>(all, at + 4 * i)
                          : std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        auto [a, b, c, d, e] = state;
        for (std::size_t i = 0; i < 80; ++i) {
            std::uint32_t mix = 0, constant = 0;
            if (i < 20)
                mix = (b & c) | (~b & d), constant = 0x5a827999U;
            else if (i < 40)
                mix = b ^ c ^ d, constant = 0x6ed9eba1U;
            else if (i < 60)
                mix = (b & c) | (b & d) | (c & d), constant = 0x8f1bbcdcU;
            else
                mix = b ^ c ^ d, constant = 0xca62c1d6U;
            const std::uint32_t next = std::rotl(a, 5) + mix + e + constant + w[i];
            e = d;
            d = c;
            c = std::rotl(b, 30);
            b = a;
            a = next;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
    std::string out;
    for (std::uint32_t word : state)
        store(out, word);
    return out;
}

std::string sha256_bytes(std::string_view text) {
    return sha2<std::uint32_t, 64, 2, 13, 22, 6, 11, 25, 7, 18, 3, 17, 19, 10>(text);
}

std::string sha512_bytes(std::string_view text) {
    return sha2<std::uint64_t, 80, 28, 34, 39, 14, 18, 41, 1, 8, 7, 19, 61, 6>(text);
}

std::uint32_t adler32_sum(std::string_view text) {
    std::uint32_t a = 1, b = 0;
    for (char c : text) {
        a = (a + static_cast<unsigned char>(c)) % 65521U;
        b = (b + a) % 65521U;
    }
    return (b << 16U) | a;
}

std::string hex_text(std::string_view bytes) {
    std::string out;
    for (char c : bytes) {
        out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4U];
        out += "0123456789abcdef"[static_cast<unsigned char>(c) & 0xfU];
    }
    return out;
}

std::string base64_text(std::string_view bytes) {
    return encode(bytes, letters64, 6, 4);
}

std::string base32_text(std::string_view bytes) {
    return encode(bytes, letters32, 5, 8);
}

Decoded decode_base64(std::string_view text) {
    return decode(text, letters64, 6, 4);
}

Decoded decode_base32(std::string_view text) {
    return decode(text, letters32, 5, 8);
}

} // namespace lockstep
