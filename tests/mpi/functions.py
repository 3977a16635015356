#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""functions.py symbols HEADER LIBRARY: checks that libpsim_mpi.so exports the functions of the table under all four names.
functions.py page HEADER LIST [FILE]: prints the page docs/mpi-functions.md, or compares it with FILE."""
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "mpi/fortran"))
from mpi_table import functions  # noqa: E402


def check_symbols(header, library):
    names = {name for _, name, _, _ in functions(header)}
    wanted = {prefix + name for name in names for prefix in ("MPI_", "PMPI_", "MGEN_", "LMPI_")} | {"MGEN_Comp", "MGEN_acp_copy", "MGEN_acp_complete"}
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    found = {line.split()[-1] for line in listed.splitlines()}
    c_names = {name for name in found if re.match(r"([PL]?MPI|MGEN)_", name)}
    for name in sorted(wanted - c_names):
        print(f"missing: {name}")
    for name in sorted(c_names - wanted):
        print(f"not in the table: {name}")
    weak = {line.split()[-1] for line in listed.splitlines() if line.split()[-2] in "WV"}
    strong = sorted(name for name in c_names if name.startswith("MPI_") and name not in weak)
    for name in strong:
        print(f"cannot be interposed: {name}")
    print(f"{len(names)} functions")
    return 1 if wanted != c_names or strong else 0


def page(header, standard):
    have = {name for _, name, _, _ in functions(header)}
    fails = {name: code for _, name, _, code in functions(header) if code}
    sections = []
    for line in Path(standard).read_text().splitlines():
        if m := re.match(r"\[(.*)\]", line):
            sections.append((m.group(1), []))
        elif line and not line.startswith("#"):
            sections[-1][1].append(line)
    lines = [
        "# The functions of MPI",
        "",
        "Written by `tests/mpi/functions.py` from the table of functions in `mpi/include/mpi_functions.h`; a test",
        "compares it. `psim-cc`, `psim-cxx` and `psim-f90` link programs with `libpsim_mpi.so`. Each function has",
        "the names `MPI_X`, `PMPI_X`, `MGEN_X` and `LMPI_X`; all but the second are weak, so that programs and tools can put",
        "their own before them. Absent functions are neither declared nor in the library: a program",
        "that uses one fails to compile or link, with its name. How the functions behave: [mpi.md](mpi.md).",
        "",
        "| chapter | works | always fails | of |",
        "|---|---|---|---|",
    ]
    total = [0, 0, 0]
    for title, names in sections:
        counts = [sum(name in have and name not in fails for name in names), sum(name in fails for name in names), len(names)]
        total = [a + b for a, b in zip(total, counts)]
        lines.append(f"| {title} | " + " | ".join(map(str, counts)) + " |")
    lines += ["| all | " + " | ".join(map(str, total)) + " |", ""]
    missing = [name for _, names in sections for name in names if name not in have]
    if missing:
        lines += ["## Absent", "", ", ".join(f"`MPI_{name}`" for name in missing), ""]
    lines += ["## Functions that always fail", "", "The standard has an error class for each; under `MPI_ERRORS_ARE_FATAL` the job ends with the reason.", ""]
    lines += [f"- `MPI_{name}`: `{code}`" for name, code in fails.items()]
    lines += ["", "## Present", ""]
    for title, names in sections:
        present = [name for name in names if name in have and name not in fails]
        if present:
            lines += [f"- {title}: " + ", ".join(f"`{name}`" for name in present)]
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1] == "symbols":
        return check_symbols(sys.argv[2], sys.argv[3])
    text = page(sys.argv[2], sys.argv[3])
    if len(sys.argv) == 4:
        print(text, end="")
        return 0
    if Path(sys.argv[4]).read_text() != text:
        print(f"{sys.argv[4]}: differs from the output of functions.py page; renew it with that command")
        return 1
    return 0


sys.exit(main())
