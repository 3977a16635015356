# SPDX-License-Identifier: Apache-2.0
"""interfaces_test.py PSIM SOURCE PART: what interfaces and switches do for programs, by closed forms (docs/interfaces.md)."""
from runs import at, build, expect, part, result, run, write

program = "tests/net/programs/interfaces.c"
exact = ("--quiet", "--set", "mpi.wtime=0 ns")


def sets(**keys):
    """Returns the options of keys, whose dots are written as double underscores."""
    return [word for key, value in keys.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


def times(*words):
    return {int(rank): int(time) for rank, time in (line.split() for line in run(*exact, *words).stdout.splitlines())}


def matching():
    binary = build(program)
    call = sets(mpi__progress="call", mpi__recv_overhead="300 ns")
    nic = sets(mpi__matching="nic", mpi__offload_overhead="50 ns")
    # Two neighbours: 205 ns and the bytes at 5 GB/s. Without offload a rendezvous waits for rank 1's call: grant, data.
    size = 1_000_000
    host_wait = times("-n", 2, *call, binary, "overlap", size)
    expect(200_000 < host_wait[1] < 201_500 and host_wait[0] > 1_200_000, host_wait)
    offloaded = times("-n", 2, *call, *nic, binary, "overlap", size)
    expect(offloaded[1] == 50 and 200_000 < offloaded[0] < 201_500, offloaded)
    # Messages that have arrived cost the processor its part of each.
    expect(times("-n", 2, *call, binary, "messages", 10)[1] == 3000, "host")
    expect(times("-n", 2, *call, *nic, binary, "messages", 10)[1] == 500, "nic")
    # The interface holds four receives; the processor matches the other six.
    few = (*call, *nic, *sets(mpi__offload_receives=4))
    expect(times("-n", 2, *few, binary, "messages", 10)[1] == 4 * 50 + 6 * 300, "four receives")
    counts = result("-n", 2, *few, binary, "messages", 10)["statistics"]["mpi"]
    expect(counts["offloaded"] >= 4 and counts["offloaded"] <= counts["expected"], counts)
    expect(result("-n", 2, *call, binary, "messages", 10)["statistics"]["mpi"]["offloaded"] == 0, "none")
    # The limit of a node's own transport.
    node = sets(node__ranks=2, mpi__eager_node="500 B")
    expect(times("-n", 2, *node, binary, "early", 500)[0] == 0, "eager")
    expect(times("-n", 2, *node, binary, "early", 501)[0] > 100_000, "rendezvous")
    expect(times("-n", 2, *sets(mpi__eager_node="500 B"), binary, "early", 501)[0] == 0, "another node")


def switches():
    binary = build("tests/net/programs/offloaded.c")
    tree = sets(topology__kind="fat-tree", topology__shape="4x4", collective__hardware="switches", collective__tree_latency="1 us",
                collective__switch_latency="300 ns")

    def left(what, count, *words):
        rows = [line.split() for line in run("-n", 16, *exact, *tree, *words, binary, what, count).stdout.splitlines()]
        expect(len(rows) == 16 and all(row[2] == "right" for row in rows), what, rows)
        return [int(row[1]) for row in sorted(rows, key=lambda row: int(row[0]))]

    # Two switches and two cables of 5 ns each way: 1000 + 2 · (2 · 300 + 10). 256 bytes at 5 GB/s: 51.2 ns.
    trip = 1000 + 2 * (2 * 300 + 10)
    expect(left("barrier", 0) == [trip] * 16, "barrier")
    expect(left("allreduce", 64) == [trip + 51] * 16, left("allreduce", 64))
    expect(left("bcast", 64) == [trip + 51] * 15 + [51], "bcast")
    expect(left("reduce", 64)[15] == trip + 51, "reduce")
    # Longer vectors are reduced by messages, if no rule says otherwise; then by 64 operations at once, or by one.
    expect(result("-n", 16, *tree, binary, "allreduce", 65)["statistics"]["mpi_collectives"]["allreduce_recursive_doubling"] == 16, "limit")
    rule = sets(mpi__algorithms="allreduce:bytes<=100000=hardware")
    expect(left("allreduce", 100, *rule) == [trip + 80] * 16, "two operations at once")
    one = (*rule, *sets(collective__switch_operations=1))
    expect(left("allreduce", 100, *one) == [2 * trip + 80] * 16, "two operations")
    expect("tree or switches" in run("-n", 16, *sets(mpi__algorithms="bcast=hardware"), binary, "bcast", 1, status=2).stderr, "none")


def victims():
    """A job that shares only an uplink with another one's incast, without and with congestion control."""
    build(program)
    write("aggressor", "".join(f"{node}\n" for node in (0, 4, 6, 7, 9, 10, 11, 12, 13, 14, 15)))
    write("victim", "5\n8\n")
    job = 'program = "interfaces"\nplacement = "file"\n'
    jobs = write("jobs.toml", f'[aggressor]\n{job}nodes = "aggressor"\nranks = 11\narguments = "incast 50000 40"\n'
                              f'[victim]\n{job}nodes = "victim"\nranks = 2\narrival = "200 us"\narguments = "pairs 50000 10"\n')
    network = sets(topology__kind="fat-tree", topology__shape="4x4", topology__routing="d-mod-k")
    control = sets(congestion__control="dcqcn", congestion__mark_from="8 KiB", congestion__mark_all="16 KiB")
    plain, reduced = (result(*network, *more, "--compare", "alone", "--jobs", jobs) for more in ((), control))
    slow = [{job["name"]: job["slow_down"] for job in each["jobs"]} for each in (plain, reduced)]
    expect(slow[0]["victim"] > 3 and slow[1]["victim"] < 2 and slow[1]["victim"] * 2 < slow[0]["victim"], slow)
    expect("options" not in plain["statistics"], "off")
    options = reduced["statistics"]["options"]
    expect(options["marked"] > options["notices"] > 5, options)
    throttled = result(*network, *sets(congestion__control="back-pressure"), "--compare", "alone", "--jobs", jobs)
    slow = {job["name"]: job["slow_down"] for job in throttled["jobs"]}
    expect(slow["victim"] < 2.2 and slow["aggressor"] < 1.1, slow)
    options = throttled["statistics"]["options"]
    expect(options["marked"] == 0 and options["notices"] > 50, options)


def rails():
    """Ports at several routers and in several planes, from the command line."""
    binary = build(program)
    size = 1_000_000
    two = ("-n", 4, *sets(topology__kind="torus", topology__shape="4", nic__ports=2, nic__stripe="4 KiB"))
    shared, planes = (times(*two, *more, binary, "overlap", size)[0] for more in ((), sets(nic__rails="planes")))
    # From rank 0 to rank 1: one cable at 5 GB/s, or two.
    expect(abs((shared - planes) - size / 2 / 5) < 10_000, shared, planes)  # less what lies in buffers
    whole = result(*two, *sets(nic__rails="planes"), "--report", at("page.html"), "--csv", at("tables"), binary, "overlap", size)
    kinds = whole["links"]["kinds"]
    expect(set(kinds) == {f"{sign}X plane {plane}" for sign in "+-" for plane in (1, 2)}, kinds)
    expect(abs(kinds["+X plane 1"]["bytes"] - kinds["+X plane 2"]["bytes"]) < 20_000, kinds)
    for name in kinds:
        expect(name in open(at("page.html")).read(), name)
        expect(f",{name}," in open(at("tables/links.csv")).read(), name)
    spread = ("-n", 8, *sets(topology__kind="dragonfly", topology__shape="4x1x2x9", nic__ports=4, nic__rails="spread"))
    near = result(*spread, *sets(nic__port_choice="near"), "--report", at("page.html"), binary, "pairs", size, 4)
    turn = result(*spread, binary, "pairs", size, 4)
    expect(near["packets"] == turn["packets"] and near["packet_hops"] < turn["packet_hops"], near["packet_hops"])
    for what, words in (("rails need several ports", sets(nic__rails="planes")),
                        ("expected a multiple of nic.ports = 3", (*spread[2:], *sets(nic__ports=3))),
                        ("a near port needs", sets(nic__port_choice="near")),
                        ("packets only", sets(network__model="analytic", nic__ports=2, nic__rails="planes")),
                        ("not with nic.rails", (*spread[2:], *sets(collective__hardware="switches"))),
                        ("planes", sets(nic__ports=2, nic__rails="plane"))):
        told = run("-n", 8, *words, binary, "early", 1, status=2).stderr
        expect(what in told and told.count("\n") == 1, what, told)


def limits():
    """Rates of messages, stripes, errors and placement in results; and what is refused."""
    binary = build(program)
    base = result("-n", 2, binary, "messages", 100)
    late = result("-n", 2, *sets(nic__send_interval="1 us"), binary, "messages", 100)
    # Rank 1 computes for 1 ms meanwhile; 99 of the messages wait.
    expect(late["statistics"]["options"]["send_waits"] >= 99 and late["seconds"] >= base["seconds"], late["statistics"]["options"])
    switch = sets(topology__kind="crossbar", topology__shape=2)
    ports = (*switch, *sets(nic__ports=4, nic__stripe="64 KiB"))
    size = 1_000_000
    one, four = (times("-n", 2, *more, binary, "overlap", size)[0] for more in (switch, ports))
    expect(abs((one - four) - size * 3 / 4 / 5) < 700, one, four)
    expect(result("-n", 2, *ports, binary, "overlap", size)["statistics"]["options"]["striped"] == 1, "striped")
    wrong = sets(link__bit_error_rate="1e-7")
    first, again, other = (result("-n", 8, "--seed", seed, *wrong, binary, "pairs", size, 4) for seed in (1, 1, 2))
    retries = first["statistics"]["options"]["retries"]
    expect(retries > 0 and first["result_hash"] == again["result_hash"], retries)
    expect(other["statistics"]["options"] != first["statistics"]["options"], "another seed")
    for what, words in (("packets only", sets(network__model="analytic", nic__send_interval="1 ns")),
                        ("needs several ports", sets(nic__stripe="1 KiB")),
                        ("half a wrong bit", sets(link__bit_error_rate="1e-4")),
                        ("mark_from below mark_all", sets(congestion__mark_from="1 MiB")),
                        ("dcqcn", sets(congestion__control="ecn"))):
        told = run("-n", 2, *words, binary, "early", 1, status=2).stderr
        expect(what in told and told.count("\n") == 1, what, told)


globals()[part]()
