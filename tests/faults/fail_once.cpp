// Preloaded into the program: counts its calls to the system, or lets one of them fail. What `run_faults.py` drives.
//
// FAULT_SITES=FILE  at the end, one line `call ordinal hash` for the first call from each call site (by its innermost
//                   frames), so that every site can be failed once and none twice; the hash is the same in every run
// FAULT_CALL, FAULT_AT  the ordinal of the call to fail
// FAULT_ERROR       the errno it fails with (a number)
// FAULT_THREADS     count in all threads but the first
//
// Else only the first thread counts: what it does is the same on every run with one job.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr const char* calls[] = {"open",   "read",      "readdir", "stat",         "mmap",  "malloc", "write",
                                 "rename", "fdopendir", "access",  "realpath",     "pipe",  "spawn",  "close",
                                 "send",   "wait",      "getcwd",  "memfd_create", "mkdir", "chmod",  "thread"};
enum Call {
    c_open,
    c_read,
    c_readdir,
    c_stat,
    c_mmap,
    c_malloc,
    c_write,
    c_rename,
    c_fdopendir,
    c_access,
    c_realpath,
    c_pipe,
    c_spawn,
    c_close,
    c_send,
    c_wait,
    c_getcwd,
    c_memfd,
    c_mkdir,
    c_chmod,
    c_thread,
    call_count
};

struct Site {
    int call;
    unsigned long ordinal;
    std::uint64_t hash;
};

constexpr int most_sites = 1 << 17; // open addressing, never full
Site* sites = nullptr;
pthread_mutex_t sites_guard = PTHREAD_MUTEX_INITIALIZER;
std::atomic<unsigned long> counts[call_count];
int wanted_call = -1;
unsigned long wanted_at = 0;
int wanted_error = EIO;
const char* sites_file = nullptr;
bool in_threads = false;
bool ready = false;
thread_local bool inside = false;

template <class F> F real(const char* name) {
    return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

// A call site is its innermost frames, counted from the start of their library: addresses differ from run to run.
constexpr int most_frames = 12;

std::uint64_t site_hash(int call) {
    void* frames[most_frames];
    const int got = ::backtrace(frames, call == c_malloc ? 9 : most_frames);
    std::uint64_t hash = 1469598103934665603ULL + static_cast<std::uint64_t>(call);
    for (int i = 2; i < got; ++i) {
        Dl_info place = {};
        const char* start = ::dladdr(frames[i], &place) ? static_cast<const char*>(place.dli_fbase) : nullptr;
        hash = (hash ^ static_cast<std::uint64_t>(static_cast<const char*>(frames[i]) - start)) * 1099511628211ULL;
    }
    return hash ? hash : 1;
}

void note_site(int call, unsigned long ordinal) {
    const std::uint64_t hash = site_hash(call);
    ::pthread_mutex_lock(&sites_guard);
    std::uint64_t at = hash % most_sites;
    while (sites[at].hash != 0 && sites[at].hash != hash)
        at = (at + 1) % most_sites;
    if (sites[at].hash == 0) sites[at] = {call, ordinal, hash};
    ::pthread_mutex_unlock(&sites_guard);
}

// True: this call is the one that fails, and errno is set.
bool fails(int call) {
    if (!ready || inside || (::gettid() != ::getpid()) != in_threads) return false;
    inside = true;
    const unsigned long ordinal = ++counts[call];
    if (sites) note_site(call, ordinal);
    inside = false;
    if (call != wanted_call || ordinal != wanted_at) return false;
    errno = wanted_error;
    return true;
}

__attribute__((constructor)) void start() {
    inside = true;
    void* frames[2];
    ::backtrace(frames, 2); // takes memory the first time
    sites_file = std::getenv("FAULT_SITES");
    in_threads = std::getenv("FAULT_THREADS");
    if (const char* name = std::getenv("FAULT_CALL"))
        for (int i = 0; i < call_count; ++i)
            if (!std::strcmp(calls[i], name)) wanted_call = i;
    if (const char* at = std::getenv("FAULT_AT")) wanted_at = std::strtoul(at, nullptr, 10);
    if (const char* error = std::getenv("FAULT_ERROR")) wanted_error = std::atoi(error);
    if (sites_file)
        sites = static_cast<Site*>(
            ::mmap(nullptr, sizeof(Site) * most_sites, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::unsetenv("LD_PRELOAD"); // git must not fail on its own
    inside = false;
    ready = true;
}

__attribute__((destructor)) void stop() {
    ready = false;
    if (!sites) return;
    std::FILE* out = std::fopen(sites_file, "w");
    for (int i = 0; i < most_sites && out; ++i)
        if (sites[i].hash)
            std::fprintf(out, "%s %lu %llx\n", calls[sites[i].call], sites[i].ordinal,
                         static_cast<unsigned long long>(sites[i].hash));
    if (out) std::fclose(out);
}

} // namespace

extern "C" {

#define PASS(call, type, name, params, args, failed)                                                                   \
    type name params {                                                                                                 \
        static auto next = real<type(*) params>(#name);                                                                \
        if (fails(call)) return failed;                                                                                \
        return next args;                                                                                              \
    }

#define OPEN(name, params, args)                                                                                       \
    int name params {                                                                                                  \
        static auto next = real<int (*)(...)>(#name);                                                                  \
        mode_t mode = 0;                                                                                               \
        if (flags & O_CREAT) {                                                                                         \
            va_list more;                                                                                              \
            va_start(more, flags);                                                                                     \
            mode = va_arg(more, mode_t);                                                                               \
            va_end(more);                                                                                              \
        }                                                                                                              \
        if (fails(c_open)) return -1;                                                                                  \
        return next args;                                                                                              \
    }

OPEN(open, (const char* path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char* path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
// What FORTIFY makes of an open whose flags are known at run time alone.
PASS(c_open, int, __open_2, (const char* path, int flags), (path, flags), -1)
PASS(c_open, int, __open64_2, (const char* path, int flags), (path, flags), -1)
PASS(c_open, int, __openat_2, (int folder, const char* path, int flags), (folder, path, flags), -1)
PASS(c_open, int, __openat64_2, (int folder, const char* path, int flags), (folder, path, flags), -1)
PASS(c_open, FILE*, fopen, (const char* path, const char* mode), (path, mode), nullptr)
PASS(c_open, FILE*, fopen64, (const char* path, const char* mode), (path, mode), nullptr)
PASS(c_read, ssize_t, read, (int fd, void* to, size_t size), (fd, to, size), -1)
PASS(c_read, ssize_t, pread, (int fd, void* to, size_t size, off_t at), (fd, to, size, at), -1)
PASS(c_read, ssize_t, pread64, (int fd, void* to, size_t size, off64_t at), (fd, to, size, at), -1)
PASS(c_readdir, dirent*, readdir, (DIR * stream), (stream), nullptr)
PASS(c_readdir, dirent64*, readdir64, (DIR * stream), (stream), nullptr)
PASS(c_fdopendir, DIR*, fdopendir, (int fd), (fd), nullptr)
PASS(c_fdopendir, DIR*, opendir, (const char* path), (path), nullptr)
PASS(c_stat, int, stat, (const char* path, struct stat* to), (path, to), -1)
PASS(c_stat, int, lstat, (const char* path, struct stat* to), (path, to), -1)
PASS(c_stat, int, fstat, (int fd, struct stat* to), (fd, to), -1)
PASS(c_stat, int, fstatat, (int folder, const char* path, struct stat* to, int flags), (folder, path, to, flags), -1)
PASS(c_stat, int, stat64, (const char* path, struct stat64* to), (path, to), -1)
PASS(c_stat, int, lstat64, (const char* path, struct stat64* to), (path, to), -1)
PASS(c_stat, int, fstat64, (int fd, struct stat64* to), (fd, to), -1)
PASS(c_stat, int, fstatat64, (int folder, const char* path, struct stat64* to, int flags), (folder, path, to, flags),
     -1)
PASS(c_access, int, access, (const char* path, int mode), (path, mode), -1)
PASS(c_access, int, faccessat, (int folder, const char* path, int mode, int flags), (folder, path, mode, flags), -1)
PASS(c_realpath, char*, realpath, (const char* path, char* to), (path, to), nullptr)
PASS(c_mmap, void*, mmap, (void* at, size_t size, int protect, int flags, int fd, off_t offset),
     (at, size, protect, flags, fd, offset), MAP_FAILED)
PASS(c_write, ssize_t, write, (int fd, const void* from, size_t size), (fd, from, size), -1)
PASS(c_write, size_t, fwrite, (const void* from, size_t size, size_t count, FILE* to), (from, size, count, to), 0)
PASS(c_write, int, fflush, (FILE * to), (to), EOF)
PASS(c_rename, int, rename, (const char* from, const char* to), (from, to), -1)
PASS(c_rename, int, renameat, (int from, const char* old, int to, const char* fresh), (from, old, to, fresh), -1)
PASS(c_pipe, int, pipe2, (int ends[2], int flags), (ends, flags), -1)
PASS(c_pipe, int, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends), -1)
PASS(c_spawn, int, posix_spawn,
     (pid_t * child, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
      char* const* words, char* const* variables),
     (child, path, actions, attributes, words, variables), wanted_error)
PASS(c_send, ssize_t, send, (int fd, const void* from, size_t size, int flags), (fd, from, size, flags), -1)
PASS(c_wait, pid_t, waitpid, (pid_t child, int* status, int options), (child, status, options), -1)
PASS(c_getcwd, char*, getcwd, (char* to, size_t size), (to, size), nullptr)
PASS(c_mkdir, int, mkdir, (const char* path, mode_t mode), (path, mode), -1)
PASS(c_mkdir, int, mkdirat, (int folder, const char* path, mode_t mode), (folder, path, mode), -1)
PASS(c_chmod, int, fchmod, (int fd, mode_t mode), (fd, mode), -1)
PASS(c_thread, int, pthread_create,
     (pthread_t * thread, const pthread_attr_t* attributes, void* (*run)(void*), void* with),
     (thread, attributes, run, with), wanted_error)
PASS(c_memfd, int, memfd_create, (const char* name, unsigned flags), (name, flags), -1)

// As many threads as are asked for, on every machine.
int get_nprocs() {
    return in_threads ? 4 : 1;
}

// A close that fails has closed the descriptor all the same.
int close(int fd) {
    static auto next = real<int (*)(int)>("close");
    const bool bad = fails(c_close);
    const int error = errno, done = next(fd);
    if (bad) errno = error;
    return bad ? -1 : done;
}

// dlsym may ask for memory before the real one is known: glibc's own names need no look-up.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);

void* malloc(size_t size) {
    if (fails(c_malloc)) return nullptr;
    return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    if (fails(c_malloc)) return nullptr;
    return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    if (fails(c_malloc)) return nullptr;
    return __libc_realloc(old, size);
}

} // extern "C"
