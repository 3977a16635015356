#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""warm_test.py PSIM ROOT: saved warm state of sampled runs: equal results, other latencies, refusals, damaged files.

Exit status 77 (skipped) without the cross compiler."""
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, root = sys.argv[1:3]
own = os.path.dirname(os.path.abspath(__file__))
place = Place("warm")
at = place.at
cross = "sparc64-linux-gnu-gcc"


def run(*words, **more):
    return place.call(psim, "run", *words, **more)


def result(*words, **more):
    done = run("--quiet", "--json", "result.json", *words, **more)
    return place.result("result.json"), done.stdout


if shutil.which(cross) is None:
    print(f"no {cross}")
    sys.exit(77)
place.write("sum.c", """#include <stdio.h>
static double a[1 << 16];
int main(int argc, char** argv) {
  FILE* in = fopen(argv[1], "r");
  int from_file = 0, from_input = 0;
  if (in == NULL || fscanf(in, "%d", &from_file) != 1 || scanf("%d", &from_input) != 1) return 1;
  for (int pass = 0; pass < from_file; ++pass)
    for (int i = 0; i < 1 << 16; ++i) a[i] = a[i] * 0.5 + from_input;
  printf("%f\\n", a[77]);
  return 0;
}
""")
sources = (f"{own}/phases.c", os.path.join(root, "workloads/kernels/dgemm.c"), at("sum.c"))
for source in sources:
    name = os.path.basename(source)[:-2]
    subprocess.run([cross, "-O2", "-static", "-I", os.path.join(root, "workloads/include"), source, "-o", at(name), "-lm"], check=True)

# A run from saved warm state has the result of the run that saved it, and of the same run without saving. Regions are among it.
for program, status in ((("./phases", "30"), 3), (("./dgemm", "96"), 0), (("./dgemm", "10"), 0)):
    plain, output = result("--sample", *program, status=status)
    saved, its_output = result("--save-warm", "a.warm", *program, status=status)
    expect(its_output == output, its_output)
    again, no_output = result("--from-warm", "a.warm", *program, status=status)
    expect(no_output == "", no_output)
    for key in plain:
        if key not in ("host",):
            expect(plain[key] == saved[key] == again[key], program, key, plain[key], saved[key], again[key])
    expect(again["host"]["from_warm"] == "a.warm", again["host"])

# Block transfers of SIMD-PEs and energy have equal results, too.
simd = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(psim))), "share/psim/kernels/paper/dgemm")
program = ("--machine", "simd16", "--energy", simd, "simd", "128")
plain, _ = result("--sample", *program)
saved, _ = result("--save-warm", "simd.warm", *program)
again, _ = result("--from-warm", "simd.warm", *program)
expect(plain["result_hash"] == saved["result_hash"] == again["result_hash"], plain["cycles"], saved["cycles"], again["cycles"])

# Other latencies, widths and smaller windows run from the same state, and agree with sampled runs of their own.
slow = ("--set", "memory.latency=400 cycles", "--set", "core.window.decode_width=2", "--set", "core.window.commit_stack=128")
program = ("./phases", "30")
run("--quiet", "--save-warm", "a.warm", *program, status=3)
own_run, _ = result("--sample", *slow, *program, status=3)
again, _ = result("--from-warm", "a.warm", *slow, *program, status=3)
expect(abs(again["cycles"] / own_run["cycles"] - 1) < 0.02, again["cycles"], own_run["cycles"])
expect(again["sample"]["units"] > 0.5 * own_run["sample"]["units"], again["sample"], own_run["sample"])
short, _ = result("--from-warm", "a.warm", "--sample-unit", "500", "--sample-warmup", "1000", *program, status=3)
expect(short["sample"]["unit"] == 500 and short["sample"]["warmup"] == 1000, short["sample"])
low, high = short["cycles_interval"]
expect(low <= again["cycles"] or high >= again["cycles"], short)

# A state that would differ is refused, with the key; and so are other programs, arguments and inputs.
for words, message in (
    (("--set", "l2.bytes=12 MB", *program), "machine.l2.bytes = "),
    (("--set", "l1d.ways=4", *program), "machine.l1d.ways = 4: the saved warm state has 2; expected the same"),
    (("--set", "l1d.tlb.main_entries=512", *program), "machine.l1d.tlb.main_entries = 512"),
    (("--set", "core.branch.history_entries=8192", *program), "machine.core.branch.history_entries = 8192"),
    (("--set", "core.branch.return_stack=16", *program), "machine.core.branch.return_stack = 16"),
    (("--set", "core.clock=3 GHz", *program), "machine.core.clock = 3 GHz"),
    (("--machine", "simd16", *program), "machine."),
    (("./phases", "31"), 'arguments = ["31"]: the saved warm state has ["30"]'),
    (("./dgemm", "96"), "program.sha256 = "),
    (("--seed", "7", *program), "--seed = 7"),
    (("--max-instructions", "2000000", *program), "--max-instructions = 2000000"),
    (("--env", "A=1", *program), "start.environment"),
    (("--sample-unit", "5000", *program), "expected at most that"),
    (("--sample-error", "1%", *program), "--sample-error: not with --from-warm"),
    (("--save-warm", "b.warm", *program), "expected one of them"),
    (("--profile", *program), "--profile: needs every cycle"),
):
    done = run("--from-warm", "a.warm", *words, status=2)
    expect(message in done.stderr and done.stderr.count("\n") == 1, words, done.stderr)

# Files and standard input that the program read must be the same.
place.write("in.txt", "20\n")
saved, _ = result("--save-warm", "sum.warm", "./sum", "in.txt", input="3\n")
again, _ = result("--from-warm", "sum.warm", "./sum", "in.txt", input="3\n")
expect(saved["result_hash"] == again["result_hash"], saved["cycles"], again["cycles"])
done = run("--from-warm", "sum.warm", "./sum", "in.txt", status=2, input="4\n")
expect("standard input = " in done.stderr, done.stderr)
place.write("in.txt", "21\n")
done = run("--from-warm", "sum.warm", "./sum", "in.txt", status=2, input="3\n")
expect("/psim/in.txt = SHA-256 " in done.stderr, done.stderr)

# A folder holds one file for each program, arguments and machine.
os.mkdir(at("states"))
for size in ("64", "72"):
    run("--quiet", "--save-warm", "states", "./dgemm", size)
expect(len(os.listdir(at("states"))) == 2, os.listdir(at("states")))
run("--quiet", "--from-warm", "states", "./dgemm", "72")
done = run("--from-warm", "states", "./dgemm", "80", status=2)
expect("No such file" in done.stderr, done.stderr)

# Damaged files are refused, and a run that ends early leaves none.
with open(at("a.warm"), "rb") as file:
    whole = file.read()
for name, contents, message in (
    ("short.warm", whole[:-100], "cut off"),
    ("foreign.warm", b"\x7fELF" + whole, "no file of saved warm state"),
    ("other.warm", whole[:8] + b"\x07" + whole[9:], "version 7 of saved warm state; expected 6"),
    ("damaged.warm", whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:], "damaged"),
    ("empty.warm", b"", "no file of saved warm state"),
):
    with open(at(name), "wb") as file:
        file.write(contents)
    done = run("--from-warm", name, *program, status=2)
    expect(f"psim: {name}: " in done.stderr and message in done.stderr, name, done.stderr)
done = run("--save-warm", "none/a.warm", *program, status=2)
expect("--save-warm" in done.stderr, done.stderr)
done = run("--save-warm", "few.warm", "--sample-period", "900000000", *program, status=2)
expect(not os.path.exists(at("few.warm")), done.stderr)

# An interrupted run says that it saved nothing.
with subprocess.Popen([psim, "run", "--save-warm", "stopped.warm", "./dgemm", "1500"], cwd=place.name, stdout=subprocess.DEVNULL,
                      stderr=subprocess.PIPE, text=True) as process:
    ticks = 0
    while process.poll() is None and ticks < os.sysconf("SC_CLK_TCK"):  # a second of CPU time: the program runs
        time.sleep(0.05)
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
            ticks = int(stat.read().rsplit(")", 1)[1].split()[11])
    process.send_signal(signal.SIGINT)
    errors = process.communicate()[1]
expect(process.returncode == -signal.SIGINT and "warm state: not saved, as the run was interrupted" in errors, process.returncode, errors)
expect(not any("stopped.warm" in name for name in os.listdir(place.name)), os.listdir(place.name))
