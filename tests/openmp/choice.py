#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loops run where the estimate is shorter, and where the user selects.

choice.py PSIM

Short loops, arrays of structures, short inner loops, tiles of very unequal size, sequences of very unequal length, values that gcc keeps for
later iterations and sums that overlap must run on the scalar core, with a message that has both estimates; loops with long streams or much
work on the PEs. No loop may take longer than the scalar core's time / 0.95. PSIM_OMP_LOOPS and --loops select the place, PSIM_OMP_REPORT and --estimates print what was chosen from, and mistakes end with
one line."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
cc = psim.parent / "psim-sparc-cc"
PROGRAM = r"""#include <stdio.h>
#define LOOP __attribute__((noinline)) static void
enum { N = 65536 };
static double x[N], y[N], z[N], narrow[128][100], sums[128];
static struct body { double x, y, z, vx, vy, vz, m; int id; } p[2000];
static double rows[130][37], products[130];
static int places[11], from[208], steps[208];
static double shifted[1003], lower[43][43], heads[43], values[43], planes[4][43], totals[128];
LOOP one_tile(void) {
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < 40; i++) x[i] += 1;
}
LOOP structures(void) {
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (int i = 0; i < 2000; i++) p[i].x += 0.5 * p[i].vx, p[i].y += 0.5 * p[i].vy;
}
LOOP nested(void) {
#pragma omp target teams distribute map(to : narrow) map(from : sums)
  for (int i = 0; i < 128; i++) {
    double t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int j = 0; j < 100; j++) t += narrow[i][j] * 2;
    sums[i] = t;
  }
}
LOOP two_tiles(void) { /* of 128 and 2 rows: nothing is done while the first tile's data come */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 130; i++)
    for (int k = 0; k < 11; k++) products[i] += z[places[k]] * rows[i][places[k] % 37];
}
LOOP sequences(void) { /* few of them long */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 208; i++) {
    int at = from[i], n = 0;
    while (at != 1) at = at % 2 ? 3 * at + 1 : at / 2, n++;
    steps[i] = n;
  }
}
LOOP behind(void) { /* gcc keeps values for the next iterations in registers, and makes one iteration of three */
#pragma omp target simd safelen(3) map(tofrom : shifted)
  for (int i = 0; i < 1000; i++) shifted[i] = shifted[i] + 2 * shifted[i + 1] - shifted[i + 3];
}
LOOP chains(void) { /* the scalar core begins a row's sum before the last one's is there */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 43; i++) {
    double t = heads[i];
    for (int k = 0; k < i; k++) t -= lower[i][k] * values[k];
    heads[i] = t * 0.5;
  }
}
LOOP few(void) { /* its message comes after it, and does not change the caches before */
  double t = 0;
#pragma omp target teams distribute parallel for map(to : values, heads) reduction(+ : t)
  for (int i = 0; i < 12; i++) t += values[i] * heads[i];
  totals[127] += t;
}
LOOP handed(int n) { /* the sum goes from row to row */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 128; i++) {
    double t = 0;
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < n; k++) t -= planes[j][k] * values[k];
    totals[i] += t;
  }
}
LOOP stream(void) {
#pragma omp target teams distribute parallel for map(to : y, z) map(from : x)
  for (int i = 0; i < N; i++) x[i] = y[i] + 3 * z[i];
}
LOOP work(int n) {
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < 2000; i++) {
    double t = y[i];
    for (int k = 0; k < n; k++) t = t * 0.5 + 0.25;
    y[i] = t;
  }
}
int main(void) {
  double s = 0;
  for (int i = 0; i < N; i++) y[i] = i % 64, z[i] = i % 9;
  for (int i = 0; i < 2000; i++) p[i].vx = i % 5, p[i].vy = i % 3;
  for (int i = 0; i < 128; i++)
    for (int j = 0; j < 100; j++) narrow[i][j] = i * j % 7;
  for (int i = 0; i < 130 * 37; i++) rows[i / 37][i % 37] = i % 11;
  for (int i = 0; i < 11; i++) places[i] = i * 7;
  for (int i = 0; i < 208; i++) from[i] = i % 13 ? 2 : 27;
  for (int i = 0; i < 1003; i++) shifted[i] = i % 17;
  for (int i = 0; i < 43 * 43; i++) lower[i / 43][i % 43] = i % 5, heads[i % 43] = i % 7, values[i % 43] = i % 3;
  for (int i = 0; i < 4 * 43; i++) planes[i / 43][i % 43] = i % 4;
  behind(), chains(), few(), one_tile(), structures(), nested(), handed(43);
  stream(), work(4), two_tiles(), sequences(); /* data that PEs have written are in no cache */
  for (int i = 0; i < N; i++) s += x[i] * (i % 7 + 1) + (i < 2000 ? y[i] + p[i].x + 3 * p[i].y : 0) + (i < 128 ? sums[i] : 0);
  for (int i = 0; i < 130; i++) s += products[i] + steps[i];
  for (int i = 0; i < 1000; i++) s += shifted[i] * (i % 5) + (i < 43 ? heads[i] : 0) + (i < 128 ? totals[i] * i : 0);
  printf("%.17g\n", s);
}
"""
SCALAR = {"one_tile", "structures", "nested", "two_tiles", "sequences", "behind", "chains", "few"}
PES = {"stream", "work", "handed"}
CLOSE = {"behind", "chains", "handed"}  # their data are in L1
ALIKE = {"few", "one_tile"}  # only a message differs between the choice and PSIM_OMP_LOOPS=scalar
CHOSEN = re.compile(r"psim_omp: (\w+) at \S+ runs on the scalar core: it takes an estimated (\d+) cycles there, (?:at least )?(\d+) on the PEs; "
                    r"PSIM_OMP_LOOPS=pes selects them")
REPORT = re.compile(r"psim_omp: report: (\w+) at \S+: (\d+) times on the PEs, (\d+) on the scalar core; estimated (\d+) cycles on the PEs, "
                    r"(\d+) on the scalar core")
failures = 0


def check(good, *what):
    global failures
    if not good:
        failures += 1
        print(*what, sep="\n  ")


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def name_of(region):
    return region["name"].split()[0]


def simulate(program, expected, *environment, machine="simd16"):
    """Returns the cycles of each loop, the loops that moved data to the PEs, and the messages."""
    result = program.with_name("result.json")
    words = [word for value in environment for word in ("--env", value)]
    status, output, errors = run(psim, "run", "--quiet", "--machine", machine, *words, "--json", result, program)
    check((status, output) == (0, expected), f"{environment}: status {status}, printed {output!r}, expected {expected!r}", errors)
    cycles, on_pes = {}, set()
    for region in json.loads(result.read_text())["regions"]:
        cycles[name_of(region)] = cycles.get(name_of(region), 0) + region["cycles"]
        if region["statistics"].get("transfers", {}).get("bytes_read", 0) > 0:
            on_pes.add(name_of(region))
    return cycles, on_pes, errors


def choices(place):
    source = place / "choice.c"
    source.write_text(PROGRAM)
    check(run("gcc", "-O1", "-fopenmp", "-foffload=disable", "-ffp-contract=off", "-w", "-o", place / "native", source)[0] == 0, "no native build")
    expected = run(place / "native", OMP_NUM_THREADS="1")[1]
    program = place / "program"
    status, _, notes = run(cc, "-O3", "-fopenmp", "--estimates", "-w", "-o", program, source)
    check(status == 0 and notes.count("this loop can run on the PEs; estimates of an iteration on the scalar core and on a PE: ") == len(SCALAR | PES), notes)

    scalar, on_pes, errors = simulate(program, expected, "PSIM_OMP_LOOPS=scalar")
    check(not on_pes and not errors, f"PSIM_OMP_LOOPS=scalar: {on_pes}", errors)
    _, on_pes, errors = simulate(program, expected, "PSIM_OMP_LOOPS=pes")
    check(on_pes == SCALAR | PES and not errors, f"PSIM_OMP_LOOPS=pes: {on_pes}", errors)
    chosen, on_pes, errors = simulate(program, expected, "PSIM_OMP_REPORT=1")
    check(on_pes == PES, f"chosen: {on_pes}", errors)
    messages = [CHOSEN.fullmatch(line) for line in errors.splitlines() if "report:" not in line]
    check(all(messages) and {found[1] for found in messages} == SCALAR, "messages of the choice", errors)
    check(all(int(found[3]) > 0.9 * int(found[2]) for found in messages if found), "estimates of the choice", errors)
    reports = {found[1]: found for line in errors.splitlines() if (found := REPORT.fullmatch(line))}
    check(set(reports) == SCALAR | PES, "report", errors)
    for name, found in reports.items():
        times = 128 if name == "nested" else 1
        check((int(found[2]), int(found[3])) == ((times, 0) if name in PES else (0, times)), f"report of {name}", found[0])
        check((int(found[4]) <= 0.9 * int(found[5])) == (name in PES), f"estimates of {name}", found[0])
        check(0.4 < int(found[5]) / scalar[name] < 2, f"{name}: {scalar[name]} cycles on the scalar core, estimated {found[5]}")
        check(name not in CLOSE or 0.75 < int(found[5]) / scalar[name] < 1.25,
              f"{name}: {scalar[name]} cycles on the scalar core, estimated {found[5]}; expected at most 25 % between them")
        check(name not in ALIKE or 0.99 < chosen[name] / scalar[name] < 1.01,
              f"{name}: {scalar[name]} cycles on the scalar core, {chosen[name]} with a message")
        check(scalar[name] / chosen[name] >= 0.95, f"{name}: {scalar[name]} cycles on the scalar core, {chosen[name]} as chosen")

    # The machine's memory is part of the estimates: without misses of L1 the scalar core needs less time, the PEs do not.
    status, output, errors = run(psim, "run", "--quiet", "--machine", "simd16", "--set", "l1d.prefetch=perfect", "--env", "PSIM_OMP_REPORT=1", program)
    perfect = {found[1]: found for line in errors.splitlines() if (found := REPORT.fullmatch(line))}
    check((status, output) == (0, expected) and float(perfect["stream"][5]) < 0.8 * float(reports["stream"][5]) and
          perfect["stream"][4] == reports["stream"][4], "perfect L1", errors)
    # Under psim exec every loop that can runs on the PEs, and is verified.
    status, output, errors = run(psim, "exec", "--quiet", program, PSIM_OMP_REPORT="1")
    counts = {found[1]: int(found[3]) for line in errors.splitlines() if (found := REPORT.fullmatch(line))}
    check((status, output, counts) == (0, expected, dict.fromkeys(SCALAR | PES, 0)), "psim exec", errors)

    for where, on in ("pes", SCALAR | PES), ("scalar", set()), ("auto", PES):
        built = place / where
        check(run(cc, "-O3", "-fopenmp", f"--loops={where}", "-w", "-o", built, source)[0] == 0, f"--loops={where}")
        check(simulate(built, expected)[1] == on, f"--loops={where}")
    check(simulate(place / "pes", expected, "PSIM_OMP_LOOPS=scalar")[1] == set(), "the environment precedes --loops")
    status, _, errors = run(psim, "run", "--quiet", "--machine", "sparc64v", place / "pes")
    check(status == 0 and errors.count("this core has no SIMD-PEs") == len(SCALAR | PES), "a core without PEs", errors)


def mistakes(place):
    source, program = place / "choice.c", place / "program"
    for variable, values in ("PSIM_OMP_LOOPS", "auto, pes or scalar"), ("PSIM_OMP_REPORT", "0 or 1"):
        status, output, errors = run(psim, "run", "--quiet", "--machine", "simd16", "--env", f"{variable}=both", program)
        check((status, output, errors) == (2, "", f"psim_omp: {variable} = both: expected {values}\n"), variable, status, output, errors)
    for words, message in ([["--loops=both", "-fopenmp"], "psim-sparc-cc: --loops=both: expected --loops=auto, --loops=pes or --loops=scalar\n"],
                           [["--loops=pes"], "psim-sparc-cc: --loops=pes: needs -fopenmp\n"],
                           [["--estimates"], "psim-sparc-cc: --estimates: needs -fopenmp\n"]):
        done = run(cc, *words, "-o", place / "none", source)
        check(done == (2, "", message) and not (place / "none").exists(), words, done)


with tempfile.TemporaryDirectory() as scratch:
    choices(pathlib.Path(scratch))
    mistakes(pathlib.Path(scratch))
print(f"{failures} failures")
sys.exit(1 if failures else 0)
