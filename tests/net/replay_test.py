# SPDX-License-Identifier: Apache-2.0
"""replay_test.py PSIM SOURCE: psim net --replay of schedules, of psim's own timelines and of Open MPI's runs."""
import json
import os
import shutil
import sys

sys.dont_write_bytecode = True  # leaves no __pycache__ in the source tree
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source = sys.argv[1:3]
tools = os.path.dirname(psim)
place = Place("replay")
at, run = place.at, place.call
os.environ.update(OPEN_MPI)


def result(*words):
    run(psim, "net", "--json", at("result.json"), *words)
    return place.result("result.json")


def refused(text, *words):
    said = run(psim, "net", "--replay", *words, status=2).stderr
    expect(text in said and said.count("\n") == 1, text, said)


def schedule():
    goal = os.path.join(source, "tests/net/programs/two.goal")
    both = result("--replay", goal)
    expect(both["ranks"] == 2 and both["messages"] == 4, both["ranks"], both["messages"])
    # Over two routers and three cables: 64 bytes, and the barrier's message of one byte at the end. The reply
    # can only be sent after the request's arrival, after 1 us of computing.
    message, barrier = 205e-9 + 64 / 5e9, 205e-9 + 1 / 5e9
    with open(at("one.goal"), "w") as file:
        file.write("num_ranks 2 rank 0 { send 64b to 1 tag 7 } rank 1 { recv 64b from 0 tag 7 }")
    once, slower = result("--replay", "one.goal"), result("--replay", goal, "--compute-scale", 3)
    expect(abs(once["seconds"] - message - barrier) < 1e-15, once["seconds"])
    expect(abs(both["seconds"] - 1e-6 - 2 * message - barrier) < 1e-15, both["seconds"])
    expect(abs(slower["seconds"] - both["seconds"] - 2e-6) < 1e-12, slower["seconds"])
    longer = result("--replay", goal, "--message-scale", 1000)
    expect(longer["packets"] == 2 * 32 + 2, longer["packets"])  # of 2 KiB, and those of the barrier


def own_timeline():
    # A timeline of psim is replayed in the same time, to the picosecond.
    ring = at("ring")
    run(os.path.join(tools, "psim-cc"), "-O1", "-o", ring, os.path.join(source, "workloads/mgen/random_ring.c"))
    run(psim, "net", "-n", 27, "--timeline", at("ring.otf2"), "--json", at("live.json"), ring, 100000, 2)
    with open(at("live.json")) as file:
        live = json.load(file)
    again = result("--replay", at("ring.otf2"))
    expect(again["seconds"] == live["seconds"], again["seconds"], live["seconds"])
    expect(again["packets"] == live["packets"], again["packets"], live["packets"])


def open_mpi():
    program = os.path.join(source, "tests/net/programs/every_record.c")
    run("mpicc", "-O1", "-o", at("real"), program)
    run(os.path.join(tools, "psim-cc"), "-O1", "-o", at("simulated"), program)
    run("mpirun", "--oversubscribe", "-n", 6, os.path.join(tools, "psim-otf2"), "-o", "real.otf2", at("real"))
    run(psim, "net", "-n", 6, "--timeline", at("simulated.otf2"), at("simulated"))
    # Open MPI's run without its computing has the same messages as psim's.
    real, simulated = (result("--replay", at(name), "--compute-scale", 0) for name in ("real.otf2", "simulated.otf2"))
    for what in ("seconds", "messages", "packets", "packet_hops"):
        expect(real[what] == simulated[what], what, real[what], simulated[what])
    with_computing = result("--replay", at("real.otf2"))
    expect(with_computing["seconds"] > real["seconds"], with_computing["seconds"])
    if shutil.which("mpirun") and os.path.exists(os.path.join(tools, "../lib/psim/libpsim_processes.so")):
        hashes = set()
        for processes in (1, 2):
            run("mpirun", "--oversubscribe", "-n", processes, psim, "net", "--quiet", "--replay", at("simulated.otf2"),
                "--json", at("many.json"))
            with open(at("many.json")) as file:
                hashes.add(json.load(file)["result_hash"])
        expect(len(hashes) == 1, hashes)


def fortran():
    with open(at("sums.f90"), "w") as file:
        file.write("""program sums
  use mpi_f08
  integer :: rank, ranks, values(100)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  values = rank
  call MPI_Sendrecv_replace(values, 100, MPI_INTEGER, mod(rank + 1, ranks), 1, mod(rank + ranks - 1, ranks), 1, &
    MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Allreduce(MPI_IN_PLACE, values, 100, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
end program
""")
    run("mpifort", "-o", at("sums"), at("sums.f90"))
    run("mpirun", "--oversubscribe", "-n", 4, os.path.join(tools, "psim-otf2"), "-o", "sums.otf2", at("sums"))
    # The same messages as in a run of the program.
    run(os.path.join(tools, "psim-f90"), "-o", at("simulated_sums"), at("sums.f90"))
    there, here = result("--replay", at("sums.otf2")), result("-n", 4, at("simulated_sums"))
    expect(there["messages"] == here["messages"] and there["packets"] == here["packets"], there["messages"], here["messages"])


def bad_input():
    refused("no such OTF2 archive", at("nothing.otf2"))
    refused("No such file", at("nothing.goal"))
    with open(at("bad.goal"), "w") as file:
        file.write("num_ranks 2\nrank 0 {\n  send 64b from 1\n}\n")
    refused("bad.goal:3: expected to, found from", at("bad.goal"))
    with open(at("one.goal"), "w") as file:
        file.write("num_ranks 2 rank 0 { send 64b to 1 } rank 1 { recv 64b from 0 }")
    refused("2 ranks", at("one.goal"), "-n", 3)
    refused("takes no program", at("one.goal"), at("program"))
    os.mkdir(at("torn.otf2"))
    with open(at("torn.otf2/traces.otf2"), "w") as file:
        file.write("OTF2")
    refused("torn.otf2", at("torn.otf2"))


schedule()
bad_input()
own_timeline()
if shutil.which("mpicc") and os.path.exists(os.path.join(tools, "psim-otf2")):
    open_mpi()
    fortran()
