# SPDX-License-Identifier: Apache-2.0
"""replay_test.py PSIM SOURCE: psim net --replay of schedules, of psim's own timelines and of Open MPI's runs."""
import os
import shutil
import sys

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
    place.write("one.goal", "num_ranks 2 rank 0 { send 64b to 1 tag 7 } rank 1 { recv 64b from 0 tag 7 }")
    once, slower = result("--replay", "one.goal"), result("--replay", goal, "--compute-scale", 3)
    expect(abs(once["seconds"] - message - barrier) < 1e-15, once["seconds"])
    expect(abs(both["seconds"] - 1e-6 - 2 * message - barrier) < 1e-15, both["seconds"])
    expect(abs(slower["seconds"] - both["seconds"] - 2e-6) < 1e-12, slower["seconds"])
    longer = result("--replay", goal, "--message-scale", 1000)
    expect(longer["packets"] == 2 * 32 + 2, longer["packets"])  # of 2 KiB, and those of the barrier


def varint(number):
    text = bytearray()
    while number > 127:
        text.append(number & 127 | 128)
        number >>= 7
    return bytes(text + bytes([number]))


def field(number, value):
    """A field of a protobuf message: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def chakra_file(name, nodes):
    """Writes a Chakra trace. A node: number, type, numbers of nodes that must have ended, microseconds, attributes."""
    messages = [field(1, b"0.0.4")]
    for number, kind, ended, micros, attributes in nodes:
        message = field(1, number) + field(3, kind) + b"".join(field(5, each) for each in ended) + field(7, micros)
        for key, value in attributes.items():
            text = field(29, value.encode()) if isinstance(value, str) else field(27 if key == "is_cpu_op" else 7, value)
            message += field(10, field(1, key.encode()) + text)
        messages.append(message)
    with open(at(name), "wb") as file:
        file.write(b"".join(varint(len(message)) + message for message in messages))


def chakra():
    computes, sends, receives, collective = 4, 5, 6, 7
    message, barrier = 205e-9 + 64 / 5e9, 205e-9 + 1 / 5e9
    # The accelerator computes 3 us while the processor computes 2; the message follows the longer one.
    chakra_file("job.0.et", [(1, computes, [], 2, {"is_cpu_op": 1}), (2, computes, [], 3, {"is_cpu_op": 0}),
                             (3, sends, [1, 2], 0, {"comm_size": 64, "comm_dst": 1, "comm_tag": 7})])
    chakra_file("job.1.et", [(1, receives, [], 0, {"comm_size": 64, "comm_src": 0, "comm_tag": 7})])
    both = result("--replay", at("job.0.et"))
    expect(both["ranks"] == 2 and abs(both["seconds"] - 3e-6 - message - barrier) < 1e-12, both["seconds"])
    # An all-reduce takes the time that a program's takes, and hides behind the accelerator's work.
    place.write("sum.c", """#include <mpi.h>
int main(int argc, char** argv) {
  static char data[40000], sum[40000];
  MPI_Init(&argc, &argv);
  MPI_Allreduce(data, sum, 40000, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  return MPI_Finalize();
}
""")
    run(os.path.join(tools, "psim-cc"), "-o", at("sum"), at("sum.c"))
    program = result("-n", 4, at("sum"))
    reduce = {"is_cpu_op": 0, "comm_type": 0, "comm_size": 40000}
    for rank in range(4):
        chakra_file(f"alone.{rank}.et", [(1, collective, [], 0, reduce)])
        chakra_file(f"hidden.{rank}.et", [(1, collective, [], 0, reduce), (2, computes, [], 1000, {"is_cpu_op": 0})])
    alone, hidden = result("--replay", at("alone.3.et")), result("--replay", at("hidden.0.et"))
    expect(alone["packets"] == program["packets"] and abs(alone["seconds"] - program["seconds"]) < 1e-9, alone["seconds"], program["seconds"])
    expect(1e-3 <= hidden["seconds"] < 1e-3 + program["seconds"] / 2, hidden["seconds"])
    # Process groups: two pairs at once send fewer packets than four ranks.
    place.write("pairs.groups.json", '{"0": [0, 1], "1": [2, 3]}')
    for rank in range(4):
        chakra_file(f"pairs.{rank}.et", [(1, collective, [], 0, {**reduce, "pg_name": str(rank // 2)})])
    expect(result("--replay", at("pairs.0.et"))["packets"] < program["packets"], "packets")
    # Next to another job.
    place.write("jobs.toml", '[learning]\nreplay = "alone.0.et"\n[other]\nprogram = "sum"\nranks = 4\n')
    jobs = result("--jobs", at("jobs.toml"))["jobs"]
    expect(len(jobs) == 2 and all(job["seconds"] > 0 for job in jobs), jobs)
    # Mistakes.
    chakra_file("bad.0.et", [(1, computes, [5], 2, {})])
    refused("node 1: requires node 5, which the file does not have", at("bad.0.et"))
    refused("bad.1.et is missing", at("bad.2.et"))
    refused("expected NAME.RANK.et for each rank", at("nothing.0.et"))
    with open(at("job.0.et"), "rb") as file:
        whole = file.read()
    with open(at("cut.0.et"), "wb") as file:
        file.write(whole[:-3])
    refused("goes beyond the end of the file", at("cut.0.et"))


def dumpi():
    # A trace of Open MPI by libdumpi has the messages of the program under psim.
    trace = os.path.join(source, "workloads/traces/calls.meta")
    run(os.path.join(tools, "psim-cc"), "-O1", "-o", at("calls"), os.path.join(source, "tests/net/programs/mpi2_calls.c"))
    run(psim, "net", "-n", 4, "--timeline", at("calls.otf2"), at("calls"))
    there, here = (result("--replay", each, "--compute-scale", 0) for each in (trace, at("calls.otf2")))
    for what in ("messages", "packets", "packet_hops"):
        expect(there[what] == here[what], what, there[what], here[what])
    expect("left_out" not in there["replay"] or there["replay"]["left_out"] == [], there["replay"])
    expect(result("--replay", trace)["seconds"] > there["seconds"], "computing")
    # With MPI_PROC_NULL as MPICH has it, and without statuses, four receives look like those from any source.
    os.mkdir(at("mpich"))
    for part in (".meta", "-0000.txt", "-0001.txt", "-0002.txt", "-0003.txt"):
        with open(trace.replace(".meta", part)) as old, open(at("mpich/calls" + part), "w") as new:
            for line in old:
                line = line.replace("dest=-2 (MPI_ROOT)", "dest=-1").replace("source=-2 (MPI_ROOT)", "source=-1 (MPI_ANY_SOURCE)")
                new.write("MPI_Status status=<IGNORED>\n" if line.startswith("MPI_Status ") else line)
    as_mpich = result("--replay", at("mpich/calls.meta"), "--compute-scale", 0)
    expect(as_mpich["seconds"] == there["seconds"] and len(as_mpich["replay"]["left_out"]) == 1, as_mpich["replay"])
    place.write("traced.toml", f'[traced]\nreplay = "{trace}"\n[other]\nprogram = "calls"\nranks = 4\n')
    expect(all(job["seconds"] > 0 for job in result("--jobs", at("traced.toml"))["jobs"]), "jobs")
    # Mistakes.
    refused("a rank's file of a DUMPI trace; expected the trace's NAME.meta", trace.replace(".meta", "-0000.txt"))
    shutil.copy(trace, at("calls.meta"))
    refused('calls-0000.txt: No such file or directory; expected the output of "dumpi2ascii -SX calls-0000.bin"', at("calls.meta"))
    for rank in range(4):
        shutil.copy(trace.replace(".meta", f"-000{rank}.txt"), at(f"calls-000{rank}.txt"))
    whole = place.read("calls-0002.txt")
    place.write("calls-0002.txt", whole[:len(whole) // 2])
    refused("calls-0002.txt: the sizes of datatypes are missing", at("calls.meta"))
    place.write("none.meta", "hostname=here\n")
    refused("none.meta: expected a line numprocs=N", at("none.meta"))


def own_timeline():
    # A timeline of psim is replayed in the same time, to the picosecond.
    ring = at("ring")
    run(os.path.join(tools, "psim-cc"), "-O1", "-o", ring, os.path.join(source, "workloads/mgen/random_ring.c"))
    run(psim, "net", "-n", 27, "--timeline", at("ring.otf2"), "--json", at("live.json"), ring, 100000, 2)
    live = place.result("live.json")
    again = result("--replay", at("ring.otf2"))
    expect(again["seconds"] == live["seconds"], again["seconds"], live["seconds"])
    expect(again["packets"] == live["packets"], again["packets"], live["packets"])


def recorded(program, *libraries):
    # Open MPI's run without its computing has the same messages as psim's.
    name = os.path.splitext(os.path.basename(program))[0]
    run("mpicc", "-O1", "-o", at("real"), program, *libraries)
    run(os.path.join(tools, "psim-cc"), "-O1", "-o", at(name), program)
    run("mpirun", "--oversubscribe", "-n", 6, os.path.join(tools, "psim-otf2"), "-o", f"{name}_real.otf2", at("real"))
    run(psim, "net", "-n", 6, "--timeline", at(f"{name}.otf2"), at(name))
    real, simulated = (result("--replay", at(each), "--compute-scale", 0) for each in (f"{name}_real.otf2", f"{name}.otf2"))
    for what in ("seconds", "messages", "packets", "packet_hops"):
        expect(real[what] == simulated[what], name, what, real[what], simulated[what])
    return real


def open_mpi():
    large = os.path.join(source, "tests/net/programs/large_counts.c")
    run("mpicc", "-O1", "-DLIBRARY", "-shared", "-fPIC", "-o", at("liblarge_counts.so"), large)
    recorded(large, at("liblarge_counts.so"))
    real = recorded(os.path.join(source, "tests/net/programs/every_record.c"))
    with_computing = result("--replay", at("every_record_real.otf2"))
    expect(with_computing["seconds"] > real["seconds"], with_computing["seconds"])
    if shutil.which("mpirun") and os.path.exists(os.path.join(tools, "../lib/psim/libpsim_processes.so")):
        hashes = set()
        for processes in (1, 2):
            run("mpirun", "--oversubscribe", "-n", processes, psim, "net", "--quiet", "--replay", at("every_record.otf2"),
                "--json", at("many.json"))
            hashes.add(place.result("many.json")["result_hash"])
        expect(len(hashes) == 1, hashes)


def fortran():
    place.write("sums.f90", """program sums
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
    place.write("bad.goal", "num_ranks 2\nrank 0 {\n  send 64b from 1\n}\n")
    refused("bad.goal:3: expected to, found from", at("bad.goal"))
    place.write("one.goal", "num_ranks 2 rank 0 { send 64b to 1 } rank 1 { recv 64b from 0 }")
    refused("2 ranks", at("one.goal"), "-n", 3)
    refused("takes no program", at("one.goal"), at("program"))
    os.mkdir(at("torn.otf2"))
    place.write("torn.otf2/traces.otf2", "OTF2")
    refused("torn.otf2", at("torn.otf2"))


def recorder_without_program():
    recorder = os.path.join(tools, "psim-otf2")
    for words, says in (([], "expected [-o NAME.otf2] PROGRAM"), (["-o"], "expected [-o NAME.otf2] PROGRAM"),
                        (["-o", "run.otf2", "nosuch"], "nosuch: no such program")):
        said = run(recorder, *words, status=2).stderr
        expect(said.startswith("psim-otf2: ") and said.count("\n") == 1 and says in said, words, said)


schedule()
chakra()
dumpi()
bad_input()
own_timeline()
if os.path.exists(os.path.join(tools, "psim-otf2")):
    recorder_without_program()
if shutil.which("mpicc") and os.path.exists(os.path.join(tools, "psim-otf2")):
    open_mpi()
    fortran()
