#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print docs/records/conformance.md from result files of gcc_suite.py --json:  report.py A.json B.json > docs/records/conformance.md"""
import json
import pathlib
import sys

HEAD = """# Third-party test programs

The programs are the execution tests of Debian's `gcc-12-source` (12.2), compiled by the Debian cross compilers with `-static`. They run
under `qemu-sparc64` 7.2 and under `psim exec`; standard output, standard error and exit status or signal are compared.
This qemu cannot run code for `-mcpu=niagara3` and `niagara4`. For those the reference is the same source built with
`-mcpu=v9`; contraction is off in both. To run the suites:

    tests/suites/gcc_suite.py --psim build/release/bin/psim --suite c-torture

| suite | -mcpu | levels | same | differ | differ, qemu at fault | need threads | do not compile | no reference |
|---|---|---|---|---|---|---|---|---|"""


def main():
    print(HEAD)
    differences = []
    for name in sys.argv[1:]:
        result = json.loads(pathlib.Path(name).read_text())
        levels = " ".join(result["levels"] or ["-O0 -O1 -O2 -O3"])
        for suite, count in result["counts"].items():
            cells = [str(count.get(key, 0)) for key in ("same", "differs", "known", "threads", "no-compile", "no-reference")]
            every = f" (each {result['every']}th)" if result.get("every", 1) != 1 else ""
            print(f"| {suite}{every} | {result['cpu']} | {levels} | " + " | ".join(cells) + " |")
        differences += result["differences"]
    print("\n\"Do not compile\": the cross compiler refuses the program (other targets, missing headers, expected errors).\n"
          "\"No reference\": qemu needs more than ten seconds. Where qemu is at fault:\n")
    for line in (pathlib.Path(__file__).parent / "known_differences.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            path, reason = line.split(None, 1)
            print(f"- `{path}`: {reason}.")
    print("\nDifferences that are ours:\n")
    for each in differences:
        print(f"- `{each['program']}`: {each['detail']}")
    if not differences:
        print("none.")


main()
