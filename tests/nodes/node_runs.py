# SPDX-License-Identifier: Apache-2.0
"""Functions that the tests of programs on cycle-level nodes share. Each test is called with PSIM SOURCE PART."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source, part = sys.argv[1:4]
os.environ.update(OPEN_MPI)
tools = os.path.dirname(psim)
place = Place("nodes")
run = place.call
if not os.path.exists(os.path.join(tools, "../lib/psim/sparc64/libpsim_mpi.a")):
    print("this psim was built without MPI for sparc64")
    sys.exit(77)


def build(program, *options):
    """Builds it for psim net and for nodes; returns the names."""
    name, ending = os.path.splitext(program)
    kind = {".c": "cc", ".cpp": "cxx", ".f90": "f90"}[ending]
    file = os.path.join(source, "programs", program)
    run(os.path.join(tools, f"psim-{kind}"), "-O2", *options, "-o", name + ".net", file)
    run(os.path.join(tools, f"psim-sparc-{kind}"), "-O2", *options, "-o", name, file)
    return "./" + name + ".net", "./" + name


def same(program, ranks, *arguments, options=(), ordered=True):
    """Runs the program under both commands; returns its output, which must be the same (unless `ordered`, in any order)."""
    net, node = build(program)
    expected = run(psim, "net", "--quiet", "-n", ranks, net, *arguments).stdout
    got = run(psim, "cosim", "--quiet", "-n", ranks, *options, node, *arguments).stdout
    lines = str.splitlines if ordered else (lambda text: sorted(text.splitlines()))
    expect(lines(got) == lines(expected) and expected != "", program, got, expected)
    return got


def near(value, expected, share):
    """Returns true if a value differs from the expected one by at most this share of it."""
    return abs(value - expected) <= share * expected
