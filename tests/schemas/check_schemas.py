#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates machine files and results by the JSON schemas of `psim schema`: check_schemas.py SOURCES PSIM BUILD

Needs Debian's python3-jsonschema; without it the test is skipped (77). Programs for cores need the sparc64 compiler.
"""
import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

try:
    import jsonschema
except ImportError:
    sys.path.append("/usr/lib/python3/dist-packages")  # where the python3 of PATH is not Debian's
    try:
        import jsonschema
    except ImportError:
        print("python3-jsonschema is not installed")
        sys.exit(77)

sources, psim, build = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
failures = checks = 0


def psim_output(*words, **how):
    done = subprocess.run([psim, *words], text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=200, **how)
    assert done.returncode == 0, f"psim {' '.join(map(str, words))}: {done.stderr}"
    return done.stdout


def validator(subject):
    schema = json.loads(psim_output("schema", subject))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def check(by, document, name, valid=True):
    global failures, checks
    checks += 1
    errors = list(by.iter_errors(document))
    if (not errors) != valid:
        failures += 1
        print(f"{name}: " + ("accepted, expected a refusal" if not valid else "refused"))
        for error in errors[:4]:
            print(f"  {'.'.join(map(str, error.absolute_path))}: {error.message[:300]}")


def machine_files():
    by = {kind: validator(kind) for kind in ("core", "network")}
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


def results(scratch):
    by = validator("result")
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
    of("calibrate", "calibrate", "latency.txt")
    compiler = shutil.which("sparc64-linux-gnu-gcc")
    if compiler:
        (scratch / "loop.c").write_text(
            '#include "psim.h"\n#include <stdlib.h>\nint main(int c, char** v) { long n = atol(v[1]); volatile double s = 0;\n'
            'PSIM_REGION_BEGIN("loop", n); for (long i = 0; i < n * n; ++i) s += 1.5; PSIM_REGION_END("loop"); }\n')
        subprocess.run([compiler, "-O2", "-static", f"-I{sources}/workloads/include", "-o", scratch / "loop", scratch / "loop.c"],
                       check=True)
        of("exec", "exec", "./loop", "8")
        run = of("run", "run", "--quiet", "--energy", "--profile", "./loop", "8")
        psim_output("trace", "record", "-o", "loop.trace", "--json", "trace.json", "./loop", "8", cwd=scratch)
        recorded = json.loads((scratch / "trace.json").read_text())
        check(by, recorded, "psim trace record")
        check(by, {**recorded, "speed": 3}, "a recording with an unknown key", False)
        of("replay", "replay", "--quiet", "loop.trace")
        of("sample", "run", "--quiet", "--sample", "--sample-period", "3000", "--sample-warmup", "500", "./loop", "200")
        of("fit", "fit", "--quiet", "--args", "4 6 8 12 16", "--predict", "32", "./loop", "{}")
        for change in [("cycles", "many"), ("speed", 3), ("result_hash", "0")]:
            check(by, {**run, change[0]: change[1]}, f"a run with {change}", False)
        wrong = copy.deepcopy(run)
        wrong["statistics"]["l1d"]["mises"] = 3
        check(by, wrong, "a run with an unknown statistic", False)
        del run["cpi_stack"]
        check(by, run, "a run without cpi_stack", False)
        put = build / "share/psim/cosim"
        if (put / "put").exists() or put.exists():
            of("cosim", "cosim", "--quiet", str(sources / "workloads/cosim/put.toml"))
        if (build / "lib/psim/sparc64/libpsim_mpi.a").exists():
            subprocess.run([build / "bin/psim-sparc-cc", "-O2", "-o", scratch / "pong", sources / "tests/nodes/programs/ping_pong.c"], check=True)
            of("ranks", "cosim", "--quiet", "-n", "2", "./pong")
    del net["host"]
    check(by, net, "a result without host", False)
    return command


machine_files()
with tempfile.TemporaryDirectory(prefix="psim-schemas-") as scratch:
    commands = results(pathlib.Path(scratch))
print(f"results of {', '.join(sorted(commands))}: {checks} documents, {failures} failures")
sys.exit(1 if failures else 0)
