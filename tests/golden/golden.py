#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the golden runs of programs.toml with their records, records/NAME.txt.

golden.py [--psim PSIM] [--renew] [NAME…]

Compiles each program, runs it, and prints every statistic that differs from its record: old, new and per cent. Prints nothing
and ends with status 0 where all are equal, else ends with 1. With --renew writes the records again. Ends with 77 (skipped)
where a compiler is missing, or is another one than that of the records.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path("tests/golden")  # below ROOT, from where everything runs: no path gets into a program
SKIPPED = 77
# Longer lists, like histograms and timelines, are recorded by their length, sum and hash,
LONGEST_LIST = 8
# and so are energy and statistics of each region, and energy over time, whose parts are those of the whole run.
SUMMARISED = re.compile(r"regions\..*\.(energy|statistics)|energy\.over_time")
# Recorded in ways of their own, or not at all: what differs between hosts and between programs that do the same.
NOT_STATISTICS = {"schema", "version", "command", "arguments", "inputs", "host", "machine", "seed", "result_hash", "page"}
GUEST_FLAGS = ["-O2", "-mcpu=niagara3", "-static", "-s", "-Wall", "-Wextra", "-Werror", "-Wl,--build-id=none", "-Iworkloads/include"]
GUEST_COMPILERS = {".c": "sparc64-linux-gnu-gcc", ".cpp": "sparc64-linux-gnu-g++", ".f90": "sparc64-linux-gnu-gfortran"}
HOST_COMPILERS = {".c": ("psim-cc", "cc"), ".cpp": ("psim-cxx", "c++"), ".f90": ("psim-f90", "gfortran")}


class Skip(Exception):
    """Why a program cannot be compared on this machine."""


def sha(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def text_of(value):
    """One line; floating-point numbers with 12 digits."""
    return format(value, ".12g") if isinstance(value, float) else value if isinstance(value, str) else json.dumps(value)


def summary(values):
    numbers = [value for value in values if isinstance(value, (int, float))]
    total = f"sum {text_of(sum(numbers))}, " if len(numbers) == len(values) else ""
    return f"{len(values)} values, {total}sha256 {sha(values)[:16]}"


def flat(value, key=""):
    """Each number and text below `value` by its path; members of lists by their name, or else number."""
    if SUMMARISED.fullmatch(key):
        return {key: summary(value)}
    members = None
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list) and value and all(isinstance(member, dict) and "name" in member for member in value):
        names = [member["name"] for member in value]
        members = [(name if names.count(name) == 1 else f"{name}.{number}", {k: v for k, v in member.items() if k != "name"})
                   for number, (name, member) in enumerate(zip(names, value))]
    elif isinstance(value, list) and len(value) <= LONGEST_LIST and any(isinstance(member, (dict, list)) for member in value):
        members = enumerate(value)
    elif isinstance(value, list) and len(value) > LONGEST_LIST:
        return {key: summary(value)}
    if members is None:
        return {key: text_of(value)}
    return {path: text for name, member in members for path, text in flat(member, f"{key}.{name}" if key else str(name)).items()}


def statistics_of(result, command):
    """Everything that the JSON result has about the run, but not of the host."""
    configurations = {"node", "network"} if command == "cosim" else set()
    recorded = flat({key: value for key, value in result.items() if key not in NOT_STATISTICS | configurations})
    recorded |= {key: "sha256 " + sha(result[key])[:16] for key in sorted(configurations)}
    recorded["machine"] = "sha256 " + sha(result["machine"])[:16]
    if command in ("run", "cosim"):
        recorded["program"] = "sha256 " + result["inputs"]["program"]["sha256"][:16]
        recorded["result_hash"] = result["result_hash"]
    else:  # each compiler of the host makes another program: the hash of all the rest
        recorded["result_hash"] = sha({key: value for key, value in result.items() if key not in ("version", "inputs", "host", "page", "result_hash")})
    return recorded


def call(*command, cwd=ROOT):
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=250)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compiler_of(name):
    if not shutil.which(name):
        raise Skip(f"no {name}")
    return f"{name} {call(name, '-dumpfullversion').strip()}"


def guest(source, program):
    """Compiles for sparc64, and returns the compiler's name and version."""
    compiler = GUEST_COMPILERS[source.suffix]
    version = compiler_of(compiler)
    flags, also = GUEST_FLAGS, []
    if source.parts[:2] == ("workloads", "kernels"):  # as CMake compiles it for `psim reproduce`
        flags = [*GUEST_FLAGS[2:], *(ROOT / "workloads/kernels/flags.txt").read_text().split()]
    elif source.parts[:2] == ("tests", "simd") or source.stem == "pes":
        flags = [*GUEST_FLAGS, "-O3", "-fno-tree-vectorize", "-fno-tree-loop-distribute-patterns"]
    if source.suffix == ".f90":
        also = [f"{program}.o", "workloads/include/psim.f90"]
        flags = [*flags, "-Wno-compare-reals", "-Wno-maybe-uninitialized", "-J", program.parent]
        call(GUEST_COMPILERS[".c"], "-O2", "-mcpu=niagara3", "-c", "-o", also[0], "workloads/include/psim_fortran.c")
    call(compiler, *flags, "-o", program, *also, source, "-lm")
    return version


def host(psim, source, program):
    """Compiles for psim net. Returns no version: the result is the same with any."""
    wrapper, compiler = HOST_COMPILERS[source.suffix]
    if not shutil.which(compiler):
        raise Skip(f"no {compiler}")
    call(psim.parent / wrapper, "-O1", "-o", program, ROOT / source, cwd=program.parent)


def run(psim, name, described):
    """Compiles and runs; returns the statistics by name."""
    source = pathlib.Path(described["source"])
    command, *options = shlex.split(described["command"])
    with tempfile.TemporaryDirectory(prefix="psim-golden-") as scratch:
        program = pathlib.Path(scratch) / name
        recorded = {}
        if command == "cosim":
            scenario = (ROOT / described["scenario"]).read_text()
            (pathlib.Path(scratch) / "scenario.toml").write_text(scenario)
            program = pathlib.Path(scratch) / tomllib.loads(scenario)["program"]
        if command in ("run", "cosim"):
            recorded["compiler"] = guest(source, program)
        else:
            host(psim, source, program)
        done = subprocess.run([psim, command, "--quiet", "--json", "result.json", *options,
                               "scenario.toml" if command == "cosim" else f"./{name}", *shlex.split(described.get("arguments", ""))], capture_output=True, text=True, cwd=scratch,
                              stdin=subprocess.DEVNULL, timeout=250)
        output = done.stdout.strip().replace("\n", " / ")
        right = command == "cosim" or "wrong=0" in output or ": 0 wrong" in output  # cosim: by the exit status
        if done.returncode or not right or done.stderr:
            raise RuntimeError(f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}")
        recorded["output"] = output
        with open(pathlib.Path(scratch) / "result.json") as file:
            recorded |= statistics_of(json.load(file), command)
    for key, derived in described.get("derived", {}).items():
        expression = derived.partition("#")[0]
        expected = text_of(eval(expression, {"__builtins__": {}}))
        if recorded.get(key) != expected:
            raise RuntimeError(f"{name}: {key} = {recorded.get(key)}; expected {expected}, as derived in programs.toml: {derived}")
    return recorded


def record_of(name):
    return ROOT / HERE / "records" / f"{name}.txt"


def read_record(name):
    if not record_of(name).exists():
        return {}
    lines = record_of(name).read_text().splitlines()
    return dict(line.split(" = ", 1) for line in lines if line and not line.startswith("#"))


def write_record(name, described, recorded):
    lines = [f"# psim {described['command']} {pathlib.Path(described['source']).name} {described.get('arguments', '')}".rstrip(),
             "# Written by tests/golden/golden.py --renew."]
    for key, value in recorded.items():
        if key in described.get("derived", {}):
            expression, _, reason = described["derived"][key].partition("#")
            lines.append(f"# {expression.strip()}: {reason.strip()}")
        lines.append(f"{key} = {value}")
    record_of(name).write_text("\n".join(lines) + "\n")


def change(old, new):
    if old is None:
        return "appeared"
    if new is None:
        return "disappeared"
    try:
        before, after = float(old), float(new)
    except ValueError:
        return ""
    return f"{(after / before - 1) * 100:+.4g} %" if before else ""


def differences(old, new):
    """Rows of statistic, old value, new value, change: in the order of the new result, then those that it lacks."""
    keys = [*new, *(key for key in old if key not in new)]
    return [(key, old.get(key) or "-", new.get(key) or "-", change(old.get(key), new.get(key))) for key in keys if old.get(key) != new.get(key)]


def clipped(text):
    return text if len(text) <= 40 else text[:39] + "…"


def table(name, rows):
    rows = [("statistic", "old", "new", "change"), *((key, clipped(old), clipped(new), change) for key, old, new, change in rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  " + "  ".join([row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2]), row[3]]).rstrip() for row in rows]
    return "\n".join([f"{name}: {len(rows) - 1} statistics changed", *lines])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--psim", type=pathlib.Path, default=ROOT / "build/release/bin/psim", help="default: build/release/bin/psim")
    arguments.add_argument("--renew", action="store_true", help="write the records again, and print what changed")
    arguments.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    options = arguments.parse_args()
    programs = tomllib.loads((ROOT / HERE / "programs.toml").read_text())
    for name in options.names:
        if name not in programs:
            arguments.error(f"{name}: no golden run; expected one of {', '.join(programs)}")
    names = sorted(options.names or programs)
    psim = options.psim.resolve()

    failed, changed, skipped = [], [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, running in [(name, pool.submit(run, psim, name, programs[name])) for name in names]:
            old = read_record(name)
            try:
                recorded = running.result()
                if old and old.get("compiler") != recorded.get("compiler") and not options.renew:
                    raise Skip(f"recorded with {old.get('compiler')}; here is {recorded.get('compiler')}")
            except Skip as reason:
                print(f"{name}: skipped: {reason}")
                skipped.append(name)
                continue
            except RuntimeError as reason:
                print(reason)
                failed.append(name)
                continue
            if rows := differences(old, recorded):
                print(table(name, rows) if old else f"{name}: {'first record' if options.renew else 'has no record'}")
                changed.append(name)
            if options.renew:
                write_record(name, programs[name], recorded)
    if failed or changed and not options.renew:
        if changed:
            print("If the change is meant, run tests/golden/golden.py --renew and give the reason in the commit.")
        return 1
    return SKIPPED if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
