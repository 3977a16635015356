# SPDX-License-Identifier: Apache-2.0
"""jobs_test.py PSIM SOURCE PART: jobs that share the network of `psim net`."""
import json
import re
import subprocess

from runs import at, build, events, expect, part, result, run, two_jobs, write


def jobs():
    build("tests/net/programs/job.c")
    shape = ("--set", "topology.shape=4x4")
    done = run(*shape, "--jobs", two_jobs())
    expect(sorted(done.stdout.splitlines()) == ["a: 8 ranks of 8, 20 steps, sum 12", "b: 6 ranks of 6, 4 steps, sum 6"], done.stdout)
    expect("transfer us" in done.stderr and "finished" in done.stderr, done.stderr)
    first = result(*shape, "--jobs", at("jobs.toml"))
    a, b = first["jobs"]
    expect(first["ranks"] == 14 and a["name"] == "a" and (b["first_node"], b["last_node"]) == (8, 13), first["jobs"])
    expect(b["bytes"] == 6 * 4 * 100000 + 176 and a["messages"] + b["messages"] == first["messages"], first["jobs"])
    expect(all(job["ending"] == "finished" and 0 == job["start"] < job["end"] <= first["seconds"] for job in (a, b)), a, b)
    expect(result(*shape, "--jobs", at("jobs.toml"))["result_hash"] == first["result_hash"], "the same twice")
    # A later start, spread over the network, two ranks per node.
    spread = result(*shape, "--set", "node.ranks=2", "--seed", 3, "--jobs",
                    two_jobs(more='arrival = "7 us"\nplacement = "random"\nmapping = "cyclic"'))["jobs"][1]
    expect(spread["nodes"] == 3 and spread["start"] == 7e-6 and spread["last_node"] - spread["first_node"] > 2, spread)

    # The end of one job does not end the other.
    cut = run(*shape, "--jobs", two_jobs("abort"), status=3)
    expect(cut.stdout == "a: 8 ranks of 8, 20 steps, sum 12\n" and "psim: job b: rank 1: MPI_Abort, status 3" in cut.stderr, cut)
    endings = [job["ending"] for job in result(*shape, "--jobs", at("jobs.toml"), status=3)["jobs"]]
    expect(endings == ["finished", "aborted"], endings)
    dead = run(*shape, "--jobs", two_jobs("deadlock"), status=1)
    expect("job b: rank 1: MPI_Recv(rank 0, tag 77" in dead.stderr and "a: 8 ranks" in dead.stdout, dead)
    expect(result(*shape, "--jobs", two_jobs("status"), status=4)["jobs"][1]["exit_status"] == 4, "status")

    # On alternating nodes the jobs share links; a job alone is as fast as possible.
    near = [job["slow_down"] for job in result(*shape, "--compare", "alone", "--jobs", two_jobs())["jobs"]]
    write("odd", "".join(f"{node}\n" for node in range(1, 16, 2)))
    write("even", "# nodes of b\n" + "".join(f"{node}\n" for node in range(0, 12, 2)))
    mixed = at("mixed.toml")
    write("mixed.toml", open(two_jobs()).read().replace("ranks = 8", 'ranks = 8\nplacement = "file"\nnodes = "odd"').replace(
        "ranks = 6", 'ranks = 6\nplacement = "file"\nnodes = "even"'))
    far = [job["slow_down"] for job in result(*shape, "--compare", "alone", "--jobs", mixed)["jobs"]]
    expect(near == [1, 1] and abs(far[0] - 2.319) < 0.001 and abs(far[1] - 1.316) < 0.001, near, far)
    only = write("only.toml", open(two_jobs()).read().split("[b]")[0])
    expect(result(*shape, "--compare", "alone", "--jobs", only)["jobs"][0]["slow_down"] == 1, "alone it is alone")
    run(*shape, "--csv", at("tables"), "--jobs", two_jobs())
    expect(open(at("tables/ranks.csv")).read().splitlines()[9].startswith("b,0,8,"), "ranks.csv")

    def refused(text, *says, words=shape):
        error = run(*words, "--jobs", write("bad.toml", text), status=2).stderr
        expect(error.startswith("psim: ") and all(word in error for word in says), text, error)

    job = '[a]\nprogram = "job"\nranks = 2\n'
    refused(job + 'rank = 3\n', "bad.toml:4: a.rank", "did you mean")
    refused(job + 'placement = "ranom"\n', "bad.toml:4: a.placement", "did you mean", "random")
    refused('[a]\nranks = 2\n', "bad.toml:2: a.program: missing")
    refused('[a]\nprogram = "job"\n', "bad.toml:2: a.ranks: missing")
    refused('ranks = 2\n', "bad.toml:1: ranks = 2: expected a table for each job")
    refused('# none\n', "no jobs")
    refused(job + 'ranks_a_node = 2\n', "bad.toml:4: a.ranks_a_node = 2: expected at most node.ranks = 1")
    refused(job + 'placement = "file"\n', "a.nodes: missing")
    refused(job + 'nodes = "odd"\n', "bad.toml:4: a.nodes", "needs placement")
    refused(job + 'placement = "file"\nnodes = "absent"\n', "bad.toml:4: a.nodes", "cannot be read")
    refused(job + 'arguments = "\'x"\n', "bad.toml:4: a.arguments", "quote")
    refused(job + "data = \"some\"\n", "a.data = some: ")
    refused(job.replace("= 2", "= 17"), "bad.toml:2: job a needs 17 nodes", "16 nodes")
    refused(job + job.replace("[a]", "[b]").replace('"job"', '"absent"'), "absent")
    by_file = job + 'placement = "file"\nnodes = "wrong"\n'
    for lines, says in (("3\n16\n", "wrong:2: node 16: the network has nodes 0 … 15"), ("3\n3\n", "wrong:2: node 3: twice, first in line 1"),
                        ("3\n", "wrong: 1 nodes; job a needs 2"), ("3 4\n", "wrong:1: expected one node per line"), ("x\n", "wrong:1: ")):
        write("wrong", lines)
        refused(by_file, says)
    write("wrong", "3\n4\n")
    refused(by_file + by_file.replace("[a]", "[b]"), "wrong:1: node 3: job a has it")
    mapped = job + 'mapping = "wrong"\n'
    for lines, says in (("0 0\n2 1\n", "wrong:2: rank 2: job a has ranks 0 … 1"), ("0 0\n1 2\n", "wrong:2: node 2: job a has nodes 0 … 1"),
                        ("0 0\n0 1\n", "wrong:2: rank 0: a second time"), ("0 0\n1 0\n", "wrong:2: node 0: more than 1 ranks"),
                        ("0 1\n", "wrong: rank 1 of job a is missing"), ("0\n", "wrong:1: expected a line RANK NODE")):
        write("wrong", lines)
        refused(mapped, says)
    write("wrong", "1 0\n0 1\n")
    run(*shape, "--jobs", write("good.toml", mapped + 'arguments = "run 1 10"\n'))
    expect("--jobs takes no program" in run("--jobs", at("good.toml"), at("job"), status=2).stderr, "a program")
    expect("-n" in run("--jobs", at("good.toml"), "-n", 2, status=2).stderr, "-n")
    expect("--compare" in run("-n", 2, "--compare", "alone", at("job"), status=2).stderr, "--compare")


def together():
    """Interactions of jobs in one run: names, shared nodes, traces next to programs, crashes."""
    build("tests/net/programs/job.c")
    shape = ("--set", "topology.shape=4x4")

    # Timelines name ranks by their jobs and show the nodes on which they ran.
    write("spread", "9\n2\n14\n5\n0\n7\n")
    named = two_jobs(more='placement = "file"\nnodes = "spread"')
    run(*shape, "--timeline", at("jobs.json"), "--jobs", named)
    trace = json.load(open(at("jobs.json")))["traceEvents"]
    names = {e["pid"]: e["args"]["name"] for e in trace if e["name"] == "process_name"}
    threads = {e["tid"]: (e["pid"], e["args"]["name"]) for e in trace if e["name"] == "thread_name"}
    expect(names == {0: "a", 1: "b"} and threads[7] == (0, "rank 7") and threads[8] == (1, "rank 0"), names, threads)
    expect(all(threads[e["tid"]][0] == e["pid"] for e in trace if e["ph"] in "Xsf"), "ranks in their jobs")
    told = {e["args"].get("to", "") for e in trace if e["ph"] == "X" and e["tid"] == 8}
    expect(any(text.startswith("rank 1, tag 1, 100000 bytes") for text in told), told)
    events(at("jobs.json"))
    run(*shape, "--timeline", at("jobs.otf2"), "--jobs", named)
    printed = subprocess.run(["otf2-print", "-G", at("jobs.otf2/traces.otf2")], capture_output=True, text=True, timeout=60)
    groups = dict(re.findall(r'LOCATION_GROUP .*Name: "([^"]*)".*Parent: "([^"]*)"', printed.stdout))
    expect(printed.returncode == 0 and groups["b: MPI Rank 0"] == "node::node 9" and groups["b: MPI Rank 4"] == "node::node 0", groups)
    expect(len(groups) == 14 and groups["a: MPI Rank 2"] == "node::node 4", groups)  # nodes 0 and 2 are b's
    expect('"b: MPI_COMM_WORLD"' in printed.stdout and '"a: MPI_COMM_WORLD"' in printed.stdout, printed.stdout)

    # Two of four slots of each node: half the nodes, and the other job's messages in the interface.
    four = ("--set", "topology.kind=crossbar", "--set", "node.ranks=4")
    share = "ranks_a_node = 2\nshared = true"
    own = result(*four, "--set", "topology.shape=8", "--jobs", two_jobs())["jobs"]
    expect([job["nodes"] for job in own] == [2, 2] and not own[0]["shared"], own)
    text = open(two_jobs(more=share)).read().replace("ranks = 8", "ranks = 8\n" + share)
    mixed = result(*four, "--compare", "alone", "--jobs", write("shared.toml", text))
    a, b = mixed["jobs"]
    expect(mixed["topology"]["nodes"] == 4 and (a["first_node"], a["last_node"], b["first_node"], b["last_node"]) == (0, 3, 0, 2), mixed["jobs"])
    expect(a["shared"] and abs(a["slow_down"] - 2.748) < 0.001 and abs(b["slow_down"] - 1.608) < 0.001, a, b)
    expect(result(*four, "--compare", "alone", "--jobs", at("shared.toml"))["result_hash"] == mixed["result_hash"], "the same twice")

    def refused(text, *says, words=shape):
        error = run(*words, "--jobs", write("bad.toml", text), status=2).stderr
        expect(error.startswith("psim: ") and all(word in error for word in says), text, error)

    job = '[a]\nprogram = "job"\nranks = 4\nplacement = "file"\nnodes = "zero"\n'
    write("zero", "0\n1\n")
    other = job.replace("[a]", "[b]")
    refused(job + share + "\n" + other, "zero:1: node 0: shared jobs have it; b is not shared", words=four)
    three = share.replace("2", "3")
    refused(job + share + "\n" + other + three, "zero:1: node 0: other jobs leave 2 of its ranks; b needs 3", words=four)

    # A trace next to programs: on the same nodes of the empty network it takes its recorded time.
    run(*shape, "-n", 6, "--timeline", at("six.otf2"), at("job"), "run", 4, 100000)
    alone = result(*shape, "--replay", at("six.otf2"))["seconds"]
    replayed = lambda more="": write("replay.toml", f'[r]\nreplay = "six.otf2"\n{more}[a]\nprogram = "job"\narguments = "run 20 5000"\nranks = 8\n')
    both = result(*shape, "--compare", "alone", "--jobs", replayed())
    r = both["jobs"][0]
    expect(abs(r["alone_seconds"] - alone) < 1e-15 and r["ranks"] == 6 and r["replay"]["operations"] == 102, r, alone)
    expect("arguments" not in r and "trace of r" in both["inputs"], r)
    expect(result(*shape, "--compare", "alone", "--jobs", replayed())["result_hash"] == both["result_hash"], "the same twice")
    longer = result(*shape, "--jobs", replayed("message_scale = 3.0\n"))["jobs"][0]
    expect(longer["bytes"] == 3 * r["bytes"] and abs(longer["seconds"] / r["seconds"] - 2.871) < 0.001, longer, r)
    for more, says in (("ranks = 5\n", "r.ranks = 5: "), ('program = "job"\n', "r.replay"), ('arguments = "1"\n', "a replay has no arguments")):
        error = run(*shape, "--jobs", replayed(more), status=2).stderr
        expect(says in error, more, error)
    refused('[a]\nreplay = "absent"\n', "a.replay =", "absent: No such file")
    refused('[a]\nprogram = "job"\nranks = 2\ncompute_scale = 2.0\n', "bad.toml:4: a.compute_scale: the job is not a replay; expected no such key")

    # A crash in a job's own code ends that job only; in the C library the job may hold a lock that all need.
    for how, signal_ in (("crash", "SIGSEGV at 0x8 in main (job.c:"), ("assert", "SIGABRT in ")):
        cut = run(*shape, "--jobs", two_jobs(how), status=1)
        expect(cut.stdout.startswith("a: 8 ranks of 8") and f"psim: job b: rank 1: {signal_}" in cut.stderr, cut)
        json_ = result(*shape, "--jobs", at("jobs.toml"), status=1)
        expect([job["ending"] for job in json_["jobs"]] == ["finished", "failed"] and "partial" not in json_, json_["jobs"])
    both_crash = open(two_jobs("crash")).read().replace("run 20", "crash 20")
    json_ = result(*shape, "--jobs", write("both.toml", both_crash), status=1)
    expect([job["ending"] for job in json_["jobs"]] == ["failed", "failed"], json_["jobs"])
    json_ = result(*shape, "--jobs", two_jobs("crash-in-libc"), status=1)
    expect([job["ending"] for job in json_["jobs"]] == ["interrupted", "failed"] and json_["partial"] == "failed", json_["jobs"])


globals()[part]()
