#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of the mathematical library in target loops: on the PEs and on the scalar core they give the same results, which differ from
those of quad precision (long double of sparc64) by less than one unit in the last place; floor and its relatives are exact.

elementary.py PSIM"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
ELEMENTARY, EXACT = ["exp", "log", "sin", "cos"], ["floor", "ceil", "trunc", "round", "rint", "nearbyint"]
SOURCE = r"""#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 3000 };
static double x[N], y[N];
static float f[N], g[N];
static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 709.78271289338397, 710, -745.13321910194122, -746, 1e300, -1e300,
                                 4.9e-324, 2.2e-308, 0.5, -0.5, 1.5, 2.5, -2.5, 0x1p52, -0x1p53, 0x1.fffffffffffffp51, 0x1p40, 0x1.921fb54442d18p+0,
                                 0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+30};
/* The largest error in units of the last place; a NaN, an infinite result and zero must be right. */
static double error_of(long double exact, double got, double nearest, int digits, int lowest) {
  if (got == nearest ? signbit(got) == signbit(nearest) : got != got && nearest != nearest) return 0;
  if (got != got || nearest != nearest || isinf(got) || isinf(nearest) || got == nearest) return 1e9;
  int e;
  frexpl(exact, &e);
  return (double)(fabsl((long double)got - exact) / ldexpl(1, (e < lowest ? lowest : e) - digits));
}
static double worse(double a, double b) { return a > b ? a : b; }
static unsigned long bits(const void *at, unsigned long bytes) {
  unsigned long sum = 5381;
  for (const unsigned char *p = at; bytes-- > 0;) sum = sum * 33 + *p++;
  return sum;
}
#define TEST(F)                                                                                                        \
  {                                                                                                                    \
    double wide = 0, narrow = 0;                                                                                       \
    _Pragma("omp target teams distribute parallel for map(to : x) map(from : y)") for (int i = 0; i < N; i++) y[i] = F(x[i]);      \
    _Pragma("omp target teams distribute parallel for map(to : f) map(from : g)") for (int i = 0; i < N; i++) g[i] = F##f(f[i]);   \
    for (int i = 0; i < N; i++) {                                                                                      \
      const long double a = F##l(x[i]), b = F##l(f[i]);                                                                \
      wide = worse(wide, error_of(a, y[i], (double)a, 53, -1021)), narrow = worse(narrow, error_of(b, g[i], (float)b, 24, -125)); \
      if (y[i] != y[i]) y[i] = 0; /* NaNs may have any sign */                                                         \
      if (g[i] != g[i]) g[i] = 0;                                                                                      \
    }                                                                                                                  \
    printf(#F " %.4f %.4f %lx %lx\n", wide, narrow, bits(y, sizeof y), bits(g, sizeof g));                             \
  }
int main(void) {
  const int specials = sizeof special / sizeof *special;
  srand48(7);
  for (int i = 0; i < N; i++) {
    x[i] = i < specials ? special[i] : (drand48() - 0.5) * ldexp(1, i % 3 ? (int)(lrand48() % 60) - 20 : (int)(lrand48() % 2040) - 1020);
    f[i] = (float)x[i];
  }
  @TESTS@
}
"""
LINE = re.compile(r"(\w+) ([\d.]+) ([\d.]+) (\w+ \w+)")


def main():
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        source, program = pathlib.Path(directory, "functions.c"), pathlib.Path(directory, "functions")
        source.write_text(SOURCE.replace("@TESTS@", " ".join(f"TEST({name})" for name in ELEMENTARY + EXACT)))
        subprocess.run([psim.parent / "psim-sparc-cc", "-O3", "-fopenmp", "-o", program, source, "-lm"], check=True)
        outputs = {}
        for place in "pes", "scalar":
            done = subprocess.run([psim, "exec", "--quiet", "--machine", "simd16", program], capture_output=True, text=True, timeout=200,
                                  env={**os.environ, "PSIM_OMP_LOOPS": place, "PSIM_OMP_VERIFY": "0"})
            outputs[place] = done.stdout
            if done.returncode or done.stderr:
                problems.append(f"{place}: status {done.returncode}, {done.stderr}")
        if outputs["pes"] != outputs["scalar"]:
            problems.append(f"PEs: {outputs['pes']}\nscalar core: {outputs['scalar']}")
        found = {line[1]: line for line in LINE.finditer(outputs["pes"])}
        if list(found) != ELEMENTARY + EXACT:
            problems.append(f"functions {list(found)}")
        for name, line in found.items():
            limit = 1 if name in ELEMENTARY else 0
            if max(float(line[2]), float(line[3])) > limit:
                problems.append(f"{name}: errors {line[2]} and {line[3]}, at most {limit}")
    print(outputs["pes"], *problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
