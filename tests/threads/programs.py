# SPDX-License-Identifier: Apache-2.0
"""An OpenMP and a C++ program print on 1 to 8 cores what they print under qemu, and each run can be repeated."""
import json
import os
import pathlib
import sys
import tempfile

from common import build, run  # noqa: E402

PSIM = sys.argv[1]
# cores, threads
CASES = [(1, 3), (2, 2), (4, 4), (8, 8), (2, 5)]


def problems_of(name, directory, threads_of):
    program = build(name, directory)
    problems = []
    for cores, threads in CASES:
        variables, words = threads_of(threads)
        expected = run(["qemu-sparc64", program, *words], directory, env={**os.environ, **variables})
        hashes = set()
        for repetition in range(2 if cores == 4 else 1):
            command = [PSIM, "run", "--quiet", "--set", f"node.cores={cores}", "--json", "result.json"]
            for key, value in variables.items():
                command += ["--env", f"{key}={value}"]
            done = run([*command, program, *words], directory)
            where = f"{name}, {threads} threads on {cores} cores"
            if (done.returncode, done.stdout) != (expected.returncode, expected.stdout):
                problems.append(f"{where}: status {done.returncode}, {done.stdout!r}, {done.stderr!r}; "
                                f"qemu: {expected.returncode}, {expected.stdout!r}")
                continue
            result = json.loads(pathlib.Path(directory, "result.json").read_text())
            hashes.add(result["result_hash"])
            if cores == 1 and sum(result["cpi_stack"].values()) != result["cycles"]:
                problems.append(f"{where}: the CPI stack does not sum to the run's cycles")
            # crew.cpp's threads are those of its crew, main's, and that of a future.
            if len(result["threads"]) != (threads if name == "team.c" else threads + 2):
                problems.append(f"{where}: rows of threads: {result['threads']}")
            for core in result["cores"] if cores > 1 else []:
                if sum(core["cpi_stack"].values()) != result["cycles"]:
                    problems.append(f"{where}: the CPI stack of core {core['core']} does not sum to the run's cycles")
                if core["instructions"] == 0:
                    problems.append(f"{where}: core {core['core']} executed nothing")
            if cores > 1 and sum(core["instructions"] for core in result["cores"]) != result["instructions"]:
                problems.append(f"{where}: instructions are not the sum of the cores'")
            # With more threads than cores a region may end on another core.
            of_threads = [(region["args"], region["executions"]) for region in result["regions"] if region["name"] == "thread"]
            if name == "team.c" and (threads == cores or cores == 1) and of_threads != [([threads], threads)]:
                problems.append(f"{where}: region of each thread: {of_threads}")
        if len(hashes) != 1:
            problems.append(f"{name} on {cores} cores: results differ between runs: {hashes}")
    return problems


def main():
    with tempfile.TemporaryDirectory() as directory:
        problems = problems_of("team.c", directory, lambda n: ({"OMP_NUM_THREADS": str(n)}, []))
        problems += problems_of("crew.cpp", directory, lambda n: ({}, [str(n)]))
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
