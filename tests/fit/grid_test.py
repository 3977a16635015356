#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""grid_test.py PSIM ROOT: fits from files and traces, sweeps of psim run, shards, and grids that were interrupted.

Exit status 77 (skipped) without the cross compiler."""
import csv
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
place = Place("grid")
at, read, result, write = place.at, place.read, place.result, place.write
cross = "sparc64-linux-gnu-gcc"


def run(*words, status=0):
    return place.call(psim, *words, status=status)


def results(folder):
    return sorted(name for name in os.listdir(at(folder)) if name.endswith(".json")) if os.path.isdir(at(folder)) else []


def rows(name):
    with open(at(name), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


if shutil.which(cross) is None:
    print(f"no {cross}")
    sys.exit(77)
subprocess.run([cross, "-O1", "-static", "-I", os.path.join(root, "workloads/include"), os.path.join(own, "work.c"),
                "-o", at("work")], check=True)

# A file with two machines and two grids: one file of models for each machine, equal to those of single commands.
SPEC = """machines = "sparc64v small"
out = "fits-{machine}.toml"

[machine.small]
file = "sparc64v"
set = "l1d.bytes=8 KB; l1d.ways=1"

[program.triangle]
command = "./work {} 4"
args = "8 16 24 32"
regions = "triangle"
predict = "40"

[program.rows]
command = "work {n} {m}"
args = "n=8 16 32; m=2 4 8"
regions = "rows"
machines = "small"
"""
write("two.toml", SPEC)
run("fit", "--quiet", "--json", "two.json", "two.toml")
document = result("two.json")
expect([(row["machine"], row["name"]) for row in document["regions"]] ==
       [("sparc64v", "triangle"), ("sparc64v", "triangle"), ("sparc64v", "rows")], document["regions"])
expect(len(results("fit")) == 4 + 4 + 9, results("fit"))
expect("[region.rows]" in read("fits-small.toml") and "[region.rows]" not in read("fits-sparc64v.toml"))
run("fit", "--quiet", "--region", "triangle", "--args", "8 16 24 32", "-o", "single.toml", "./work", "{}", "4")
expect(read("single.toml") == read("fits-sparc64v.toml"), read("single.toml"), read("fits-sparc64v.toml"))
hashes = [line for name in ("fits-sparc64v.toml", "fits-small.toml") for line in read(name).splitlines() if "machine_sha256" in line]
expect(hashes[0] != hashes[1] == hashes[2], hashes)

# Errors of the file name its line, the key and its value, and the nearest name.
for text, said in (
        (SPEC.replace("regions = \"rows\"", "region = \"rows\""), 'bad.toml:17: program.rows.region = "rows": unknown key; did you mean program.rows.regions?'),
        (SPEC.replace("machines = \"small\"", "machines = \"smal\""), 'bad.toml:18: program.rows.machines = "smal": smal is not in machines = "sparc64v small"; did you mean small?'),
        (SPEC.replace("sparc64v small", "sparc64 small"), 'bad.toml:1: machines = "sparc64 small": '),
        (SPEC.replace("l1d.bytes=", "l1d.byts="), 'bad.toml:6: machine.small.set = "l1d.byts=8 KB; l1d.ways=1": '),
        (SPEC.replace("\"./work {} 4\"", "\"./wrok {} 4\""), 'bad.toml:9: program.triangle.command = "./wrok {} 4": ./wrok: no such file'),
        (SPEC.replace("8 16 24 32", "8 16 16"), "bad.toml:10: program.triangle.args = \"8 16 16\": values 8 16 16: 16 stands twice"),
        (SPEC.replace("\"40\"", "\"4o\""), 'bad.toml:12: program.triangle.predict = "4o": prediction 4o: expected whole numbers'),
        (SPEC.replace("args = \"8 16 24 32\"\n", ""), "program.triangle.args: missing"),
        (SPEC.replace('predict = "40"', 'env = "A=1 B"'), 'bad.toml:12: program.triangle.env = "A=1 B": B: expected NAME=VALUE'),
        (SPEC.replace('predict = "40"', 'allow_status = "1 300"'),
         'bad.toml:12: program.triangle.allow_status = "1 300": 300: expected a status from 1 to 255'),
        (SPEC.replace("fits-{machine}.toml", "fits.toml"), "--out fits.toml: one file for 2 machines; expected {machine} in its name"),
        ("machines = \"sparc64v\"\n", "bad.toml: no programs; expected a table [program.NAME] for each"),
        (SPEC + "[machine.unused]\nfile = \"simd16\"\n", 'machine.unused.file: machines = "sparc64v small" does not name unused'),
        ("machines = 3\nmachine = \"a\"\n[program.a]\ncommand = \"./work {}\"\nargs = \"1 2\"\n", 'bad.toml:2: machine = "a": unknown key; did you mean machines?'),
        (SPEC.replace("regions = \"rows\"\n", ""), "bad.toml:15: program.rows: region triangle: work has it, too; expected regions = "),
        ("[program", "bad.toml:1: ")):
    write("bad.toml", text)
    done = run("fit", "--quiet", "bad.toml", status=2)
    expect(said in done.stderr, said, done.stderr)
# A program may return other statuses than 0 if its table states them.
one = SPEC.replace("8 16 24 32", "8 13 24 32").replace("sparc64v small", "sparc64v").replace("machines = \"small\"\n", "")
one = "\n".join(line for line in one.splitlines() if not line.startswith(("[machine", "file", "set")))
write("odd.toml", one)
done = run("fit", "--quiet", "--into", "odd", "odd.toml", status=2)
expect("n=13: the program ended with status 1; expected 0, or program.triangle.allow_status = \"1\"; its output is in odd/" in done.stderr, done.stderr)
write("odd.toml", one.replace("predict", 'allow_status = "2 1"\npredict'))
run("fit", "--quiet", "--into", "odd", "--json", "odd.json", "odd.toml")
expect([point.get("exit_status", 0) for point in result("odd.json")["regions"][0]["points"]] == [0, 1, 0, 0])
expect("--machine: not with two.toml, which states it" in run("fit", "--machine", "simd16", "two.toml", status=2).stderr)
expect("none.toml: cannot be read" in run("fit", "none.toml", status=2).stderr)

# Shards: each runs its own points; the last one gathers, and so does the command without --shard.
shards = ["fit", "--into", "shared", "--json", "shared.json", "-o", "shared-{machine}.toml"]
done = run(*shards, "--shard", "2/3", "two.toml")
expect("shard 2/3: 6 of 17 points are in shared" in done.stderr and len(results("shared")) == 6, done.stderr)
run(*shards, "--quiet", "--shard", "1/3", "two.toml")
expect(len(results("shared")) == 12 and not os.path.exists(at("shared.json")), results("shared"))
run(*shards, "--quiet", "--shard", "3/3", "two.toml")
expect(result("shared.json")["regions"] == document["regions"], "the last shard gathers")
expect(results("shared") == results("fit"), "the same points")
os.remove(at("shared.json"))
run(*shards, "--quiet", "two.toml")
expect(result("shared.json")["regions"] == document["regions"], "without --shard")
expect("--shard 4/3: expected I/N with 1 <= I <= N" in run(*shards, "--shard", "4/3", "two.toml", status=2).stderr)
# Another psim, another machine or another program makes other points.
run("fit", "--quiet", "--into", "shared", "--machine", "sparc64v", "--set", "l2.latency=23 cycles", "--args", "8 16 24 32", "./work", "{}", "4")
expect(len(results("shared")) == 17 + 4)
os.symlink(os.path.join(root, "machines"), at("machines"))
write("own.toml", 'base = "half"\n')
for bytes_, wanted in (("64 KB", 25), ("32 KB", 29)):
    write("half.toml", f'base = "sparc64v"\nl1d.bytes = "{bytes_}"\n')
    run("fit", "--quiet", "--into", "shared", "--machine", "own.toml", "--args", "8 16 24 32", "./work", "{}", "4")
    expect(len(results("shared")) == wanted, "the base of a machine was edited", bytes_, len(results("shared")))
# Another build of psim, here with one more byte, runs all points again.
shutil.copy(psim, at("other-psim"))
with open(at("other-psim"), "ab") as file:
    file.write(b"\0")
for program, wanted in ((psim, 4), (psim, 4), (at("other-psim"), 8)):
    done = subprocess.run([program, "fit", "--quiet", "--into", "builds", "--machine", "machines/sparc64v.toml", "--args", "8 16 24 32",
                           "./work", "{}", "4"], cwd=place.name, capture_output=True, text=True, timeout=120)
    expect(done.returncode == 0 and len(results("builds")) == wanted, program, done.stderr, results("builds"))

# Traces: each is a point. The models are those of the program.
for n in (8, 16, 24, 32):
    run("run", "--quiet", "--record-trace", f"n{n}.trace", "./work", str(n), "4")
run("fit", "--quiet", "--region", "triangle", "-o", "traced.toml", "--json", "traced.json", "--predict", "40",
    *(f"n{n}.trace" for n in (8, 16, 24, 32)))
traced = result("traced.json")["regions"][0]
wanted = next(row for row in document["regions"] if row["name"] == "triangle")
expect(traced["cycles"] == wanted["cycles"] and traced["predictions"] == wanted["predictions"], traced, wanted)
lines = [line for line in read("traced.toml").splitlines() if "parameters" not in line]
expect(lines == [line for line in read("single.toml").splitlines() if "parameters" not in line], read("traced.toml"))
write("traces.toml", '[program.traced]\ntraces = "n8.trace n16.trace n24.trace n32.trace"\nregions = "triangle"\n')
run("fit", "--quiet", "--json", "again.json", "traces.toml")
expect(result("again.json")["regions"][0]["points"] == traced["points"])
shutil.copy(at("n8.trace"), at("copy.trace"))
plain = at("plain")
subprocess.run([cross, "-O1", "-static", "-x", "c", "-", "-o", plain], input="int main(void) { return 0; }", text=True, check=True)
run("run", "--quiet", "--record-trace", "plain.trace", "./plain")
for words, said in (
        (["plain.trace"], "plain.trace: the trace has no whole region; mark the region with PSIM_REGION_BEGIN"),
        (["--region", "triangel", "n8.trace", "n16.trace"], "n8.trace: the trace has no region triangel; expected a trace of a program that executes it"),
        (["--region", "triangle", "n8.trace", "none.trace"], "none.trace: failed: psim: none.trace")):
    done = run("fit", *words, status=2)
    expect(said in done.stderr, said, done.stderr)

# Data that outgrow L2 beyond all points raise the upper end, which then holds the direct run. No point is added.
SUM = """#include <stdlib.h>
#include "psim.h"
static double x[1 << 17];
int main(int argc, char** argv) {
  const long n = atol(argv[argc - 1]);
  volatile double sum = 0;
  for (long i = 0; i < n; ++i) x[i] = i;
  PSIM_REGION_BEGIN("sum", n);
  for (int repeat = 0; repeat < REPEATS; ++repeat)
    for (long i = 0; i < n; i += 8) sum += x[i];
  PSIM_REGION_END("sum");
}
"""
for name, repeats in (("sum", 3), ("long-sum", 150)):
    subprocess.run([cross, "-O1", "-static", f"-DREPEATS={repeats}", "-I", os.path.join(root, "workloads/include"), "-x", "c", "-", "-o",
                    at(name)], input=SUM, text=True, check=True)
SMALL = ("--set", "l1d.bytes=8 KB", "--set", "l2.bytes=512 KB", "--set", "l2.ways=8")
run("fit", "--quiet", *SMALL, "--add-points", "0", "--args", "4000 8000 12000 16000 20000", "--predict", "30000", "--predict", "120000", "-o", "sum.toml",
    "--json", "sum.json", "./sum", "{}")
inside, beyond = result("sum.json")["regions"][0]["predictions"]
expect(not inside["cycles"]["beyond_cache"] and beyond["cycles"]["beyond_cache"], inside, beyond)
for n, predicted in ((30000, inside), (120000, beyond)):
    run("run", "--quiet", *SMALL, "--json", "direct.json", "./sum", str(n))
    cycles = result("direct.json")["regions"][0]["cycles"]
    low, high = predicted["cycles"]["interval"]
    expect(low <= cycles <= high, n, low, cycles, high)
expect(cycles > 1.5 * beyond["cycles"]["value"], "memory was accessed", cycles, beyond)
for key in ("data_bytes = ", "cache_bytes = 524288", "memory_wait = "):
    expect(key in read("sum.toml"), key, read("sum.toml"))

# Otherwise psim adds points beyond L2, and the model gets a piece for them, which joins the others without a step.
done = run("fit", *SMALL, "--args", "4000 8000 12000 16000 20000", "--predict", "120000", "--into", "pieces", "-o", "pieces.toml", "--json", "pieces.json", "./sum", "{}")
expect("region sum(120000): its data outgrow the second-level cache near n = " in done.stderr and "and no points lie beyond: added n = " in done.stderr,
       done.stderr)
expect("2 pieces that join" in done.stdout, done.stdout)
region = result("pieces.json")["regions"][0]
expect(region["pieces"] == 2 and "warnings" not in region, region)
more = [point["args"][0] for point in region["points"] if point.get("added")]
expect(len(read("pieces/.psim-points").splitlines()) == 1 + 5 + len(more) == 1 + len(results("pieces")), "the plan has the points of all rounds")
expect(4 <= len(more) <= 5 and all(value % 4000 == 0 and 20000 < value <= 120000 for value in more), more)
predicted = region["predictions"][0]["cycles"]
low, high = predicted["interval"]
run("run", "--quiet", *SMALL, "--json", "direct.json", "./sum", "120000")
cycles = result("direct.json")["regions"][0]["cycles"]
expect(low <= cycles <= high and abs(predicted["value"] / cycles - 1) < 0.03 and not predicted["beyond_cache"], low, cycles, high, predicted)
run("fit", "--quiet", *SMALL, "--args", "4000 8000 12000 16000 20000", "--predict", "120000", "--json", "again.json", "./sum", "{}")
expect(result("again.json")["result_hash"] == result("pieces.json")["result_hash"], "the same points are chosen again")

# Rows of a power of two collide in a cache, which no point shows.
TRANSPOSE = """#include <stdlib.h>
#include "psim.h"
int main(int argc, char** argv) {
  const long n = atol(argv[1]);
  double *a = calloc(n * n, 8), *b = calloc(n * n, 8);
  PSIM_REGION_BEGIN("transpose", n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) b[j * n + i] = a[i * n + j];
  PSIM_REGION_END("transpose");
}
"""
subprocess.run([cross, "-O1", "-static", "-I", os.path.join(root, "workloads/include"), "-x", "c", "-", "-o", at("transpose")], input=TRANSPOSE,
               text=True, check=True)
for n, warned in ((512, True), (520, False)):
    done = run("fit", "--add-points", "0", "--args", "16 24 32 40 48", "--predict", str(n), "-o", "rows.toml", "./transpose", "{}")
    expect((f"region transpose({n}): rows of a multiple of 512 elements can collide in a cache" in done.stderr) == warned, done.stderr)

# A budget that is too small for the points is stated, with the work of those points.
done = run("fit", *SMALL, "--budget", "1000", "--args", "4000 8000 12000 16000 20000", "--predict", "120000", "-o", "few.toml", "--json", "few.json", "./sum", "{}")
expect(done.stderr.count("none is added") == 1 and any("needs 5 points" in text for text in result("few.json")["regions"][0]["warnings"]), done.stderr)
expect("none is added" in done.stderr and "a model of this regime needs 5 points of some" in done.stderr, done.stderr)

# Sampled points count the lines in L2 and the misses of L1, too.
run("fit", "--quiet", "--sample", *SMALL, "--add-points", "0", "--args", "16000 24000 32000 40000 48000", "--predict", "56000", "--predict", "120000", "-o",
    "sampled.toml", "--json", "sampled.json", "./long-sum", "{}")
inside, beyond = result("sampled.json")["regions"][0]["predictions"]
expect(not inside["cycles"]["beyond_cache"] and beyond["cycles"]["beyond_cache"], inside, beyond)
expect("cache_bytes = 524288" in read("sampled.toml"), read("sampled.toml"))
run("run", "--quiet", *SMALL, "--json", "direct.json", "./long-sum", "120000")
cycles = result("direct.json")["regions"][0]["cycles"]
low, high = beyond["cycles"]["interval"]
expect(low <= cycles <= high and cycles > 1.5 * beyond["cycles"]["value"], low, cycles, high)

# psim run --sweep: one table of all points, with shards.
grid = ["run", "--sweep", "machine=sparc64v,simd16", "--sweep", "argument.1=8,16", "--into", "swept"]
done = run(*grid, "--shard", "1/2", "--csv", "table.csv", "./work", "0", "4")
expect(len(results("swept")) == 2 and rows("table.csv") == [] if os.path.exists(at("table.csv")) else True, done.stderr)
done = run(*grid, "--csv", "table.csv", "./work", "0", "4")
table = rows("table.csv")
expect([(row["machine"], row["argument.1"], row["ending"], row["exit_status"]) for row in table] ==
       [(machine, n, "finished", "0") for machine in ("sparc64v", "simd16") for n in ("8", "16")], table)
run("run", "--quiet", "--json", "one.json", "./work", "16", "4")
expect(int(table[1]["cycles"]) == result("one.json")["cycles"], table)
expect("cycles" in done.stdout and "2 of 4 points are in swept already" in done.stderr, done.stdout, done.stderr)
done = run("run", "--quiet", "--sweep", "l1d.bytes=8 KB,9 KB", "--csv", "bad.csv", "./work", "8", "4", status=1)
expect("l1d.bytes=9 KB: failed: psim: " in done.stderr, done.stderr)
expect([row["ending"] for row in rows("bad.csv")] == ["finished", "failed"])
expect("--json: not with --sweep" in run("run", "--json", "x.json", "--sweep", "argument.1=8", "./work", "8", "4", status=2).stderr)

# An interrupted fit continues: after Ctrl-C, and after kill -9 in the midst of points.
words = [psim, "fit", "--quiet", "--parallel", "1", "--into", "broken", "--json", "broken.json", "--region", "triangle",
         "--args", "8 16 24 32 40 48 56 300", "./work", "{}", "4"]
for number, status in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
    shutil.rmtree(at("broken"), ignore_errors=True)
    process = subprocess.Popen(words, cwd=place.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and len(results("broken")) < 2:
        time.sleep(0.005)
    process.send_signal(number)
    process.communicate(timeout=60)
    expect(process.returncode in (status, 0), number, process.returncode)
    finished = results("broken")
    for name in finished:
        expect(len(result(os.path.join("broken", name))["result_hash"]) == 64, "a result is complete", name)
    times = {name: os.stat(at(os.path.join("broken", name))).st_mtime_ns for name in finished}
    expect(not os.path.exists(at("broken.json")) or process.returncode == 0)
    subprocess.run(words, cwd=place.name, check=True, timeout=120)
    expect(len(results("broken")) == 8 and len(result("broken.json")["regions"][0]["points"]) == 8)
    expect(all(os.stat(at(os.path.join("broken", name))).st_mtime_ns == old for name, old in times.items()), "points are kept")
    expect(not [name for name in os.listdir(at("broken")) if "unfinished" in name], os.listdir(at("broken")))
    os.remove(at("broken.json"))
print("files, shards, traces, sweeps, interruptions")
