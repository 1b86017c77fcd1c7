// The only file that knows zlib: inflates gzip members one behind the other, and counts what deflating would give.
#include "tree/gunzip.h"
#include "tree/gzip_size.h"
#include <algorithm>
#include <array>
#include <climits>
#include <new>
#include <zlib.h>

namespace lockstep {

namespace {

constexpr int gzip_window = 15 + 16; // zlib's way to say: the largest window, and a gzip header around it

} // namespace

struct GzipStream::State {
    std::string_view left; // compressed bytes not yet handed to zlib
    z_stream zlib = {};
    bool ready = false;
};

GzipStream::GzipStream(std::string_view bytes) : state_(std::make_unique<State>()) {
    state_->left = bytes;
    if (!bytes.starts_with("\x1f\x8b")) {
        error_ = "is not gzip data";
    } else if (inflateInit2(&state_->zlib, gzip_window) != Z_OK) {
        throw std::bad_alloc(); // there is no other reason, and none in the file
    } else {
        state_->ready = true;
    }
}

GzipStream::~GzipStream() {
    if (state_->ready) inflateEnd(&state_->zlib);
}

// Behind one member: another, zeros that pad to a tape's block, or nothing.
void GzipStream::next_member() {
    std::string_view rest = state_->left;
    if (rest.find_first_not_of('\0') == std::string_view::npos) {
        finished_ = true;
    } else if (!rest.starts_with("\x1f\x8b")) {
        error_ = "has other bytes after the gzip data";
    } else {
        inflateReset(&state_->zlib);
    }
}

std::size_t GzipStream::read(char* out, std::size_t size) {
    std::size_t done = 0;
    z_stream& zlib = state_->zlib;
    while (done < size && !finished_ && error_.empty()) {
        // zlib counts in 32 bits; the input is handed over in pieces of at most that.
        std::string_view& left = state_->left;
        zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left.data()));
        zlib.avail_in = static_cast<uInt>(std::min<std::size_t>(left.size(), UINT_MAX));
        zlib.next_out = reinterpret_cast<Bytef*>(out + done);
        zlib.avail_out = static_cast<uInt>(std::min<std::size_t>(size - done, UINT_MAX));
        uInt in_before = zlib.avail_in, out_before = zlib.avail_out;
        int status = inflate(&zlib, Z_NO_FLUSH);
        if (status == Z_MEM_ERROR) throw std::bad_alloc();
        left.remove_prefix(in_before - zlib.avail_in);
        done += out_before - zlib.avail_out;
        if (status == Z_STREAM_END) {
            next_member();
        } else if (status == Z_BUF_ERROR || (status == Z_OK && left.empty() && zlib.avail_out != 0)) {
            error_ = "ends in the middle of its gzip data";
        } else if (status != Z_OK) {
            error_ = std::string("has damaged gzip data: ") + (zlib.msg ? zlib.msg : "zlib cannot go on");
        }
    }
    return done;
}

struct GzipSize::State {
    z_stream zlib = {};
    bool ready = false;
    std::size_t raw = 0, packed = 0;
};

GzipSize::GzipSize() : state_(std::make_unique<State>()) {
    constexpr int memory = 8; // zlib's default
    state_->ready =
        deflateInit2(&state_->zlib, Z_BEST_SPEED, Z_DEFLATED, gzip_window, memory, Z_DEFAULT_STRATEGY) == Z_OK;
}

GzipSize::~GzipSize() {
    if (state_->ready) deflateEnd(&state_->zlib);
}

void GzipSize::add(std::string_view bytes) {
    std::array<Bytef, 65536> out; // thrown away: only its size counts
    z_stream& zlib = state_->zlib;
    state_->raw += bytes.size();
    while (state_->ready && !bytes.empty()) {
        const auto piece = static_cast<uInt>(std::min<std::size_t>(bytes.size(), UINT_MAX));
        zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        zlib.avail_in = piece;
        while (zlib.avail_in != 0) {
            zlib.next_out = out.data();
            zlib.avail_out = out.size();
            deflate(&zlib, Z_NO_FLUSH);
            state_->packed += out.size() - zlib.avail_out;
        }
        bytes.remove_prefix(piece);
    }
}

std::size_t GzipSize::size() const {
    return state_->ready ? state_->packed : state_->raw; // without zlib nothing is smaller than it is
}

} // namespace lockstep
