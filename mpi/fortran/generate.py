#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py MPI_H MPI_FUNCTIONS_H FOLDER [KIND…]: writes the Fortran binding from the C one when psim is built. The files are
mpif_constants.h, mpi_interfaces.inc (interfaces of module mpi), mpi_f08_interfaces.inc (of mpi_f08, with one name for both sizes of counts), lmpi_interfaces.inc (the same for module lmpi), mpi_sizeof.inc, mpi_f08_constants.inc, mpi_f08_operators.inc and
functions.c (the procedures). argument_names.txt has the names of the arguments. Functions whose arguments differ in more than passing by reference are written by hand in
procedures.c, attributes.c and older.c, or missing."""
import re
import sys
from pathlib import Path

from mpi_table import functions

BY_HAND = {  # indices from one; strings whose length is an argument, too; no argc; callbacks of another type; addresses in INTEGER
    "Init", "Init_thread", "Waitany", "Testany", "Waitsome", "Testsome", "Request_get_status_any", "Request_get_status_some",
    "Info_get", "Info_get_string", "Info_create_env", "Session_get_nth_pset", "Pcontrol", "Comm_spawn",
    "Buffer_detach", "Comm_detach_buffer", "Session_detach_buffer", "Buffer_detach_c", "Comm_detach_buffer_c", "Session_detach_buffer_c",
    "Comm_create_keyval", "Type_create_keyval", "Win_create_keyval", "Keyval_create", "Attr_get", "Attr_put", "Comm_get_attr",
    "Comm_set_attr", "Type_get_attr", "Type_set_attr", "Win_get_attr", "Win_set_attr", "Grequest_start",
    "Address", "Type_hvector", "Type_hindexed", "Type_struct", "Type_extent", "Type_lb", "Type_ub",
}
HANDLES = "Comm Group Datatype Op Errhandler Info Win Request Message File Session".split()
OFFSETS = {"MPI_DISPLACEMENT_CURRENT"}
OUT_OF_REACH = {"Status_c2f", "Status_f2c", "Status_c2f08", "Status_f082c", "Comm_spawn_multiple", "Register_datarep", "Register_datarep_c"}  # C only; arrays of arrays of strings
PASSED_ON = [f"MPI_{kind}{name}" for kind in ("", "COMM_", "TYPE_", "WIN_") for name in ("NULL_COPY_FN", "NULL_DELETE_FN", "DUP_FN")]
SIZES = [("integer", n) for n in (1, 2, 4, 8, 16)] + [("logical", n) for n in (1, 2, 4, 8)] + [("real", n) for n in (4, 8, 10, 16)] + \
    [("complex", n) for n in (4, 8, 10, 16)]  # kinds of gfortran


def constants(path):
    """Yields (name, value, handle type or '') of each constant that Fortran has too."""
    for line in path.read_text().splitlines():
        if line.startswith(("#define MPI_T_", "#define MPI_F_")):
            continue  # the tool information interface and the layout of Fortran's status are for C only
        if m := re.match(r"#define (MPI_\w+) \(\((MPI_\w+)\)(0x[0-9a-f]+)\)", line):
            yield m[1], int(m[3], 16) & 0x7fffffff, m[2]  # the lower half of MPI_File
        elif m := re.match(r"#define (MPI_\w+) \(?(-?\w+)\)?$", line):
            known = {n: v for n, v, _ in seen}
            if m[2] in known:
                yield m[1], known[m[2]], next(t for n, _, t in seen if n == m[2])
            elif re.fullmatch(r"-?\d+|0x[0-9a-f]+", m[2]):
                yield m[1], int(m[2], 0), ""


def declare(lines, name, value):
    kind = "(KIND=MPI_OFFSET_KIND)" if name in OFFSETS else ""
    lines += [f"      INTEGER{kind} {name}", f"      PARAMETER ({name}={value})"]


def wrapper(result, name, arguments):
    """Fortran passes the lengths of strings after all arguments. Strings are copied to C's form and back."""
    parameters, passed, lengths, before, after = [], [], [], "", ""
    for i, a in enumerate(arguments):
        p = f"a{i}"
        if a in ("char *", "const char *"):
            parameters.append(f"{a}{p}")
            lengths.append(f"size_t room{i}")
            before += f"char text{i}[kLongestText]; " + ("" if "const" in a else f"*text{i} = 0; ")
            passed.append(f"to_c(text{i}, {p}, room{i})" if "const" in a else f"text{i}")
            after += "" if "const" in a else f" to_fortran({p}, room{i}, text{i});"
        elif "void *" in a:
            parameters.append(f"void *{p}")
            passed.append(f"buffer({p})")
        elif a == "MPI_Status *":
            parameters.append(f"MPI_Status *{p}")
            passed.append(f"status({p})")
        elif "function" in a or "(" in a:
            parameters.append(f"{a.replace('(*)', f'(*{p})')}" if "(" in a else f"{a}{p}")
            passed.append(p)
        elif a in ("const int *", "int *") and name.startswith("Dist_graph"):
            parameters.append(f"int *{p}")
            passed.append(f"weights({p})")
        elif a == "MPI_File":
            parameters.append(f"MPI_Fint *{p}")
            passed.append(f"MPI_File_f2c(*{p})")
        elif a == "MPI_File *":
            parameters.append(f"MPI_Fint *{p}")
            before += f"MPI_File file{i} = MPI_File_f2c(*{p}); "
            passed.append(f"&file{i}")
            after += f" *{p} = MPI_File_c2f(file{i});"
        elif a.endswith("*"):
            parameters.append(f"{a}{p}")
            passed.append(p)
        else:
            parameters.append(f"{a} *{p}")
            passed.append(f"*{p}")
    call = f"MPI_{name}({', '.join(passed)})"
    lower = name.lower()
    if result != "int":
        return f"FORTRAN({result}, {lower}, ({', '.join(parameters) or 'void'})) {{ return {call}; }}"
    parameters += ["MPI_Fint *error"] + lengths
    return f"FORTRAN(void, {lower}, ({', '.join(parameters)})) {{ {before}set_error({call}, error);{after} }}"


def counts(small, large):
    """Yields (position, rank) of arguments that are INTEGER for one and a longer kind for the other of a function's two forms."""
    for i, (a, b) in enumerate(zip(small, large)):
        if a.replace("const ", "").rstrip(" *") == "int" and b.replace("const ", "").rstrip(" *") in ("MPI_Count", "MPI_Aint"):
            yield i, "(*)" if a.startswith("const ") else ""


def argument_names(path):
    return {words[0]: words[1:] for words in map(str.split, path.read_text().splitlines()) if words[0] != "#"}


def interface(result, name, arguments, prefix="mpi", typed={}):
    lower = f"{prefix}_{name.lower()}"
    own = NAMES.get(name) or NAMES.get(name.removesuffix("_c"), [])
    count = len(arguments) - 2 if name in ("Init", "Init_thread", "Info_create_env") else len(arguments)
    count -= arguments[-1:] == ["..."]
    names = own[len(own) - count:]
    assert len(names) == count, f"{name}: {count} arguments, names {own}; expected a row of argument_names.txt"
    if result != "int":
        kind = {"double": "double precision", "MPI_Aint": "integer(kind=MPI_ADDRESS_KIND)"}[result]
        lines = [f"    function {lower}({', '.join(names)}) result(value)"]
        end = [f"      {kind} :: value", f"    end function {lower}"]
    else:
        groups = [", ".join(names[i:i + 4]) for i in range(0, count, 4)] + ["ierror"]
        lines = [f"    subroutine {lower}(" + ", &\n      ".join(groups) + ")"]
        end = ["      integer, optional :: ierror", f"    end subroutine {lower}"]
    lines.append("      import")
    for i, a in enumerate(names):
        if i in typed:
            lines.append(f"      {typed[i]} :: {a}")
        elif arguments[i] in ("char *", "const char *"):
            lines.append(f"      character(len=*) :: {a}")
        elif "function" in arguments[i + len(arguments) - count]:
            lines.append(f"      external :: {a}")
        else:
            lines += [f"      type(*), dimension(*) :: {a}", f"      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {a}"]
    return lines + end


mpi_h, table, folder = (Path(a) for a in sys.argv[1:4])
NAMES = argument_names(Path(__file__).with_name("argument_names.txt"))
SIZES = [(kind, n) for kind, n in SIZES if str(n) not in sys.argv[4:]]  # after the folder: kinds that the compiler lacks
seen = []
for constant in constants(mpi_h):
    seen.append(constant)
every = [f[:3] for f in functions(table) if f[1] not in OUT_OF_REACH and not re.search(r"_(c2f|f2c)$|^T_", f[1])]

head = Path(__file__).with_name("mpif_constants_head.txt").read_text()
lines = [head.rstrip()]
for name, value, _ in seen:
    declare(lines, name, value)
(folder / "mpif_constants.h").write_text("\n".join(lines) + "\n")

rest = ["  interface MPI_Sizeof"] + [f"    module procedure sizeof_{kind}{n}" for kind, n in SIZES]
rest += ["    module procedure sizeof_character", "  end interface"]
rest += [f"  external :: {name}" for name in PASSED_ON] + ["  double precision, external :: PMPI_WTIME, PMPI_WTICK"]
lines = ["! SPDX-License-Identifier: Apache-2.0", "! Written by generate.py.", "  interface"]
for f in every:
    lines += interface(*f)
(folder / "mpi_interfaces.inc").write_text("\n".join(lines + ["  end interface"] + rest) + "\n")

# In mpi_f08 a function and its form for large counts have one name where their arguments differ for Fortran.
table_of = {f[1]: f for f in every}
pairs = {name: list(counts(table_of[name][2], table_of[name + "_c"][2])) for name in table_of if name + "_c" in table_of}
pairs = {name: places for name, places in pairs.items() if places}
lines = ["! SPDX-License-Identifier: Apache-2.0", "! Written by generate.py.", "  interface"]
for f in every:
    if f[1] not in pairs and f[1].removesuffix("_c") not in pairs:
        lines += interface(*f)
lines.append("  end interface")
for name, places in pairs.items():
    lines.append(f"  interface MPI_{name}")
    for suffix, kind in (("", "integer"), ("_c", "integer(MPI_COUNT_KIND)")):
        lines += interface(*table_of[name + suffix], typed={i: f"{kind}{', dimension' + rank if rank else ''}" for i, rank in places})
    lines.append("  end interface")
(folder / "mpi_f08_interfaces.inc").write_text("\n".join(lines + rest) + "\n")

lines = ["! SPDX-License-Identifier: Apache-2.0", "! Written by generate.py.", "  interface"]
for f in every:
    lines += interface(*f, "lmpi")
(folder / "lmpi_interfaces.inc").write_text("\n".join(lines + ["  end interface"]) + "\n")

lines = ["! SPDX-License-Identifier: Apache-2.0", "! Written by generate.py."]
for kind, n in SIZES:
    size = (16 if n == 10 else n) * (2 if kind == "complex" else 1)
    lines += [f"  subroutine sizeof_{kind}{n}(x, size, ierror)", f"    {kind}({n}), dimension(..), intent(in) :: x",
              "    integer, intent(out) :: size", "    integer, optional, intent(out) :: ierror", f"    size = {size}",
              "    if (present(ierror)) ierror = 0", "  end subroutine"]
lines += ["  subroutine sizeof_character(x, size, ierror)", "    character(*), dimension(..), intent(in) :: x",
          "    integer, intent(out) :: size", "    integer, optional, intent(out) :: ierror", "    size = len(x)",
          "    if (present(ierror)) ierror = 0", "  end subroutine"]
(folder / "mpi_sizeof.inc").write_text("\n".join(lines) + "\n")

lines = ["! SPDX-License-Identifier: Apache-2.0", "! Written by generate.py."]
for handle in HANDLES:
    lines += [f"  type, bind(C) :: MPI_{handle}", "    integer :: MPI_VAL", f"  end type MPI_{handle}"]
for name, value, handle in seen:
    lines.append(f"  type({handle}), parameter :: {name} = {handle}({value})" if handle
                 else f"  integer{'(MPI_OFFSET_KIND)' if name in OFFSETS else ''}, parameter :: {name} = {value}")
for operator, word in (("==", "equal"), ("/=", "differ")):
    lines.append(f"  interface operator({operator})")
    lines += [f"    module procedure {word}_{h.lower()}" for h in HANDLES]
    lines.append("  end interface")
(folder / "mpi_f08_constants.inc").write_text("\n".join(lines) + "\n")
lines = ["! SPDX-License-Identifier: Apache-2.0", "! Written by generate.py."]
for handle in HANDLES:
    for operator, word in (("==", "equal"), ("/=", "differ")):
        lines += [f"  elemental logical function {word}_{handle.lower()}(a, b)", f"    type(MPI_{handle}), intent(in) :: a, b",
                  f"    {word}_{handle.lower()} = a%MPI_VAL {operator} b%MPI_VAL", "  end function"]
(folder / "mpi_f08_operators.inc").write_text("\n".join(lines) + "\n")

lines = ["/* SPDX-License-Identifier: Apache-2.0", " * Written by generate.py from mpi_functions.h. */",
         '#include "mpi/fortran/binding.h"', ""]
lines += [wrapper(*f) for f in every if f[1] not in BY_HAND]
(folder / "functions.c").write_text("\n".join(lines) + "\n")
