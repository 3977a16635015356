#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""phases_test.py PSIM ROOT: sampled runs of programs with bursts, and with target loops that repeat.

Exit status 77 (skipped) without the cross compiler, or where the compiler for the PEs is not built."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, root = sys.argv[1:3]
own = os.path.dirname(os.path.abspath(__file__))
place = Place("sample-phases")
at = place.at
cross = "sparc64-linux-gnu-gcc"
if shutil.which(cross) is None:
    print(f"no {cross}")
    sys.exit(77)


def result(*words):
    done = place.call(psim, "run", "--quiet", "--json", "result.json", *words, status=0)
    return place.result("result.json"), done.stdout


def holds(full, sampled, most):
    """Expects the interval to hold the true cycles, and the estimate to be near them."""
    low, high = sampled["cycles_interval"]
    expect(low <= full["cycles"] <= high, full["cycles"], sampled["cycles"], sampled["cycles_interval"], sampled["sample"])
    expect(abs(sampled["cycles"] / full["cycles"] - 1) < most, full["cycles"], sampled["cycles"], sampled["sample"])
    expect(sampled["instructions"] == full["instructions"], full["instructions"], sampled["instructions"])
    expect(sum(sampled["cpi_stack"].values()) == sampled["cycles"], sampled["cpi_stack"])


# Bursts of misses, which hardly a unit would have, run in cycles and count exactly.
subprocess.run([cross, "-O2", "-static", f"{own}/bursts.c", "-o", at("bursts")], check=True)
full, output = result("./bursts", "24")
for seed in ("11", "12"):
    sampled, its_output = result("--sample", "--sample-seed", seed, "./bursts", "24")
    expect(its_output == output, output, its_output)
    holds(full, sampled, 0.02)
    expect(20_000 < sampled["sample"]["burst_instructions"] < full["instructions"] / 50, sampled["sample"])
# A comparison states that the times are estimates.
os.rename(at("result.json"), at("sampled.json"))
result("./bursts", "24")
shown = place.call(psim, "compare", "result.json", "sampled.json").stdout
expect("  the time of sampled.json is an estimate, from " in shown and "  the difference is within the intervals, so " in shown, shown)
expect("is an estimate" not in place.call(psim, "compare", "result.json", "result.json").stdout)
plain, _ = result("--sample", "./bursts", "24")
saving, _ = result("--save-warm", "bursts.warm", "./bursts", "24")
again, _ = result("--from-warm", "bursts.warm", "./bursts", "24")
expect(plain["result_hash"] == saving["result_hash"] == again["result_hash"], plain["sample"], saving["sample"], again["sample"])

# A short stretch of other work has units, though a period is longer than it.
subprocess.run([cross, "-O2", "-static", f"{own}/kinds.c", "-o", at("kinds")], check=True)
full, _ = result("./kinds")
for seed in range(1, 6):
    sampled, _ = result("--sample", "--sample-seed", str(seed), "./kinds")
    holds(full, sampled, 0.02)
saving, _ = result("--save-warm", "kinds.warm", "./kinds")
again, _ = result("--from-warm", "kinds.warm", "./kinds")
plain, _ = result("--sample", "./kinds")
expect(plain["result_hash"] == saving["result_hash"] == again["result_hash"], plain["sample"], saving["sample"], again["sample"])

# Misses are no bursts where the program does nothing else. The phase may begin with one.
subprocess.run([cross, "-O2", "-static", f"{root}/workloads/kernels/pointer_chase.c", "-I", f"{root}/workloads/include", "-o", at("chase")],
               check=True)
chase, _ = result("--sample", "./chase", "20000", "100000")
expect(chase["sample"]["burst_instructions"] < 20_000, chase["sample"])

# A phase of short bursts has units, too: windows that follow each other take the units of four periods at most. Estimates are 1 % low,
# as lines that are written to memory fill the store queue for longer than a warm-up, and the interval allows for it.
subprocess.run([cross, "-O2", "-static", f"{own}/streams.c", "-o", at("streams")], check=True)
full, _ = result("./streams", "2", "2000", "200")
for seed in ("1", "2", "5", "8"):
    sampled, _ = result("--sample", "--sample-seed", seed, "./streams", "2", "2000", "200")
    holds(full, sampled, 0.03)

# Counts of the whole program stand for differences between units, which would otherwise need some 2,400 of them.
subprocess.run([cross, "-O2", "-static", f"{own}/mixed.c", "-o", at("mixed")], check=True)
full, _ = result("./mixed", "4000")
for seed in ("1", "3"):
    sampled, _ = result("--sample", "--sample-seed", seed, "./mixed", "4000")
    holds(full, sampled, 0.01)
    expect(sampled["sample"]["units"] < 800 and sampled["sample"]["relative_error"] < 0.015, sampled["sample"])
    expect(0.005 < abs(sampled["sample"]["correction"]) < 0.1, sampled["sample"])

# The entry of a loop whose code ran long before shows its state, also if an inner loop of it never closes.
subprocess.run([cross, "-O2", "-static", f"{own}/entries.c", "-o", at("entries")], check=True)
full, _ = result("./entries", "200000")
for seed in ("1", "2"):
    sampled, _ = result("--sample-period", "30000", "--sample-seed", seed, "./entries", "200000")
    holds(full, sampled, 0.01)
    loops = sampled["sample"]["unsteady_loops"]
    expect(len(loops) == 1 and sum(state["entries"] for state in loops[0]["states"]) == 1, loops)

# Units that begin before the core is in its steady state are 35 % too fast. Late units in some of their windows show it, also if the windows
# come from a file: there is a warning, and the interval reaches to the true cycles.
subprocess.run([cross, "-O2", "-static", f"{own}/swaps.c", "-o", at("swaps")], check=True)
full, _ = result("./swaps", "30000", "8")
for seed, option in (("1", "--sample"), ("3", "--sample"), ("4", "--sample"), ("4", "--save-warm=swaps.warm"), ("4", "--from-warm=swaps.warm")):
    words = ("--sample-seed", seed) if "from-warm" not in option else ()
    done = place.call(psim, "run", "--json", "result.json", option, *words, "./swaps", "30000", "8", status=0)
    sampled = place.result("result.json")
    expect(done.stderr.count("warning: units begin before the core is in its steady state") == 1, seed, done.stderr)
    expect(sampled["sample"]["late_units_differ"] > 0.3 and 5 < sampled["sample"]["late_units"] < 40, sampled["sample"])
    low, high = sampled["cycles_interval"]
    expect(low <= full["cycles"] <= high, full["cycles"], sampled["cycles_interval"])
    if seed == "4":
        first = sampled if option == "--sample" else first
        expect(sampled["result_hash"] == first["result_hash"], option, sampled["sample"], first["sample"])

# A few of the target loops stand for the others, in the whole program and in each region.
tools = os.path.dirname(os.path.abspath(psim))
compiler = os.path.join(tools, "psim-sparc-cc")
if not os.path.exists(os.path.join(tools, "../lib/psim/sparc64/psim_omp_plugin.so")):
    print("no psim_omp_plugin")
    sys.exit(77)
subprocess.run([compiler, "-O3", "-fopenmp", f"{own}/loops.c", "-o", at("loops")], check=True)
machine = ("--machine", "simd16")
full, output = result(*machine, "--energy", "./loops", "60")
# This seed has two units in each region, as estimates of regions need.
sampled, its_output = result(*machine, "--energy", "--sample", "--sample-seed", "2", "./loops", "60")
expect(its_output == output, output, its_output)
holds(full, sampled, 0.02)
expect(sampled["sample"]["detailed_instructions"] < full["instructions"] / 3, sampled["sample"], full["instructions"])
expect(sampled["sample"]["passed_instructions"] > full["instructions"] / 3, sampled["sample"], full["instructions"])
# A unit between two target loops ends before the second one, which does not run in cycles because of it.
expect(sampled["sample"]["episode_instructions"] < full["instructions"] / 11, sampled["sample"], full["instructions"])
for true, estimate in zip(full["regions"], sampled["regions"]):
    low, high = estimate["cycles_interval"]
    margin = (high - low) / 2  # several intervals at once: one may be missed by half of its width
    expect(low - margin <= true["cycles"] <= high + margin, true["name"], true["cycles"], estimate["cycles_interval"])
    expect(true["executions"] == estimate["executions"] and true["instructions"] == estimate["instructions"], true["name"])
expect(abs(sampled["energy"]["total_joules"] / full["energy"]["total_joules"] - 1) < 0.03, full["energy"]["total_joules"], sampled["energy"])
parts = sum(sum(sampled["energy"][group].values()) for group in ("stages", "structures", "execution", "leakage"))
expect(abs(parts / sampled["energy"]["total_joules"] - 1) < 1e-6, parts, sampled["energy"])
plain, _ = result(*machine, "--sample", "./loops", "30")
saving, _ = result(*machine, "--save-warm", "loops.warm", "./loops", "30")
again, _ = result(*machine, "--from-warm", "loops.warm", "./loops", "30")
expect(plain["result_hash"] == saving["result_hash"] == again["result_hash"], plain["sample"], saving["sample"], again["sample"])
