#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profile_test.py PSIM: profiles of a program whose hot spots are known, with and without names, live and replayed.

Exit status 77 (skipped) without the cross compiler."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect
from callgrind_reader import BadCallgrindFile, CallgrindFile

psim = sys.argv[1]
own = os.path.dirname(os.path.abspath(__file__))
place = Place("profile")
at, result = place.at, place.result
cross = "sparc64-linux-gnu-g++"
EVENTS = ["Cycles", "Instructions", "L1Imisses", "L1Dmisses", "L2misses", "Mispredictions", "StoreL1Dmisses", "StoreL2misses"]


def run(*words, **more):
    return place.call(psim, *words, **more)


def compile_as(name, *options):
    subprocess.run([cross, "-O1", "-g", *options, os.path.join(own, "hot.cpp"), "-o", at(name)], check=True)


def callgrind_sums(name):
    """Sums of the file's own costs, and its functions."""
    file = CallgrindFile(at(name))
    expect(file.events == EVENTS, file.events)
    return file.totals, set(file.functions)


def refused(text, name="bad.callgrind"):
    place.write(name, text)
    try:
        CallgrindFile(at(name))
    except BadCallgrindFile:
        return True
    return False


if not shutil.which(cross):
    print(f"skipped: no {cross}")
    sys.exit(77)
compile_as("hot", "-static")

# The profile changes nothing else, and repeats.
plain = run("run", "--json", "plain.json", "./hot")
table = run("run", "--profile", "--json", "one.json", "--callgrind", "one.callgrind", "--profile-text", "one.txt",
            "--record-trace", "one.trace", "--report", "one.html", "./hot")
run("run", "--quiet", "--profile", "--json", "two.json", "--callgrind", "two.callgrind", "./hot")
expect(plain.stdout == table.stdout == "0 1 144 499500\n", plain.stdout, table.stdout)
one, two, without = result("one.json"), result("two.json"), result("plain.json")
expect("profile" not in without, without.keys())
expect(one["result_hash"] == two["result_hash"], "a profile repeats")
expect(open(at("one.callgrind")).read() == open(at("two.callgrind")).read(), "a Callgrind file repeats")
expect({key: value for key, value in one.items() if key not in ("profile", "result_hash", "host", "page")} ==
       {key: value for key, value in without.items() if key not in ("result_hash", "host", "page")}, "the rest is the same")

# Its sums are the run's.
sums, functions = callgrind_sums("one.callgrind")
expect(sums[0] == one["cycles"] and sums[1] == one["instructions"], sums, one["cycles"], one["instructions"])
expect(sums[5] == one["statistics"]["branch"]["mispredictions"], sums, one["statistics"]["branch"])

# Each hot spot is where the source has it.
by_name = {f["name"]: f for f in one["profile"]["functions"]}
flip = "unsigned long hot::flip<unsigned long>(unsigned long, int)"
chase = by_name["hot::chase(hot::Node*, int)"]
expect(chase["calls"] == 1 and 19_000 < chase["l1d_misses"] <= 20_000, chase)
expect(chase["cpi_stack"].get("l2", 0) + chase["cpi_stack"].get("memory", 0) > 0.8 * chase["cycles"], chase)
expect(8_000 < by_name[flip]["mispredictions"] < 12_000, by_name[flip])
expect(by_name[flip]["cpi_stack"]["branch"] > 0.3 * by_name[flip]["cycles"], by_name[flip])
expect(by_name["hot::fibonacci(int)"]["calls"] == 465, by_name["hot::fibonacci(int)"])  # 2 F(13) - 1
main = by_name["main"]
expect(main["inclusive_cycles"] > main["cycles"] + chase["cycles"] + by_name[flip]["cycles"], main)
source = open(os.path.join(own, "hot.cpp")).read().splitlines()
sweep_lines = 4096
missing_line = next(line for line in one["profile"]["lines"] if line["l1d_misses"] > 19_000)
expect(missing_line["file"].endswith("hot.cpp") and "at = at->next" in source[missing_line["line"] - 1], missing_line)
listing = next(l for l in one["profile"]["listings"] if l["function"] == chase["name"])
load = max(listing["instructions"], key=lambda row: row.get("l1d_misses", 0))
expect(load["text"].startswith("ldx") and load["instructions"] == 20_000, load)

# In words, and in the page.
for text in (table.stderr, open(at("one.txt")).read()):
    expect(re.search(r"\n +[\d,]+ .* hot::chase\(hot::Node\*, int\)\n", text), text)
    expect("hot.cpp:" in text, text)
expect("ldx [" in open(at("one.txt")).read(), "the file lists instructions")
page = open(at("one.html")).read()
for text in ("Hot spots", "hot::chase(hot::Node*, int)", f'<data value="{chase["cycles"]}">', "hot.cpp:"):
    expect(text in page, text)

# The Callgrind file has the same functions and calls; a damaged one would be noticed.
file = CallgrindFile(at("one.callgrind"))
for name, f in by_name.items():
    # A name may stand for several functions of the program.
    if sum(other["name"] == name for other in one["profile"]["functions"]) == 1 and one["profile"]["functions_in_all"] <= 50:
        expect(file.functions[name].own[0] == f["cycles"], name, f)
expect(file.functions[chase["name"]].own[0] == chase["cycles"], chase)
expect(file.functions[chase["name"]].own[6] == chase["store_l1d_misses"], chase)
# Cycles are shares rounded to whole ones, of main() and of each of its calls.
expect(abs(file.inclusive("main")[0] - main["inclusive_cycles"]) <= 1 + len(file.functions["main"].calls), file.inclusive("main"), main)
expect(file.functions["main"].calls[chase["name"]] == 1, file.functions["main"].calls)
good = open(at("one.callgrind")).read()
for bad in (good[:-1], good.replace("fn=(2)", "fn=(999999)", 1), good.replace("\ncalls=", "\ncall=", 1), good.replace("events: Cycles", "events:", 1),
            re.sub(r"\n(0x\w+ \d+ )(\d)", r"\n\g<1>1\2", good, count=1), good.rsplit("totals:", 1)[0]):
    expect(bad != good and refused(bad), "a damaged Callgrind file is read")

# Stores that miss: each of sweep()'s goes to a line that was never used.
sweep = by_name["hot::sweep(char*, long)"]
expect(0.95 * sweep_lines < sweep["store_l1d_misses"] <= sweep_lines, sweep)
expect(0.95 * sweep_lines < sweep["store_l2_misses"] <= sweep["store_l1d_misses"], sweep)
expect(sweep["l1d_misses"] < 10, sweep)
# Tail calls: last() is only jumped to, and returns for middle().
expect(by_name["last"]["calls"] == 1000 and by_name["middle"]["calls"] == 1000, by_name)
expect(file.functions["middle"].calls == {"last": 1000}, file.functions["middle"].calls)
expect(by_name["middle"]["inclusive_cycles"] > by_name["last"]["cycles"], by_name["middle"])

# A replay has the same counts under the same names: the program is next to the trace.
replay = ["replay", "--quiet", "--profile", "--json", "replay.json", "--callgrind", "replay.callgrind"]
done = run(*replay, "one.trace")
expect(open(at("replay.callgrind")).read().split("\n\n", 3)[3] == good.split("\n\n", 3)[3] and "names" not in done.stderr, done.stderr)
expect(result("replay.json")["profile"] == one["profile"], "a replay has the profile of its run")
# Elsewhere --program names it. Without it, or with another program of its name, functions have addresses, and a line says why.
os.mkdir(at("away"))
os.rename(at("one.trace"), at("away/one.trace"))
os.rename(at("hot"), at("away/other"))
done = run(*replay, "--program", "away/other", "away/one.trace")
expect(result("replay.json")["profile"]["functions"] == one["profile"]["functions"], "--program names the functions")
for reason in ("no hot next to the trace or in the current folder", "away/hot is not the program that was recorded"):
    done = run(*replay, "away/one.trace")
    expect(f"psim: the profile has addresses instead of names: {reason}" in done.stderr, done.stderr)
    replayed_sums, replayed = callgrind_sums("replay.callgrind")
    expect(replayed_sums == sums, replayed_sums, sums)
    expect(all(re.fullmatch("0x[0-9a-f]+", name) for name in replayed), replayed)
    expect(load["pc"] in open(at("replay.callgrind")).read(), load["pc"])
    shutil.copy(at("plain.json"), at("away/hot"))
done = subprocess.run([psim, *replay, "--program", "plain.json", "away/one.trace"], capture_output=True, text=True, cwd=place.name)
expect(done.returncode == 2 and "--program plain.json: not the program that was recorded; expected SHA-256" in done.stderr, done.stderr)
done = subprocess.run([psim, "replay", "--program", "plain.json", "away/one.trace"], capture_output=True, text=True, cwd=place.name)
expect(done.returncode == 2 and "--program: needs --profile, --profile-text or --callgrind" in done.stderr, done.stderr)
os.rename(at("away/other"), at("hot"))

# A stripped program has addresses as names; a position-independent one has its names.
os.mkdir(at("bare"))
subprocess.run(["sparc64-linux-gnu-strip", "-o", at("bare/hot"), at("hot")], check=True)
run("run", "--quiet", "--callgrind", "bare.callgrind", "bare/hot")
bare_sums, bare = callgrind_sums("bare.callgrind")
expect(bare_sums[1] == sums[1] and "main" not in bare, bare_sums, bare)
subprocess.run(["sparc64-linux-gnu-gcc", "-O1", "-g", "-nostdlib", "-fPIE", "-static-pie", "-Wl,--no-dynamic-linker", os.path.join(own, "anywhere.c"), "-o", at("anywhere")],
               check=True)
run("run", "--quiet", "--profile", "--json", "anywhere.json", "./anywhere")
work = result("anywhere.json")["profile"]["functions"][0]
expect(work["name"] == "work" and work["file"].endswith("anywhere.c") and work["calls"] == 1, work)
expect(int(work["address"], 16) > 0x10000, "placed elsewhere than linked", work)

# A fault names functions as the source does. The name of a C function is not the code of a type.
place.write("fault.cpp", """extern "C" __attribute__((noinline)) void f(int* at) { *at = 1; }
template <int K> struct Box {
  __attribute__((noinline)) static int run(int* at) { return f(at), K; }
};
int main(int count, char**) { return Box<5>::run((int*)(16L * count)); }
""")
subprocess.run([cross, "-O1", "-g", "-static", "-fno-optimize-sibling-calls", at("fault.cpp"), "-o", at("fault")], check=True)
done = subprocess.run([psim, "exec", "./fault"], capture_output=True, text=True, cwd=place.name)
expect(re.search(r", in f at \S*fault.cpp:1\b", done.stderr) and re.search(r"called from 0x\w+ in Box<5>::run\(int\*\) at \S*fault.cpp:3\b", done.stderr),
       done.stderr)

# Two outputs in one file are refused.
done = subprocess.run([psim, "run", "--callgrind", "x", "--profile-text", "x", "./hot"], capture_output=True, text=True, cwd=place.name)
expect(done.returncode == 2 and "--profile-text and --callgrind name the same file" in done.stderr, done.stderr)
print("hot spots are where they are")
