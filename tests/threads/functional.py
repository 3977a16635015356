# SPDX-License-Identifier: Apache-2.0
"""Threads behave in functional runs, and on cycle-level cores, as under Linux: kernel.expected and qemu are the oracles. Runs repeat."""
import json
import os
import pathlib
import signal
import sys
import tempfile

from common import HERE, build, run  # noqa: E402

PSIM = sys.argv[1]
PARTS = ["alone", "storage", "robust", "inheriting", "timeouts", "turns", "barriers", "spinning", "threads", "process", "timers",
         "cancellation", "CPU", "forks", "many"]
# Too long in cycles: 5,000 threads.
PARTS_IN_CYCLES = [part for part in PARTS if part != "many"]


def main():
    problems = []

    def check(where, done, status, output):
        if (done.returncode, done.stdout) != (status, output):
            problems.append(f"{where}: status {done.returncode}, {done.stdout!r}, {done.stderr!r}; expected {status}, {output!r}")

    with tempfile.TemporaryDirectory() as directory:
        program = build("kernel.c", directory)
        expected = (HERE / "kernel.expected").read_text()
        in_cycles = "".join(line + "\n" for line in expected.splitlines() if not line.startswith("many"))
        for cores in (1, 3):
            check(f"exec, {cores} cores", run([PSIM, "exec", "--set", f"node.cores={cores}", program, *PARTS], directory), 0, expected)
            machine = [PSIM, "run", "--quiet", "--set", f"node.cores={cores}"]
            check(f"run, {cores} cores", run([*machine, program, *PARTS_IN_CYCLES], directory), 0, in_cycles)
            for command in ([PSIM, "exec", "--set", f"node.cores={cores}"], machine):
                check(f"{command}: exit", run([*command, program, "exit"], directory), 9, "")
                check(f"{command}: leave", run([*command, program, "leave"], directory), 0, "the last thread ends\n")
                check(f"{command}: crash", run([*command, program, "crash"], directory), -signal.SIGSEGV, "")
        done = run([PSIM, "exec", program, "turns"], directory)
        if "the 4 threads of the program share one core, in turns of 2000000 cycles" not in done.stderr:
            problems.append(f"no line on the threads' core: {done.stderr!r}")

        # Processes of the host decide when a child of fork() ends, so a run with one need not repeat.
        parts = [part for part in PARTS if part not in ("alone", "forks")]
        for cores in (1, 2, 8):
            results = []
            for _ in range(2):
                run([PSIM, "exec", "--set", f"node.cores={cores}", "--json", "r.json", program, *parts], directory)
                results.append(json.loads(pathlib.Path(directory, "r.json").read_text())["result_hash"])
            if len(set(results)) != 1:
                problems.append(f"exec on {cores} cores: results differ between runs: {results}")

        limited = run([PSIM, "exec", "--json", "r.json", "--max-instructions", "1000000", program, "many"], directory)
        instructions = json.loads(pathlib.Path(directory, "r.json").read_text())["instructions"]
        if limited.returncode != 124 or not 1000000 <= instructions < 1000200:
            problems.append(f"--max-instructions: status {limited.returncode}, {instructions} instructions, {limited.stderr!r}")

        for name, threads_of in (("team.c", lambda n: ({"OMP_NUM_THREADS": n}, [])), ("crew.cpp", lambda n: ({}, [n]))):
            program = build(name, directory)
            for cores, threads in ((1, 4), (2, 5), (8, 8)):
                variables, words = threads_of(str(threads))
                environment = {**os.environ, **variables}
                qemu = run(["qemu-sparc64", program, *words], directory, env=environment)
                check(f"exec {name}, {threads} threads on {cores} cores",
                      run([PSIM, "exec", "--set", f"node.cores={cores}", program, *words], directory, env=environment),
                      qemu.returncode, qemu.stdout)
        pipe = build("pipe.c", directory)
        check("exec pipe.c", run([PSIM, "exec", pipe], directory), 0, "hello\n")
        check("exec pipe.c both", run([PSIM, "exec", pipe, "both"], directory), 2, "")
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
