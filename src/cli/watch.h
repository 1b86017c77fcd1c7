// What ends a run from outside: the clock, the memory limit, signals, and failures that nobody expects. Each way leaves
// no child and no half-written file behind, and ends with exit code 2 or by the signal.
#pragma once
#include <cstdint>

namespace lockstep {

struct RunBounds {
    unsigned seconds = 0;   // 0: none
    unsigned megabytes = 0; // 0: none
};

// Before anything else, objects with constructors among it: writing fails with an error instead of a signal, the first
// three descriptors are taken, and an exception that nobody catches is exit code 2.
void prepare_process();

// What a stranger wrote must not hold a machine for hours or take its memory: no step of the run has to ask.
void start_watch(RunBounds bounds);

// The process ends here, with exit code 2. Takes no memory and no lock that somebody may hold.
[[noreturn]] void end_run(const char* message) noexcept;

} // namespace lockstep
