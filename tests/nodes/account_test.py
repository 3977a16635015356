# SPDX-License-Identifier: Apache-2.0
"""account_test.py PSIM SOURCE PART: time and energy of cycle-level nodes by region, call and rank."""
import json
import os
import shutil

from node_runs import expect, near, part, place, psim, run, source, tools


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
    # Over time, a second core without work adds the same energy. Atomics take longer there, which shifts the work of
    # the first core by some 0.2 % of the run, a part of a slice; so four slices are compared at a time.
    over_time = [account("-n", 2, "--set", f"node.cores={cores}")["energy"]["over_time"]["cores"][:-1] for cores in (1, 2)]
    added = [two - one for one, two in zip(*over_time)]
    mean = sum(added) / len(added)
    fours = [sum(added[first:first + 4]) / 4 for first in range(len(added) - 3)]
    expect(max(over_time[0]) > 2 * min(over_time[0]) and all(near(value, mean, 0.05) for value in fours), over_time)
    rows = place.result("energy.json")["energy"]
    asleep = 100 * sum(node["sleep_seconds"] for node in rows["nodes"]) / (rows["seconds"] * 4)
    said = run(psim, "energy", "energy.json").stdout
    expect(rows["cores"] == 4 and 50 < asleep < 100 and f"cores asleep {asleep:.2f} %" in said, asleep, said)
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
    page = place.read("energy.html")
    for words in ("<h1>./exchange 2 2048 64</h1>", "Time of all ranks by region", "<td>compute</td>", "GFlop/s",  "Energy by part", "<h3>Power over time</h3>", "By MPI function", "<td>MPI_Sendrecv</td>", "</html>"):
        expect(words in page, words)
    # A core takes the energy of the same program under psim run.
    place.write("sum.c", "volatile double a[4096]; int main(void) { for (int n = 0; n < 20; ++n) for (int i = 0; i < 4096; ++i) a[i] += i; }\n")
    run("sparc64-linux-gnu-gcc", "-O2", "-static", "-o", "sum", "sum.c")
    core = account("-n", 1, program=("./sum",))["energy"]["nodes"][0]["cores_joules"]
    run(psim, "run", "--quiet", "--energy", "--env", "PSIM_NODE=0", "--env", "PSIM_NODES=1", "--json", "run.json", "./sum")
    alone = place.result("run.json")["energy"]["total_joules"]
    expect(core == alone, core, alone)


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
    counts = {name: row["count"] for name, row in found.items()}
    expect(counts == {"product": 12, "prepare": 4, "smooth": 12, "exchange": 12}, counts)
    times = [region["seconds"] for region in found.values()]
    expect(times == sorted(times, reverse=True), "regions are sorted by their time", times)
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
    expect("cycle-level nodes sparc64v" in said and "Ranks with the largest differences" in said, said)
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
    said = run(psim, "cosim", "-n", 2, "--set", "node.cores=2", "--env", "OMP_WAIT_POLICY=passive", "--json", "stray.json", "./regions", "stray").stderr
    for words in (f"psim: 2 nodes, {place.result('stray.json')['seconds']:.6g} s, ",
                  "rank 1: region lost ended without having begun", "rank 1: region endless began but never ended",
                  "rank 1: 2 marks of regions by threads other than a rank's first were left out", "\nwork  "):
        expect(words in said, words, said)


globals()[part]()
