# SPDX-License-Identifier: Apache-2.0
"""functional_test.py PSIM SOURCE PART: nodes of which only some are simulated cycle by cycle, with functional partners."""
import os

from node_runs import expect, near, part, place, psim, run, same, source, tools

root = os.path.join(source, "../..")


def halo():
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-o", "halo", os.path.join(root, "workloads/predict/halo.c"))
    return "./halo"


def nodes(*words, quiet=True):
    """Returns the output and the result of a run."""
    done = run(psim, "cosim", *(["--quiet"] if quiet else []), "--json", "nodes.json", *words)
    return done.stdout, place.result("nodes.json")


def regions(node):
    return {row["name"]: row for row in node["regions"]}


def programs():
    """Programs with functional partners have the output of ranks, whichever node is detailed."""
    same("ping_pong.c", 2, 0, 100, 5000, 20000, options=("--detailed", "1"))
    same("collectives.c", 5, options=("--detailed", "0"))
    same("collectives.c", 5, options=("--detailed", "1:2,4", "--functional-cpi", "7.5"))
    same("one_sided.c", 3, options=("--detailed", "2"))
    same("files.c", 2, options=("--detailed", "0"), ordered=False)


def detailed():
    """The detailed node executes and takes what it does among detailed partners; a list of all nodes changes nothing."""
    program = halo()
    output, all_nodes = nodes("-n", 4, program, 48, 24)
    same_output, every = nodes("-n", 4, "--detailed", "0:3", program, 48, 24)
    expect(same_output == output and every["nodes"] == all_nodes["nodes"] and every["result_hash"] == all_nodes["result_hash"])
    one_output, one = nodes("-n", 4, "--detailed", "2", program, 48, 24)
    expect(one_output == output, one_output, output)
    expect([node.get("functional", False) for node in one["nodes"]] == [True, True, False, True], one["nodes"])
    expect(any("nodes 0, 1, 3: execute functionally" in line for line in one["assumptions"]), one["assumptions"])
    here, there = regions(one["nodes"][2]), regions(all_nodes["nodes"][2])
    expect(here.keys() == there.keys() and all(here[name]["count"] == there[name]["count"] for name in here))
    for name in ("product", "smooth"):
        expect(here[name]["instructions"] == there[name]["instructions"] and near(here[name]["cycles"], there[name]["cycles"], 0.01),
               name, here[name], there[name])
    # Functional nodes execute the same instructions, but for the first step in about the time of the detailed one.
    expect(near(one["seconds"], all_nodes["seconds"], 0.1), one["seconds"], all_nodes["seconds"])
    for node in one["nodes"]:
        product = regions(node)["product"]
        expect(product["instructions"] == here["product"]["instructions"], product)
        expect(near(product["cycles"], here["product"]["cycles"], 0.1), product, here["product"])
    # Statistics are those of the detailed node.
    expect(one["statistics"]["commit"]["instructions"] == one["nodes"][2]["instructions"], one["statistics"]["commit"])


def pace():
    """With a stated pace an instruction takes that time; the host's slices of a run have no influence."""
    program = halo()
    for cpi in (1, 2.5):
        _, result = nodes("-n", 2, "--detailed", "0", "--functional-cpi", cpi, program, 48, 2)
        product = regions(result["nodes"][1])["product"]
        expect(near(product["cycles"], cpi * product["instructions"], 1e-3), cpi, product)
        expect(any(f"in {cpi:g} cycles per instruction" in line for line in result["assumptions"]), result["assumptions"])
    hashes = set()
    for options in ((), ("--no-memoize",), ("--partial-every", "100000")):
        for quiet in (True, False):
            hashes.add(nodes("-n", 4, "--detailed", "1", *options, program, 32, 3, quiet=quiet)[1]["result_hash"])
    expect(len(hashes) == 1, hashes)
    run(psim, "cosim", "--quiet", "-n", 2, "--detailed", "1", "--dump-node", "1", "--kanata", "one.kanata", "--window", "cycles=1000:1100", program, 32, 1)
    expect(place.read("one.kanata").startswith("Kanata"))


def refused():
    program = halo()
    for expected, *words in (
            ("--functional-cpi 2: needs --detailed", "--functional-cpi", "2"),
            ("--detailed 2:", "--detailed", "2"),
            ("not with --energy", "--detailed", "0", "--energy"),
            ("not with --efficiency", "--detailed", "0", "--efficiency"),
            ("not with --report", "--detailed", "0", "--report", "r.html"),
            ("not with --messages", "--detailed", "0", "--messages", "m.json"),
            ("node.cores = 2", "--detailed", "0", "--set", "node.cores=2"),
            ("node 0 has no stages to dump", "--detailed", "1", "--kanata", "k", "--window", "cycles=1:2")):
        error = run(psim, "cosim", "--quiet", "-n", 2, *words, program, 32, 1, status=2).stderr
        expect(len(error.splitlines()) == 1 and expected in error, words, error)


globals()[part]()
