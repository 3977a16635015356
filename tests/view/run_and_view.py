#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a real program with dumps and a report, and compares their contents.

usage: run_and_view.py PSIM SOURCE_DIR WORK_DIR [CHROMIUM]; status 77: a tool is not installed.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

psim, source, work = sys.argv[1:4]
chromium = sys.argv[4] if len(sys.argv) > 4 else ""
compiler = shutil.which("sparc64-linux-gnu-gcc")
if compiler is None:
    print("sparc64-linux-gnu-gcc is not installed")
    sys.exit(77)
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
os.chdir(work)
subprocess.run([compiler, "-O2", "-static", f"-I{source}/workloads/include", f"{source}/tests/view/marked.c", "-o", "marked"],
               check=True)


def run(*words, status=0):
    done = subprocess.run([psim, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == status, f"psim {' '.join(words)}: status {done.returncode}\n{done.stderr}"
    return done


def check(dump):
    found = re.search(r"good: (\d+) instructions \((\d+) committed, (\d+) flushed\) in cycles (\d+) to (\d+)",
                      run("view", "--check", dump).stdout)
    return [int(number) for number in found.groups()]


# Everything: the dump's rules hold, and it ends with the last cycle of the result.
said = run("run", "--kanata", "all.kanata", "--o3", "all.o3", "--json", "all.json", "--report", "all.html", "./marked",
           status=5)
assert said.stdout == "11.065408\n", said.stdout
result = json.load(open("all.json"))
total, committed, flushed, begin, end = check("all.kanata")
assert begin == 0 and end == result["cycles"], (begin, end, result["cycles"])
assert committed >= result["instructions"], "spill and fill traps add to the instructions"
assert sum(result["cpi_stack"].values()) == result["cycles"]
assert flushed > 0
assert [region["args"] for region in result["regions"]] == [[1], [2]]

# A dump changes nothing.
run("run", "--json", "none.json", "--quiet", "./marked", status=5)
assert json.load(open("none.json"))["result_hash"] == result["result_hash"]

# Nor does a report, whose intervals end while misses are open.
subprocess.run([compiler, "-O2", "-static", f"{source}/workloads/kernels/pointer_chase.c", "-o", "chase"], check=True)
run("run", "--json", "chase.json", "./chase", "4096", "20")
run("run", "--json", "chase2.json", "--report", "chase.html", "./chase", "4096", "20")
run("diff", "chase.json", "chase2.json")

# A forked child computes, but writes into none of the files.
subprocess.run([compiler, "-O2", "-static", f"{source}/tests/view/forks.c", "-o", "forks"], check=True)
said = run("run", "--kanata", "forks.kanata", "--o3", "forks.o3", "--json", "forks.json", "--report", "forks.html", "./forks",
           status=5)
assert said.stdout == "parent of 3\n", said.stdout
assert said.stderr.count("\n") == 1, said.stderr
result_of_fork = json.load(open("forks.json"))
_, committed, _, _, end = check("forks.kanata")
assert end == result_of_fork["cycles"] and committed >= result_of_fork["instructions"]

# Control-C ends a run with complete files, the result records it, and no temporary file is left.
subprocess.run([compiler, "-O2", "-static", f"{source}/tests/view/endless.c", "-o", "endless"], check=True)
for command, *outputs in (["exec"], ["run", "--kanata", "endless.kanata", "--window", "cycles=0:1000", "--report", "endless.html"]):
    started = subprocess.Popen([psim, command, "--json", "endless.json", *outputs, "./endless"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    started.stdout.read(1)  # the program runs
    started.send_signal(signal.SIGINT)
    assert started.wait(timeout=60) == -signal.SIGINT
    ended = json.load(open("endless.json"))
    assert (ended["partial"], ended["signal"]) == ("interrupted", "SIGINT"), ended
    os.remove("endless.json")
check("endless.kanata")
assert not [name for name in os.listdir(".") if name.startswith("endless.") and name not in ("endless.kanata", "endless.html")]

# Windows.
run("run", "--kanata", "second.kanata", "--window", "region=sum:2", "./marked", status=5)
_, committed, _, begin, end = check("second.kanata")
second = result["regions"][1]
assert second["instructions"] <= committed <= second["instructions"] + 2, (committed, second)
assert second["cycles"] < end - begin <= second["cycles"] + 40, "the stages before the first commit and after the last"
run("run", "--kanata", "some.kanata", "--window", "cycles=20000:20100", "./marked", status=5)
assert check("some.kanata")[3] <= 20000
said = run("run", "--kanata", "missing.kanata", "--window", "region=smu", "./marked", status=5)
assert "did you mean sum?" in said.stderr, said.stderr
for wrong in (["--window", "cycles=5"], ["--kanata", "/nonexistent/x"]):
    said = run("run", "--kanata", "wrong.kanata", *wrong, "./marked", status=2)
    assert said.stderr.startswith("psim: --") and said.stderr.count("\n") == 1, said.stderr
assert not [name for name in os.listdir(".") if name.startswith("wrong")], "no half-written file"

# The views.
text = run("view", "second.kanata", "--width", "140").stdout
assert "stages:" in text and "fdivd" in text and max(len(line) for line in text.splitlines()) <= 140
assert "fdivd" in run("view", "all.o3", "--from", str(begin), "--to", str(end)).stdout
whole = open("second.kanata").read()
open("cut.kanata", "w").write(whole[:len(whole) // 2])
said = run("view", "cut.kanata", status=2)
assert re.match(r"psim: cut.kanata:\d+: .*truncated\?\n$", said.stderr), said.stderr

if chromium and os.path.exists(chromium):
    subprocess.run(["python3", f"{source}/report/testing/browser_check.py", chromium, f"{work}/all.html", f"{work}/all.png",
                    f"{result['instructions']:,}", f"{result['cycles']:,}", f"{second['cycles']:,}", "Regions", "sum",
                    result["result_hash"]], check=True)
else:
    print("chromium is not installed: the report is not looked at")
print("good")
