# SPDX-License-Identifier: Apache-2.0
"""nodes_test.py PSIM SOURCE PART: programs under psim net and, built for sparc64, on cycle-level nodes."""
import os
import subprocess
import sys
import tempfile

psim, source, part = sys.argv[1:4]
tools = os.path.dirname(psim)
place = tempfile.TemporaryDirectory(prefix="psim-nodes-")
if not os.path.exists(os.path.join(tools, "../lib/psim/sparc64/libpsim_mpi.a")):
    print("this psim was built without MPI for sparc64")
    sys.exit(77)


def run(*words, status=0):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=250, cwd=place.name)
    if done.returncode != status:
        sys.exit(f"{words}: status {done.returncode}, expected {status}\n{done.stdout}\n{done.stderr}")
    return done


def expect(condition, *what):
    if not condition:
        sys.exit(f"not so: {what}")


def build(program):
    """Builds it for psim net and for nodes; returns the names."""
    name, ending = os.path.splitext(program)
    kind = {".c": "cc", ".cpp": "cxx", ".f90": "f90"}[ending]
    file = os.path.join(source, "programs", program)
    run(os.path.join(tools, f"psim-{kind}"), "-O2", "-o", name + ".net", file)
    run(os.path.join(tools, f"psim-sparc-{kind}"), "-O2", "-o", name, file)
    return "./" + name + ".net", "./" + name


def same(program, ranks, *arguments, options=()):
    """Runs the program under both commands; returns its output, which must be the same."""
    net, node = build(program)
    expected = run(psim, "net", "--quiet", "-n", ranks, net, *arguments).stdout
    got = run(psim, "cosim", "--quiet", "-n", ranks, *options, node, *arguments).stdout
    expect(got == expected and expected != "", program, got, expected)
    return got


def ping_pong():
    # No data, one slot, several packets, and a rendezvous.
    expect(same("ping_pong.c", 2, 0, 100, 5000, 20000).count("good") == 4)


def collectives():
    same("collectives.c", 5)


def one_sided():
    same("one_sided.c", 3)


def fortran():
    if not os.path.exists(os.path.join(tools, "../lib/psim/sparc64/mpi.mod")):
        sys.exit(77)
    same("halo.f90", 4)


globals()[part]()
