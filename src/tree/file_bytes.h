// The bytes of one regular file, read so that nothing else (a fifo, a device, a link put there meanwhile) is opened for
// longer than it takes to see what it is.
#pragma once
#include <cstdint>
#include <string>

namespace lockstep {

struct File;
struct Tree;

struct FileBytes {
    enum class Outcome : std::uint8_t { read, oversize, failed } outcome = Outcome::failed;
    std::string text;
    std::uint64_t size = 0; // oversize: what the file has, as far as it is known
    std::string why;        // failed: the reason
    int error = 0;          // failed: what the system said, where it said something
};

// Whether what the system said (0: nothing) is about the run and not of the file. Rights are a property of the file,
// and a finding names it; no memory, no descriptor, a bad disk, a file that went meanwhile say nothing of the
// repository.
bool is_failure_of_the_run(int error);

// `path` relative to the folder `directory`, an open descriptor or AT_FDCWD. A link as the last part is refused.
FileBytes read_file_bytes(int directory, const std::string& path, std::uint64_t limit);

// Of a file whose bytes read_file left where they are, because it is not text; empty when it cannot be read any more.
std::string read_binary(const Tree& tree, const File& file);

} // namespace lockstep
