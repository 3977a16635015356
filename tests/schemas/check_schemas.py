#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates machine files, other files and results by the JSON schemas of `psim schema`: check_schemas.py SOURCES PSIM BUILD

Needs Debian's python3-jsonschema; without it the test is skipped (77). Programs for cores need the sparc64 compiler.
"""
import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI
from validation import problems, validator

sources, psim, build = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
failures = checks = 0


def psim_output(*words, **how):
    done = subprocess.run([psim, *words], text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=200, **how)
    assert done.returncode == 0, f"psim {' '.join(map(str, words))}: {done.stderr}"
    return done.stdout


def check(by, document, name, valid=True):
    global failures, checks
    checks += 1
    refused = problems(by, document)
    if (not refused) != valid:
        failures += 1
        print("\n  ".join([f"{name}: " + ("accepted, expected a refusal" if not valid else "refused"), *refused[:4]]))


def machine_files():
    by = {kind: validator(psim, kind) for kind in ("core", "network")}
    listed = psim_output("config", "list").split("\n\n")
    for kind, part in zip(("core", "network", "core"), listed):
        for line in part.splitlines()[1:]:
            name = line.split()[0]
            path = sources / "machines" / f"{name}.toml"
            check(by[kind], tomllib.loads(path.read_text()), path.name)
            shown = psim_output("config", "show", "--machine", name)  # every key
            check(by[kind], tomllib.loads(shown), f"config show --machine {name}")
            if path.name not in ("energy.toml",):
                check(by["network" if kind == "core" else "core"], tomllib.loads(shown), f"{name} as the other kind", False)
    # Every mistake is one that psim refuses, too.
    for kind, text in [("core", 'memory.latency = 300'), ("core", 'memory.latency = "300 parsecs"'), ("core", 'core.clok = "2 GHz"'),
                       ("core", 'l1d.ways = 0'), ("core", 'l1d.ways = { source = "x" }'), ("network", 'link.sleep.policy = "nap"'),
                       ("network", 'link.bandwidth = "5 GHz"'), ("network", 'base = 3')]:
        check(by[kind], tomllib.loads(text), text, False)
    for kind, text in [("core", 'base = "sparc64v"\nmemory.latency = { value = "300 cycles", source = "data sheet" }'),
                       ("network", 'link.bandwidth = "40 Gbit/s"'), ("network", 'link.delay = "1.5 ns"')]:
        check(by[kind], tomllib.loads(text), text)


def other_files(scratch):
    """Scenarios, jobs, files of psim fit, and models: shipped ones, those of the documentation, and mistakes."""
    scenario, jobs, fit, models = (validator(psim, subject) for subject in ("scenario", "jobs", "fit", "models"))
    for path in sorted((sources / "workloads/cosim").glob("*.toml")):
        check(scenario, tomllib.loads(path.read_text()), path.name)
    for path in sorted((sources / "workloads/predict").glob("*.toml")) + sorted(scratch.glob("*fits.toml")):
        check(models, tomllib.loads(path.read_text()), path.name)
    check(jobs, tomllib.loads((scratch / "jobs.toml").read_text()), "jobs.toml")
    many = ('machines = "sparc64v small"\nout = "fits-{machine}.toml"\nenergy = true\n[program.dgemm]\ncommand = "./dgemm {}"\n'
            'args = "64 128 192 256"\npredict = "512 1024"\n[machine.small]\nfile = "simd16"\nset = "l2.ways=4"\n')
    check(fit, tomllib.loads(many), "a file of psim fit")
    for by, text in [(fit, 'energy = true\n'), (fit, many.replace("args", "arguments")), (fit, many + 'sets = "a=1"\n'),
                     (fit, many.replace("energy = true", 'energy = "yes"')),
                     (jobs, '[one]\nprogram = "ring"\nrank = 4\n'), (jobs, '[one]\nprogram = "ring"\nranks = "4"\n'),
                     (jobs, '[one]\nplacement = "nowhere"\n'), (jobs, 'ranks = 4\n'),
                     (models, '[region.a]\nseconds = "1"\n'), (models, 'format = 2\n[region.a]\nseconds = "1"\n'),
                     (models, 'format = 1\n[region.a]\nsecond = "1"\n'), (models, 'format = 1\n[region.a]\nclock = "2 V"\n'),
                     (scenario, 'node = 2\n'), (scenario, 'nodes = "two"\n'), (scenario, '[job.a]\nrank = 3\n'),
                     (scenario, '[traffic]\npatern = "uniform"\n'), (scenario, '[memory]\nlatency = "3 GB"\n')]:
        check(by, tomllib.loads(text), text, False)
    # psim itself accepts a file that the editor has found by its schema.
    (scratch / "with_schema.toml").write_text('#:schema ./core.schema.json\nbase = "sparc64v"\n[memory]\nlatency = "300 cycles"\n')
    psim_output("config", "check", "with_schema.toml", cwd=scratch)


def open_places(schema, path=""):
    """The places of a schema where any key or element may be."""
    if not isinstance(schema, dict):
        return []
    found = []
    if schema.get("type") == "object" and "additionalProperties" not in schema:
        found.append(path)
    if schema.get("type") == "array" and "items" not in schema:
        found.append(path)
    for key, value in schema.items():
        if key in ("properties", "definitions"):
            for name, inner in value.items():
                found += open_places(inner, f"{path}.{name}")
        elif key in ("items", "additionalProperties", "then"):
            found += open_places(value, f"{path}.{key}")
        elif key in ("allOf", "anyOf"):
            for i, inner in enumerate(value):
                found += open_places(inner, f"{path}.{key}{i}")
    return found


def with_unknown_key(document, path):
    """The document with another key in the object at the path; numbers in it are elements of lists."""
    changed = copy.deepcopy(document)
    node = changed
    for key in path.split(".") if path else []:
        node = node[int(key)] if isinstance(node, list) else node[key]
    node["unheard_of"] = 1
    return changed


def results(scratch):
    by = validator(psim, "result")
    global failures
    # The root refers to closed objects; data for pages alone is under `page`, which has a hash of its own.
    open_ones = [place for place in open_places(by.schema) if place and not place.endswith(".page")]
    if open_ones:
        failures += 1
        print(f"the schema of results has open places: {open_ones[:10]}")
    command = set()

    def of(name, *words):
        psim_output(*words[:1], "--json", f"{name}.json", *words[1:], cwd=scratch)
        document = json.loads((scratch / f"{name}.json").read_text())
        command.add(document["command"])
        check(by, document, f"psim {' '.join(words)}")
        return document

    for program, source in [("ring", "mgen/random_ring.c"), ("solver", "predict/solver.c"), ("rdma", "mgen/rdma_ring.c")]:
        subprocess.run([build / "bin/psim-cc", "-O2", f"-I{sources}/workloads/include", "-o", scratch / program,
                        sources / "workloads" / source, "-lm"], check=True)
    (scratch / "jobs.toml").write_text('[one]\nprogram = "ring"\narguments = "4096 2"\nranks = 4\n'
                                       '[two]\nprogram = "ring"\narguments = "1024 2"\nranks = 4\n')
    (scratch / "latency.txt").write_text("# OSU MPI Latency Test\n# Size          Latency (us)\n" +
                                         "".join(f"{size} {1.2 + size / 3000}\n" for size in (0, 1, 2, 4, 8, 64, 256, 1024, 4096, 65536)))
    net = of("net", "net", "--quiet", "-n", "8", "./ring", "4096", "2")
    of("other", "net", "--quiet", "-n", "8", "--set", "link.bandwidth=1 GB/s", "./ring", "4096", "2")
    of("analytic", "net", "--quiet", "-n", "8", "--network", "analytic", "./ring", "4096", "2")
    of("sleep", "net", "--quiet", "-n", "8", "--set", "link.sleep.policy=fixed", "--compare", "always-on", "./ring", "4096", "2")
    of("jobs", "net", "--quiet", "--set", "topology.shape=4x2", "--compare", "alone", "--jobs", "jobs.toml")
    of("solver", "net", "--quiet", "-n", "4", "--compute", "measured", "./solver")
    of("model", "net", "--quiet", "-n", "4", "--compute", f"model:{sources}/workloads/predict/solver.toml", "./solver", "64", "2")
    of("rdma", "net", "--quiet", "-n", "4", "./rdma")
    of("jitter", "net", "--quiet", "-n", "4", "--set", "jitter.distribution=exponential", "--set", "jitter.period=50 us", "--set",
       "jitter.duration=5 us", "--compute", f"model:{sources}/workloads/predict/solver.toml", "./solver", "64", "2")
    (scratch / "two.goal").write_text("num_ranks 2\nrank 0 {\nl1: calc 100\nl2: send 4096b to 1 tag 1\nl2 requires l1\n}\n"
                                      "rank 1 {\nl1: recv 4096b from 0 tag 1\n}\n")
    of("replayed", "net", "--quiet", "--replay", "two.goal")
    of("traffic", "net", "--quiet", "-n", "8", "--traffic", "uniform", "--load", "0.1,0.2")
    of("saturation", "net", "--quiet", "-n", "8", "--traffic", "uniform", "--saturation", "--tolerance", "0.3")
    of("compare", "compare", "--quiet", "net.json", "other.json")
    dma = of("dma", "net", "--quiet", "-n", "4", "--machine", "infiniband_qdr", "./ring", "4096", "2")
    assert "dma" in dma
    products = of("products", "net", "--quiet", "-n", "4", "--machine", "sx9", str(build / "share/psim/mgen/products"), "64", "1", "1000", "2", "1")
    assert "work" in products
    roofs = of("roofline", "roofline", "--quiet", "--machine", "sx9", "products.json")
    for experiment in ("machines", "reviriego", "barrier", "nsim-ace"):
        of(f"reproduce-{experiment}", "reproduce", experiment, "--quick", "--into", "kept")
    of("reproduce-real-machine", "reproduce", "real-machine", "csd3-ib", "--only", "pair-latency", "--into", "kept")
    of("reproduce-machine-as-it-is", "reproduce", "real-machine", "csd3-ib", "--only", "pair-latency", "--machine", "kept/csd3-ib.toml")
    machines = json.loads((scratch / "reproduce-machines.json").read_text())
    for document, path in [(net, "links"), (net, "links.kinds.+X"), (net, "per_rank.wait"), (net, "timeline"), (net, "topology"),
                           (net, "packet_latency"), (net, "machine"), (net, "machine.router"), (net, "host"), (net, "inputs.program"),
                           (net, "timeline.buffer_occupancy.0"), (products, "work.classes.0"), (products, "compute.regions.0.work"),
                           (roofs, "points.0"), (roofs, "lines.0"), (machines, "machines.sparc64v.memory"),
                           (machines, "machines.torus3d.follows"), (machines, "greatest.l1d")]:
        check(by, with_unknown_key(document, path), f"an unknown key in {path}", False)
    wrong = copy.deepcopy(net)
    wrong["links"]["kinds"]["+X"]["packets"] = "many"
    check(by, wrong, "a text in place of a number of packets", False)
    of("calibrate", "calibrate", "latency.txt")
    compiler = shutil.which("sparc64-linux-gnu-gcc")
    if compiler:
        (scratch / "loop.c").write_text(
            '#include "psim.h"\n#include <stdlib.h>\nint main(int c, char** v) { long n = atol(v[1]); volatile double s = 0;\n'
            'PSIM_REGION_BEGIN("loop", n); for (long i = 0; i < n * n; ++i) s += 1.5; PSIM_REGION_END("loop"); }\n')
        subprocess.run([compiler, "-O2", "-static", f"-I{sources}/workloads/include", "-o", scratch / "loop", scratch / "loop.c"],
                       check=True)
        of("exec", "exec", "./loop", "8")
        of("chip", "run", "--quiet", "--energy", "--set", "node.cores=2", "./loop", "8")
        run = of("run", "run", "--quiet", "--energy", "--profile", "./loop", "8")
        psim_output("trace", "record", "-o", "loop.trace", "--json", "trace.json", "./loop", "8", cwd=scratch)
        recorded = json.loads((scratch / "trace.json").read_text())
        check(by, recorded, "psim trace record")
        check(by, {**recorded, "speed": 3}, "a recording with an unknown key", False)
        of("replay", "replay", "--quiet", "loop.trace")
        of("sample", "run", "--quiet", "--sample", "--sample-period", "3000", "--sample-warmup", "500", "./loop", "200")
        of("sampled_energy", "run", "--quiet", "--energy", "--sample", "--sample-period", "3000", "--sample-warmup", "500", "./loop", "200")
        of("fit", "fit", "--quiet", "--energy", "--args", "4 6 8 12 16", "--predict", "32", "--out", "fits.toml", "./loop", "{}")
        for path in ("regions.0", "regions.0.energy", "energy.over_time", "profile.functions.0", "profile.listings.0.instructions.0",
                     "machine.core.window", "inputs.start", "regions.0.statistics.core"):
            check(by, with_unknown_key(run, path), f"an unknown key in {path} of a run", False)
        for change in [("cycles", "many"), ("speed", 3), ("result_hash", "0")]:
            check(by, {**run, change[0]: change[1]}, f"a run with {change}", False)
        wrong = copy.deepcopy(run)
        wrong["statistics"]["l1d"]["mises"] = 3
        check(by, wrong, "a run with an unknown statistic", False)
        del run["cpi_stack"]
        check(by, run, "a run without cpi_stack", False)
        put = build / "share/psim/cosim"
        if (put / "put").exists() or put.exists():
            cosim = of("cosim", "cosim", "--quiet", str(sources / "workloads/cosim/put.toml"))
            mixed = of("mixed", "cosim", "--quiet", "--energy", str(sources / "workloads/cosim/mixed.toml"))
            for document, path in [(cosim, "operations.0.parts.0"), (cosim, "nodes.0"), (mixed, "energy.nodes.0.parts.cores"),
                                   (mixed, "net.links"), (mixed, "net.jobs.0.per_rank"), (mixed, "net.link_energy.over_time")]:
                check(by, with_unknown_key(document, path), f"an unknown key in {path} of a run of nodes", False)
        if (build / "lib/psim/sparc64/libpsim_mpi.a").exists():
            subprocess.run([build / "bin/psim-sparc-cc", "-O2", "-o", scratch / "pong", sources / "tests/nodes/programs/ping_pong.c"], check=True)
            of("ranks", "cosim", "--quiet", "-n", "2", "./pong")
            if shutil.which("mpirun"):
                subprocess.run(["mpirun", "--oversubscribe", "-n", "2", psim, "cosim", "--quiet", "-n", "2", "--json", "pong.json", "./pong"],
                               check=True, cwd=scratch, stdin=subprocess.DEVNULL, timeout=200,
                               env={**os.environ, **OPEN_MPI})
                processes = json.loads((scratch / "pong.json").read_text())
                check(by, processes, "psim cosim on two processes")
                check(by, with_unknown_key(processes, "host"), "an unknown key in host on two processes", False)
    del net["host"]
    check(by, net, "a result without host", False)
    return command


machine_files()
with tempfile.TemporaryDirectory(prefix="psim-schemas-") as scratch:
    commands = results(pathlib.Path(scratch))
    other_files(pathlib.Path(scratch))
print(f"results of {', '.join(sorted(commands))}: {checks} documents, {failures} failures")
sys.exit(1 if failures else 0)
