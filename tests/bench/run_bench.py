#!/usr/bin/env python3
"""Measures lockstep beside the yardsticks, in one go, and prints tables: run_bench.py BUILD [FILES ...].

Times are the best of several rounds; in a round all programs run in turn, so that a noisy minute hits them alike. Ratios
mean more than milliseconds. `--instructions` compares the instruction count of one fixed tree with the one kept in
instructions.txt instead."""
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = {500: 9, 5000: 5, 50000: 3}
TOLERANCE = 0.05
KEPT = os.path.join(HERE, "instructions.txt")


def make_tree(build, files):
    root = os.path.join(build, "bench", str(files))
    done = root + ".done"
    if not os.path.exists(done):
        shutil.rmtree(root, ignore_errors=True)
        said = subprocess.run([sys.executable, os.path.join(HERE, "make_tree.py"), root, str(files)], check=True,
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


def drop_caches():
    try:
        os.sync()
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
            file.write("3")
        return True
    except OSError:
        return False


def bench(build, files):
    lockstep, baseline = os.path.join(build, "lockstep"), os.path.join(build, "tests", "bench", "baseline")
    tree, size = make_tree(build, files)
    commands = {
        "read(2) and newlines": [baseline, "read", tree],
        "libyaml events, 1 thread": [baseline, "events", tree, "1"],
        "libyaml events, 2 threads": [baseline, "events", tree, "2"],
        "lockstep, 1 thread": [lockstep, "check", tree, "--jobs", "1"],
        "lockstep, 2 threads": [lockstep, "check", tree, "--jobs", "2"],
    }
    if files == min(ROUNDS) and shutil.which("yamllint"):
        commands["yamllint"] = ["yamllint", "-d", "relaxed", tree]
    cold = measure(commands["lockstep, 2 threads"])[0] if drop_caches() else None
    best = {}
    for _ in range(ROUNDS.get(files, 3)):
        for name, command in commands.items():
            run = measure(command)
            old = best.get(name, run)
            best[name] = (min(old[0], run[0]), min(old[1], run[1]), max(old[2], run[2]))
    limit, events = best["read(2) and newlines"][0], best["libyaml events, 2 threads"][0]
    print(f"\n### {files} files, {size / 1e6:.1f} MB\n")
    print("| program | ms | x read | x events, 2 threads | MB/s | files/s | peak MB |\n|---|---|---|---|---|---|---|")
    for name, (wall, _, peak) in best.items():
        print(f"| {name} | {wall * 1000:.0f} | {wall / limit:.1f} | {wall / events:.2f} | {size / 1e6 / wall:.0f} "
              f"| {files / wall:.0f} | {peak / 1e6:.0f} |", flush=True)
    print(f"\nlockstep with cold caches: {cold * 1000:.0f} ms" if cold else "\ncold caches: needs root")
    return best["lockstep, 2 threads"][0]


def instructions(build):
    """Fails when the count for the small tree moved by more than the tolerance from the one that is kept."""
    tree, _ = make_tree(build, 500)
    log = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          os.path.join(build, "lockstep"), "check", tree, "--jobs", "1"],
                         capture_output=True, text=True).stderr
    count = int(next(line for line in log.splitlines() if "refs:" in line).split()[-1].replace(",", ""))
    with open(KEPT, encoding="ascii") as file:
        kept = int(file.read())
    moved = count / kept - 1
    print(f"{count} instructions for 500 files, kept {kept}: {moved:+.1%}")
    if abs(moved) > TOLERANCE:
        print(f"more than {TOLERANCE:.0%}: find the cause, or write the new count into {os.path.relpath(KEPT)}")
        return 1
    return 0


def main(arguments):
    build = arguments[0]
    if "--instructions" in arguments:
        return instructions(build)
    times = [(files, bench(build, files)) for files in map(int, arguments[1:] or ROUNDS)]
    for (few, short), (many, long) in zip(times, times[1:]):
        print(f"\n{many // few} times the files: {long / short:.1f} times the time")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
