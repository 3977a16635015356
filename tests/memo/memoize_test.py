# SPDX-License-Identifier: Apache-2.0
"""memoize_test.py PSIM ROOT: a run that repeats remembered stretches has the result of one that simulates every cycle."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

psim, root = sys.argv[1:3]
if shutil.which("sparc64-linux-gnu-gcc") is None:
    print("no cross compiler")
    sys.exit(77)

KERNELS = (("dgemm", "48"), ("pointer_chase", "20"), ("sieve", "20000"))
# Threads that share the core, and spin for each other. A slice of 3,000 cycles ends in the middle of many a loop.
THREADS = (("spinning",), ("barriers",), ("timeouts",), ("threads",))
SLICES = ([], ["--set", "node.time_slice=3000 cycles"])
OPTIONS = ([], ["--energy"], ["--set", "l1d.bytes=8 KB", "--set", "l1d.ways=1"], ["--max-instructions", "100000"])


def result(place, *words):
    path = os.path.join(place, "result.json")
    done = subprocess.run([psim, "run", "--quiet", "--json", path, *words], stdout=subprocess.DEVNULL, timeout=200)
    with open(path, encoding="utf-8") as file:
        return done.returncode, json.load(file)


problems = []
with tempfile.TemporaryDirectory() as place:
    def build(source, *flags):
        program = os.path.join(place, os.path.basename(source)[:-2])
        subprocess.run(["sparc64-linux-gnu-gcc", "-O2", "-w", "-static", *flags, "-I", os.path.join(root, "workloads/include"), "-o", program,
                        os.path.join(root, source), "-lm"], check=True)
        return program

    runs = [(build(f"workloads/kernels/{name}.c"), words, options) for name, *words in KERNELS for options in OPTIONS]
    threads = build("tests/threads/kernel.c", "-pthread")
    runs += [(threads, words, options) for words in THREADS for options in SLICES]
    for program, words, options in runs:
        status, plain = result(place, "--no-memoize", *options, program, *words)
        memo_status, memoized = result(place, *options, program, *words)
        if (status, plain["result_hash"]) != (memo_status, memoized["result_hash"]):
            problems.append(f"{program} {words} {options}: results differ: {plain['cycles']} and {memoized['cycles']} cycles")
print(*problems, f"{len(runs)} runs, {len(problems)} problems", sep="\n")
sys.exit(1 if problems else 0)
