#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs target regions with --energy and --report. Result, report and psim energy must have cycles, joules, and the PEs' occupancy, work
and transfers of each region, under the region's name.

report.py PSIM"""
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = r"""#include <stdio.h>
enum { N = 4096 };
static double x[N], y[N];
static int order[N];
static void twice(void) {
#pragma omp target teams distribute parallel for map(from : x) map(to : y)
  for (int i = 0; i < N; i++) x[i] = 2 * y[i];
}
static double sum(void) {
  double s = 0;
#pragma omp target parallel for map(to : x) reduction(+ : s)
  for (int i = 0; i < N; i++) s += x[i];
  return s;
}
static void sort(void) {
#pragma omp target parallel for map(from : x) map(to : y, order)
  for (int i = 0; i < N; i++) x[i] = y[order[i]];
}
int main(void) {
  for (int i = 0; i < N; i++) y[i] = i, order[i] = N - 1 - i;
  twice(), twice(), sort();
  printf("%g\n", sum());
}
"""
BYTES = 8 * 4096
# Name, executions, and bytes to and from the SBMs; None: on the scalar core.
REGIONS = ("twice at p.c:6", 2, (2 * BYTES, 2 * BYTES)), ("sort at p.c:16", 1, None), ("sum at p.c:11", 1, (BYTES, 0))


# Region names are those of the source. A demangler would take names of one letter for types.
NAMES = {"n.c": ("psim-sparc-cc", r"""#include <stdio.h>
static double x[64];
__attribute__((noinline)) static void f(void) {
#pragma omp target parallel for map(tofrom : x)
  for (int i = 0; i < 64; i++) x[i] += 4;
}
__attribute__((noinline)) static void d(void) {
#pragma omp target parallel for map(tofrom : x)
  for (int i = 0; i < 64; i++) x[i] *= 5;
}
__attribute__((noinline)) static void step_(void) {
#pragma omp target parallel for map(tofrom : x)
  for (int i = 0; i < 64; i++) x[i] += 4;
}
int main(void) {
  f(), d(), step_();
  printf("%g\n", x[0]);
}
""", ["f at n.c:4", "d at n.c:8", "step_ at n.c:12"]),
         "n.cpp": ("psim-sparc-cxx", r"""#include <cstdio>
double x[64];
template <int K> struct Box {
  static void add() {
#pragma omp target parallel for map(tofrom : x)
    for (int i = 0; i < 64; i++) x[i] += K;
  }
};
template <class T, class F> int each(T *y, F f) {
#pragma omp target parallel for map(tofrom : y[0 : 64])
  for (int i = 0; i < 64; i++) y[i] = f(y[i]);
  return 0;
}
struct Twice {
  void operator()(double *y) const {
#pragma omp target parallel for map(tofrom : y[0 : 64])
    for (int i = 0; i < 64; i++) y[i] *= 2;
  }
};
namespace {
__attribute__((noinline)) void hidden(double *y) {
#pragma omp target parallel for map(tofrom : y[0 : 64])
  for (int i = 0; i < 64; i++) y[i] *= 2;
}
}
int main() {
  Box<5>::add();
  each(x, [](double a) { return a + 1; });
  Twice()(x);
  hidden(x);
  std::printf("%g\n", x[0]);
}
""", ["Box<5>::add at n.cpp:6", "each<double, main::{lambda(double)#1}> at n.cpp:11", "Twice::operator() at n.cpp:17",
      "(anonymous namespace)::hidden at n.cpp:23"]),
         "n.f90": ("psim-sparc-f90", r"""module numbers
contains
  subroutine increase(x)
    real(8) :: x(:)
    integer :: i
    !$omp target parallel do map(tofrom: x)
    do i = 1, size(x)
      x(i) = x(i) + 24
    end do
  end subroutine
end module
program main
  use numbers
  real(8) :: x(64)
  x = 0
  call increase(x)
  print '(i0)', int(x(1))
end program
""", ["increase at n.f90:6"])}


def run(*command, cwd):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=100)
    if done.returncode:
        sys.exit(f"{command}: status {done.returncode}: {done.stderr}")
    return done.stdout


def tables(page):
    """The rows of each table, by its caption; a row is a list of texts."""
    found = {}
    for text in re.findall(r"<table.*?</table>", page, re.S):
        caption = re.search(r"<caption>(.*?)</caption>", text, re.S)
        rows = [[html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
                for row in re.findall(r"<tr.*?</tr>", text, re.S)]
        found[re.sub(r"<[^>]*>", "", caption[1]) if caption else ""] = rows
    return found


def problems_of(place):
    (place / "p.c").write_text(PROGRAM)
    run(psim.parent / "psim-sparc-cc", "-O3", "-fopenmp", "-w", "-o", "p", "p.c", cwd=place)
    output = run(psim, "run", "--quiet", "--energy", "--machine", "simd16", "--env", "PSIM_OMP_LOOPS=pes", "--json", "p.json", "--report", "p.html", "p", cwd=place)
    if output != "8.38656e+06\n":
        yield f"printed {output}"
    result = json.loads((place / "p.json").read_text())
    regions = {region["name"]: region for region in result["regions"]}
    if list(regions) != [name for name, _, _ in REGIONS]:
        yield f"regions {list(regions)}"
        return
    energies = run(psim, "energy", "p.json", cwd=place)
    page = tables((place / "p.html").read_text())
    on_pes = {row[0]: row for row in page["SIMD-PEs by region"]}
    summary = {row[0]: row for row in page["Regions, summed over their executions"]}
    if sum(region["energy_joules"] for region in regions.values()) > result["energy"]["total_joules"]:
        yield "the regions' energy is more than that of the run"
    for name, executions, moved in REGIONS:
        region = regions[name]
        joules, cycles = region["energy_joules"], region["cycles"]
        if region["executions"] != executions or not joules > 0:
            yield f"{name}: {region['executions']} executions, {joules} J"
        found = re.search(rf"^  region {re.escape(name)} +(\S+) J", energies, re.M)
        if not found or abs(float(found[1]) / joules - 1) > 1e-5:
            yield f"{name}: {joules} J, psim energy: {found and found[0]}"
        row = summary.get(name, [])
        if f"{cycles:,}" not in row or not any(re.fullmatch(r"[\d.]+ (?:µ|m)J", cell) for cell in row):
            yield f"{name}: {cycles} cycles; the report has {row}"
        if (moved is not None) != (name in on_pes):
            yield f"{name}: the table of the PEs has {list(on_pes)}"
        if moved is None or name not in on_pes:
            continue
        simd, transfers = region["statistics"]["simd"], region["statistics"]["transfers"]
        waiting = region["cpi_stack"]["transfer"]
        row = [re.sub(r" \(.*", "", cell) for cell in on_pes[name]]
        expected = [name, f"{cycles:,}", f"{100 * simd['operations'] / (cycles * 16):.1f} %", f"{cycles - waiting:,}", f"{waiting:,}",
                    f"{transfers['busy_cycles']:,}", f"{transfers['bytes_read']:,}", f"{transfers['bytes_written']:,}"]
        if row != expected:
            yield f"{name}: the report has {row}, expected {expected}"
        if (transfers["bytes_read"], transfers["bytes_written"]) != moved:
            yield f"{name}: {transfers} moved, expected {moved}"


def names_of(place):
    for name, (compiler, text, regions) in NAMES.items():
        (place / name).write_text(text)
        run(psim.parent / compiler, "-O3", "-fopenmp", "-o", "n", name, cwd=place)
        output = run(psim, "run", "--quiet", "--machine", "simd16", "--env", "PSIM_OMP_LOOPS=pes", "--json", "n.json", "n", cwd=place)
        found = [region["name"] for region in json.loads((place / "n.json").read_text())["regions"]]
        if (output, found) != ("24\n", regions):
            yield f"{name}: printed {output!r}, regions {found}, expected {regions}"


with tempfile.TemporaryDirectory() as scratch:
    problems = [*problems_of(pathlib.Path(scratch)), *names_of(pathlib.Path(scratch))]
print(*problems, f"{len(problems)} problems", sep="\n")
sys.exit(1 if problems else 0)
