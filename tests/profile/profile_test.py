#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profile_test.py PSIM: profiles of a program whose hot spots are known, with and without names, live and replayed.

callgrind_annotate reads the Callgrind file if it is installed. Exit status 77 (skipped) without the cross compiler."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

psim = sys.argv[1]
own = os.path.dirname(os.path.abspath(__file__))
place = tempfile.TemporaryDirectory(prefix="psim-profile-")
cross = "sparc64-linux-gnu-g++"
EVENTS = ["Cycles", "Instructions", "L1Imisses", "L1Dmisses", "L2misses", "Mispredictions"]


def expect(condition, *what):
    if not condition:
        sys.exit(f"not so: {what}")


def at(name):
    return os.path.join(place.name, name)


def run(*words, **more):
    done = subprocess.run([psim, *words], capture_output=True, text=True, timeout=120, cwd=place.name, **more)
    expect(done.returncode == 0, words, done.returncode, done.stdout, done.stderr)
    return done


def compile_as(name, *options):
    subprocess.run([cross, "-O1", "-g", *options, os.path.join(own, "hot.cpp"), "-o", at(name)], check=True)


def result(name):
    with open(at(name)) as file:
        return json.load(file)


def callgrind_sums(name):
    """Sums of the file's own costs, and its functions."""
    sums, functions, inclusive = [0] * len(EVENTS), set(), False
    for line in open(at(name)):
        if line.startswith("fn="):
            functions.add(line.split(" ", 1)[1].strip() if " " in line else line.strip())
        elif line.startswith("calls="):
            inclusive = True
        elif line.startswith("0x"):
            costs = [int(word) for word in line.split()[2:]]
            if not inclusive:
                sums = [a + b for a, b in zip(sums, costs)]
            inclusive = False
        elif line.startswith("totals:"):
            expect([int(word) for word in line.split()[1:]] == sums, "totals", line, sums)
    return sums, functions


if not shutil.which(cross):
    print(f"skipped: no {cross}")
    sys.exit(77)
compile_as("hot", "-static")

# The profile changes nothing else, and repeats.
plain = run("run", "--json", "plain.json", "./hot")
table = run("run", "--profile", "--json", "one.json", "--callgrind", "one.callgrind", "--profile-text", "one.txt",
            "--record-trace", "one.trace", "--report", "one.html", "./hot")
run("run", "--quiet", "--profile", "--json", "two.json", "--callgrind", "two.callgrind", "./hot")
expect(plain.stdout == table.stdout == "0 1 144\n", plain.stdout, table.stdout)
one, two, without = result("one.json"), result("two.json"), result("plain.json")
expect("profile" not in without, without.keys())
expect(one["result_hash"] == two["result_hash"], "a profile repeats")
expect(open(at("one.callgrind")).read() == open(at("two.callgrind")).read(), "a Callgrind file repeats")
expect({key: value for key, value in one.items() if key not in ("profile", "result_hash", "host")} ==
       {key: value for key, value in without.items() if key not in ("result_hash", "host")}, "the rest is the same")

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
expect(one["profile"]["functions"][0]["name"] in (chase["name"], flip), one["profile"]["functions"][0])
source = open(os.path.join(own, "hot.cpp")).read().splitlines()
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

# KCachegrind's companion reads it.
if shutil.which("callgrind_annotate"):
    done = subprocess.run(["callgrind_annotate", "--threshold=99.9", at("one.callgrind")], capture_output=True, text=True, cwd=place.name)
    expect(done.returncode == 0 and not re.search("(?i)warning|error", done.stderr), done.stderr)
    expect(f'{one["cycles"]:,} (100.0%)' in done.stdout, done.stdout)
    expect(re.search(f'{chase["cycles"]:,} .*hot::chase', done.stdout), done.stdout)
    done = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--tree=caller", at("one.callgrind")], capture_output=True, text=True,
                          cwd=place.name)
    expect(re.search(rf'{main["inclusive_cycles"]:,} .*main', done.stdout), main, done.stdout)

# A replay has the same counts at the same addresses, without names.
run("replay", "--quiet", "--profile", "--json", "replay.json", "--callgrind", "replay.callgrind", "one.trace")
replayed_sums, replayed = callgrind_sums("replay.callgrind")
expect(replayed_sums == sums, replayed_sums, sums)
expect(all(re.fullmatch("0x[0-9a-f]+", name) for name in replayed if not name.startswith("fn=")), replayed)
expect(load["pc"] in open(at("replay.callgrind")).read(), load["pc"])

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

# Two outputs in one file are refused.
done = subprocess.run([psim, "run", "--callgrind", "x", "--profile-text", "x", "./hot"], capture_output=True, text=True, cwd=place.name)
expect(done.returncode == 2 and "--profile-text and --callgrind name the same file" in done.stderr, done.stderr)
print("hot spots are where they are")
