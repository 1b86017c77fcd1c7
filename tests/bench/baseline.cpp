// What lockstep is measured against: `baseline read DIR` reads every file with read(2) and counts newlines, one thread;
// `baseline events DIR THREADS` takes libyaml's bare events of every YAML file. Both print files, bytes and a count.
// `baseline start TIMES PROGRAM ARGUMENTS` prints the shortest time from spawning a program to its first byte, in
// microseconds.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <yaml.h>

namespace {

struct Sums {
    std::atomic<unsigned long long> bytes{0}, count{0};
};

bool read_whole(const std::string& path, std::string& text) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    text.clear();
    std::size_t used = 0;
    while (true) {
        if (text.size() - used < 65536) text.resize(used + 65536 + text.size());
        const ssize_t got = read(fd, text.data() + used, text.size() - used);
        if (got <= 0) break;
        used += static_cast<std::size_t>(got);
    }
    close(fd);
    text.resize(used);
    return true;
}

unsigned long long newlines(const std::string& text) {
    unsigned long long count = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while ((at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
        ++count;
        ++at;
    }
    return count;
}

unsigned long long events(const std::string& text) {
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    unsigned long long count = 0;
    for (bool more = true; more;) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) break; // a template: its events end here
        more = event.type != YAML_STREAM_END_EVENT;
        ++count;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return count;
}

void work(const std::vector<std::string>& files, std::atomic<std::size_t>& next, bool parse, Sums& sums) {
    std::string text;
    for (std::size_t i = next++; i < files.size(); i = next++) {
        if (!read_whole(files[i], text)) continue;
        sums.bytes += text.size();
        sums.count += parse ? events(text) : newlines(text);
    }
}

// Seconds until the first byte of one run; below 0 when there was none.
double first_byte(char** command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    pid_t child = 0;
    const auto start = std::chrono::steady_clock::now();
    const bool spawned = posix_spawn(&child, command[0], &actions, nullptr, command, environ) == 0;
    close(ends[1]);
    char byte = 0;
    const bool got = spawned && read(ends[0], &byte, 1) == 1;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    close(ends[0]);
    posix_spawn_file_actions_destroy(&actions);
    if (spawned) waitpid(child, nullptr, 0);
    return got ? spent.count() : -1;
}

int measure_start(int times, char** command) {
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < times; ++i) {
        const double one = first_byte(command);
        if (one < 0) return 1;
        best = std::min(best, one);
    }
    std::printf("%.0f\n", best * 1e6);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr,
                     "usage: baseline read|events DIR [THREADS]\n       baseline start TIMES PROGRAM ARGUMENTS\n");
        return 2;
    }
    if (std::strcmp(argv[1], "start") == 0) return argc < 4 ? 2 : measure_start(std::atoi(argv[2]), argv + 3);
    const bool parse = std::strcmp(argv[1], "events") == 0;
    const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[2]))
        if (entry.is_regular_file()) files.push_back(entry.path().string());
    Sums sums;
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> team;
    for (int i = 1; i < threads; ++i)
        team.emplace_back([&] { work(files, next, parse, sums); });
    work(files, next, parse, sums);
    for (std::thread& one : team)
        one.join();
    std::printf("%zu files, %llu bytes, %llu %s\n", files.size(), sums.bytes.load(), sums.count.load(),
                parse ? "events" : "lines");
    return 0;
}
