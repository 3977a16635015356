# SPDX-License-Identifier: Apache-2.0
"""Writes to one line by two cores cost its transfers, writes to lines of their own none; joules of the cores sum to those of the chip."""
import json
import pathlib
import sys
import tempfile

from common import build, run  # noqa: E402

PSIM = sys.argv[1]


def main():
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        program = build("counters.c", directory)
        done = run([PSIM, "run", "--quiet", "--energy", "--set", "node.cores=2", "--json", "r.json", program], directory)
        if (done.returncode, done.stdout) != (0, "800 800 800\n"):
            problems.append(f"status {done.returncode}, {done.stdout!r}, {done.stderr!r}")
            print(*problems, sep="\n")
            return 1
        result = json.loads(pathlib.Path(directory, "r.json").read_text())
        cycles = {(region["name"], region["args"][0]): region["cycles"] for region in result["regions"]}
        for thread in (0, 1):
            # An increment hits L1 (4 cycles, and the store forwards); a shared line's takes its turn of 40 cycles with the other core.
            if cycles["near", thread] < 1.5 * cycles["apart", thread]:
                problems.append(f"false sharing costs too little: {cycles}")
            if cycles["atomic", thread] < cycles["apart", thread]:
                problems.append(f"atomics on one line cost too little: {cycles}")
        coherence = result["statistics"]["coherence"]
        if min(coherence["forwards"], coherence["invalidations"]) < 20:
            problems.append(f"too few transfers between the cores: {coherence}")
        parts = sum(core["energy_joules"] for core in result["cores"]) + result["energy"]["shared_joules"]
        if abs(parts - result["energy"]["total_joules"]) > 1e-9 * parts:
            problems.append(f"joules of the parts are {parts}, of the chip {result['energy']['total_joules']}")
        for pes in ("sparc64v", "psi-chip"):
            done = run([PSIM, "run", "--quiet", "--machine", pes, "--set", "node.cores=8", "--set", "memory.banks=4", "--set",
                        "memory.bank_busy=40 cycles", program], directory)
            if (done.returncode, done.stdout) != (0, "800 800 800\n"):
                problems.append(f"{pes}: status {done.returncode}, {done.stdout!r}, {done.stderr!r}")
        pipe = build("pipe.c", directory)
        for words, status, output, error in (([], 0, "hello\n", ""), (["both"], 2, "", "thread 101001 on core 1 waits in read()")):
            done = run([PSIM, "run", "--quiet", "--set", "node.cores=2", pipe, *words], directory)
            if (done.returncode, done.stdout) != (status, output) or error not in done.stderr:
                problems.append(f"pipe {words}: status {done.returncode}, {done.stdout!r}, {done.stderr!r}")
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
