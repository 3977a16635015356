# SPDX-License-Identifier: Apache-2.0
"""skeleton_test.py PSIM SOURCE PART: the analytic network, tables of collectives, and skeletons (docs/skeletons.md)."""
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source, part = sys.argv[1:4]
tools = os.path.dirname(psim)
place = Place("skeleton")
at, write = place.at, place.write
MODEL = 'format = 1\n[region.product]\nparameters = "n m"\nseconds = "1e-9 * n * m"\nranges = "1..100 1..10"\n'


def call(*words, status=0):
    return place.call(*words, status=status, env={**os.environ, **OPEN_MPI})


def net(ranks, *words, status=0):
    return call(psim, "net", "-n", ranks, "--quiet", *words, status=status)


def result(ranks, *words):
    net(ranks, "--json", "result.json", *words)
    return place.result("result.json")


def build(path, wrapper="psim-cc"):
    name = at(os.path.basename(path).replace(".", "_"))
    call(os.path.join(tools, wrapper), "-g", "-O1", "-o", name, os.path.join(source, path), "-lm")
    return name


ANALYTIC = ("--network", "analytic", "--set", "analytic.latency=40 us", "--set", "analytic.bandwidth=100 MB/s")
EXACT = ("--set", "mpi.wtime=0 ns")


def analytic():
    """A message takes l + s/w whatever else is on the way, and its protocol is the library's."""
    write("one.c", """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = atoi(argv[1]);
  char *data = calloc(2, bytes + 1);
  const double begin = MPI_Wtime();
  if (rank != 0) MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i) MPI_Recv(data, bytes, MPI_BYTE, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("%.0f\\n", (MPI_Wtime() - begin) * 1e9);
  MPI_Finalize();
}
""")
    call(os.path.join(tools, "psim-cc"), "-o", "one", "one.c")
    took = lambda ranks, bytes_, *words: int(net(ranks, *EXACT, *words, "./one", bytes_).stdout)
    for ranks in (2, 100):
        expect(took(ranks, 0, *ANALYTIC) == 40_000, ranks)
        expect(took(ranks, 10_000, *ANALYTIC) == 140_000, ranks)
    # Above mpi.eager: request, permission and data.
    expect(took(2, 100_000, *ANALYTIC) == 3 * 40_000 + 1_000_000, "rendezvous")
    expect(took(2, 100_000, "--machine", "pq580") == 40_000 + 1_000_000, "pq580 has no rendezvous")
    # Two nodes of a ring of 8 are at most 4 links apart.
    hops = ("--set", "topology.shape=8", "--set", "analytic.hop=1 us")
    expect(took(8, 0, *ANALYTIC, *hops) == 40_000 + 4_000, "hops")
    # Without a latency it is the empty network of packets.
    expect(took(2, 1000, "--network", "analytic") == took(2, 1000), "the same machine")
    found = result(2, *ANALYTIC, "./one", 10)
    expect(found["packets"] == 0 and found["messages"] > 0 and found["machine"]["network"]["model"] == "analytic", found)
    for words, said in ((("--network", "circuits"), "--network"), (("--order", "x", *ANALYTIC), "--order x: the analytic network has no packets"),
                        (("--set", "analytic.hop=1 us"), "the time of a hop needs a latency"),
                        ((*ANALYTIC, "--set", "link.sleep.policy=fixed"), "network.model")):
        expect(said in net(2, *words, "./one", 1, status=2).stderr, words, said)


TABLE = """collective,ranks,bytes,seconds
barrier,2,0,1e-5
barrier,32,0,1e-5
bcast,27,4000,2e-5
reduce,27,4000,3e-5
allreduce,27,4000,4e-5
"""


def tables():
    """A collective of a table is one lookup: closed forms of its time after the last entry, in ns."""
    program = build("tests/net/programs/offloaded.c")
    write("t.csv", TABLE)

    def left(ranks, what, count, *words):
        rows = [line.split() for line in net(ranks, *EXACT, *words, program, what, count).stdout.splitlines()]
        expect(len(rows) == ranks and all(row[2] == "right" for row in rows), what, rows)
        return [int(row[1]) for row in sorted(rows, key=lambda row: int(row[0]))]

    for network in ((), ("--network", "analytic")):
        small = "allreduce:bytes<=8=recursive-doubling"  # the program agrees on its begin with one
        table = (*network, "--set", "collective.table=t.csv", "--set", f"mpi.algorithms={small}")
        for ranks in (2, 9, 32):
            expect(left(ranks, "barrier", 0, *table) == [10_000] * ranks, ranks)
        left(8, "ibarrier", 0, *table, "--set", "mpi.progress=call")
        # The root entered last. The others leave a reduction their own time after their entry.
        expect(left(27, "bcast", 1000, *table) == [20_000] * 27, "bcast")
        expect(left(27, "reduce", 1000, *table) == [30_000 - (26 - r) * 1000 for r in range(27)], "reduce")
        expect(left(27, "allreduce", 1000, *table) == [40_000] * 27, "allreduce")
        chosen = left(27, "allreduce", 1000, *table, "--set", f"mpi.algorithms={small}; allreduce=ring")
        expect(len(set(chosen)) > 1, chosen)
    # All collectives of the library give right results by tables.
    names = ("barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall", "reduce-scatter", "scan")
    write("all.csv", "collective,ranks,bytes,seconds\n" +
          "".join(f"{name},{ranks},{size},1e-5\n" for name in names for ranks in (2, 64) for size in (0, 1 << 30)))
    basics = build("tests/mpi/programs/collectives.c")
    for ranks in (1, 2, 5, 8):
        lines = lambda *words: sorted(net(ranks, *words, basics).stdout.splitlines())  # in another order
        plain = lines()
        expect(lines("--set", "collective.table=all.csv") == plain, "by table", ranks)
        expect(lines("--network", "analytic", "--set", "collective.table=all.csv") == plain, "analytic", ranks)
    said = net(33, "--set", "collective.table=t.csv", "--set", f"mpi.algorithms={small}", program, "barrier", 0, status=2).stderr
    expect(re.search(r"^psim: rank \d+: MPI_Barrier: collective.table = t.csv: no time for 33 ranks and 0 bytes; the table has barrier "
                     r"for 2 to 32 ranks; 0 to 0 bytes with 32 ranks$", said, re.M), said)
    write("bad.csv", TABLE + "bcast,2,1,-1\n")
    for words, said in ((("collective.table=none.csv",), "collective.table = \"none.csv\": cannot be read"),
                        (("collective.table=bad.csv",), "bad.csv:7: seconds = -1: expected a number"),
                        (("collective.table=t.csv", "mpi.algorithms=scan=table"), "collective.table has no times of scan"),
                        (("collective.table=t.csv", "network.model=analytic", "analytic.latency=11 us"), "its shortest time is")):
        sets = [word for one in words for word in ("--set", one)]
        expect(said in net(2, *sets, program, "barrier", 0, status=2).stderr, words, said)


def measured():
    """--table measures the network of packets, and its times return from the table."""
    net(8, "--table", "t.csv", "--table-bytes", "256 B")
    rows = {}
    for line in open(at("t.csv")).read().splitlines()[1:]:
        name, ranks, size, seconds = line.split(",")
        rows[name, int(ranks), int(size)] = float(seconds)
    expect(len(rows) == 3 * (1 + 9 * 5), len(rows))
    expect({ranks for _, ranks, _ in rows} == {2, 4, 8} and {size for name, _, size in rows if name == "scan"} == {1, 4, 16, 64, 256}, rows)
    # A barrier of two nodes next to each other is one message: the time of a byte, two cables, two routers, a link.
    expect(abs(rows["barrier", 2, 0] - 0.2052e-6) < 1e-9, rows["barrier", 2, 0])
    net(8, "--network", "analytic", "--set", "collective.table=t.csv", "--table", "again.csv", "--table-bytes", "256 B")
    for line in open(at("again.csv")).read().splitlines()[1:]:
        name, ranks, size, seconds = line.split(",")
        expect(abs(float(seconds) - rows[name, int(ranks), int(size)]) < 2e-12, line, rows[name, int(ranks), int(size)])
    for words, said in ((("--table", "x.csv", "--data", "none"), "--table x.csv: not with --data"),
                        (("--table", "x.csv", "./program"), "not with a program"),
                        (("--table", "x.csv", "--table-bytes", "0 B"), "--table-bytes 0 B: out of range")):
        expect(said in net(8, *words, status=2).stderr, words, said)
    expect("one rank has no collectives" in net(1, "--table", "x.csv", status=2).stderr, "one rank")
    expect(not os.path.exists(at("x.csv")), "no file of a refused run")


def programs():
    """Bodies are left out with --skeleton only; the time is the same with and without them."""
    program = build("tests/net/programs/skeleton.c")
    write("fits.toml", MODEL)
    model = ("--compute", "model:fits.toml")
    whole, bare = result(4, *model, program), result(4, "--skeleton", *model, program)
    expect("executed 2, buffer 3" in net(4, *model, program).stdout, "bodies are executed")
    expect("executed 0, buffer 3" in net(4, "--skeleton", *model, program).stdout, "bodies are left out")
    expect(whole["seconds"] == bare["seconds"], whole["seconds"], bare["seconds"])
    for found in (whole, bare):
        product = next(one for one in found["compute"]["regions"] if one["name"] == "product")
        expect(product["count"] == 12 and product["modelled"] == 12, product)
        expect(abs(product["compute"] - sum(6e-9 * (64 + rank) for rank in range(4))) < 1e-12, product)
        expect(abs(found["compute"]["outside"]["compute"] - 4e-6) < 1e-12, found["compute"]["outside"])
    line = {text: number for number, text in enumerate(open(os.path.join(source, "tests/net/programs/skeleton.c")).read().splitlines(), 1)}
    where = lambda case: "skeleton.c:" + str(next(number for text, number in line.items() if f'"{case}"' in text))
    for case, said in (("unknown", "fits.toml: region prodcut: no model; did you mean product?"),
                       ("arguments", "fits.toml: region product: 1 arguments; the model has 2 (n, m)"),
                       ("skipped", "fits.toml: region other: no model; expected one of product")):
        for ranks in (3, 1000):
            told = net(ranks, "--skeleton", *model, program, case, status=2).stderr
            expect(told.startswith(f"psim: rank {ranks - 1}: ") and where(case) in told and said in told, case, told)
    told = net(3, *model, program, "leaves", status=2).stderr
    expect(f"psim: rank 2: " in told and where("leaves") in told and "region product: never ends" in told, told)
    told = net(3, program, "plain", status=2).stderr
    expect("has no time without its body; expected psim net --compute model:FILE" in told, told)
    for case in ("negative", "nan"):
        told = net(3, program, case, status=2).stderr
        expect(re.search(r"psim: rank 2: BSIM_Add_time\(-?(1e-06|nan)\): expected seconds from 0", told), told)
    expect("--skeleton: needs --compute model:FILE" in net(2, "--skeleton", program, status=2).stderr, "without models")
    # Another compiler executes the body once and needs nothing of psim.
    write("native.c", '#include <stdio.h>\n#include "psim.h"\nint main(void) { int n = 0; PSIM_REGION_SKIP("f", 3) { n += 2; }\n'
                      'PSIM_REGION_SKIP("g") n += 5;\nreturn printf("%d", n) < 0; }\n')
    call("cc", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(source, "workloads/include"), "-o", "native", "native.c")
    expect(call(at("native")).stdout == "7", "native")


def functions():
    """Every function of the library has its LMPI_ name, in the header and in the library."""
    sys.path.insert(0, os.path.join(source, "mpi/fortran"))
    import mpi_table
    names = [name for _, name, _, _ in mpi_table.functions(os.path.join(source, "mpi/include/mpi_functions.h"))]
    expect(len(names) > 400, len(names))
    write("all.c", '#include "lmpi.h"\n#include <stdio.h>\nint main(int argc, char **argv) {\n  int same = 0;\n' +
          "".join(f"  same += (void *)LMPI_{name} == (void *)MPI_{name};\n" for name in names) +
          '  LMPI_Init(&argc, &argv);\n  printf("%d\\n", same);\n  LMPI_Finalize();\n}\n')
    call(os.path.join(tools, "psim-cc"), "-w", "-o", "all", "all.c")
    expect(net(1, "./all").stdout == f"{len(names)}\n", "each LMPI_X is MPI_X")


def fortran():
    if not shutil.which("gfortran"):
        print("skipped: gfortran is not installed")
        sys.exit(77)
    program = build("tests/net/programs/skeleton.f90", "psim-f90")
    write("fits.toml", MODEL)
    whole = result(2, "--compute", "model:fits.toml", program)
    bare = result(2, "--skeleton", "--compute", "model:fits.toml", program)
    expect(whole["seconds"] == bare["seconds"] > 1.32e-6, whole["seconds"], bare["seconds"])
    expect(net(2, "--compute", "model:fits.toml", program).stdout.count("executed 1") == 2, "bodies are executed")
    expect(net(2, "--skeleton", "--compute", "model:fits.toml", program).stdout.count("executed 0") == 2, "bodies are left out")


def processes():
    """Several host processes give the same result on the analytic network."""
    if not shutil.which("mpirun"):
        sys.exit(77)
    write("t.csv", "collective,ranks,bytes,seconds\nallreduce,27,1,1e-4\nallreduce,27,1000000,1e-3\n")
    skeleton, collectives = build("tests/net/programs/skeleton.c"), build("tests/mpi/programs/collectives.c")
    write("fits.toml", MODEL)
    for words in ((*ANALYTIC, "--set", "analytic.hop=1 us", "--compute", "model:fits.toml", skeleton),
                  ("--network", "analytic", "--set", "node.ranks=2", collectives),
                  (*ANALYTIC, "--set", "collective.table=t.csv", "--compute", "model:fits.toml", skeleton)):
        hashes = set()
        for count in (1, 2, 3):
            launcher = ["mpirun", "--oversubscribe", "-n", count] if count > 1 else []
            call(*launcher, psim, "net", "-n", 27, "--quiet", "--json", "result.json", *words)
            found = json.load(open(at("result.json")))
            expect(found["host"]["processes"] == count, found["host"])
            hashes.add(found["result_hash"])
        expect(len(hashes) == 1, words, hashes)


def hpl():
    """The messages, bytes and matrix products of each rank of the HPL skeleton are those of HPL, given its pivots."""
    program = build("workloads/skeletons/hpl.c")
    models = ("--compute", f"model:{source}/workloads/skeletons/example.toml")
    os.environ["HPL_COUNTS"] = "1"
    runs = re.split(r"^# (n=.*)$", open(os.path.join(source, "tests/net/hpl/counts.txt")).read(), flags=re.M)[1:]
    expect(len(runs) == 6, len(runs))
    for words, text in zip(runs[::2], runs[1::2]):
        pivots, counts = text.split("# pivots\n")[1].split("# each rank\n")
        write("pivots", pivots)
        wanted = [tuple(map(int, line.split())) for line in counts.splitlines()]
        said = net(len(wanted), *models, program, *words.split(), "pivots=pivots").stdout
        found = sorted(tuple(map(int, one)) for one in re.findall(r"^rank (\d+): (\d+) messages, (\d+) bytes, \d+ flop, (\d+) of them", said, re.M))
        expect(found == wanted, words, found, wanted)
    # The matrix products of all ranks are HPL's number of operations but for the factors of panels.
    said = net(4, *models, program, "n=4096", "nb=32", "p=2", "q=2").stdout
    all_ = sum(int(one) for one in re.findall(r", (\d+) flop,", said))
    expect(abs(all_ / (2 / 3 * 4096**3) - 1) < 0.03, all_)
    # The network and the shortened forms change the time, and not the result's form.
    for words in (("columns=4",), ("columns=4", "chunks=2", "swap=collective"), ("bcast=2ring",)):
        expect("HPL: n 2048" in net(16, "--network", "analytic", *models, program, "n=2048", "nb=64", "p=4", "q=4", *words).stdout, words)
    for words, said in (("n=100", "nb: expected nb=NB"), ("n=0 nb=8", "n=0: expected a whole number from 1"), ("n=9 nb=4 p=2", "p and q: expected p times q"),
                        ("n=9 nb=4 bcast=ring", "expected 1ring, 1ring-m, 2ring, 2ring-m"), ("n=9 nb=4 size=3", "size=3: expected n=, nb="),
                        ("n=9 nb=4 pivots=none", "none: expected a file"), ("n=9 nb=4 columns=1", "columns: expected at least 2")):
        expect(said in net(1, *models, program, *words.split(), status=2).stderr, words)


def long_broadcast(q, doubles, root, modified):
    """Messages and bytes that each process column sends in a long broadcast, from its description: halves of the rest go down a binomial
    tree, then members pass the parts around the ring in pairs. At the end all members have all parts."""
    sent = {col: [0, 0] for col in range(q)}
    def message(col, size):
        sent[col][0] += 1
        sent[col][1] += 8 * size
    members = [(root + i) % q for i in range(q)]
    if modified:
        message(root, doubles)
        del members[1]
    count = len(members)
    if count == 1:
        return sent
    each = max(doubles // count, 1)
    ends = [min(doubles, i * each) for i in range(count)] + [doubles]
    sizes = [max(0, ends[i + 1] - ends[i]) for i in range(count)]
    has = [set(range(count)) if i == 0 else set() for i in range(count)]
    distance = 1
    while distance * 2 < count:
        distance *= 2
    while distance:
        for i in range(0, count, 2 * distance):
            if i + distance < count:
                parts = range(i + distance, min(i + 2 * distance, count))
                expect(has[i] >= set(parts), "a sender has what it sends")
                has[i + distance] |= set(parts)
                message(members[i], sum(sizes[part] for part in parts))
        distance //= 2
    for step in range(count - 1):
        passed = []
        for i in range(count):
            back = (i + step) % 2
            part = (i + (step // 2 if back else -(step // 2))) % count
            expect(part in has[i], "a sender has what it sends", q, step, i)
            passed.append(((i - 1 if back else i + 1) % count, part))
            message(members[i], sizes[part])
        for to, part in passed:
            has[to].add(part)
    expect(all(len(one) == count for one in has), "all have all", q)
    return sent


def broadcasts():
    """The long broadcasts of the HPL skeleton send what their description says, next to what a broadcast along a ring sends."""
    program = build("workloads/skeletons/hpl.c")
    models = ("--compute", f"model:{source}/workloads/skeletons/example.toml")
    os.environ["HPL_COUNTS"] = "1"

    def counts(q, n, nb, bcast, depth):
        said = net(q, *models, program, f"n={n}", f"nb={nb}", "p=1", f"q={q}", f"bcast={bcast}", f"depth={depth}").stdout
        return {int(rank): (int(messages), int(size)) for rank, messages, size in re.findall(r"^rank (\d+): (\d+) messages, (\d+) bytes", said, re.M)}

    for q, n, nb, depth in ((2, 60, 8, 0), (3, 50, 4, 1), (5, 96, 8, 1), (6, 90, 16, 2), (8, 64, 4, 0)):
        ring = counts(q, n, nb, "1ring", depth)
        for bcast in ("long", "long-m"):
            wanted = {rank: list(count) for rank, count in ring.items()}
            for first in range(0, n, nb):
                root, width = first // nb % q, min(nb, n - first)
                doubles = (n - first - width) * width + width * width + width + 1
                for col in range(q):  # along the ring all but the last send the whole panel
                    if (col + 1) % q != root:
                        wanted[col][0] -= 1
                        wanted[col][1] -= 8 * doubles
                for col, (messages, size) in long_broadcast(q, doubles, root, bcast == "long-m").items():
                    wanted[col][0] += messages
                    wanted[col][1] += size
            found = counts(q, n, nb, bcast, depth)
            expect(found == {rank: tuple(count) for rank, count in wanted.items()}, q, n, nb, depth, bcast, found, wanted)


def kernels():
    """The skeletons of integrals and of PHASE: sizes from the paper, and times by hand."""
    eri = build("workloads/skeletons/eri.c")
    models = lambda name: ("--compute", f"model:{source}/workloads/skeletons/{name}.toml")
    # (Gly)15 has 1009 basis functions in the paper, too.
    said = net(64, "--skeleton", "--machine", "pq580", *models("eri"), eri).stdout
    expect(said.startswith("ERI: 1009 basis functions, 22798 pairs"), said)
    whole, bare = (result(6, *words, *models("eri"), eri, "glycines=1") for words in ((), ("--skeleton",)))
    expect(whole["seconds"] == bare["seconds"] > 0, "with and without its computing")
    phase = build("workloads/skeletons/phase.c")
    found = result(6, "--network", "analytic", *models("phase"), phase, "bands=384", "waves=6000", "p=3", "q=2", "grid=32", "steps=2")
    regions = {one["name"]: one for one in found["compute"]["regions"]}
    nx, jx = 63 // 32 + 1, 2999 // 32 + 1
    block = (7.9e-8 + nx * (0.512e-6 * jx + 1.141e-6 * nx)) / 2
    # Products: 6 ranks x 6 blocks x their own 2 blocks. Gram-Schmidt: 6 blocks within themselves on 2 processes each, and twice for each of the
    # 0 + … + 5 blocks above, on 2 processes each. Two steps.
    wanted = 2 * block * (6 * 6 * 2 + 6 * 2 + 2 * 15 * 2)
    expect(abs(regions["zgemm"]["compute"] / wanted - 1) < 1e-6, regions["zgemm"]["compute"], wanted)
    expect(regions["fft"]["count"] == 2 * 6 * 2 * 64, regions["fft"])
    for words, said in ((("bands=100", "waves=6"), "bands: expected a multiple of p times block"), (("bands=64", "waves=x"), "waves=x: expected"),
                        (("bnds=64",), "bnds=64: expected bands=")):
        expect(said in net(1, *models("phase"), phase, *words, status=2).stderr, words)
    for words in (("glycines=0",), ("basis=tzvp",), ("cutof=3",)):
        expect("expected glycines=1" in net(1, *models("eri"), eri, *words, status=2).stderr, "eri", words)
    # Minimal bases by hand: five functions for each of 4 n + 1 heavy atoms, one for each of 3 n + 2 of hydrogen.
    said = net(3, "--skeleton", *models("eri"), eri, "glycines=7", "basis=sto3g", "each=1").stdout
    expect(f"ERI: {5 * 29 + 23} basis functions" in said and said.count(" s of ") == 3, said)


{one.__name__: one for one in (hpl, broadcasts, kernels, analytic, tables, measured, programs, functions, fortran, processes)}[part]()
