#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sample_test.py PSIM ROOT: sampled runs against runs in all cycles: coverage of the intervals, exact counts, repeatability, refusals.

Exit status 77 (skipped) without the cross compiler."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, root = sys.argv[1:3]
own = os.path.dirname(os.path.abspath(__file__))
place = Place("sample")
at = place.at
cross = "sparc64-linux-gnu-gcc"


def run(*words, status=0):
    return place.call(psim, "run", *words, status=status)


def result(*words, status=0):
    done = run("--quiet", "--json", "result.json", *words, status=status)
    return place.result("result.json"), done.stdout


if shutil.which(cross) is None:
    print(f"no {cross}")
    sys.exit(77)
kernels = os.path.join(root, "workloads/kernels")
for source in (f"{own}/phases.c", f"{kernels}/dgemm.c", f"{kernels}/dgemm_blocked.c", f"{kernels}/sieve.c"):
    name = os.path.basename(source)[:-2]
    subprocess.run([cross, "-O2", "-static", "-I", os.path.join(root, "workloads/include"), source, "-o", at(name), "-lm"], check=True)

# The true cycles are in the 95 % interval in at least nine of ten trials, and the mean error is below 2 %.
programs = [("./phases", "40"), ("./dgemm", "100"), ("./dgemm_blocked", "128", "3"), ("./sieve", "300000")]
statuses = {"./phases": 3}
held, errors = [], []
for program in programs:
    full, output = result(*program, status=statuses.get(program[0], 0))
    for seed in range(1, 6):
        sampled, its_output = result("--sample", "--sample-seed", str(seed), *program, status=statuses.get(program[0], 0))
        expect(its_output == output, program, output, its_output)
        expect(sampled["instructions"] == full["instructions"], program)
        expect(sampled["sample"]["units"] >= 2, program, sampled["sample"])
        expect(sum(sampled["cpi_stack"].values()) == sampled["cycles"], program, sampled["cpi_stack"])
        low, high = sampled["cycles_interval"]
        expect(low <= sampled["cycles"] <= high, sampled["cycles_interval"])
        held.append(low <= full["cycles"] <= high)
        errors.append(abs(sampled["cycles"] / full["cycles"] - 1))
expect(sum(held) >= 0.9 * len(held), held, errors)
expect(sum(errors) / len(errors) < 0.02, errors)

# Code that runs for the first time runs in cycles and counts exactly: the end of a program prints by code that hardly a unit would have.
short, _ = result("--sample", "./sieve", "300000")
expect(short["sample"]["measured_start"] == 20000 and 0 < short["sample"]["new_code_instructions"] < 100000, short["sample"])
expect(short["sample"]["detailed_instructions"] < short["instructions"] / 4, short["sample"])

# No program is too short for an estimate. Programs that end in the start, or in the two units after it, have exact cycles.
for limit in (19000, 20500, 21500, 22500, 25000, 31000):
    exact, _ = result("--max-instructions", str(limit), "./sieve", "300000", status=124)
    sampled, _ = result("--sample", "--max-instructions", str(limit), "./sieve", "300000", status=124)
    low, high = sampled["cycles_interval"]
    expect(low <= exact["cycles"] + 2 and exact["cycles"] <= high + 2, limit, exact["cycles"], sampled["cycles_interval"])
    whole = limit < 22000
    expect((low == high == exact["cycles"]) == whole and (sampled["sample"]["units"] == 0) == whole, limit, sampled["sample"])

# The limit of instructions in windows of new code holds within a window, too.
place.write("long.c", 'int main(void) { long x = 1; for (int i = 0; i < 100000; i++) x += i ^ x << 1;'
            ' asm volatile(".rept 500000\\n add %0, 1, %0\\n .endr" : "+r"(x)); return x == 0; }\n')
subprocess.run([cross, "-O1", "-static", at("long.c"), "-o", at("long")], check=True)
long_code, _ = result("--sample", "./long")
expect(300_000 < long_code["sample"]["new_code_instructions"] < 320_000, long_code["sample"])

# Executions and instructions of regions are exact, and so is everything if the program is shorter than the measured start.
full, _ = result("./phases", "40", status=3)
sampled, _ = result("--sample-period", "10000", "./phases", "40", status=3)
expect([region["name"] for region in sampled["regions"]] == ["sum", "walk", "branches", "calls", "sum"], sampled["regions"])
for true, estimate in zip(full["regions"], sampled["regions"]):
    for key in ("name", "args", "executions", "instructions"):
        expect(true[key] == estimate[key], key, true, estimate)
    low, high = estimate["cycles_interval"]
    margin = (high - low) / 2  # five intervals at once: one may be missed by half of its width
    expect(low - margin <= true["cycles"] <= high + margin, true["cycles"], estimate)
    expect(sum(estimate["cpi_stack"].values()) == estimate["cycles"], estimate)
expect(sampled["sample"]["period"] == 10000, sampled["sample"])
sampled, _ = result("--sample", "./dgemm", "10")
exact, _ = result("./dgemm", "10")
expect(sampled["cycles"] == exact["cycles"] and sampled["cycles_interval"] == [exact["cycles"]] * 2, sampled["cycles_interval"])
expect(sampled["cpi_stack"] == exact["cpi_stack"] and sampled["sample"]["units"] == 0, sampled["sample"])

# Waits for block transfers of SIMD-PEs are exact, though few and long: no unit need hold one. Energy has intervals, too.
simd = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(psim))), "share/psim/kernels/paper/dgemm")
full, _ = result("--machine", "simd16", "--energy", simd, "simd", "256")
for seed in ("1", "2"):
    sampled, _ = result("--machine", "simd16", "--energy", "--sample", "--sample-seed", seed, simd, "simd", "256")
    for what in (lambda r: r, lambda r: r["regions"][0]):
        true, estimate = what(full), what(sampled)
        expect(abs(estimate["cpi_stack"]["transfer"] / true["cpi_stack"]["transfer"] - 1) < 0.02, estimate["cpi_stack"])
        low, high = estimate["cycles_interval"]
        margin = (high - low) / 2
        expect(low - margin <= true["cycles"] <= high + margin, true["cycles"], estimate)
        low, high = estimate["energy"]["total_joules_interval"]
        margin = (high - low) / 2
        expect(low - margin <= true["energy"]["total_joules"] <= high + margin, true["energy"]["total_joules"], estimate["energy"])
        parts = sum(sum(estimate["energy"][group].values()) for group in ("stages", "structures", "execution", "leakage"))
        expect(abs(parts / estimate["energy"]["total_joules"] - 1) < 1e-6, parts, estimate["energy"])
    low, high = sampled["regions"][0]["energy_joules_interval"]
    expect(low <= sampled["regions"][0]["energy_joules"] <= high, sampled["regions"][0])
done = subprocess.run([psim, "energy", "result.json"], capture_output=True, text=True, timeout=60, cwd=place.name)
expect(done.returncode == 2 and "a sampled run has no energy by coefficient" in done.stderr, done.stderr)
exact, _ = result("--energy", "./dgemm", "10")
sampled, _ = result("--energy", "--sample", "./dgemm", "10")
expect(abs(sampled["energy"]["total_joules"] / exact["energy"]["total_joules"] - 1) < 1e-9, sampled["energy"])

# A loop whose rate depends on how the core enters it is reported, and the interval holds the case that the program stays in one state: its
# units have 164 or 200 cycles for an iteration of 70 instructions, and the whole run has 200. Windows at the entries decide.
daxpy = (os.path.join(os.path.dirname(simd), "../expert/daxpy"), "scalar", "65536")
full, _ = result(*daxpy)
done = run("--sample", "--sample-seed", "2", "--json", "result.json", *daxpy)
sampled = place.result("result.json")
loops = sampled["sample"]["unsteady_loops"]
expect(len(loops) == 3, loops)
for loop in loops:
    expect(done.stderr.count(f"warning: loop at {loop['address']}, ") == 1 and loop["where"] == "", loop, done.stderr)
    expect(abs(loop["states"][0]["cpi"] - 164 / 70) < 0.01 and loop["states"][-1]["cpi"] > 2.8, loop)
    expect(abs(sum(state["share"] for state in loop["states"]) - 1) < 1e-9 and 0.02 < loop["instructions_share"] < 0.35, loop)
low, high = sampled["cycles_interval"]
expect(sum(state["entries"] for loop in loops for state in loop["states"]) >= 3, loops)
expect(abs(sampled["cycles"] / full["cycles"] - 1) < 0.02, full["cycles"], sampled["cycles"])
expect(low <= full["cycles"] <= high and sampled["sample"]["relative_error"] > 0.05, full["cycles"], sampled["cycles_interval"])
expect(result("--sample", "./dgemm", "100")[0]["sample"]["unsteady_loops"] == [], "dgemm")

# An interval that is wider than --sample-error has a warning; with a fixed period no width is requested.
for words, warns in ((("./sieve", "30000"), True), (("--sample-error", "30%", "./sieve", "30000"), False),
                     (("--sample-period", "50000", "./sieve", "30000"), False), (("./sieve", "300000"), False)):
    done = run("--sample", "--json", "result.json", *words)
    wide = place.result("result.json")["sample"]["relative_error"] > 0.025
    expect(done.stderr.count("the interval is wider than the ± 2 % of --sample-error") == warns, words, done.stderr)
    expect(wide or words[-1] != "30000", words)

# Results repeat; other seeds give other units.
hashes = [result("--sample", "--sample-seed", seed, "./dgemm", "100")[0]["result_hash"] for seed in ("1", "1", "2")]
expect(hashes[0] == hashes[1] != hashes[2], hashes)

# A smaller requested error takes more units, and a limit ends the run.
loose, tight = (result("--sample-error", error, "./dgemm", "128")[0]["sample"] for error in ("20%", "0.6%"))
expect(tight["units"] > 1.5 * loose["units"], loose, tight)
limited, _ = result("--sample", "--max-instructions", "3000000", "./sieve", "300000", status=124)
expect(3_000_000 <= limited["instructions"] < 3_010_000 and limited["partial"], limited["instructions"])

# Options that need every cycle are refused, and bad values.
for words, message in (
    (("--sample", "--kanata", "x.kanata"), "--kanata: needs every cycle of the program; expected a run without --sample"),
    (("--sample", "--o3", "x.o3"), "--o3: needs every cycle"),
    (("--sample-error", "1%", "--record-trace", "x.trace"), "--record-trace: needs every cycle"),
    (("--sample-error", "0"), "expected a percentage from 0.01% to 50%"),
    (("--sample-error", "1%", "--sample-period", "10000"), "expected one of them"),
    (("--sample-period", "100"), "expected at least 2000"),
    (("--sample-period", "900000000"), "too few units"),
):
    done = run(*words, "./phases", "40", status=2)
    expect(message in done.stderr, words, done.stderr)
    expect(not [name for name in os.listdir(place.name) if name.startswith("x.")], os.listdir(place.name))
