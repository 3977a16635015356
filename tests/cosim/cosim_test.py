# SPDX-License-Identifier: Apache-2.0
"""cosim_test.py PSIM SOURCE PART: tests `psim cosim` with other loads on its network, and on several host processes."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source, part = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
place = Place("cosim")
at = place.at
programs = os.path.join(os.path.dirname(os.path.dirname(psim)), "share", "psim")


def write(name, text):
    place.write(name, text)
    return at(name)


def run(*words, status=0, command="cosim", launcher=()):
    return place.call(*launcher, psim, command, *words, status=status, cwd=None)


def result(*words, status=0, command="cosim"):
    path = at("result.json")
    done = run("--quiet", "--json", path, *words, status=status, command=command)
    with open(path) as file:
        return json.load(file), done


def complaint(text):
    """The one line with which psim refuses a scenario."""
    lines = run(write("wrong.toml", text), status=2).stderr.splitlines()
    expect(len(lines) == 1, lines)
    return lines[0]


SHAPE = '[topology]\nshape = "4x4x2"\n'
IDLE = 'nodes = 2\nprogram = "put"\narguments = "put 0"\n'  # the program ends at once, with status 2
RING = 'nodes = 4\nat = "0:3"\nprogram = "ring"\narguments = "4096 2 200"\n'


def job(name="ring", ranks=16, arguments="4096 2", program="random_ring", more=""):
    return f'[job.{name}]\nprogram = "{program}"\narguments = "{arguments}"\nranks = {ranks}\n{more}'


def jobs():
    """A job among idle detailed nodes takes exactly the time of psim net, and detailed nodes among idle ranks that of a network
    of their own."""
    nodes = write("nodes", "".join(f"{node}\n" for node in range(2, 18)))
    placed = 'placement = "file"\nnodes = "nodes"\n'
    mixed, _ = result(write("idle.toml", IDLE + 'at = "30:31"\n' + SHAPE + job(more=placed)), status=2)
    table = write("jobs.toml", f'[ring]\nprogram = "{programs}/mgen/random_ring"\narguments = "4096 2"\nranks = 16\n' + placed)
    alone, _ = result("--set", "topology.shape=4x4x2", "--jobs", table, command="net")
    for key in ("seconds", "start", "end", "messages", "bytes", "per_rank", "ending", "statistics", "nodes", "first_node"):
        expect(mixed["net"]["jobs"][0][key] == alone["jobs"][0][key], key, mixed["net"]["jobs"][0][key], alone["jobs"][0][key])
    for key in ("per_rank", "ranks", "messages", "packets", "packet_hops", "packet_latency", "links", "seconds"):
        expect(mixed["net"][key] == alone[key], key, mixed["net"][key], alone[key])
    expect(mixed["net"]["detailed_nodes"] == [30, 31], mixed["net"]["detailed_nodes"])
    expect(mixed["operations"] == [] and [node["exit_status"] for node in mixed["nodes"]] == [2, 2], mixed["nodes"])

    late = job(ranks=2, more='arrival = "1 ms"\n')  # long after the nodes have ended
    nodes, _ = result(write("late.toml", RING + SHAPE + late))
    own, _ = result(write("own.toml", RING + SHAPE))
    expect(nodes["operations"] == own["operations"] and len(own["operations"]) == 8, own["operations"])
    expect(nodes["nodes"] == own["nodes"], nodes["nodes"], own["nodes"])
    expect("net" not in own and nodes["result_hash"] == result(at("late.toml"))[0]["result_hash"], "hash")


def computing():
    """Models of computing, skeletons and replays of the jobs among detailed nodes give the times of psim net."""
    place.call(os.path.join(os.path.dirname(psim), "psim-cc"), "-o", "skeleton", os.path.join(source, "tests/net/programs/skeleton.c"))
    write("fits.toml", 'format = 1\n[region.product]\nparameters = "n m"\nseconds = "1e-9 * n^2 * m"\nranges = "1..100 1..8"\n')
    goal = os.path.join(source, "tests/net/programs/two.goal")
    for name, nodes in (("nodes", range(2, 6)), ("others", (9, 14))):
        write(name, "".join(f"{node}\n" for node in nodes))
    tables = [f'program = "{at("skeleton")}"\narguments = "plain"\nranks = 4\nplacement = "file"\nnodes = "nodes"\n',
              f'replay = "{goal}"\nplacement = "file"\nnodes = "others"\n']
    mixed = "".join(f"[job.{name}]\n{table}" for name, table in zip("ab", tables))
    table = write("computing.toml", "".join(f"[{name}]\n{table}" for name, table in zip("ab", tables)))
    seconds = {}
    for skeleton in (False, True):
        text = IDLE + f'at = "30:31"\ncompute = "model:fits.toml"\nskeleton = {str(skeleton).lower()}\n' + SHAPE + mixed
        both, done = result(write("both.toml", text), status=2)
        alone, _ = result("--set", "topology.shape=4x4x2", "--compute", "model:" + at("fits.toml"), *["--skeleton"] * skeleton,
                          "--jobs", table, command="net")
        for one, other in zip(both["net"]["jobs"], alone["jobs"]):
            for key in ("seconds", "messages", "bytes", "per_rank", "ending"):
                expect(one[key] == other[key], skeleton, key, one[key], other[key])
        for key in ("compute", "assumptions"):
            expect(both["net"][key] == alone[key], key, both["net"][key], alone[key])
        seconds[skeleton] = both["net"]["jobs"][0]["seconds"]
        expect(f"rank 0 executed {0 if skeleton else 2}, " in done.stdout, done.stdout)
    # The models' time of rank 3, 67^2 * 6 ns, is part of it; and a skeleton takes the time of the program.
    expect(seconds[True] == seconds[False] > 67**2 * 6e-9, seconds)


def contention():
    """Detailed nodes and ranks delay each other where their routes meet."""
    ranks = write("ends", "0\n5\n")
    two = job("pair", 2, "1000000 3", more='placement = "file"\nnodes = "ends"\n')  # over the links between the nodes
    line = '[topology]\nkind = "mesh"\nshape = "6"\n'
    four = 'nodes = 4\nat = "1:4"\nprogram = "ring"\narguments = "65536 4 200"\n'
    both, _ = result(write("both.toml", four + line + two))
    nodes, _ = result(write("nodes.toml", four + line))
    idle, _ = result(write("ranks.toml", IDLE + 'at = "1:2"\n' + line + two), status=2)
    slower = [b["latency_ps"] - n["latency_ps"] for b, n in zip(both["operations"], nodes["operations"])]
    expect(len(slower) == 16 and max(slower) > 1_000_000, slower)
    expect(both["net"]["jobs"][0]["seconds"] > idle["net"]["jobs"][0]["seconds"] * 1.01, both["net"]["jobs"])
    expect(all(sum(part["ps"] for part in operation["parts"]) == operation["latency_ps"] for operation in both["operations"]), "sums")


def traffic():
    """Background traffic ends with the detailed nodes, and slows them down."""
    busy, _ = result(write("busy.toml", RING + SHAPE + '[traffic]\npattern = "uniform"\nload = 0.4\n'))
    own, _ = result(write("own.toml", RING + SHAPE))
    counts = busy["net"]["traffic"]
    expect(counts["nodes"] == 28 and 0 < counts["arrived"] <= counts["messages"], counts)
    # 28 nodes at 0.4 of 5 GB/s make a message of 2 KiB every 1.024 us; Poisson, so within five deviations.
    made = 28 * busy["net"]["seconds"] / 1.024e-6
    expect(abs(counts["messages"] - made) < 5 * made ** 0.5 + 28, counts, made)
    total = lambda run: sum(operation["latency_ps"] for operation in run["operations"])
    expect(total(busy) > total(own), total(busy), total(own))
    expect(result(at("busy.toml"))[0]["result_hash"] == busy["result_hash"], "hash")
    hot = result(write("hot.toml", RING + SHAPE + job(ranks=4) + '[traffic]\npattern = "hotspot"\nload = 0.2\nhot = 0.5\n'))[0]["net"]
    expect(hot["traffic"]["nodes"] == 24 and hot["jobs"][0]["ending"] == "finished", hot["traffic"])


def sleeping():
    """On/Off links are counted, by owner, and their wake-ups delay the nodes."""
    sets = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us")
    scenario = write("sleep.toml", RING + SHAPE + job() + '[traffic]\npattern = "neighbour"\nload = 0.01\n')
    asleep, awake = result(*sets, scenario)[0], result(scenario)[0]
    energy = asleep["net"]["link_energy"]
    expect(energy["wakes"] > 0 and 0 < energy["low_share"] < 1, energy)
    expect([owner["name"] for owner in energy["jobs"]] == ["ring", "detailed nodes", "background traffic"], energy["jobs"])
    expect(all(owner["joules"] > 0 for owner in energy["jobs"]), energy["jobs"])
    shares = sum(owner["joules"] for owner in energy["jobs"]) + energy["nobody"]["joules"]
    expect(abs(shares - energy["joules"]) < 1e-9 * energy["joules"], shares, energy["joules"])
    total = lambda run: sum(operation["latency_ps"] for operation in run["operations"])
    expect(total(asleep) > total(awake) and "link_energy" not in awake["net"], total(asleep))
    own, _ = result(*sets, write("own.toml", RING + SHAPE))
    expect(own["net"]["link_energy"]["wakes"] > 0 and "jobs" not in own["net"], own["net"])


def joules():
    """The energy by part, node, region, call, job and time sums to the total; links and cores have that of psim net and run."""
    near = lambda a, b: abs(a - b) <= 1e-9 * abs(b)
    total = lambda rows: sum(row["joules"] for row in rows)

    def whole(run):
        account, parts = run["energy"], run["energy"]["parts"]
        joules, links = account["total_joules"], parts["links"]["joules"]
        expect(near(total(parts.values()), joules), parts, joules)
        for part in parts.values():
            expect(near(part["dynamic_joules"] + part["static_joules"], part["joules"]), part)
        expect(near(total(account["nodes"]) + links, joules), joules)
        for rows in ("regions", "calls", "jobs"):
            expect(near(total(account.get(rows, [{"joules": joules}])), joules), rows, account.get(rows), joules)
        for node in account["nodes"]:
            expect(near(total(node["parts"].values()), node["joules"]), node)
            expect(near(total(node["regions"]), node["joules"]) and near(total(node["calls"]), node["joules"]), node)
        series = account["over_time"]
        expect(near(sum(series["joules"]), joules) and near(series["end_seconds"][-1], account["seconds"]), "over time")
        for name, part in parts.items():
            expect(abs(sum(series[name]) - part["joules"]) <= 1e-9 * joules, name)
        expect(near(run["net"]["link_energy"]["joules"], links), links)
        return account

    scenario = write("own.toml", RING + SHAPE)
    plain, measured = result(scenario)[0], result("--energy", scenario)[0]
    whole(measured)
    expect(plain["nodes"] == measured["nodes"] and plain["operations"] == measured["operations"], "measuring changes the run")
    expect("energy" not in plain and "energy" not in plain["machine"], "energy without --energy")
    sets = ("--energy", "--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us")
    mixed = whole(result(*sets, write("all.toml", RING + SHAPE + job() + '[traffic]\npattern = "uniform"\nload = 0.02\n'))[0])
    expect([row["name"] for row in mixed["jobs"]] == ["ring", "detailed nodes", "background traffic", "(no load)"], mixed["jobs"])
    # A job among nodes that end at once has the links' energy of psim net.
    placed = 'placement = "file"\nnodes = "nodes"\n'
    nodes = write("nodes", "".join(f"{node}\n" for node in range(2, 18)))
    idle = result(*sets, write("idle.toml", IDLE + 'at = "30:31"\n' + SHAPE + job(more=placed)), status=2)[0]
    table = write("jobs.toml", f'[ring]\nprogram = "{programs}/mgen/random_ring"\narguments = "4096 2"\nranks = 16\n' + placed)
    alone = result(*sets[1:], "--set", "topology.shape=4x4x2", "--jobs", table, command="net")[0]
    expect(near(idle["energy"]["seconds"], alone["seconds"]), idle["energy"]["seconds"], alone["seconds"])
    expect(near(idle["energy"]["parts"]["links"]["joules"], alone["link_energy"]["joules"]), idle["energy"]["parts"])
    whole(idle)


def thousand():
    """Eight detailed nodes among 1,024; the result repeats."""
    scenario = os.path.join(source, "workloads/cosim/mixed.toml")
    first, done = result("--set", "job.alltoall.ranks=64", scenario)
    expect(first["net"]["topology"]["nodes"] == 1024 and len(first["nodes"]) == 8, first["net"]["topology"])
    expect([job_["ending"] for job_ in first["net"]["jobs"]] == ["finished"] * 2, first["net"]["jobs"])
    expect(all(operation["seen"] for operation in first["operations"]) and len(first["operations"]) == 32, "operations")
    expect(first["result_hash"] == result("--set", "job.alltoall.ranks=64", scenario)[0]["result_hash"], "hash")
    shown = run("--set", "job.alltoall.ranks=64", scenario).stderr
    expect("1024 routers, 1024 nodes" in shown and "alltoall" in shown and "psim: 8 nodes" in shown, shown)


def output():
    """Output is in the order of simulated time, and only node 0 reads standard input."""
    scenario = write("lines.toml", RING + SHAPE + job(arguments="64 1", ranks=4))
    lines = run("--quiet", scenario).stdout.splitlines()
    own = [line for line in lines if ": 2 rounds of 4096 bytes" in line]
    expect(sorted(line.split(":")[0] for line in own) == [f"node {i}" for i in range(4)], lines)
    expect(any(line.startswith("ring: random ring of 4 ranks") for line in lines), lines)


def mistakes():
    beyond = complaint(RING.replace("0:3", "0:2,32") + SHAPE)
    expect('wrong.toml:2: at = 0:2,32: "32" is not a node; expected nodes 0 … 31' in beyond, beyond)
    expect("node 2 stands there twice" in complaint(RING.replace("0:3", "0:2,2") + SHAPE), "twice")
    expect("at = 0:2: 3 nodes; expected nodes = 4 of them" in complaint(RING.replace("0:3", "0:2") + SHAPE), "number")
    write("one", "3\n")
    taken = complaint(RING + SHAPE + job(ranks=1, more='placement = "file"\nnodes = "one"\n'))
    expect("one:1: node 3: it is a detailed node" in taken, taken)
    write("two", "4\n")
    again = 'placement = "file"\nnodes = "two"\n'
    twice = complaint(RING + SHAPE + job("a", 1, more=again) + job("b", 1, more=again))
    expect("two:1: node 4: job a has it" in twice, twice)
    missing = complaint(RING + SHAPE + "[job.a]\nranks = 4\n")
    expect("job.a.program: missing; expected a program or a replay" in missing, missing)
    expect("program: is not set" in complaint("nodes = 2\n" + job()), "program")
    unknown = complaint(RING + SHAPE + job(more='arival = "1 us"\n'))
    expect('job.ring.arival = "1 us": unknown key; did you mean job.ring.arrival?' in unknown, unknown)
    many = complaint(RING + SHAPE + job(ranks=64))
    expect("job ring needs 64 nodes" in many and "32 nodes are free" in many, many)
    pattern = complaint(RING + SHAPE + '[traffic]\npattern = "unifrom"\n')
    expect("traffic.pattern" in pattern and "uniform" in pattern, pattern)
    full = complaint('nodes = 2\nprogram = "put"\n[traffic]\npattern = "uniform"\n')
    expect("expected a topology.shape with more nodes" in full, full)


def processes():
    """Output and hash are the same on one host process and on several; an error of any ends all with one line."""
    if not shutil.which("mpirun"):
        sys.exit(77)
    os.environ.update(OPEN_MPI)

    def outcome(count, *words, status=0):
        path = at("shared.json")
        if os.path.exists(path):
            os.remove(path)
        launcher = ["mpirun", "--oversubscribe", "-n", str(count)] if count > 1 else []
        done = run("--quiet", "--json", path, *words, status=status, launcher=launcher)
        json_ = json.load(open(path)) if os.path.exists(path) else {}
        expect(not json_ or json_["host"]["processes"] == count, json_.get("host"))
        return done.stdout, json_.get("result_hash"), [line for line in done.stderr.splitlines() if "psim: " in line]

    def same(counts, *words, status=0):
        alone = outcome(1, *words, status=status)
        for count in counts:
            shared = outcome(count, *words, status=status)
            for what, one, several in zip(("output", "result_hash", "messages"), alone, shared):
                expect(one == several, words, count, what, one, several)
        return alone

    lines, hash_, _ = same((2, 3), "--set", "arguments=4096 3 500", os.path.join(source, "workloads/cosim/ring.toml"))
    expect(lines.count("rounds of 4096 bytes") == 16 and hash_, lines)
    same((2, 3), "--energy", "--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us", write("own.toml", RING + SHAPE))
    busy = RING + SHAPE + job() + '[traffic]\npattern = "uniform"\nload = 0.2\n'
    same((2, 3), "--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us", write("busy.toml", busy))
    same((2,), write("get.toml", 'nodes = 2\nprogram = "put"\narguments = "get 5000"\n'))
    wrong = same((2,), write("wrong.toml", RING.replace("0:3", "0:2,32") + SHAPE), status=2)[2]
    expect(len(wrong) == 1, wrong)
    # Node 3, of the second process, puts to a node that does not exist.
    astray = same((2,), write("astray.toml", RING.replace("4096 2 200", "4096 2 200 3") + SHAPE), status=2)[2]
    expect(len(astray) == 1 and "node 3: the interface's peer is 4; expected another node, below 4" in astray[0], astray)
    crowd = run(os.path.join(source, "workloads/cosim/put.toml"), status=2,
                launcher=["mpirun", "--oversubscribe", "-n", "3"]).stderr
    expect("3 host processes" in crowd and crowd.count("psim: ") == 1, crowd)


globals()[part]()
