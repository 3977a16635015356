# SPDX-License-Identifier: Apache-2.0
"""queues_test.py PSIM SOURCE PART: send and receive queues of the network interface of a cycle-level node."""
import os

from node_runs import expect, part, psim, run, source, tools


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


globals()[part]()
