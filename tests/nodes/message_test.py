# SPDX-License-Identifier: Apache-2.0
"""message_test.py PSIM SOURCE PART: timelines of messages between cycle-level nodes (psim cosim --messages)."""
import html
import json
import os
import re
import shutil

from node_runs import expect, part, place, psim, run, source, tools


def build(program, *options):
    """Builds a program of the folder for nodes, with source lines; returns its name and its text."""
    name = program.split(".")[0]
    file = os.path.join(source, "programs", program)
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-g", *options, "-o", name, file)
    with open(file) as text:
        return "./" + name, text.read()


def messages(*words, launcher=()):
    """Traces the messages of a run; returns the file, the result, and the output."""
    output = run(*launcher, psim, "cosim", "--quiet", "--messages", "messages.json", "--json", "result.json", *words).stdout
    file = place.result("messages.json")
    for message in file["messages"]:
        check(message, file["cycle_ps"])
    return file, place.result("result.json"), output


def rises(times, *what):
    expect(all(a <= b for a, b in zip(times, times[1:])), "times go back", times, *what)


def check(message, cycle):
    """The rules that hold for every message."""
    parts, name = message["parts"], message["message"]
    expect(message["begin_ps"] == message["doorbell"]["ps"] == parts[0]["begin_ps"], message)
    for before, after in zip(parts, parts[1:]):
        expect(before["begin_ps"] + before["ps"] == after["begin_ps"] and before["ps"] > 0, name, before, after)
    expect(sum(each["ps"] for each in parts) == message["latency_ps"], name)
    if message["is_seen"]:
        expect(parts[-1]["name"] == "poll" and parts[-1]["begin_ps"] + parts[-1]["ps"] == message["poll"]["ps"], message)
    for at in ("doorbell", "poll", "done_poll"):
        if at in message:
            expect(message[at]["cycle"] * cycle == message[at]["ps"], at, message)
    for packet in message["packets"]:
        rises([packet[key] for key in ("begun_ps", "room_ps", "ready_ps", "born_ps", "arrived_ps", "taken_ps", "written_ps")
               if key in packet], packet)
        rises([time for hop in packet["hops"] for time in (hop["arrival_ps"], hop["departure_ps"])], packet)
        for before, after in zip(packet["hops"], packet["hops"][1:]):
            expect(before["to_router"] == after["router"], packet)


def same_as_the_network(file, result):
    """Hops are those of the network's own statistics, if all messages of the run are traced."""
    expect(file["left_out"] == 0, file["left_out"])
    packets = [packet for message in file["messages"] for packet in message["packets"] if packet["hops"]]
    hops = [hop for packet in packets for hop in packet["hops"]]
    network, routers = result["statistics"]["interfaces"], result["statistics"]["routers"]
    expect(len(packets) == network["packets"] == result["packets"], len(packets), network)
    expect(len(hops) == routers["grants"], len(hops), routers)
    expect(sum(hop["wait_ps"] > 0 for hop in hops) == routers["waits"], routers)
    waits = sum(hop["wait_ps"] for hop in hops)
    expect(abs(waits * 1e-12 - routers["wait"] * len(hops)) < 1e-15, waits, routers)
    latency = sum(packet["arrived_ps"] - packet["born_ps"] for packet in packets)
    expect(abs(latency * 1e-12 - network["latency"] * len(packets)) < 1e-12, latency, network)


def one():
    """A message between two nodes: its parts by hand, both ends in the program, and a run that stays the same."""
    program, text = build("message.c")
    lines = {call: number for number, line in enumerate(text.splitlines(), 1) for call in ("MPI_Send", "MPI_Recv") if call in line}
    arguments = ("-n", 2, "--network", "torus3d", program, 0, 64, 0)
    plain = run(psim, "cosim", "--quiet", "--json", "plain.json", *arguments).stdout
    file, result, output = messages(*arguments)
    expect(output == plain and result["result_hash"] == place.result("plain.json")["result_hash"], "tracing changes the run")
    same_as_the_network(file, result)
    calls = {(int(rank), int(tag)): (float(begin) * 1000, float(end) * 1000)
             for rank, tag, begin, end in (line.split() for line in output.splitlines())}
    chosen = [message for message in file["messages"] if message["mpi"]["context"] == 0]
    expect([(message["from"], message["mpi"]["tag"], message["mpi"]["bytes"]) for message in chosen] == [(0, 1, 0), (0, 2, 64), (0, 3, 0)])
    for message in chosen:
        for rank, at, call in ((0, "doorbell", "MPI_Send"), (1, "poll", "MPI_Recv")):
            place_ = message[at]
            expect(place_["call"] == call and re.fullmatch(rf"in f at .*message.c:{lines[call]}", place_["call_source"]), place_)
            begin, end = calls[rank, message["mpi"]["tag"]]
            expect(begin <= place_["ps"] <= end, at, begin, place_, end)
    # By hand, of the third message, whose code is in the caches. A packet has 64 bytes for the interface and 64 of MPI, and
    # 5 GB/s take 25.6 ns for them. Routers: routing 10, allocation 10 + 10, traversal 65, cables 5 ns.
    parts = {each["name"]: each["ps"] for each in chosen[2]["parts"]}
    expect(50_000 <= parts["store to doorbell"] <= 51_000, parts)
    expect((parts["setup"], parts["to router 0"], parts["to router 1"], parts["to the interface"]) ==
           (200_000, 5_000 + 10_000, 85_000 + 5_000 + 10_000, 85_000 + 5_000 + 25_600), parts)
    expect("dma read" not in parts and parts["completion"] == 2_001 and parts["dma write"] == 4_001, parts)
    # A slower router is seen in its row alone, to the picosecond.
    slower, _, _ = messages("--set", "router.traversal=95 ns", *arguments)
    slow = {each["name"]: each["ps"] for each in [message for message in slower["messages"] if message["mpi"]["context"] == 0][2]["parts"]}
    expect({name: slow[name] - parts[name] for name in ("setup", "to router 0", "to router 1", "to the interface")} ==
           {"setup": 0, "to router 0": 0, "to router 1": 30_000, "to the interface": 30_000}, slow)


def halo():
    """A halo exchange on four nodes, in which messages meet; with several host processes, and with several ranks and cores per node."""
    program, text = build("cg.c")
    line = next(number for number, words in enumerate(text.splitlines(), 1) if "MPI_Sendrecv(p + n" in words)
    arguments = ("-n", 4, "--set", "link.bandwidth=100 MB/s", "--set", "nic.bandwidth=100 MB/s", program, 32, 2)
    run(psim, "cosim", "--quiet", "--json", "plain.json", *arguments)
    file, result, _ = messages(*arguments)
    expect(result["result_hash"] == place.result("plain.json")["result_hash"], "tracing changes the run")
    same_as_the_network(file, result)
    expect(any(hop["wait_ps"] > 0 for message in file["messages"] for packet in message["packets"] for hop in packet["hops"]), "no waits")
    halos = [message for message in file["messages"] if message["doorbell"].get("call_source", "").endswith(f"cg.c:{line}")]
    expect(sorted({(message["from"], message["to"]) for message in halos}) == [(1, 0), (2, 1), (3, 2)], halos)
    expect(len(halos) == 6 and all(message["mpi"]["tag"] == 1 and message["mpi"]["bytes"] == 256 for message in halos), len(halos))
    if shutil.which("mpirun"):
        other, _, _ = messages(*arguments, launcher=("mpirun", "--oversubscribe", "-n", 2))
        expect(other == file, "several host processes give another file")
    # Some of the ranks share a node: their messages have no hop. Two more cores per rank change nothing in the rules.
    for cores in (2, 4):
        options = ("--set", f"node.cores={cores}", "--set", "node.ranks=2")
        run(psim, "cosim", "--quiet", "--json", "plain.json", "-n", 2, *options, program, 32, 2)
        file, result, _ = messages("-n", 2, *options, program, 32, 2)
        expect(result["result_hash"] == place.result("plain.json")["result_hash"], "tracing changes the run", cores)
        same_as_the_network(file, result)
        for message in file["messages"]:
            inside = message["from"] // 2 == message["to"] // 2
            expect(inside == (not message["packets"][0]["hops"]), message)


def operations():
    """Each operation of the queues, and descriptors with mistakes."""
    program, _ = build("queues.c")
    file, _, _ = messages("-n", 2, program)
    of_0 = [message for message in file["messages"] if message["from"] == 0]
    expect([message["number"] for message in of_0] == list(range(len(of_0))), of_0)
    legs = {message["operation"]: {packet["leg"] for packet in message["packets"]} for message in of_0 if "status" not in message}
    expect(legs["get"] == {"there", "reply"} and legs["fetch_add"] == {"there", "reply"}, legs)
    expect([message["status"] for message in of_0 if "status" in message] != [], "no mistakes")
    expect(all("mpi" not in message for message in of_0), of_0)


def choice():
    program, _ = build("message.c")
    arguments = ("-n", 2, program, 0, 64, 20000)
    everything, _, _ = messages(*arguments)

    def chosen(text):
        file, _, _ = messages("--message", text, *arguments)
        return [message["message"] for message in file["messages"]], file["left_out"]

    def expected(condition):
        return [message["message"] for message in everything["messages"] if condition(message)], 0
    expect(chosen("from=0,tag=2") == expected(lambda m: m["from"] == 0 and m["mpi"]["tag"] == 2 and m["operation"] == "send"))
    expect(chosen("to=0") == expected(lambda m: m["to"] == 0))
    expect(chosen("bytes=10000:") == expected(lambda m: m["mpi"]["bytes"] >= 10000))
    expect(chosen("0.1") == (["0.1"], 0))
    expect(chosen("from=1,number=0:2") == (["1.0", "1.1", "1.2"], 0))
    middle = everything["messages"][4]["begin_ps"]
    expect(chosen(f"time={middle} ps:") == expected(lambda m: m["begin_ps"] >= middle))
    names, left = chosen("first=3")
    expect(names == [message["message"] for message in everything["messages"][:3]] and left == len(everything["messages"]) - 3, names, left)
    expect("psim: --message 0.999: no message of this run" in
           run(psim, "cosim", "--quiet", "--messages", "m.json", "--message", "0.999", *arguments).stderr)
    for text, words in (("7", "--message 7: expected RANK.NUMBER, such as 0.17, or KEY=VALUE"), ("form=0", 'did you mean from?'),
                        ("from=2", "from = 2; expected ranks 0 to 1"), ("bytes=2 parsecs", "bytes = 2 parsecs"),
                        ("number=5:3", "number = 5:3: it ends before it begins"), ("tag=x", "tag = x; expected a number"),
                        ("first=0", "first = 0; expected at least 1"), ("time=5", "time = 5")):
        said = run(psim, "cosim", "--messages", "m.json", "--message", text, *arguments, status=2).stderr
        expect(words in said, text, said)
    said = run(psim, "cosim", "--message", "0.1", *arguments, status=2).stderr
    expect("--message 0.1: needs --messages or --report" in said, said)
    said = run(psim, "cosim", "--messages", "m.txt", *arguments, status=2).stderr
    expect("--messages m.txt: the name must end in .json" in said, said)
    try:
        import jsonschema
    except ImportError:
        return
    schema = json.loads(run(psim, "schema", "messages").stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(everything, schema)


def pictures():
    """Perfetto's file and the HTML report show the same messages, with a track and a row for each component."""
    program, _ = build("message.c")
    file, _, _ = messages("--messages", "m.trace.json", "--report", "m.html", "--message", "from=0,tag=2", "-n", 2, "--network", "torus3d",
                          program, 0, 5000)
    message, = file["messages"]
    expect(len(message["packets"]) == 3, len(message["packets"]))
    trace = place.result("m.trace.json")
    tracks = {(event["pid"], event["tid"]): event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "thread_name"}
    components = ["rank 0: core", "rank 0: interface", "router 0", "router 1", "rank 1: interface", "rank 1: core"]
    expect({name.split(" (")[0] for name in tracks.values()} == set(components), tracks)
    processes = {event["pid"]: event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "process_name"}
    expect(processes == {0: "node 0", 1: "node 1", 2: "network"}, processes)
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    for track in tracks:  # slices of a track do not overlap
        times = sorted((event["ts"], event["ts"] + event["dur"]) for event in slices if (event["pid"], event["tid"]) == track)
        expect(all(a[1] <= b[0] + 1e-7 for a, b in zip(times, times[1:])), track, times)
    begin, end = min(event["ts"] for event in slices), max(event["ts"] + event["dur"] for event in slices)
    expect(abs(begin * 1e6 - message["begin_ps"]) < 1, begin, message["begin_ps"])
    expect(end * 1e6 >= message["begin_ps"] + message["latency_ps"] - 1, end, message)
    for packet in message["packets"]:
        for hop in packet["hops"]:
            found = [event for event in slices if event["name"] == f"0.{message['number']}: passes, byte {packet['offset']}" and
                     tracks[event["pid"], event["tid"]].split(" (")[0] == f"router {hop['router']}"]
            expect(len(found) == 1 and abs(found[0]["ts"] * 1e6 - hop["departure_ps"]) < 1 and abs(found[0]["dur"] * 1e6 - hop["length_ps"]) < 1,
                   hop, found)
    arrows = [event["ph"] for event in trace["traceEvents"] if event["name"] == "way"]
    expect(arrows[0] == "s" and arrows[-1] == "f" and set(arrows[1:-1]) == {"t"}, arrows)
    with open(place.at("m.html"), encoding="utf-8") as page:
        page = page.read()
    chart = json.loads(html.unescape(page[page.index('data-chart="', page.index('id="message-0.')):].split('"')[1]))
    expect(chart["rows"] == components, chart["rows"])
    chart = "\n".join(f"{row}: {text}" for series in chart["series"] for _, _, row, text, _, _ in series["points"])
    for words in ("rank 0: core: store to doorbell", "in MPI_Send, called in f at ", "router 1: passes, byte 0", "in MPI_Recv, called in f at "):
        expect(words in chart, words)
    for part_ in message["parts"]:
        expect(f"{part_['name']} {part_['ps'] / 1000:.3f} ns" in page, part_)


def dump():
    """Stage dumps around both ends of a message, on the node of each."""
    program, _ = build("message.c")
    arguments = ("-n", 2, program, 0, 64, 0)
    file, result, _ = messages("--message", "from=0,tag=2", *arguments)
    name = file["messages"][0]["message"]

    def committed(*options):
        """Runs with a dump; returns the committed instructions as rows of PC and cycle of W."""
        run(psim, "cosim", "--quiet", "--kanata", "dump.kanata", *options, "--json", "dump.json", *arguments)
        expect(place.result("dump.json")["result_hash"] == result["result_hash"], "a dump changes the run", options)
        run(psim, "view", "--check", "dump.kanata")
        rows, pcs, commits, cycle = [], {}, {}, 0
        for line in place.read("dump.kanata").splitlines():
            words = line.split("\t")
            if words[0] == "C=":
                cycle = int(words[1])
            elif words[0] == "C":
                cycle += int(words[1])
            elif words[0] == "L" and words[2] == "0":
                pcs[words[1]] = words[3].split(":")[0]
            elif words[0] == "S" and words[3] == "W":
                commits[words[1]] = cycle
            elif words[0] == "R" and words[3] == "0":
                rows.append((int(pcs[words[1]], 16), commits[words[1]]))
        return rows
    for options, at in (((), "doorbell"), (("--dump-node", 0), "doorbell"), (("--dump-node", "1.0"), "poll")):
        end = file["messages"][0][at]
        rows = committed("--window", f"message={name}:100", *options)
        expect(len(rows) == 100 and (int(end["pc"], 16), end["cycle"]) in rows, at, end, rows)
        before = rows.index((int(end["pc"], 16), end["cycle"]))
        expect(1 <= before < 90, before)  # instructions in flight before it, and many after it
    poll = file["messages"][0]["poll"]
    expect((int(poll["pc"], 16), poll["cycle"]) in committed("--dump-node", 1, "--window", f"cycles={poll['cycle'] - 9}:{poll['cycle'] + 9}"))
    said = run(psim, "cosim", "--quiet", "--kanata", "dump.kanata", "--window", "message=0.999", *arguments).stderr
    expect("psim: node 0, core 0: --window message=0.999:400: nothing in this run is in the window" in said, said)
    for options, words in ((("--dump-node", 0), "--dump-node 0: needs --kanata"), (("--window", "cycles=1:2"), "--window cycles=1:2: needs --kanata"),
                           (("--kanata", "x", "--dump-node", 2), "--dump-node 2: expected a node 0 to 1"),
                           (("--kanata", "x", "--dump-node", "0.1"), "--dump-node 0.1: expected a node 0 to 1, and after a point a core 0 to 0"),
                           (("--kanata", "x", "--window", "message=2.0"), "rank = 2; expected 0 to 1"),
                           (("--kanata", "x", "--window", "region=a"), "nodes have no windows of regions"),
                           (("--kanata", "x", "--window", "message=1"), "expected message=RANK.NUMBER[:N]")):
        said = run(psim, "cosim", *options, *arguments, status=2).stderr
        expect(words in said, options, said)
    said = run(psim, "run", "--kanata", "x", "--window", "message=0.1", program, status=2).stderr
    expect("--window message=0.1: one core has no messages" in said, said)


globals()[part]()
