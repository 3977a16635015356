#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the execution tests inside Debian's gcc-12-source package under qemu-sparc64 and psim, and compare.

The tests are unpacked from the installed package, compiled by the sparc64 cross compilers, run twice, and their
standard output, standard error and exit status (or signal) compared. Nothing of the package is kept.

  tests/suites/gcc_suite.py --psim build/release/bin/psim                      # everything; hours on two cores
  tests/suites/gcc_suite.py --psim ... --suite c-torture --level -O2 --every 20  # each 20th program
  tests/suites/gcc_suite.py --psim ... --cpu niagara4                          # reference built for v9, no contraction

A program that does not compile for the target, or that qemu does not finish in time, is not counted. Programs in
known_differences.txt beside this file differ for the reason that stands there and are counted apart, as are those
that need threads, which psim does not have yet.
Exit status 1 if any other program differs, or if one listed there does not.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PACKAGE = "/usr/src/gcc-12"
ROOT = "gcc/testsuite"
# name: (directory, glob, compiler, only files with dg-do run?, extra flags, follow sub-directories?)
SUITES = {
    "c-torture": ("gcc.c-torture/execute", "*.c", "gcc", False, ["-w"], False),
    "c-ieee": ("gcc.c-torture/execute/ieee", "*.c", "gcc", False, ["-w", "-fno-inline", "-lm"], False),
    # Flags of its builtins.exp: else its own strlen and memset become calls of themselves.
    "c-builtins": ("gcc.c-torture/execute/builtins", "*.c", "gcc", False,
                   ["-w", "-fno-tree-dse", "-fno-tree-loop-distribute-patterns", "-fno-tracer", "-fno-ipa-ra",
                    "-fno-inline-functions", "-Wl,--allow-multiple-definition"], False),
    "c-dg-torture": ("gcc.dg/torture", "*.c", "gcc", True, ["-w"], True),
    "c-dg": ("gcc.dg", "*.c", "gcc", True, ["-w"], False),
    "c++": ("g++.dg", "*.C", "g++", True, ["-w"], True),
    "fortran-torture": ("gfortran.fortran-torture/execute", "*.f90", "gfortran", False, ["-w"], False),
    "fortran-dg": ("gfortran.dg", "*.[fF]*", "gfortran", True, ["-w"], True),
}
# Sub-directories whose tests are about other things than the program that comes out.
LEFT_OUT = {"plugin", "pch", "lto", "gomp", "goacc", "goacc-gomp", "asan", "tsan", "hwasan", "coarray", "modules",
            "prof", "tree-prof", "bprob", "guality", "compat", "tm", "cilk-plus", "gcov", "simulate-thread"}
UNUSABLE_OPTIONS = ("-fsanitize", "-fopenmp", "-fprofile", "-pg", "-mcpu", "-m32", "-fplugin", "-shared", "-flto",
                    "-dA", "-fdump", "-fcoarray", "-fgnu-tm", "-fopenacc", "-I", "--coverage", "-fself-test")


def unpack(where: pathlib.Path) -> pathlib.Path:
    """The test suites' root, unpacked from the installed package."""
    archives = sorted(pathlib.Path(PACKAGE).glob("gcc-12.*.tar.xz"))
    if not archives:
        print("gcc_suite: gcc-12-source is not installed (apt install gcc-12-source)", file=sys.stderr)
        sys.exit(77)
    top = archives[0].name.split("-dfsg")[0].removesuffix(".tar.xz")
    wanted = sorted({f"{top}/{ROOT}/{name.split('/')[0]}" for name, *_ in SUITES.values()})
    if not (where / top).is_dir():
        subprocess.run(["tar", "-xf", archives[0], "-C", where, *wanted], check=True)
    return where / top / ROOT


def directives(text: str, name: str) -> list[str]:
    """The option words of every `{ dg-NAME "..." }` that holds for this target without a selector."""
    words = []
    for match in re.finditer(r'dg-%s\s+"([^"]*)"\s*(\{[^}]*\})?\s*\}' % name, text):
        if not match.group(2):
            words += match.group(1).split()
    return words


def programs(root, suite, every):
    directory, pattern, compiler, needs_run, flags, deep = SUITES[suite]
    base = root / directory
    found = sorted(base.rglob(pattern) if deep else base.glob(pattern))
    chosen = []
    for path in found:
        if LEFT_OUT & set(path.relative_to(base).parts[:-1]):
            continue
        text = path.read_text(errors="replace")
        if needs_run and not re.search(r"dg-do\s+run", text):
            continue
        options = directives(text, "options") + directives(text, "additional-options")
        if any(option.startswith(UNUSABLE_OPTIONS) for option in options):
            continue
        sources = [path]
        extra = directives(text, "additional-sources")
        sources += [path.parent / name for name in extra]
        if suite == "c-builtins":
            if path.stem.endswith("-lib"):
                continue
            sources += [path.with_name(path.stem + "-lib.c"), base / "lib" / "main.c"]
        chosen.append((suite, compiler, sources, flags + options))
    return chosen[::every]


def known_differences(cpu):
    """path: reason, from known_differences.txt, of the lines that hold for `-mcpu=cpu`."""
    text = (pathlib.Path(__file__).parent / "known_differences.txt").read_text()
    lines = [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    named = [(path.partition("@"), reason) for path, reason in lines]
    return {path: reason for (path, _, cpus), reason in named if not cpus or cpu in cpus.split(",")}


def run(command, directory, timeout):
    try:
        done = subprocess.run(command, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout, done.stderr


def compile_program(job, level, cpu, output):
    _, compiler, sources, flags = job
    contraction = ["-ffp-contract=off"]
    libraries = [flag for flag in flags if flag.startswith("-l")] + ["-lm"]
    rest = [flag for flag in flags if not flag.startswith("-l") and not re.fullmatch(r"-O\w*", flag)]
    command = [f"sparc64-linux-gnu-{compiler}", "-static", level, *rest, f"-mcpu={cpu}", *contraction, "-o", output,
               *map(str, sources), *libraries]
    done = subprocess.run(command, cwd=pathlib.Path(output).parent, capture_output=True)
    return done.returncode == 0


def strip_own_lines(stderr: bytes, marker: bytes) -> bytes:
    """Standard error without the emulator's own lines (both name themselves)."""
    return b"\n".join(line for line in stderr.split(b"\n") if not line.startswith(marker))


def compare(job, level, cpu, commands, timeout):  # commands of psim: the words before the program
    """(verdict, detail); verdict: same, differs, threads, no-compile, no-reference."""
    with tempfile.TemporaryDirectory(prefix="gcc-suite-") as temporary:
        here = pathlib.Path(temporary)
        subject = here / "program"
        if not compile_program(job, level, cpu, str(subject)):
            return "no-compile", ""
        reference = subject
        if cpu in ("niagara3", "niagara4", "niagara7", "m8"):
            reference = here / "reference"
            if not compile_program(job, level, "v9", str(reference)):
                return "no-compile", ""
        (here / "q").mkdir()
        shutil.copy(reference, here / "q" / "program")
        expected = run(["qemu-sparc64", "./program"], here / "q", timeout)
        if expected is None:
            return "no-reference", ""
        for number, psim in enumerate(commands):
            directory = here / f"p{number}"
            directory.mkdir()
            shutil.copy(subject, directory / "program")
            got = run([*psim, "./program"], directory, 10 * timeout)
            if got is None:
                return "differs", "psim did not finish"
            if b"threads need a machine with several cores" in got[2]:
                return "threads", ""
            for what, one, other in (("exit status", expected[0], got[0]), ("stdout", expected[1], got[1]),
                                     ("stderr", strip_own_lines(expected[2], b"qemu"), strip_own_lines(got[2], b"psim"))):
                if one != other:
                    own = b" | ".join(line for line in got[2].split(b"\n") if line.startswith(b"psim"))[:300]
                    return "differs", f"{' '.join(psim[1:])}: {what}: qemu {one!r:.200}, psim {other!r:.200} {own.decode(errors='replace')}"
        return "same", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", required=True, help="the psim program to test")
    parser.add_argument("--command", choices=("exec", "run"), default="exec", help="psim exec (default) or psim run")
    parser.add_argument("--suite", action="append", choices=SUITES, help="suites to run (default: all)")
    parser.add_argument("--level", action="append", help="optimisation levels (default: -O0 -O1 -O2 -O3); --level=-O2")
    parser.add_argument("--cpu", default="v9", help="-mcpu of the subject (default v9)")
    parser.add_argument("--every", type=int, default=1, help="take each N-th program only")
    parser.add_argument("--match", default="", help="only programs whose path holds this text")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds qemu may take")
    parser.add_argument("--work", default=tempfile.gettempdir() + "/psim-gcc-suite", help="where to unpack")
    parser.add_argument("--json", help="write counts and differences here")
    arguments = parser.parse_args()
    psim = [str(pathlib.Path(arguments.psim).resolve()), arguments.command]
    # Functional runs: without translation to host code, and with each block translated at once.
    commands = [[*psim, "--translate-after", runs] for runs in "01"] if arguments.command == "exec" else [psim]
    work = pathlib.Path(arguments.work)
    work.mkdir(parents=True, exist_ok=True)
    root = unpack(work)
    jobs = [(job, level) for suite in arguments.suite or SUITES for job in programs(root, suite, arguments.every)
            if arguments.match in str(job[2][0]) for level in arguments.level or ["-O0", "-O1", "-O2", "-O3"]]
    counts = collections.defaultdict(collections.Counter)
    differences = []
    known = known_differences(arguments.cpu)
    agreed, known_seen = set(), set()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        verdicts = pool.map(lambda item: compare(item[0], item[1], arguments.cpu, commands, arguments.timeout), jobs)
        for (job, level), (verdict, detail) in zip(jobs, verdicts):
            path = str(job[2][0].relative_to(root))
            if verdict == "differs" and path in known:
                verdict = "known"
                known_seen.add(path)
            elif verdict == "same" and path in known:
                agreed.add(path)
            counts[job[0]][verdict] += 1
            if verdict == "differs":
                name = f"{path} {level} -mcpu={arguments.cpu}"
                differences.append({"program": name, "detail": detail})
                print(f"DIFFERS {name}: {detail}", flush=True)
    for suite, count in counts.items():
        print(f"{suite}: {count['same']} same, {count['differs']} differ, {count['known']} differ as known, "
              f"{count['threads']} need threads, "
              f"{count['no-compile']} do not compile, {count['no-reference']} without reference")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(
            {"cpu": arguments.cpu, "levels": arguments.level, "every": arguments.every, "counts": counts, "differences": differences}, indent=1))
    if not any(count["same"] for count in counts.values()):
        sys.exit("gcc_suite: no program was compared")
    # A listed program that agrees at every level that ran is not a difference any more.
    stale = sorted(agreed - known_seen)
    for path in stale:
        print(f"STALE {path}: listed in known_differences.txt, but does not differ")
    return 1 if differences or stale else 0


if __name__ == "__main__":
    sys.exit(main())
