# SPDX-License-Identifier: Apache-2.0
"""rdma_test.py PSIM SOURCE PART: RDMA and the library ACP under `psim net`."""
import json

from runs import at, build, events, expect, part, result, run


def rdma():
    """Paper 000, section 3.1, on two nodes of its table 1: closed forms to the picosecond."""
    qdr = ("--machine", "infiniband_qdr", "--quiet", "--set", "mpi.wtime=0 ns")
    program = build("tests/net/programs/rdma.c")
    printed = lambda *words: run(*qdr, *words).stdout.split()
    dma = lambda size: -(-size * 10**12 // 2_800_000_000)  # ps, of the first bytes of a message
    head = 600 + (4 + 4 + 4 + 128) * 1000 + 600            # cables, one router
    control = head + 250                                   # a control packet counts as a byte, at 4 GB/s

    def data(size, copies=1):
        """Time until the last byte is in memory: DMA at the source, packets of 2 KiB, DMA at the destination."""
        written = 0
        ends = [min(size, end) for end in range(2048, size + 2048, 2048)] or [0]
        for begin, end in zip([0, *ends], ends):
            arrival = dma(end) + head + 250 * max(1, end - begin)
            written = max(written, arrival) + dma(end) - dma(begin)
        return written

    expect(data(4) == 2 * 1429 + 141200 + 1000 and data(2048) == 2 * 731429 + 141200 + 512000, "the form itself")
    own = lambda size: 500_000 + -(-size * 10**12 // 10**10)  # through memory
    forms = {"put": lambda size: data(size) + control, "get": lambda size: control + data(size),
             "third": lambda size: control + data(size) + control, "own": own}
    counted = result(*qdr, "-n", 2, program, "two", 2048)
    expect(counted["rdma"]["puts"] == 2 and counted["rdma"]["control_packets"] == 2 and counted["rdma"]["most_under_way"] == 2 and
           counted["rdma"]["data_bytes"] == 4096, counted["rdma"])
    lines = [line.split() for line in run(*qdr, "-n", 3, program, "times").stdout.splitlines()]
    expect(len(lines) == 28, lines)
    for what, size, took in lines:
        expect(int(took) == forms[what](int(size)), what, size, took, forms[what](int(size)))

    # Between ranks of one node, data and control packets pass through its memory.
    inside = {"put": lambda size: own(size) + 500_000, "get": lambda size: 500_000 + own(size),
              "third": lambda size: own(size) + 1_000_000, "own": own}
    for line in run(*qdr, "--set", "node.ranks=3", "-n", 3, program, "times").stdout.splitlines():
        what, size, took = line.split()
        expect(int(took) == inside[what](int(size)), what, size, took, inside[what](int(size)))

    # The costs of the processor, and of control packets.
    costs = ("--set", "rdma.post=300 ns", "--set", "rdma.completion=70 ns", "--set", "rdma.control=30 B")
    third = next(line for line in run(*qdr, *costs, "-n", 3, program, "times").stdout.splitlines() if line.startswith("third 4 "))
    expect(int(third.split()[2]) == 370_000 + data(4) + 2 * (head + 30 * 250), third)
    # Two puts: their data follow each other without a gap, or the second waits until the first is complete.
    two = lambda *words: [int(word) for word in printed(*words, "-n", 2, program, "two", 2048)]
    expect(two() == [data(2048) + control, data(2048) + control + 731_429], two())
    expect(two("--set", "rdma.outstanding=1")[1] == 2 * (data(2048) + control), two("--set", "rdma.outstanding=1"))
    engines = two("--set", "nic.dma_engines=2")  # the second waits for the channel only
    expect(engines[1] == data(2048) + control + 512_000, engines)
    behind, apart = data(2048) + control + 731_429, 2 * (data(2048) + control)
    expect([int(word) for word in printed("-n", 2, program, "ordered")] == [apart, behind, apart], "order handles")
    cost = ("--set", "rdma.registration=2 us", "--set", "rdma.registration_page=1 ns")
    expect(printed(*cost, "-n", 1, program, "registered") == ["2003000"], printed(*cost, "-n", 1, program, "registered"))
    # The control packet of a put is sent once: by the interface, or by the program when it is ready.
    ack = lambda *words: int(printed(*words, "-n", 2, program, "acknowledged", 5000)[0])
    expect(ack() == data(5000) + control, ack())
    by_program = ("--set", "rdma.put_ack=program")
    expect(ack(*by_program) == data(5000) + 5_000_000 + control, ack(*by_program))
    path = at("packets.json")
    packets = []
    for words in ((), by_program):
        run(*qdr, *words, "-n", 2, "--json", path, program, "acknowledged", 5000)
        packets.append(json.load(open(path))["packets"])
    expect(packets == [4, 4], packets)
    # The first arrival is served first; the other waits until the memory has been read.
    for first, second in ((1, 2), (2, 1)):
        took = dict(line.split() for line in run(*qdr, "-n", 3, program, "order", 1 << 20, first).stdout.splitlines())
        expect(int(took[str(first)]) == control + data(1 << 20), took)
        expect(abs(int(took[str(second)]) - int(took[str(first)]) - (1 << 20) / 2.8e-3) < 2_000, took)  # ps; 2.8 GB/s
    expect(printed("-n", 4, program, "notices") == ["noticed"], "notices")
    expect(printed("-n", 4, "--set", "rdma.put_ack=program", build("workloads/mgen/nsim_ace_sample.c"), 4)[0] == "4", "sample")
    build("workloads/mgen/nsim_ace_printed.c")
    # Errors are reported.
    for how, words, text in (("beyond", (), "MGEN_acp_copy: dest_rank 2; expected a rank from 0 to 1"),
                             ("negative", (), "MGEN_acp_copy: data_size -1; expected 0 bytes or more"),
                             ("no-handle", (), "MGEN_acp_complete: handle 17; expected one"),
                             ("unasked", by_program, "rank 1 acknowledges a put of rank 0 that is not under way"),
                             ("nothing", (), "rank 1: MPI_Recv(rank 0, ACP_PUT_TAG, MPI_COMM_WORLD)"),
                             ("unacknowledged", by_program, "rank 0: MGEN_acp_complete(handle 1: a copy of 4 bytes from "
                              "rank 0 to rank 1, which that rank's program has to acknowledge")):
        told = run(*qdr, *words, "-n", 2, program, how, status=1).stderr
        expect(text in told, how, told)


def acp():
    program = build("tests/net/programs/acp.c")
    for words in (("-n", 1), ("-n", 2), ("-n", 5), ("-n", 8, "--set", "node.ranks=2", "--globals", "swapped"),
                  ("-n", 6, "--globals", "remapped", "--set", "rdma.outstanding=1"),
                  ("-n", 12, "--machine", "tofu"), ("-n", 9, "--machine", "bluegene_l", "--set", "nic.interleave=true"),
                  ("-n", 4, "--machine", "infiniband_qdr", "--timeline", at("acp.json"))):
        expect(run("--quiet", *words, program).stdout == f"all of ACP on {words[1]} ranks\n", words)
    names = {s["name"] for s in events(at("acp.json"))[0]}
    expect(names >= {"acp_init", "acp_copy", "acp_complete", "acp_sync", "acp_add8"}, names)
    for how, text in (("abort", "acp_abort: on request"), ("ranks", "acp_reset: rank 0 of rank 1; expected a permutation"),
                      ("beyond", "has not registered 8 bytes at global address 0x")):
        told = run("-n", 2, program, how, status=1).stderr
        expect(text in told, how, told)
    told = run("-n", 1, "--set", "rdma.starter_memory=1 B", program, status=2).stderr
    expect("rdma.starter_memory" in told and "8 B" in told, told)


globals()[part]()
