#!/usr/bin/env python3
"""Measures lockstep beside the yardsticks, in one go, and prints tables and which targets are met: run_bench.py BUILD
[FILES ...].

Times are the best of several rounds; in a round all programs run in turn, so that a noisy minute hits them alike. Ratios
mean more than milliseconds. A peak below Python's own, 15 MB, is not seen. Cold runs come first, once each, with the
system's caches dropped before; that needs root.

`--instructions` compares the instruction count of one fixed tree with the one kept in instructions.txt instead, and
`--instructions --renew` keeps the new one."""
import glob
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "..", "..", "..", "shared", "corpus")
ROUNDS = {500: 9, 5000: 5, 50000: 3}
TOLERANCE = 0.05
KEPT = os.path.join(HERE, "instructions.txt")
TOOLS = ("g++-12", "libc6", "libstdc++6", "libyaml-0-2", "libre2-9", "valgrind")  # what a count hangs on besides the source
READ = "read(2) and newlines"
EVENTS = {"1": "libyaml events, 1 thread", "2": "libyaml events, 2 threads"}
LOCKSTEP = {"1": "lockstep, 1 thread", "2": "lockstep, 2 threads"}

# What is aimed at, on the largest tree where nothing else is said.
MOST_TIMES_READ, MOST_TIMES_EVENTS = 6, 2.4  # with two threads
MOST_GROWTH = 1.2  # of the processor time for a byte, from the second largest tree to the largest
TENANTS = (2000, 8000)  # files of trees in which every tenant uses the same names
MOST_MEMORY_PER_BYTE, MOST_MEMORY_BESIDE = 2.5, 100e6
MOST_START_MS, MOST_REPOSITORY_MS = 3, 40


class Programs:
    def __init__(self, build):
        self.build = build
        self.lockstep, self.baseline = os.path.join(build, "lockstep"), os.path.join(build, "tests", "bench", "baseline")

    def on(self, tree):
        commands = {READ: [self.baseline, "read", tree]}
        for threads, name in EVENTS.items():
            commands[name] = [self.baseline, "events", tree, threads]
        for threads, name in LOCKSTEP.items():
            commands[name] = [self.lockstep, "check", tree, "--jobs", threads]
        return commands


def make_tree(build, files, shape="apps"):
    root = os.path.join(build, "bench", str(files) + ("" if shape == "apps" else "-" + shape))
    done = root + ".done"
    if not os.path.exists(done):
        shutil.rmtree(root, ignore_errors=True)
        said = subprocess.run([sys.executable, os.path.join(HERE, "make_tree.py"), root, str(files), shape], check=True,
                              capture_output=True, text=True).stdout
        with open(done, "w", encoding="utf-8") as file:
            file.write(said)
    with open(done, encoding="utf-8") as file:
        return root, int(file.read().split()[2])


def measure(command):
    """(seconds, processor seconds, peak bytes) of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def best_of(rounds, commands):
    """The shortest times and the highest peak of each command."""
    best = {}
    for _ in range(rounds):
        for name, command in commands.items():
            run = measure(command)
            old = best.get(name, run)
            best[name] = (min(old[0], run[0]), min(old[1], run[1]), max(old[2], run[2]))
    return best


def drop_caches():
    try:
        os.sync()
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
            file.write("3")
        return True
    except OSError:
        return False


def print_rows(runs, files, size, suffix=""):
    limit, events = runs[READ][0], runs.get(EVENTS["2"], (None,))[0]
    for name, (wall, cpu, peak) in runs.items():
        beside = f"{wall / events:.2f}" if events else ""
        print(f"| {name}{suffix} | {wall * 1000:.0f} | {cpu * 1000:.0f} | {wall / limit:.1f} | {beside} "
              f"| {size / 1e6 / wall:.0f} | {files / wall:.0f} | {peak / 1e6:.0f} |", flush=True)


def bench(programs, files):
    """The warm runs of one tree, and its bytes."""
    tree, size = make_tree(programs.build, files)
    commands = programs.on(tree)
    cold = {name: measure(commands[name]) for name in (READ, *LOCKSTEP.values()) if drop_caches()}
    warm = best_of(ROUNDS.get(files, 3), commands)
    if files == min(ROUNDS) and shutil.which("yamllint"):
        warm.update(best_of(1, {"yamllint": ["yamllint", "-d", "relaxed", tree]}))
    print(f"\n### {files} files, {size / 1e6:.1f} MB\n")
    print("| program | ms | CPU ms | x read | x events, 2 threads | MB/s | files/s | peak MB |\n" + "|---" * 8 + "|")
    print_rows(warm, files, size)
    if cold:
        print_rows(cold, files, size, ", cold")
    else:
        print("\ncold runs: left out, dropping caches needs root")
    return warm, size


def start_ms(programs):
    """From spawn to the first byte of --version, measured by a program that is small itself."""
    said = subprocess.run([programs.baseline, "start", "200", programs.lockstep, "--version"], check=True,
                          capture_output=True, text=True).stdout
    return int(said) / 1000


def repository_ms(programs):
    """The slowest of the real repositories of middle size; None when they are not here."""
    trees = sorted(glob.glob(os.path.join(CORPUS, "openova-*")))
    runs = best_of(15, {tree: [programs.lockstep, "check", tree] for tree in trees})
    return max((wall * 1000 for wall, _, _ in runs.values()), default=None)


def tenants_growth(programs):
    """How the processor time for a byte grows with the number of objects that share their names."""
    trees = [make_tree(programs.build, files, "tenants") for files in TENANTS]
    runs = best_of(5, {tree: [programs.lockstep, "check", tree, "--jobs", "1"] for tree, _ in trees})
    few, many = (runs[tree][1] / size for tree, size in trees)
    return many / few


def print_targets(programs, results):
    (many, (large, size)), (few, (small, small_size)) = (sorted(results.items(), reverse=True) * 2)[:2]
    one, two = LOCKSTEP["1"], LOCKSTEP["2"]
    time_of = lambda name: large[name][0]
    growth = (large[one][1] / size) / (small[one][1] / small_size)
    peak = max(large[name][2] for name in LOCKSTEP.values())
    most_peak = MOST_MEMORY_PER_BYTE * size + MOST_MEMORY_BESIDE
    rows = [(f"{many} files, 2 threads, beside read(2)", time_of(two) / time_of(READ), MOST_TIMES_READ, "x"),
            (f"{many} files, 2 threads, beside libyaml's events", time_of(two) / time_of(EVENTS["2"]), MOST_TIMES_EVENTS, "x"),
            (f"processor time for a byte, {many} files beside {few}, 1 thread", growth if few < many else None, MOST_GROWTH, "x"),
            (f"the same, {TENANTS[1]} files of tenants with the same names beside {TENANTS[0]}", tenants_growth(programs),
             MOST_GROWTH, "x"),
            (f"peak memory, {many} files", peak / 1e6, most_peak / 1e6, " MB"),
            ("start to the first byte of --version", start_ms(programs), MOST_START_MS, " ms"),
            ("a repository of middle size", repository_ms(programs), MOST_REPOSITORY_MS, " ms")]
    print("\n### Targets\n\n| what | measured | at most | |\n|---|---|---|---|")
    for what, measured, most, unit in rows:
        if measured is None:
            print(f"| {what} | left out, there is no such tree here | {most:g}{unit} | |")
        else:
            print(f"| {what} | {measured:.3g}{unit} | {most:.3g}{unit} | {'met' if measured <= most else 'NOT MET'} |")


def tools():
    """The versions that a count was made with, as far as Debian's packages say so."""
    if not shutil.which("dpkg-query"):
        return "unknown"
    said = subprocess.run(["dpkg-query", "-W", "-f=${Package} ${Version}, ", *TOOLS], check=False, capture_output=True, text=True)
    return said.stdout.rstrip(", ")


def instructions(build, renew):
    """Fails when the count for the small tree moved by more than the tolerance from the one that is kept."""
    tree, _ = make_tree(build, 500)
    log = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          os.path.join(build, "lockstep"), "check", tree, "--jobs", "1"],
                         check=False, capture_output=True, text=True).stderr
    count = int(next(line for line in log.splitlines() if "refs:" in line).split()[-1].replace(",", ""))
    if renew:
        with open(KEPT, "w", encoding="ascii") as file:
            file.write(f"{count}\n{tools()}\n")
    with open(KEPT, encoding="ascii") as file:
        kept, made_with = file.read().splitlines()
    moved = count / int(kept) - 1
    print(f"{count} instructions for 500 files, kept {kept}: {moved:+.1%}")
    if abs(moved) <= TOLERANCE:
        return 0
    print(f"more than {TOLERANCE:.0%} " + ("more: find the cause, or" if moved > 0 else "fewer: so that this is not lost again,")
          + f" keep the new count with `{os.path.relpath(__file__)} {build} --instructions --renew`")
    if made_with != tools():
        print(f"the kept count was made with {made_with}; here are {tools()}")
    return 1


def main(arguments):
    build, *rest = arguments
    if "--instructions" in rest:
        return instructions(build, "--renew" in rest)
    programs = Programs(build)
    results = {files: bench(programs, files) for files in map(int, rest or ROUNDS)}
    sizes = sorted(results)
    for few, many in zip(sizes, sizes[1:]):
        (before, few_bytes), (after, many_bytes) = results[few], results[many]
        two = LOCKSTEP["2"]
        print(f"\n{many // few} times the files, {many_bytes / few_bytes:.1f} times the bytes: "
              f"{after[two][0] / before[two][0]:.1f} times the time")
    print_targets(programs, results)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
