# SPDX-License-Identifier: Apache-2.0
"""The functions of mpi/include/mpi_functions.h, for scripts."""
import re
from pathlib import Path

FORMS = (("", "int", "int", "MPI_Aint"), ("_c", "MPI_Count", "MPI_Aint", "MPI_Count"))  # PSIM_NUMBER, PSIM_PLACE, PSIM_REACH


def types(text):
    return [] if text == "void" else [a.strip() for a in text.split(",")]


def functions(header):
    """Yields (result, name without MPI_, [types of the arguments], error class of a function that always fails, or None)."""
    for m in re.finditer(r"^PSIM_MPI_FUNCTION\((\w+), (\w+), \((.*)\)\)(?: /\* (\w+) \*/)?$", Path(header).read_text(), re.M):
        yield m[1], m[2], types(m[3]), m[4]
    counted = Path(header).with_name("mpi_counted_functions.h").read_text()
    for suffix, number, place, reach in FORMS:
        text = counted.replace("PSIM_NUMBER", number).replace("PSIM_PLACE", place).replace("PSIM_REACH", reach)
        for m in re.finditer(r"^PSIM_MPI_COUNTED\((\w+), \((.*)\)\)$", text, re.M):
            yield "int", m[1] + suffix, types(m[2]), None
        for m in re.finditer(r"^PSIM_MPI_COLLECTIVE\((\w+), (\w+), (.*)\)$", text, re.M):
            for name, more in ((m[1], []), (m[2], ["MPI_Request *"]), (m[1] + "_init", ["MPI_Info", "MPI_Request *"])):
                yield "int", name + suffix, types(m[3]) + more, None
