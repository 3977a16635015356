# SPDX-License-Identifier: Apache-2.0
"""Numbers of cores and options that cannot be simulated are refused in a line; threads that wait for one another are named."""
import json
import pathlib
import sys
import tempfile

from common import build, run  # noqa: E402

PSIM = sys.argv[1]


def main():
    problems = []

    def expect(command, status, *texts):
        done = run([PSIM, *command], directory)
        for text in texts:
            if text not in done.stderr:
                problems.append(f"{command}: {done.stderr!r}; expected {text!r}")
        if done.returncode != status:
            problems.append(f"{command}: status {done.returncode}, expected {status}; {done.stderr!r}")

    with tempfile.TemporaryDirectory() as directory:
        program = build("stuck.c", directory)
        for cores in ("0", "9", "two"):
            expect(["run", "--set", f"node.cores={cores}", program], 2, f'node.cores = "{cores}"', "1 … 8")
        for option in (["--record-trace", "t"], ["--sample"], ["--kanata", "k"], ["--profile"],
                       ["--statistics", "s.csv", "--statistics-every", "100"]):
            expect(["run", "--set", "node.cores=2", *option, program], 2, option[-2] if len(option) == 4 else option[0],
                   "needs a machine of one core, but node.cores = 2")
        for command, option in ((["run", "--sample"], "--sample"), (["run", "--record-trace", "t"], "--record-trace"),
                                (["run", "--profile"], "--profile"), (["run", "--callgrind", "c"], "--callgrind"),
                                (["trace", "record", "-o", "t"], "psim trace record")):
            expect([*command, "--json", "r.json", program], 2, option, ": the program creates a thread; expected")
            if any(pathlib.Path(directory, name).exists() for name in ("t", "r.json", "c")):
                problems.append(f"{command}: wrote a file")
        for command, cores in (("run", 1), ("run", 2), ("exec", 1), ("exec", 2)):
            expect([command, "--quiet", "--set", f"node.cores={cores}", "--json", "d.json", program], 2,
                   "deadlock: every thread waits", "thread 1000 on core 0 waits in futex() at PC 0x",
                   f"thread 101001 on core {cores - 1} waits in futex() at PC 0x", "in main at", "stuck.c:21", "in other at",
                   "stuck.c:11")
            if f"thread 101001 on core {cores - 1}" not in json.loads(pathlib.Path(directory, "d.json").read_text()).get("deadlock", ""):
                problems.append(f"psim {command}: the result does not name the waiting threads")
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
