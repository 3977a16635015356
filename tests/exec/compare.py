#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one program under qemu-sparc64 and under psim exec and compares all that can be seen: standard output,
standard error (but for lines of psim's and qemu's own), exit status or signal, and the files left behind. psim runs it
without translation to host code and with each block translated at once, in the same number of instructions, unless the program's processes
wait for each other (--any-count).

Compiles it first. Exit status 77 (skipped) where the cross tools are missing."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

COMPILERS = {".c": "sparc64-linux-gnu-gcc", ".cpp": "sparc64-linux-gnu-g++", ".f90": "sparc64-linux-gnu-gfortran"}
STDIN = b"first line\nsecond line\n"
ENVIRONMENT = {"PSIM_TEST_VARIABLE": "a value", "PATH": os.environ.get("PATH", "")}


def run(command, directory):
    os.mkdir(directory)
    done = subprocess.run(command, cwd=directory, input=STDIN, capture_output=True, env=ENVIRONMENT, timeout=120)
    files = {}
    for root, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, directory)] = file.read()
    own = (b"psim:", b"qemu:")
    error = b"".join(line for line in done.stderr.splitlines(True) if not line.startswith(own))
    return {"stdout": done.stdout, "stderr": error, "status": done.returncode, "files": files}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("psim")
    parser.add_argument("source")
    parser.add_argument("--flags", default="-O2", help="of the compiler")
    parser.add_argument("--any-count", action="store_true", help="the number of instructions depends on the host's times")
    arguments = parser.parse_args()
    compiler = COMPILERS[os.path.splitext(arguments.source)[1]]
    for tool in (compiler, "qemu-sparc64"):
        if not shutil.which(tool):
            print(f"skipped: no {tool}")
            return 77
    with tempfile.TemporaryDirectory(prefix="psim-exec-") as work:
        program = os.path.join(work, "program")
        subprocess.run([compiler, "-static", "-g", *arguments.flags.split(), arguments.source, "-o", program], check=True)
        words = ["one", "two words", "--help", ""]
        expected = run(["qemu-sparc64", program, *words], os.path.join(work, "qemu"))
        different, instructions = False, set()
        for runs in ("0", "1"):
            result = os.path.join(work, f"result{runs}.json")
            command = [arguments.psim, "exec", "--translate-after", runs, "--json", result]
            actual = run([*command, program, *words], os.path.join(work, f"psim{runs}"))
            with open(result, encoding="utf-8") as file:
                instructions.add(json.load(file)["instructions"])
            for key in [key for key in expected if expected[key] != actual[key]]:
                different = True
                print(f"{key} differs, translated after {runs} runs")
                print(f"--- qemu-sparc64\n{show(expected[key])}\n+++ psim exec\n{show(actual[key])}")
    if len(instructions) != 1 and not arguments.any_count:
        different = True
        print(f"numbers of instructions without and with translation: {sorted(instructions)}")
    return 1 if different else 0


def show(value):
    return value.decode(errors="replace") if isinstance(value, bytes) else value


if __name__ == "__main__":
    sys.exit(main())
