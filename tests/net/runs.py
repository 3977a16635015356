# SPDX-License-Identifier: Apache-2.0
"""Functions that the tests of `psim net` share. Each test is called with PSIM SOURCE PART and, for the report, CHROMIUM."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source, part = sys.argv[1:4]
tools = os.path.dirname(psim)
place = Place("net")
at = place.at


def build(path, *options):
    program = at(os.path.splitext(os.path.basename(path))[0])
    wrapper = {".c": "psim-cc", ".cpp": "psim-cxx", ".f90": "psim-f90"}[os.path.splitext(path)[1]]
    subprocess.run([os.path.join(tools, wrapper), "-g", "-O1", *options, "-o", program, os.path.join(source, path)], check=True,
                   cwd=place.name)
    return program


def run(*words, status=0):
    return place.call(psim, "net", *words, status=status, cwd=None)


def result(*words, status=0):
    path = at("result.json")
    run("--json", path, *words, status=status)
    with open(path) as file:
        return json.load(file)


def write(name, text):
    place.write(name, text)
    return at(name)


def two_jobs(how="run", more=""):
    return write("jobs.toml", f"""[a]
program = "job"
arguments = "run 20 5000"
ranks = 8
[b]
program = "job"
arguments = "{how} 4 100000"
ranks = 6
{more}
""")


def events(path):
    """Returns slices and arrows of an event trace; checks that every arrow begins in a slice before it ends."""
    with open(path) as file:
        trace = json.load(file)
    slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    arrows = {kind: {e["id"]: e for e in trace["traceEvents"] if e["ph"] == kind} for kind in "sf"}
    for event in [*arrows["s"].values(), *arrows["f"].values()]:
        expect(any(s["tid"] == event["tid"] and s["ts"] <= event["ts"] <= s["ts"] + s["dur"] + 1e-9 for s in slices), event)
    return slices, arrows
