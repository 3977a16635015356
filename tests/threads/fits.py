# SPDX-License-Identifier: Apache-2.0
"""psim fit measures a region of an OpenMP program on one core and on two, and refuses --sample of it with a line."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from common import build, run  # noqa: E402

PSIM = sys.argv[1]
FIT = ["fit", "--args", "1000 2000 3000 4000"]


def main():
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        program = build("sum.c", directory)
        cycles = {}
        for name, options in (("alone", ["--env", "OMP_NUM_THREADS=1"]), ("shared", ["--env", "OMP_NUM_THREADS=2"]),
                              ("two", ["--set", "node.cores=2"])):
            done = run([PSIM, *FIT, *options, "--json", "fit.json", program, "{}"], directory)
            if done.returncode != 0:
                problems.append(f"{name}: status {done.returncode}: {done.stderr}")
                continue
            result = json.loads(pathlib.Path(directory, "fit.json").read_text())
            cycles[name] = [point["cycles"] for point in result["regions"][0]["points"]]
        # Threads that share a core do the same work and change; two cores halve the work.
        if not cycles["alone"][3] < cycles["shared"][3] or not cycles["two"][3] < 0.7 * cycles["alone"][3]:
            problems.append(f"cycles of 4,000 elements: {cycles}")
        specification = pathlib.Path(directory, "fit.toml")
        specification.write_text(f'[program.sum]\ncommand = "{program} {{}}"\nargs = "1000 2000 3000 4000"\nenv = "OMP_NUM_THREADS=2"\n')
        done = run([PSIM, "fit", "--json", "file.json", str(specification)], directory)
        if done.returncode != 0 or "4 of 4 points are in fit already" not in done.stderr:
            problems.append(f"a file with env: {done.returncode}: {done.stderr}")
        done = run([PSIM, *FIT, "--sample", "--env", "OMP_NUM_THREADS=2", program, "{}"], directory)
        if done.returncode != 2 or "--sample: the program creates a thread; expected" not in done.stderr:
            problems.append(f"--sample: {done.returncode}: {done.stderr}")
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
