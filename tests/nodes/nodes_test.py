# SPDX-License-Identifier: Apache-2.0
"""nodes_test.py PSIM SOURCE PART: programs under psim net and, built for sparc64, on cycle-level nodes."""
import json
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True  # leaves no __pycache__ in the source tree
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


def ping_pong():
    # No data, one slot, several packets, and a rendezvous.
    expect(same("ping_pong.c", 2, 0, 100, 5000, 20000).count("good") == 4)


def collectives():
    same("collectives.c", 5)


def one_sided():
    same("one_sided.c", 3)


def solver():
    expect(same("cg.c", 4, 32, 5, options=("--machine", "simd16", "--network", "tofu")).count("residual") == 5)


def bandwidth():
    """Latency and bandwidth as OSU's benchmarks measure them. One message of 1 MiB comes near the bandwidth of the link, 5 GB/s of
    which packets of 2,048 bytes have 64 for the interface; over fast links, near that of memory, 16 GB/s, if reads overlap."""
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-o", "bandwidth", os.path.join(source, "programs/bandwidth.c"))

    def measure(*options):
        said = run(psim, "cosim", "--quiet", "-n", 2, *options, "./bandwidth").stdout
        return [float(line.split()[1]) for line in said.splitlines()]
    latency, window, single = measure()
    expect(0.8 < latency < 2, latency)
    expect(4200 < window < 4844 and 4700 < single < 4844, window, single)
    fast = ("--set", "link.bandwidth=50 GB/s", "--set", "nic.bandwidth=50 GB/s")
    expect(14500 < measure(*fast)[2] < 16000, measure(*fast))
    # A read of 512 bytes takes 7 lines of 4 ns and the latency of 60 ns.
    slow = measure(*fast, "--set", "interface.dma_reads=1")[2]
    expect(5400 < slow < 512 / 88e-9 / 1e6, slow)


def fortran():
    if not os.path.exists(os.path.join(tools, "../lib/psim/sparc64/mpi.mod")):
        sys.exit(77)
    same("halo.f90", 4)


def hybrid():
    """MPI and OpenMP: two nodes of four cores."""
    build("hybrid.c", "-fopenmp")
    expected = run(psim, "net", "--quiet", "-n", 2, "./hybrid.net").stdout
    cores = ("--quiet", "-n", 2, "--set", "node.cores=4")
    results = []
    commands = [[psim], [psim]]
    if shutil.which("mpirun"):
        commands.append(["mpirun", "--oversubscribe", "-n", 2, psim])
    for command in commands:
        expect(run(*command, "cosim", *cores, "--json", "result.json", "./hybrid").stdout == expected, command, expected)
        with open(os.path.join(place.name, "result.json")) as file:
            results.append(json.load(file))
    expect(len({result["result_hash"] for result in results}) == 1, "hashes differ")
    expect("8 threads" in run(psim, "cosim", *cores, "./hybrid", "threads").stdout)
    statistics = results[0]["statistics"]
    expect(statistics["coherence"]["invalidations"] > 0 and statistics["chip"]["idle"] > 0, statistics)


def threads():
    """Threads of a rank call MPI one at a time. Calls at the same time end with a message."""
    for cores in (2, 4):
        got = "".join(sorted(same("threads.c", 3, options=("--set", f"node.cores={cores}"), ordered=False).splitlines(True)))
        expect("rank 0: 1010 1060 1110 1160, main 1 0, serialized 1\n" in got, got)
    done = run(psim, "cosim", "--quiet", "-n", 3, "--set", "node.cores=4", "./threads", "at once", status=1)
    expect("MPI_Sendrecv was called while another thread of the rank was in a call of MPI; expected calls one at a time" in done.stderr,
           done.stderr)


def ranks():
    """Several ranks for each node: the output is that of psim net, also with several host processes."""
    expect("--set node.cores=4 --set node.ranks=2 ./app" in run(psim, "cosim", "--help").stdout)
    net, node = build("collectives.c")
    expected = run(psim, "net", "--quiet", "-n", 4, "--set", "node.ranks=2", net).stdout
    options = ("--quiet", "-n", 2, "--set", "node.cores=2", "--set", "node.ranks=2")
    hashes = set()
    for launcher in [[]] + ([["mpirun", "--oversubscribe", "-n", 2]] if shutil.which("mpirun") else []):
        expect(run(*launcher, psim, "cosim", *options, "--json", "ranks.json", node).stdout == expected, expected)
        with open(os.path.join(place.name, "ranks.json")) as file:
            result = json.load(file)
        hashes.add(result["result_hash"])
        expect([rank["exit_status"] for entry in result["nodes"] for rank in entry["ranks"]] == [0, 0, 0, 0], result["nodes"])
    expect(len(hashes) == 1, hashes)
    # Messages inside a node do not enter the network; with nic.loopback they take the time of the channel in addition.
    build("ping_pong.c")
    cycles = []
    for loopback in ("false", "true"):
        options = ("-n", 1, "--set", "node.cores=2", "--set", "node.ranks=2", "--set", f"nic.loopback={loopback}")
        said = run(psim, "cosim", "--quiet", *options, "--json", "ranks.json", "./ping_pong", 0, 5000, 20000).stdout
        expect(said.count("good") == 3, said)
        with open(os.path.join(place.name, "ranks.json")) as file:
            result = json.load(file)
        expect(result["messages"] == 0, result["messages"])
        cycles.append(result["nodes"][0]["cycles"])
    expect(cycles[0] < cycles[1], cycles)
    # Several ranks with threads on each node.
    net, node = build("hybrid.c", "-fopenmp")
    expected = run(psim, "net", "--quiet", "-n", 4, net).stdout
    options = ("--quiet", "-n", 2, "--set", "node.cores=4", "--set", "node.ranks=2", "--env", "OMP_WAIT_POLICY=passive")
    expect(run(psim, "cosim", *options, node).stdout == expected, expected)
    file = os.path.join(source, "programs/bad.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-g", "-o", "bad", file)
    said = run(psim, "cosim", "--quiet", "-n", 1, "--set", "node.cores=2", "--set", "node.ranks=2", "./bad", "deadlock", status=2).stderr
    for words in ("psim: node 0, rank 1: waits at PC ", ", on core 1; network interface: ", "rank 0 waits in MPI_Recv(rank 1, tag 7, MPI_COMM_WORLD)"):
        expect(words in said, words, said)
    said = run(psim, "cosim", "-n", 2, "--set", "node.cores=4", "--set", "node.ranks=3", "./bad", status=2).stderr
    expect("node.ranks = 3: the 4 cores of a node cannot be divided among them; expected a divisor of node.cores = 4" in said, said)


def files():
    """All nodes share the working directory and /tmp; the latter is removed at the end."""
    name = os.path.join(place.name, "shared")
    os.environ["TMPDIR"] = place.name
    folders = {entry for entry in os.listdir(place.name) if entry.startswith("psim-guest-")}
    expect(same("files.c", 3).count("external32 00 00 01 02 3f f8 00 00 00 00 00 00 and back 102") == 3)
    same("files.c", 2, name)
    expect(same("files.c", 2, "/nonexistent/folder/x") == "2 ranks cannot open the file\n")
    file = os.path.join(source, "programs/private_file.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-o", "private_file", file)
    said = run(psim, "cosim", "--quiet", "-n", 2, "./private_file", status=42).stderr
    expect("MPI_File_open: file = private: rank 0 of the communicator has opened it, but rank 1 cannot" in said, said)
    expect(folders == {entry for entry in os.listdir(place.name) if entry.startswith("psim-guest-")}, os.listdir(place.name))


def energy():
    """The account of the whole machine sums up; links that sleep cost the cores that wait."""
    exchange = os.path.join(source, "../../workloads/cosim/exchange.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-I", os.path.join(source, "../../workloads/include"), "-o", "exchange", exchange)

    def account(*options, launcher=(), program=("./exchange", 2, 2048, 64)):
        run(*launcher, psim, "cosim", "--quiet", "--energy", "--json", "energy.json", *options, *program)
        result = place.result("energy.json")
        total = result["energy"]["total_joules"]
        rows = result["energy"]
        parts = [part["joules"] for part in rows["parts"].values()]
        nodes = [node["joules"] for node in rows["nodes"]] + [rows["parts"]["links"]["joules"]]
        for sums in (parts, nodes, *([row["joules"] for row in rows[by]] for by in ("regions", "calls", "ranks")), rows["over_time"]["joules"]):
            expect(abs(sum(sums) / total - 1) < 1e-9, options, sum(sums), total)
        links = result["net"]["link_energy"]["joules"]
        expect(abs(rows["parts"]["links"]["joules"] / links - 1) < 1e-9, rows["parts"]["links"], links)
        return result

    four = ("-n", 4)
    awake = account(*four)
    plain = run(psim, "cosim", "--quiet", *four, "--json", "plain.json", "./exchange", 2, 2048, 64) and place.result("plain.json")
    expect([node["cycles"] for node in awake["nodes"]] == [node["cycles"] for node in plain["nodes"]], "energy changes cycles")
    expect("energy" not in plain, list(plain))
    calls = {row["name"]: row for row in awake["energy"]["calls"]}
    regions = {row["name"]: row for row in awake["energy"]["regions"]}
    expect({"MPI_Init", "MPI_Sendrecv", "MPI_Allreduce", "MPI_Finalize"} <= set(calls), list(calls))
    expect(calls["MPI_Sendrecv"]["sleep_joules"] > 0 and regions["compute"]["sleep_seconds"] == 0, calls, regions)
    if shutil.which("mpirun"):
        other = account(*four, launcher=("mpirun", "--oversubscribe", "-n", 2))
        expect(other["result_hash"] == awake["result_hash"], "hashes differ")
    # Low power saves energy of links, and the cores wait for each link that wakes.
    sleeping = account(*four, "--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=5 us", "--set", "link.sleep.wake=2 us")
    asleep = {name: sum(node["sleep_joules"] for node in one["energy"]["nodes"]) for name, one in (("no", awake), ("yes", sleeping))}
    expect(sleeping["energy"]["parts"]["links"]["joules"] < awake["energy"]["parts"]["links"]["joules"], sleeping["energy"]["parts"])
    expect(asleep["yes"] > 2 * asleep["no"], asleep)
    expect(sleeping["energy"]["seconds"] > awake["energy"]["seconds"], sleeping["energy"]["seconds"])
    # Over time, a second core without work adds the same energy to each slice.
    over_time = [account("-n", 2, "--set", f"node.cores={cores}")["energy"]["over_time"]["cores"][:-1] for cores in (1, 2)]
    added = [two - one for one, two in zip(*over_time)]
    mean = sum(added) / len(added)
    expect(max(over_time[0]) > 2 * min(over_time[0]) and all(near(value, mean, 0.1) for value in added), over_time)
    said = run(psim, "energy", "energy.json").stdout
    expect(50 < float(re.search(r"cores asleep ([0-9.]+) %", said)[1]) < 60, said)
    # Ranks that share a node have their own cores; what they share is a row of its own.
    shared = account("-n", 2, "--set", "node.cores=2", "--set", "node.ranks=2")["energy"]
    ranks = {row["name"]: row for row in shared["ranks"]}
    expect(list(ranks) == ["rank 0", "rank 1", "rank 2", "rank 3", "(shared)", "(ended)", "(links)"], list(ranks))
    notes = place.result("energy.json")["assumptions"]
    expect(any(note.startswith("energy over time: while the first core of a node sleeps") for note in notes), notes)
    own = [ranks[f"rank {n}"]["joules"] for n in range(4)]
    expect(min(own) > 0.8 * max(own), own)
    memory = sum(shared["parts"][part]["joules"] for part in ("memory", "interfaces"))
    expect(0.9 * memory < ranks["(shared)"]["joules"] < shared["total_joules"] - sum(own), ranks, memory)
    said = run(psim, "energy", "energy.json").stdout
    for words in (f"energy.json: energy: {shared['total_joules']:.6g} J in ", "  by rank\n", "    rank 3   ", "    MPI_Sendrecv "):
        expect(words in said, words, said)
    for more in (["energy.json"], ["--region", "compute"]):
        said = run(psim, "energy", "energy.json", *more, status=2).stderr
        expect("has no energy by coefficient; expected no " in said, said)
    run(psim, "cosim", "--quiet", "--energy", "--report", "energy.html", "-n", 2, "./exchange", 2, 2048, 64)
    with open(place.at("energy.html")) as file:
        page = file.read()
    for words in ("<h1>./exchange 2 2048 64</h1>", "Time of all ranks by region", "<td>compute</td>", "GFlop/s",  "Energy by part", "<h3>Power over time</h3>", "By MPI function", "<td>MPI_Sendrecv</td>", "</html>"):
        expect(words in page, words)
    # A core takes the energy of the same program under psim run.
    with open(place.at("sum.c"), "w") as file:
        file.write("volatile double a[4096]; int main(void) { for (int n = 0; n < 20; ++n) for (int i = 0; i < 4096; ++i) a[i] += i; }\n")
    run("sparc64-linux-gnu-gcc", "-O2", "-static", "-o", "sum", "sum.c")
    core = account("-n", 1, program=("./sum",))["energy"]["nodes"][0]["cores_joules"]
    run(psim, "run", "--quiet", "--energy", "--env", "PSIM_NODE=0", "--env", "PSIM_NODES=1", "--json", "run.json", "./sum")
    alone = place.result("run.json")["energy"]["total_joules"]
    expect(core == alone, core, alone)


def near(value, expected, share):
    """Returns true if a value differs from the expected one by at most this share of it."""
    return abs(value - expected) <= share * expected


def check_sums(result, ranks):
    """The regions of each rank, and of all ranks, sum to the time of the ranks, and each time is the sum of its parts."""
    compute, keys = result["compute"], ("cycles", "instructions", "flops", "seconds", "compute", "overhead", "wait")
    rows = [rank for node in result["nodes"] for rank in node.get("ranks", [node])]
    expect(len(rows) == result["ranks"] == ranks, len(rows))
    for key in keys:
        of_ranks = [sum(region[key] for region in rank["regions"]) + rank["outside"][key] for rank in rows]
        of_regions = sum(region[key] for region in compute["regions"]) + compute["outside"][key]
        expect(near(sum(of_ranks), compute["total"][key], 1e-12) and near(of_regions, compute["total"][key], 1e-12), key)
    for row in compute["regions"] + [compute["outside"]]:
        expect(sum(row["cpi_stack"].values()) == row["cycles"], row)
        expect(near(row["compute"] + row["overhead"] + row["wait"], row["seconds"], 1e-12), row)
    if len(rows) == len(result["nodes"]) and "node.cores" not in json.dumps(result["machine"]):
        for node in result["nodes"]:
            expect(sum(region["cycles"] for region in node["regions"]) + node["outside"]["cycles"] == node["cycles"], node)
            expect(sum(region["instructions"] for region in node["regions"]) + node["outside"]["instructions"] == node["instructions"])
    return {region["name"]: region for region in compute["regions"]}


def regions():
    """Time by region of ranks on nodes: sums, threads, several ranks, and the comparison with ranks that compute by models."""
    root = os.path.join(source, "../..")
    file = os.path.join(root, "workloads/predict/halo.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-I", os.path.join(root, "workloads/include"), "-o", "halo", file)
    run(os.path.join(tools, "psim-cc"), "-O2", "-o", "halo.net", file)

    def nodes(name, *words, launcher=()):
        run(*launcher, psim, "cosim", "--quiet", "--json", name, *words)
        return place.result(name)
    result = nodes("nodes.json", "-n", 4, "./halo", 56, 3)
    found = check_sums(result, 4)
    expect([region["count"] for region in found.values()] == [12, 4, 12, 12], {name: row["count"] for name, row in found.items()})
    expect(found["product"]["arguments"] == [[28, 28]] and found["product"]["flops"] == 12 * 2 * 28 ** 3, found["product"])
    expect(found["smooth"]["flops"] == 12 * 4 * 54 ** 2, found["smooth"])
    for name in ("product", "smooth", "prepare"):
        expect(found[name]["overhead"] == found[name]["wait"] == 0, found[name])
    expect(found["exchange"]["overhead"] > 0, found["exchange"])
    if shutil.which("mpirun"):
        other = nodes("other.json", "-n", 4, "./halo", 56, 3, launcher=("mpirun", "--oversubscribe", "-n", 2))
        expect(other["result_hash"] == result["result_hash"], "hashes differ")
    # Bytes: each rank sends and receives two rows in each step; DMA is a part of the traffic of memory.
    work = found["exchange"]["work"]
    expect(work["sent_bytes"] == work["received_bytes"] == 4 * 3 * 2 * 56 * 8, work)
    memory = result["statistics"]["memory"]
    expect(near(result["work"]["memory_bytes"], memory["bytes_read"] + memory["bytes_written"], 0.001), result["work"], memory)
    expect(result["work"]["memory_bytes"] > sum(region["work"]["memory_bytes"] for region in found.values()) > 0, result["work"])
    run(psim, "roofline", "--json", "roofline.json", "nodes.json")
    roofline = place.result("roofline.json")
    lines = {line["name"]: line.get("bytes_per_second", line.get("flops_per_second")) for line in roofline["lines"]}
    expect(lines["peak"] == 8e9 and lines["memory"] == 16e9 and lines["interface"] == 5e9, lines)
    points = {point["region"]: point for point in roofline["points"]}
    expect({"(whole run)", "product", "smooth"} <= set(points), list(points))
    expect(points["product"]["flops"] == 3 * 2 * 28 ** 3 and points["product"]["sent_bytes"] == 0, points["product"])
    expect(near(points["product"]["seconds"] * 4, found["product"]["seconds"], 1e-9), points["product"])
    # The account of energy has the same time for each region.
    energy = nodes("energy.json", "-n", 4, "--energy", "./halo", 56, 3)
    expect(energy["compute"] == result["compute"], "--energy changes times")
    for row in energy["energy"]["regions"]:
        if row["name"] in found:
            expect(near(row["seconds"], found[row["name"]]["seconds"], 1e-9), row, found[row["name"]])
    # Models of the same core, measured with other arguments; the network carries the messages.
    run(psim, "fit", "--quiet", "--args", "24 32 48 64", "--machine", "sparc64v", "-o", "fits.toml", "./halo", "{}", 3)
    run(psim, "net", "--quiet", "-n", 4, "--set", "node.core=sparc64v", "--compute", "model:fits.toml", "--csv", "tables", "--json",
        "model.json", "./halo.net", 56, 3)
    said = run(psim, "compare", "--ranks", "tables", "--json", "compare.json", "nodes.json", "model.json").stdout
    expect("cycle-level nodes sparc64v, 4 ranks" in said and "\nrank 3: " in said, said)
    both = [side["regions"] for side in place.result("compare.json")["results"]]
    for name, bound in (("product", 0.03), ("smooth", 0.1), ("exchange", 0.2), ("prepare", 0.5)):
        expect(near(both[1][name]["seconds"], both[0][name]["seconds"], bound), name, both[1][name], both[0][name])
    for region in place.result("compare.json")["differences"][0]["regions"]:
        expect(region["part"] != "transfer", region)
    said = run(psim, "compare", "--ranks", "tables", "--ranks", "tables", "nodes.json", "model.json", status=2).stderr
    expect("2 folders for 1 results; expected one for each, in their order, but none for those of psim cosim" in said, said)
    # Several ranks for each node, and threads: all of a team's work belongs to the region of the first thread.
    two = nodes("two.json", "-n", 2, "--set", "node.cores=2", "--set", "node.ranks=2", "./halo", 16, 2)
    # Half of the rows stay inside their node.
    expect(check_sums(two, 4)["exchange"]["work"]["sent_bytes"] == 4 * 2 * 16 * 8, two["work"])
    run(psim, "roofline", "--json", "roofline.json", "two.json")
    expect(place.result("roofline.json")["lines"][0]["flops_per_second"] == 16e9)
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-fopenmp", "-o", "regions", os.path.join(source, "programs/regions.c"))
    times = []
    for cores in (1, 4):
        result = nodes("team.json", "-n", 2, "--set", f"node.cores={cores}", "--env", "OMP_WAIT_POLICY=passive", "./regions")
        found = check_sums(result, 2)
        expect(found["work"]["flops"] == 16000 and found["work"]["arguments"] == [[0, 1]], cores, found["work"])
        times.append(found["work"]["compute"])
    expect(times[1] < 0.9 * times[0], times)
    said = run(psim, "cosim", "-n", 2, "--set", "node.cores=2", "--env", "OMP_WAIT_POLICY=passive", "./regions", "stray").stderr
    for words in ("rank 1: region lost ended without having begun", "rank 1: region endless began but never ended",
                  "rank 1: 2 marks of regions by threads other than a rank's first were left out", "\nwork  "):
        expect(words in said, words, said)


def ends(ranks, status, *arguments):
    """Runs bad.c, which must end with this status; returns its messages."""
    return run(psim, "cosim", "--quiet", "-n", ranks, "./bad", *arguments, status=status).stderr


def bad_programs():
    file = os.path.join(source, "programs/bad.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-g", "-o", "bad", file)
    with open(file) as text:
        lines = {line.split("// ")[1].strip(): number for number, line in enumerate(text, 1) if "// here: " in line}
    several = run(psim, "cosim", "--quiet", "--energy", "--set", "node.cores=2", "-n", 2, "./bad", "deadlock", status=2).stderr
    expect("psim: deadlock at " in several, several)
    said = ends(2, 2, "deadlock")
    for words in ("psim: deadlock at ", "psim: node 0: waits at PC ", "psim: node 1: waits at PC ", ", on core 0; network interface: ",
                  f"bad.c:{lines['here: deadlock']}", "rank 0 waits in MPI_Recv(rank 1, tag 7, MPI_COMM_WORLD)",
                  "rank 1 waits in MPI_Recv(rank 0, tag 7, MPI_COMM_WORLD)"):
        expect(words in said, words, said)
    said = ends(2, 2, "leave")
    for words in ("psim: node 1: has ended with exit status 0 at core 0, PC 0x", f"bad.c:{lines['here: leave']}", "rank 0 waits in MPI_Recv(rank 1, tag 7, MPI_COMM_WORLD)"):
        expect(words in said, words, said)
    said = ends(2, 139, "crash")
    for words in ("SIGSEGV: store to unmapped address", f"bad.c:{lines['here: crash']}", "psim: node 1: the program was ended by SIGSEGV on core 0, PC 0x"):
        expect(words in said, words, said)
    said = ends(2, 5, "abort")
    expect("rank 1: MPI_Abort, status 5" in said, said)
    # Of an aborted run the hash does not depend on the number of host processes, although the counts may.
    hashes = set()
    for launcher in [[]] + ([["mpirun", "--oversubscribe", "-n", 2]] if shutil.which("mpirun") else []):
        run(*launcher, psim, "cosim", "--quiet", "-n", 4, "--json", "abort.json", "./bad", "abort", status=5)
        expect(place.result("abort.json")["partial"] == "aborted")
        hashes.add(place.result("abort.json")["result_hash"])
    expect(len(hashes) == 1, hashes)
    said = run(psim, "cosim", "-n", 2, "--netwrk", "tofu", "./bad", status=2).stderr
    expect("--netwrk" in said, said)
    said = run(psim, "cosim", "-n", 2, "./none", status=2).stderr
    expect("./none" in said, said)


def stamp():
    """A program for another version of the library or of the interface is refused before it starts."""
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-s", "-o", "good", os.path.join(source, "programs/bad.c"))
    with open(place.at("good"), "rb") as file:
        good = file.read()
    head = b"\0\0\0\x05\0\0\0\x20\0\0\0\x01psim\0\0\0\0"
    expect(good.count(head) == 1, good.count(head))
    at = good.index(head) + len(head)
    version = good[at + 4:at + 32].rstrip(b"\0").decode()
    expect(run(psim, "--version").stdout.split()[1] == version, version)
    for patched, words in ((good[:at] + b"\0\0\0\x63" + good[at + 4:], f"./patched: linked with the MPI library of psim {version} for version 99 of "
                            "the network interface; expected"),
                           (good[:at + 4] + b"0.0.9\0" + good[at + 10:], f"psim 0.0.9 for version {good[at + 3]} of the network interface; expected "
                            f"the one of this psim, {version}, for version {good[at + 3]}: link the program again")):
        with open(place.at("patched"), "wb") as file:
            file.write(patched)
        os.chmod(place.at("patched"), 0o755)
        said = run(psim, "cosim", "-n", 2, "./patched", status=2).stderr
        expect(words in said, words, said)


def queues():
    """Descriptors by hand: operations, and each mistake with its status."""
    file = os.path.join(source, "programs/queues.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-g", "-o", "queues", file)
    done = run(psim, "cosim", "--quiet", "-n", 2, "./queues")
    expect(done.stdout == "put 0, got 1234 back\nold 1234, 1240, 77; now 99\nmessage of 5 bytes, header 42\nstatus 1 2 2 3 4 5 6 5\n",
           done.stdout, done.stderr)
    for words in ("psim: node 0: network interface: descriptor 7: the opcode is unknown; opcode 9,", "the peer does not exist",
                  "the length is wrong", "not mapped the local address", "psim: node 1: network interface: a put of 8 bytes from node 0 to 0x10",
                  "no multiple of 8", "it completes with status 1; doorbell: core 0, PC 0x", "in perform at "):
        expect(words in done.stderr, words, done.stderr)
    for mode, words in (("ring", "node 0: network interface: the ring of descriptors at 0x10 is outside the memory of the program"),
                        ("completions", "node 0: network interface: the ring of completions at 0x10 is outside the memory of the program"),
                        ("entries", "network interface: entries of a queue = 3; expected a power of two up to 65536"),
                        ("version", "network interface: version = 99; expected 1, the version of this psim")):
        said = run(psim, "cosim", "--quiet", "-n", 2, "./queues", mode, status=2).stderr
        expect(words in said, words, said)
        if mode != "completions":  # those are written later, by the interface
            expect(": core 0, PC 0x" in said and (", in perform at " in said or ", in main at " in said), said)


def wait_for_write():
    """Waits for writes to a line: none is lost, and results do not depend on the number of host processes."""
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-pthread", "-o", "wait", os.path.join(source, "programs/wait_for_write.c"))
    cores = ("--quiet", "-n", 1, "--set", "node.cores=2")
    expect(run(psim, "cosim", *cores, "./wait", "threads").stdout == "threads: 400 and 400 turns\n")
    expect(run(psim, "cosim", *cores, "./wait", "kernel").stdout == "kernel: 1\n")
    said = run(psim, "cosim", "--quiet", "-n", 1, "./wait", "timeout").stdout
    expect(said.count("good") == 3, said)
    hashes = set()
    for launcher in [[]] + ([["mpirun", "--oversubscribe", "-n", 2]] if shutil.which("mpirun") else []):
        said = run(*launcher, psim, "cosim", "--quiet", "-n", 2, "--json", "wait.json", "./wait", "dma").stdout
        for node in (0, 1):
            expect(f"dma: node {node}: 40 turns\n" in said, said)
        with open(os.path.join(place.name, "wait.json")) as file:
            hashes.add(json.load(file)["result_hash"])
    expect(len(hashes) == 1, hashes)
    # A core that sleeps has no dynamic energy: 100 times the wait costs only static energy.
    nodes, cores = [], []
    for cycles in ("0010000", "1000000"):
        run(psim, "cosim", "--quiet", "-n", 1, "--energy", "--json", "wait.json", "./wait", "sleep", cycles)
        with open(os.path.join(place.name, "wait.json")) as file:
            result = json.load(file)
        nodes.append(result["nodes"][0])
        cores.append(result["energy"]["parts"]["cores"])
    expect(nodes[0]["instructions"] == nodes[1]["instructions"], nodes)
    expect(abs(nodes[1]["cycles"] - nodes[0]["cycles"] - 990_000) < 100, nodes)
    expect(abs(cores[1]["dynamic_joules"] / cores[0]["dynamic_joules"] - 1) < 0.01, cores)
    # In other runs the wait ends at once.
    for command in ("exec", "run"):
        said = run(psim, command, "./wait", "timeout").stdout
        expect("a wait that times out: good" not in said and said.count("good") == 2, said)


def barrier():
    """The SCC library on nodes, with the network of paper 001, and on several host processes."""
    net, node = build("barrier.c")
    machine = ("--quiet", "-n", 4, "--set", "barrier.line=200 ns")
    network = ("--set", "barrier.network=sync-comm")
    for options in (("--network", "sccb"), network):
        net_options = ("--machine", "sccb") if "sccb" in options else options
        expected = run(psim, "net", *machine, *net_options, net).stdout
        expect(expected.count("good") == 5, expected)
        got = run(psim, "cosim", *machine, *options, node).stdout
        expect(got == expected, got)
    hashes = set()
    for launcher in [[]] + ([["mpirun", "--oversubscribe", "-n", 2]] if shutil.which("mpirun") else []):
        said = run(*launcher, psim, "cosim", *machine, *network, "--json", "barrier.json", node).stdout
        expect(said == expected, said)
        hashes.add(place.result("barrier.json")["result_hash"])
    expect(len(hashes) == 1, hashes)
    said = run(psim, "cosim", "--quiet", "-n", 8, node, status=2).stderr
    expect("SCC_Init: barrier.network = none: the machine has no barrier network" in said, said)
    said = run(psim, "cosim", "--quiet", "-n", 8, *network, node, status=2).stderr
    expect("barrier.line = 120000 ps; expected at least 200000 ps for nodes, twice this network's lookahead" in said, said)
    said = run(psim, "cosim", "--quiet", "-n", 2, "--set", "node.cores=2", "--set", "node.ranks=2", "--set", "barrier.line=200 ns",
               *network, node, status=2).stderr
    expect("SCC_Init: several ranks are on one node" in said, said)
    if os.path.exists(os.path.join(tools, "../lib/psim/sparc64/scc.mod")):
        net, node = build("barrier_f.f90")
        expected = run(psim, "net", *machine, *network, net).stdout
        expect(run(psim, "cosim", *machine, *network, node).stdout == expected and "T" in expected, expected)


def products():
    """The benchmark of paper 004: products and independent messages cost less together than one after the other."""
    workload = os.path.join(os.path.dirname(os.path.dirname(source)), "workloads/roofline/products.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-o", "products", workload)

    def seconds(count, bytes_):
        said = run(psim, "cosim", "--quiet", "-n", 4, "./products", 32, count, bytes_, 4).stdout
        expect(said.startswith("4 ranks: "), said)
        return float(said.split()[2])
    both, computing, sending = seconds(1, 16_000), seconds(1, 0), seconds(0, 16_000)
    expect(max(computing, sending) < both < 0.97 * (computing + sending), both, computing, sending)


def queue_times():
    """Ping-pong through the queues takes the sum of parts derived by hand, on two machines. Stamps are cycles of the common clock: when
    the doorbell's store has committed, and after the poll that sees the completion.

    The line of the completion leaves the caches when its write begins. Then the next poll misses: up to 3 cycles later, since the loop
    has 3; 4 + 20 cycles for L1 and L2, and memory. From the datum to the stamp, the load passes Rs, U and W, the comparison and the
    branch follow, and fetch resumes: 7 cycles. Stamps are whole cycles, so 6 to 10 cycles in all are not derived to the cycle."""
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-o", "stamps", os.path.join(source, "programs/stamps.c"))
    default = dict(cycle=500, memory=120 * 500, bus=16, link=5, doorbell=50_000, setup=200_000, traversal=65_000, link_delay=5_000,
                   nic_delay=5_000, keys=())
    other = dict(cycle=800, memory=200 * 800, bus=8, link=2, doorbell=80_000, setup=300_000, traversal=100_000, link_delay=20_000,
                 nic_delay=7_000, keys=("core.clock=1.25 GHz", "memory.latency=200 cycles", "memory.bytes_per_second=8 GB/s",
                                        "link.bandwidth=2 GB/s", "nic.bandwidth=2 GB/s", "interface.doorbell=80 ns",
                                        "interface.setup=300 ns", "router.traversal=100 ns", "link.delay=20 ns", "nic.delay=7 ns"))
    header, line, completion, packet, tick = 64, 64, 32, 2048, 1  # bytes, ps

    def until_completion(m, put, size):
        """ps from the doorbell's store until the completion of the peer is written, of a send or of a put that notifies the peer."""
        def bus(count):
            return count * 1000 / m["bus"]

        def channel(count):
            return count * 1000 / m["link"]

        def read(count):  # clean lines follow each other; the last one adds its latency, with its own time on the bus
            return (count / line - 1) * bus(line) + m["memory"] if count else 0
        descriptor = bus(line) * 3 + m["memory"]  # two dirty lines: each is written back and read
        routers = 2 * (30_000 + m["traversal"]) + m["link_delay"] + 2 * m["nic_delay"]
        first = min(size, packet - 2 * header)  # the first packet has two headers: its own, and that of the message
        others = [packet - header] * ((size - first) // (packet - header))
        others += [size - first - sum(others)] * (size > first + sum(others))
        # A packet is written when it is there and the one before is in memory.
        begin = m["doorbell"] + descriptor + read(first) + m["setup"]
        arrives, written = begin + channel(2 * header + first) + routers, 0
        if put:
            written = arrives + bus(first) + tick
            for data in others:
                arrives += channel(header + data)
                written = max(arrives, written) + bus(data) + tick
            return written + bus(header) + tick + bus(completion) + tick
        return arrives + bus(header + size) + tick + bus(completion) + tick
    for m in (default, other):
        keys = [word for key in m["keys"] for word in ("--set", key)]
        for kind, sizes in (("send", (0, 64, 1024, 1920)), ("put", (1024, 16384, 131072))):
            for size in sizes:
                said = run(psim, "cosim", "--quiet", "-n", 2, *keys, "./stamps", kind, size).stdout
                rows = [list(map(int, row.split())) for row in said.splitlines()]
                rung, seen = ({(row[0], row[1]): row[column] for row in rows} for column in (2, 4))
                by_hand = until_completion(m, kind == "put", size)
                leaves = by_hand - completion * 1000 / m["bus"] - tick
                for number in range(2, 6):  # the first rounds fill the caches
                    for at, to in ((0, 1), (1, 0)):
                        rest = seen[to, number] - rung[at, number] - leaves / m["cycle"] - (4 + 20 + m["memory"] / m["cycle"])
                        expect(6 <= rest <= 10, kind, size, number, rest, by_hand)
        # The bandwidth of the longest put is that of the channel, but for headers and the parts before and after it.
        expect(0.9 * m["link"] < 131072 / by_hand * 1000 < 1984 / 2048 * m["link"], by_hand)


def random_ring():
    """The random ring on cycle-level nodes and as an MGEN program, on the machine of paper 000."""
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-o", "random_ring", os.path.join(source, "programs/random_ring.c"))
    ring = os.path.join(tools, "../share/psim/mgen/random_ring")
    sizes = (65536, 262144)

    def nodes(*options):
        def of(bytes_):
            said = run(psim, "cosim", "--quiet", "-n", 8, "--network", "infiniband_qdr", *options, "./random_ring", bytes_, 2).stdout
            return float(said.split(": ")[1].split()[0])
        return [of(bytes_) for bytes_ in sizes]

    def mgen(rate):
        def of(bytes_):
            said = run(psim, "net", "--quiet", "--machine", "infiniband_qdr", "--set", f"nic.dma_bandwidth={rate}", "-n", 8, ring,
                       bytes_, 2).stdout
            return float(said.split("loops: ")[1].split()[0])
        return [of(bytes_) for bytes_ in sizes]
    # Memory of 5.6 GB/s, which both directions share, is the bound as DMA of 2.8 GB/s is in the paper. The rest is software,
    # handshakes and latencies: a few microseconds in each loop.
    memory = list(zip(nodes("--set", "memory.bytes_per_second=5.6 GB/s"), mgen("2.8 GB/s")))
    expect(1 < memory[0][0] / memory[0][1] < 1.08 and 1 < memory[1][0] / memory[1][1] < 1.03, memory)
    expect(all(1 < of_nodes - of_mgen < 5 for of_nodes, of_mgen in memory), memory)
    # The link is the bound, of which the nodes' interface has 64 of 2,048 bytes for its header. Two long messages for one node may
    # meet there: then at most twice the time.
    link = list(zip(nodes(), mgen("16 GB/s")))
    expect(all(2048 / 1984 < of_nodes / of_mgen < 2.1 for of_nodes, of_mgen in link), link)


globals()[part]()
