#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Share of the target loops of other programs that run on SIMD-PEs, with their sources unchanged.

  benches/openmp_suites.py [--psim PATH] [--include FOLDER]… [--option WORD]… [--arguments 'ARG…'] [--copy FILE]… [--together]
                           SOURCE…

Each SOURCE, a file or a folder, is searched for programs in C, C++ and Fortran with target constructs. They are built with the host's
compiler and OpenMP, and for psim. Programs that the host's compiler does not build, or that fail there, are counted and left out. The others run
under psim exec, where every loop that can run on the PEs does, and is verified against the scalar core. A program is wrong if its exit status
differs from the native one. The lines printed are these numbers, the wrong programs, and the reasons of loops on the scalar core with their
counts. Target regions without a parallel loop are no loops, and are counted by themselves. --together: the sources are one program.
--copy: of a file that the programs read, into their working directory.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from measure import PSIM

COMPILERS = {".c": ("gcc", "psim-sparc-cc"), ".cpp": ("g++", "psim-sparc-cxx"), ".cc": ("g++", "psim-sparc-cxx"),
             ".f90": ("gfortran", "psim-sparc-f90"), ".F90": ("gfortran", "psim-sparc-f90")}
REPORT = re.compile(r"^psim_omp: report: (.*): (\d+) times on the PEs, (\d+) on the scalar core", re.M)
WARNING = re.compile(r"^psim_omp: (.*?) runs on the scalar core: (.*)", re.M)
NO_LOOP = ("it has no parallel loop", "it is a task, or has no loop")


def run(command, folder, **environment):
    try:
        return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, errors="replace", timeout=60,
                              stdin=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "4", **environment})
    except subprocess.TimeoutExpired:
        return None


def plain(reason):
    """The reason without places, names and numbers."""
    reason = re.sub(r" \((line \d+|\S+:\d+)\)$", "", reason)
    reason = re.sub(r"^it calls \S+, ", "it calls a function, ", re.sub(r"array \S+ is not mapped", "an array is not mapped", reason))
    reason = re.sub(r"parts of \S+ that", "parts of an array that", re.sub(r"the part of \S+ that it writes overlaps \S+", "arrays overlap", reason))
    return re.sub(r"\d+", "N", reason)


def measured(psim, program, options, directory):
    """Returns what happened, the loops' places {name: on PEs}, and the reasons {name: reason}."""
    files = program if isinstance(program, list) else [program]
    suffix = next((path.suffix for path in files if path.suffix not in (".c",)), files[0].suffix)
    native, wrapper = COMPILERS[suffix]
    own = pathlib.Path(tempfile.mkdtemp(dir=directory))
    arguments = shlex.split(options.arguments)
    for path in options.copy:
        shutil.copy(path, own)
    include = [word for folder in options.include for word in ("-I", folder.resolve())]
    modules = ["-J", own] if "fortran" in native else []
    fortran = ["-cpp", "-ffree-line-length-none"] if modules else []
    common = ["-fopenmp", "-w", *fortran, *options.option, *include, *modules, *files, "-lm"]
    built = run([native, "-O1", "-foffload=disable", "-o", own / "native", *common], own)
    if built is None or built.returncode:
        return "not built by the host's compiler", {}, {}
    expected = run([own / "native", *arguments], own)
    if expected is None or expected.returncode:
        return "fails natively", {}, {}
    built = run([psim.parent / wrapper, "-O3", "-o", own / "program", *common], own)
    if built is None or built.returncode:
        return "not built for psim: " + (built.stderr.splitlines() or ["?"])[-1] if built else "too slow", {}, {}
    done = run([psim, "exec", "--quiet", "--machine", "simd16", own / "program", *arguments], own, PSIM_OMP_REPORT="1", OMP_NUM_THREADS="1")
    if done is None:
        return "too slow", {}, {}
    loops = {name: int(on_pes) > 0 for name, on_pes, _ in REPORT.findall(done.stderr)}
    reasons = dict(WARNING.findall(done.stderr))
    verdict = "right" if done.returncode == expected.returncode else f"wrong: status {done.returncode}: {done.stderr.strip()[-200:]}"
    return verdict, {**loops, **{name: loops.get(name, False) for name in reasons}}, reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", type=pathlib.Path, default=PSIM)
    parser.add_argument("--include", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--option", action="append", default=[], help="of both compilers, as in --option=-DNAME")
    parser.add_argument("--arguments", default="")
    parser.add_argument("--copy", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--together", action="store_true")
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    found = [path.resolve() for source in options.sources for path in (sorted(source.rglob("*")) if source.is_dir() else [source])
             if path.suffix in COMPILERS]
    programs = [found] if options.together else [path for path in found if re.search(r"(omp|OMP)\s+(target|TARGET)", path.read_text(errors="replace"))]
    verdicts, causes, on_pes, no_loops, names = collections.Counter(), collections.Counter(), 0, 0, 0
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, (verdict, loops, reasons) in zip(
                programs, pool.map(lambda program: measured(options.psim.resolve(), program, options, directory), programs)):
            verdicts[verdict.split(":")[0]] += 1
            if not verdict.startswith(("right", "not built by", "fails")):
                print(program[0] if options.together else program, verdict)
            for name, pes in loops.items():
                if not pes and reasons.get(name, "").startswith(NO_LOOP):
                    no_loops += 1
                    continue
                names += 1
                on_pes += pes
                if not pes:
                    causes[plain(reasons.get(name, "no reason is known"))] += 1
    for verdict, count in verdicts.most_common():
        print(f"{count} programs: {verdict}")
    print(f"{on_pes} of {names} target loops run on the PEs ({100 * on_pes / max(names, 1):.0f} %); {no_loops} regions have no parallel loop")
    for cause, count in causes.most_common():
        print(f"{count:4} {cause}")


main()
