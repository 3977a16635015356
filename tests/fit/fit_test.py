#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fit_test.py PSIM ROOT: models of regions whose work is known, their prediction against a direct run, and their functions in C and Fortran.

Exit status 77 (skipped) without the cross compiler."""
import html
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, root = sys.argv[1:3]
own = os.path.dirname(os.path.abspath(__file__))
place = Place("fit")
at, result = place.at, place.result
cross = "sparc64-linux-gnu-gcc"


def run(*words, status=0):
    return place.call(psim, *words, status=status)


def region(document, name):
    return next(each for each in document["regions"] if each["name"] == name)


if shutil.which(cross) is None:
    print(f"no {cross}")
    sys.exit(77)
subprocess.run([cross, "-O1", "-static", "-I", os.path.join(root, "workloads/include"), os.path.join(own, "work.c"),
                "-o", at("work")], check=True)

# One parameter: the prediction of 96 from orders up to 80 holds the direct run.
done = run("fit", "--region", "triangle", "--args", "10 20 30 40 50 60 70 80", "--predict", "96", "-o", "fits.toml", "--json", "fit.json",
           "--report", "fit.html", "./work", "{}", "4")
expect("8 points" in done.stdout and "extrapolated" in done.stdout, done.stdout)
run("run", "--quiet", "--json", "direct.json", "./work", "96", "4")
model = region(result("fit.json"), "triangle")
(predicted,) = model["predictions"]
direct = region(result("direct.json"), "triangle")["cycles"]
low, high = predicted["cycles"]["interval"]
expect(low <= direct <= high, low, direct, high)
expect(abs(predicted["cycles"]["value"] / direct - 1) < 0.05, predicted, direct)
expect(model["parameters"] == ["n"] and len(model["points"]) == 8, model)
text = open(at("fits.toml"), encoding="utf-8").read()
for key in ("[region.triangle]", 'ranges = "10..80"', 'machine = "sparc64v"', "covariance = "):
    expect(key in text, key, text)

page = open(at("fit.html"), encoding="utf-8").read()
curve, residuals = [json.loads(html.unescape(text)) for text in re.findall('data-chart="([^"]*)"', page)]
measured = [[point[0], point[1]] for point in curve["series"][2]["points"]]
expect(measured == [[point["args"][0], point["cycles"]] for point in model["points"]] and "<h2>triangle</h2>" in page, curve)
expect(curve["series"][1]["points"][-1][0] == 96 and len(residuals["series"][1]["points"]) == 8, curve, residuals)

# The same command runs no point again and gives the same result.
before = result("fit.json")["result_hash"]
done = run("fit", "--region", "triangle", "--args", "10 20 30 40 50 60 70 80", "--predict", "96", "-o", "fits.toml", "--json", "fit.json",
           "./work", "{}", "4")
expect("8 of 8 points are in fit already" in done.stderr, done.stderr)
expect(result("fit.json")["result_hash"] == before)

# Points from sampled runs: the prediction holds the direct run, and short points stay exact.
run("fit", "--sample", "--region", "triangle", "--args", "40 500 700 900 1100 1300", "--predict", "1800", "--json", "sampled.json",
    "./work", "{}", "4")
run("run", "--quiet", "--json", "direct.json", "./work", "1800", "4")
(predicted,) = region(result("sampled.json"), "triangle")["predictions"]
direct = region(result("direct.json"), "triangle")["cycles"]
low, high = predicted["cycles"]["interval"]
expect(low <= direct <= high and abs(predicted["cycles"]["value"] / direct - 1) < 0.05, predicted, direct)
expect(run("fit", "--sample", "a.trace", "b.trace", status=2).stderr.count("\n") == 1)

# Two parameters, named as in the command, energy, and functions for programs.
run("fit", "--quiet", "--energy", "--region", "rows", "--args", "n=8 16 32 64", "--args", "m=2 4 8 16", "--predict", "48,6",
    "--json", "two.json", "--header", "model.h", "--module", "model.f90", "-o", "two.toml", "./work", "{n}", "{m}")
model = region(result("two.json"), "rows")
expect(model["parameters"] == ["n", "m"], model)
(predicted,) = model["predictions"]
expect(not predicted["cycles"]["extrapolated"] and predicted["joules"]["value"] > 0, predicted)
run("run", "--quiet", "--json", "direct.json", "./work", "48", "6")
row = region(result("direct.json"), "rows")
expect(row["executions"] == 2, row)
low, high = predicted["cycles"]["interval"]
expect(low <= row["cycles"] / 2 <= high, low, row["cycles"] / 2, high)

seconds = predicted["seconds"]["value"]
place.write("use.c", '#include <stdio.h>\n#include "model.h"\nint main(void) { printf("%.17g %.17g\\n", psim_seconds_rows(48, 6), '
            "psim_joules_rows(48, 6)); return 0; }\n")
if shutil.which("gcc"):
    subprocess.run(["gcc", "-Wall", "-Werror", "use.c", "-o", "use", "-lm"], check=True, cwd=place.name)
    got = subprocess.run([at("use")], capture_output=True, text=True, check=True).stdout.split()
    expect(abs(float(got[0]) / seconds - 1) < 1e-12, got, seconds)
    expect(abs(float(got[1]) / predicted["joules"]["value"] - 1) < 1e-12, got, predicted)
place.write("use.f90", "program use_model\n use model\n print '(es25.17)', psim_seconds_rows(48d0, 6d0)\nend program\n")
if shutil.which("gfortran"):
    subprocess.run(["gfortran", "-Wall", "-Werror", "-Wno-error=unused-function", "model.f90", "use.f90", "-o", "usef"], check=True, cwd=place.name)
    got = subprocess.run([at("usef")], capture_output=True, text=True, check=True).stdout
    expect(abs(float(got) / seconds - 1) < 1e-12, got, seconds)

# Points whose program returns an allowed status count, and the result states the status.
done = run("fit", "--args", "8 13 24 32", "--allow-status", "3", "--allow-status", "1", "--json", "status.json", "--report", "status.html",
           "--region", "rows", "./work", "{}", "4")
note = "the program returned status 1 at 1 of 4 points, which is allowed"
expect(note in done.stdout, done.stdout)
expect(note in place.read("status.html"))
expect([(row["args"], row.get("exit_status", 0)) for row in result("status.json")["regions"][0]["points"]] ==
       [([8, 4], 0), ([13, 4], 1), ([24, 4], 0), ([32, 4], 0)])

# Errors name the point, the region, and the remedy.
for words, message in [
    (["--args", "8 16 24", "--region", "triangle", "./work", "{}", "4"], "region triangle: too few points: 3 different points; expected at least 4"),
    (["--args", "8 16 24 32", "--region", "triangel", "./work", "{}", "4"], "--region triangel: no point executes it; did you mean triangle?"),
    (["--args", "8 16 24 32", "./work", "8", "4"], "no word of the program contains {}"),
    (["./work", "8", "4"], "--args is missing"),
    (["--args", "8 16 24 32", "--region", "rows", "--predict", "40", "--predict", "40,4,1", "./work", "{}", "4"],
     "prediction 40: no region has 1 argument; expected the number of rows (2)"),
    (["--args", "8 13", "./work", "{}", "4"], "n=13: the program ended with status 1; expected 0, or --allow-status 1; its output is in fit/"),
    (["--args", "8 13", "--allow-status", "2", "./work", "{}", "4"], "n=13: the program ended with status 1; expected 0, or --allow-status 1; "),
    (["--env", "A=1", "a.trace", "b.trace"], "--env: not with traces, which have no environment"),
    (["--allow-status", "1", "a.trace", "b.trace"], "--allow-status: not with traces, which have no exit status"),
    (["--args", "8 16 24 32", "./nowhere", "{}"], "n=8: failed: psim: "),
]:
    done = run("fit", *words, status=2)
    expect(message in done.stderr, message, done.stderr)
print("models, predictions, functions, errors")
