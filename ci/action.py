#!/usr/bin/env python3
"""The steps of action.yml: `key`, `install`, `check` and `result`. Inputs come as environment variables, results go to
the file that GITHUB_OUTPUT names. Runs as well by hand and in the tests, where these variables are set to scratch files."""
import hashlib
import json
import os
import pathlib
import platform
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parent.parent
# What the program is made of: its sources, and what is embedded into it.
MADE_OF = ("src", "rules", "fixtures", "ci/embed.py", "ci/gather_checks.py", "ci/gather_relations.py", "meson.build",
           "meson_options.txt")


def stop(why):
    sys.exit(f"::error title=lockstep::{escape(why)}")


def escape(text):
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def give(**values):
    """Outputs of the step. A line break in a value would be taken for another output."""
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        for name, value in values.items():
            if re.search(r"[\r\n]", str(value)):
                stop(f"{name} has a line break in it")
            file.write(f"{name.replace('_', '-')}={value}\n")


def asked(name, default=""):
    return os.environ.get("INPUT_" + name, default).strip()


def is_on(name):
    value = asked(name).lower()
    if value not in ("", "true", "false"):
        stop(f"{name.lower()} is {value}; it may be true or false")
    return value == "true"


def system():
    """The distribution and its version: a program linked on one need not start on another."""
    try:
        release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    except OSError:
        release = {}
    words = [platform.system(), platform.machine(), release.get("ID", ""), release.get("VERSION_ID", "")]
    return "-".join(re.sub(r"[^A-Za-z0-9._]", "", word) for word in words)


def key():
    total = hashlib.sha256()
    for name in MADE_OF:
        root = SOURCE / name
        for path in [root] if root.is_file() else sorted(path for path in root.rglob("*") if path.is_file()):
            total.update(f"{path.relative_to(SOURCE)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    give(key=f"lockstep-{system()}-{total.hexdigest()}")


def runs(program):
    try:
        return subprocess.run([program, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def digest_of(program):
    return hashlib.sha256(program.read_bytes()).hexdigest()


def is_trusted(program):
    """A program of the cache is taken only for its checksum, never because it answers: who can write to the cache could
    have put anything there."""
    wanted = asked("PROGRAM_SHA256").lower()
    if not wanted:
        return False
    if not re.fullmatch(r"[0-9a-f]{64}", wanted):
        stop("program-sha256 is no checksum: 64 hexadecimal digits")
    if not program.is_file() or program.is_symlink():
        return False
    if digest_of(program) == wanted:
        return True
    print("::warning title=lockstep::the program of the cache is not the one that program-sha256 names; it is built anew", flush=True)
    return False


def unpack(archive, digest, program):
    if not re.fullmatch(r"[0-9a-fA-F]{64}", digest):
        stop("archive needs archive-sha256: 64 hexadecimal digits")
    with tempfile.TemporaryDirectory() as scratch:
        packed = pathlib.Path(scratch) / "archive"
        try:
            if "://" not in archive:
                shutil.copyfile(archive, packed)
            elif archive.startswith("https://"):
                with urllib.request.urlopen(archive, timeout=120) as answer, open(packed, "wb") as file:
                    shutil.copyfileobj(answer, file)
            else:
                stop(f"{archive}: only https:// or a path")
        except OSError as error:
            stop(f"cannot get {archive}: {error}")
        found = hashlib.sha256(packed.read_bytes()).hexdigest()
        if found != digest.lower():
            stop(f"{archive} hashes to {found}, archive-sha256 says {digest.lower()}")
        try:
            with tarfile.open(packed) as tar:
                members = [member for member in tar if member.isfile() and pathlib.PurePosixPath(member.name).name == "lockstep"]
                if not members:
                    stop(f"{archive} holds no file named lockstep")
                program.write_bytes(tar.extractfile(members[0]).read())
        except tarfile.TarError as error:
            stop(f"{archive} is no tar archive: {error}")
    program.chmod(0o755)


def build(program):
    """Static where the libraries allow it, so that a cached program starts on a runner without them."""
    subprocess.run([SOURCE / "ci/install-deps"], check=True)
    for static in ("true", "false"):
        folder = SOURCE / f"build-action-static-{static}"
        setup = ["meson", "setup", folder, SOURCE, "-Dtests=false", f"-Dstatic={static}"]
        made = all(subprocess.run(step).returncode == 0 for step in (setup, ["ninja", "-C", folder, "lockstep"]))
        if made and runs(folder / "lockstep"):
            shutil.copy2(folder / "lockstep", program)
            return
    stop("the program could not be built; the log above says why")


def install():
    folder = pathlib.Path(os.environ["LOCKSTEP_FOLDER"])
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "lockstep"
    if asked("ARCHIVE"):
        unpack(asked("ARCHIVE"), asked("ARCHIVE_SHA256"), program)
    elif not is_trusted(program):
        program.unlink(missing_ok=True)
        build(program)
    if not runs(program):
        stop(f"{program} does not start on this runner")
    print(f"lockstep: program-sha256 of this program: {digest_of(program)}", flush=True)
    give(program=program)


def command(scratch):
    path = asked("PATH", ".") or "."
    words = [os.environ["LOCKSTEP_PROGRAM"], "check", path if not path.startswith("-") else "./" + path]
    words += ["--color", "never", "--fail-on", asked("FAIL_ON") or "error", "--output", f"json={scratch}/findings.json"]
    for option in ("config", "baseline"):
        if asked(option.upper()):
            words += ["--" + option, asked(option.upper())]
    for form in ("sarif", "junit"):
        if asked(form.upper() + "_FILE"):
            words += ["--output", f"{form}={asked(form.upper() + '_FILE')}"]
    words.append("--sarif-drop-suppressed")  # code scanning would show them as open alerts
    if is_on("ANNOTATIONS"):
        words += ["--output", f"github={scratch}/annotations"]
    if is_on("SUMMARY") and os.environ.get("GITHUB_STEP_SUMMARY"):
        words += ["--output", f"summary={os.environ['GITHUB_STEP_SUMMARY']}"]
    own = shlex.split(asked("ARGS"))
    # A pull request must not silence its own guard: what it adds in suppressions, excludes or limits fails it.
    base = os.environ.get("GITHUB_BASE_REF", "")
    if is_on("NO_NEW_SUPPRESSIONS") and base and "--no-new-suppressions" not in own:
        if not any(word == "--base" or word.startswith("--base=") or word == "--staged" for word in own):
            words += ["--base", f"origin/{base}"]
        words.append("--no-new-suppressions")
    return words + own


def check():
    with tempfile.TemporaryDirectory() as scratch:
        words = command(scratch)
        # The report shows lines of the repository: no word of them may be a command to the runner.
        token = secrets.token_hex(16)
        print(f"::stop-commands::{token}", flush=True)
        code = subprocess.run(words).returncode
        print(f"::{token}::", flush=True)
        if code not in (0, 1):
            give(exit_code=code if code > 0 else 2)
            return
        annotations = pathlib.Path(scratch) / "annotations"
        if annotations.exists():
            sys.stdout.write(annotations.read_text(encoding="utf-8"))
        findings = json.loads((pathlib.Path(scratch) / "findings.json").read_text(encoding="utf-8"))["findings"]
    levels = [finding["severity"] for finding in findings]
    give(exit_code=code, findings=len(levels), errors=levels.count("error"), warnings=levels.count("warning"),
         notes=levels.count("note"), sarif_file=asked("SARIF_FILE"), junit_file=asked("JUNIT_FILE"))


def result():
    code = os.environ.get("LOCKSTEP_EXIT_CODE", "")
    if code not in ("0", "1"):
        print("::error title=lockstep::the run could not be trusted; the log of the step says why")
    sys.exit(int(code) if code.isdigit() else 2)


if __name__ == "__main__":
    steps = {"key": key, "install": install, "check": check, "result": result}
    if len(sys.argv) != 2 or sys.argv[1] not in steps:
        sys.exit("usage: ci/action.py " + "|".join(steps))
    steps[sys.argv[1]]()
