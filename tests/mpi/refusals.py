#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""refusals.py HEADER PSIM: calls every function of the table with one wrong argument at a time: a handle of each kind that
names nothing, an uncommitted type, a negative count, a buffer and a pointer for a result that are null. Each call must fail with the
standard's class for that argument; ACCEPTED and OTHER_CLASS list what differs and why."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "mpi/fortran"))
import mpi_table  # noqa: E402

COUNTS = ("int", "MPI_Count")
HANDLES = {"Comm": "COMM", "Datatype": "TYPE", "Group": "GROUP", "Op": "OP", "Win": "WIN", "File": "FILE", "Request": "REQUEST",
           "Message": "REQUEST", "Info": "INFO", "Errhandler": "ARG", "Session": "SESSION"}
GOOD = {"MPI_Comm": "world", "MPI_Datatype": "MPI_INT", "MPI_Op": "MPI_SUM", "MPI_Group": "group", "MPI_Win": "window",
        "MPI_File": "file", "MPI_Session": "session", "MPI_Info": "MPI_INFO_NULL", "MPI_Errhandler": "MPI_ERRORS_RETURN", "MPI_Request": "MPI_REQUEST_NULL",
        "MPI_Message": "MPI_MESSAGE_NO_PROC", "int": "0", "const int": "0", "MPI_Aint": "0", "MPI_Offset": "0", "MPI_Count": "0",
        "const int *": "ones", "const MPI_Aint *": "places", "const MPI_Count *": "wide_ones", "const MPI_Datatype *": "types", "const char *": '"name"',
        "MPI_Request *": "&request", "MPI_Message *": "&message", "MPI_Status *": "&status", "const MPI_Status *": "&status"}
# Arguments that a correct call needs in addition.
GOOD_OF = {
    r"I?[Nn]eighbor_|Cart": {"MPI_Comm": "cart"}, r"Graph": {"MPI_Comm": "graph"}, r"Dist_graph_neigh": {"MPI_Comm": "distributed"},
    r"(Wait|Test|Start|Request_get_status_)(all|any|some)|Type_(create_subarray|create_darray|hindexed|struct)|Dims_create|Group_translate|Win_(create|alloc)|"
    r"Cart_get|Graph_get|Dist_graph_neighbors$": {"int": "1"},
    r"Cart_coords|Graph_neighbors$": {"int": ["0", "1"]},
    r"Comm_split_type": {"int": ["MPI_COMM_TYPE_SHARED", "0"]},
    r"(Unp|P)ack_external": {"const char *": '"external32"'}, r"Info_": {"MPI_Info": "info"},
    r"File_open": {"int": "MPI_MODE_RDONLY"}, r"File_set_view": {"const char *": '"native"'},
    r"Win_shared_query": {"MPI_Win": "shared"}, r"Win_(create|allocate|allocate_shared)_c": {"MPI_Aint": "1"}}
# Arguments that are refused with another class, or nothing wrong: None.
OTHER_CLASS = {
    "Buffer_detach 1": "BUFFER", "Comm_detach_buffer 1": "BUFFER", "Comm_detach_buffer 2": "BUFFER",  # none is attached
    "Imrecv 0": None, "Mrecv 0": None,  # of MPI_MESSAGE_NO_PROC nothing is received
    "Exscan 1": None, "Iexscan 1": None, "Exscan_init 1": None,  # the first rank has no result
    "Type_commit 0": "TYPE", "Type_free 0": "TYPE", "Comm_disconnect 0": "COMM", "Win_free 0": "WIN", "File_close 0": "FILE",  # the handle
    "Parrived 2": "REQUEST", "Session_finalize 0": "SESSION",  # the handle
    "Win_test 1": "RMA_SYNC",  # nothing is exposed
    "Type_get_contents 4": "TYPE", "Type_get_contents 5": "TYPE", "Type_get_contents 6": "TYPE",  # MPI_INT has none
    "Type_get_contents_c 7": "TYPE", "Type_get_contents_c 8": "TYPE",
    "Session_detach_buffer 1": "BUFFER", "Session_detach_buffer 2": "BUFFER",
    "Comm_remote_size 1": "COMM", "Comm_remote_group 1": "COMM",  # not an intercommunicator
    "Type_get_attr 3": "KEYVAL",  # MPI_INT has no attribute
}
RESULTS = {"int *", "MPI_Aint *", "MPI_Offset *", "MPI_Count *"} | {f"MPI_{kind} *" for kind in HANDLES}
NEVER = r"^(Init|Finalize|Abort|Pcontrol|Wtime|Wtick|T_|Aint_|Comm_spawn|Get_version|Get_library|Errhandler_|Win_get_errh)|_(c2f|f2c|c2f08|f082c|f2f08|f082f|fn|FN)$"


def functions(header):
    for result, name, types, fails in mpi_table.functions(header):
        if result == "int" and not re.search(NEVER, name) and not fails:
            yield name, types


def good(name, types):
    """Arguments with which the call could go on. A count goes before a type, behind a buffer."""
    values, buffers = [], 0
    known, counts = dict(GOOD), iter(())
    for pattern, others in GOOD_OF.items():
        if re.match(pattern, name):
            known |= others
    if isinstance(known["int"], list):
        counts = iter(known["int"])
    for i, kind in enumerate(types):
        if kind in ("void *", "const void *"):
            values.append(f"data[{buffers}]")
            buffers += 1
        elif kind in COUNTS and types[i + 1:i + 2] == ["MPI_Datatype"]:
            values.append("1")
        elif kind in COUNTS and name.endswith("_c"):
            values.append(known["int"])
        elif kind in known:
            values.append(next(counts, known[kind]) if kind == "int" else known[kind])
        elif kind in RESULTS:
            values.append(f"({kind})results[{i}]")
        else:
            values.append("0")
    return values


def wrong(types):
    """(index, value, class) of each wrong argument."""
    for i, kind in enumerate(types):
        if (m := re.fullmatch(r"MPI_(\w+)", kind)) and m[1] in HANDLES:
            yield i, f"({kind})12345", HANDLES[m[1]]
            if m[1] == "Datatype" and i > 1 and types[i - 1] in COUNTS and types[i - 2].endswith("void *"):
                yield i, "uncommitted", "TYPE"
        elif kind in COUNTS and i > 0 and types[i - 1].endswith("void *") and types[i + 1:i + 2] == ["MPI_Datatype"]:
            yield i, "-1", "COUNT"
        elif kind.endswith("void *") and types[i + 1:i + 2] in (["int"], ["MPI_Count"]) and types[i + 2:i + 3] == ["MPI_Datatype"]:
            yield i, "NULL", "BUFFER"
        elif kind in RESULTS:
            yield i, "NULL", "ARG"


def program(header):
    calls = []
    for name, types in functions(header):
        for i, value, error in wrong(types):
            arguments = good(name, types)
            arguments[i] = value
            error = OTHER_CLASS.get(f"{name} {i}", OTHER_CLASS.get(f"{name.removesuffix('_c')} {i}", error))
            wanted = f"MPI_ERR_{error}" if error else "MPI_SUCCESS"
            calls.append(f'  EXPECT({wanted}, MPI_{name}({", ".join(arguments)}));')
    return PROGRAM.replace("CALLS", "\n".join(calls)), len(calls)


PROGRAM = """#include <mpi.h>
#include <stdio.h>
static long data[8][64], results[16][64];
static int ones[64], wrong;
static MPI_Aint places[64];
static MPI_Count wide_ones[64];
static MPI_Datatype types[64], uncommitted;
static MPI_Comm world, cart, graph, distributed;
static MPI_File file;
static MPI_Group group;
static MPI_Session session;
static MPI_Info info;
static MPI_Message message;
static MPI_Request request;
static MPI_Status status;
static MPI_Win window, shared;

static void before(void) {
  request = MPI_REQUEST_NULL;
  message = MPI_MESSAGE_NO_PROC;
}
static void expect(int wanted, const char *name, int code, const char *call) {
  int found = 0;
  MPI_Error_class(code, &found);
  if (found == wanted) return;
  ++wrong;
  printf("%s: class %d, not %s\\n", call, found, name);
}
#define EXPECT(wanted, call) before(), expect(wanted, #wanted, call, #call)

int main(int argc, char **argv) {
  const int one = 1, zero = 0;
  void *base;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_group(world, &group);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Cart_create(world, 1, &one, &one, 0, &cart);
  MPI_Graph_create(world, 1, &one, &zero, 0, &graph);
  MPI_Dist_graph_create_adjacent(world, 1, &zero, &one, 1, &zero, &one, MPI_INFO_NULL, 0, &distributed);
  MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, world, &window);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, window);
  MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, world, &base, &shared);
  MPI_Win_set_errhandler(shared, MPI_ERRORS_RETURN);
  MPI_File_open(world, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_Info_create(&info);
  MPI_Info_set(info, "name", "value");
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  for (int i = 0; i < 64; ++i) ones[i] = wide_ones[i] = 1, places[i] = 8 * i, types[i] = MPI_INT;
CALLS
  printf("%d wrong\\n", wrong);
  MPI_Finalize();
}
"""


def main():
    header, psim = sys.argv[1], Path(sys.argv[2]).absolute()
    text, count = program(header)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "refusals.c").write_text(text)
        wrapper = psim.parent / "psim-cc"
        subprocess.run([wrapper, "-w", "-g", "-o", "refusals", "refusals.c"], cwd=folder, check=True)
        run = subprocess.run([psim, "net", "--quiet", "-n", "1", "./refusals", "file"], cwd=folder, capture_output=True, text=True)
    if run.returncode == 0 and run.stdout == "0 wrong\n" and count > 1000:
        print(f"{count} calls")
        return 0
    print(run.stdout, run.stderr)
    for line in map(int, re.findall(r"refusals\.c:(\d+)", run.stderr)):
        print(text.splitlines()[line - 1].strip())
    return 1


sys.exit(main())
