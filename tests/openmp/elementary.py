#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of the mathematical library in target loops: on the PEs and on the scalar core they give the same results, which differ from
those of the host's long double (64 bits or more) by less than one unit in the last place (erfc: 1.2); floor, fmod and their relatives are exact.

elementary.py PSIM [FUNCTION…]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
psim = pathlib.Path(sys.argv[1]).resolve()
ELEMENTARY = ["exp", "log", "sin", "cos", "exp2", "log2", "log10", "expm1", "log1p", "sinh", "cosh", "tanh", "cbrt", "tan", "asin", "acos", "atan",
              "erf", "erfc"]
EXACT = ["floor", "ceil", "trunc", "round", "rint", "nearbyint"]
LIMITS = {"erfc": 1.2}  # its rational function between 0.84 and 1.25 is that of erf
OF_TWO, EXACT_OF_TWO = ["pow", "hypot", "atan2"], ["fmod"]
SOURCE = r"""#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 2500 };
static double x[N], y[N], z[N];
static float f[N], g[N], h[N];
static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 709.78271289338397, 710, -745.13321910194122, -746, 1e300, -1e300,
                                 4.9e-324, 2.2e-308, 0.5, -0.5, 1.5, 2.5, -2.5, 0x1p52, -0x1p53, 0x1.fffffffffffffp51, 0x1p40, 0x1.921fb54442d18p+0,
                                 0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+30};
static void set(void) {
  const int specials = sizeof special / sizeof *special;
  srand48(7);
  for (int i = 0; i < N; i++) {
    const int pair = i < specials * specials; /* all pairs of special numbers */
    const double around = drand48() - 0.5;
    x[i] = i % 2 ? 4 * around : around * ldexp(1, i % 3 ? (int)(lrand48() % 60) - 20 : (int)(lrand48() % 2040) - 1020);
    z[i] = i % 5 ? (drand48() - 0.5) * ldexp(1, (int)(lrand48() % 12)) : (drand48() - 0.5) * ldexp(1, (int)(lrand48() % 2000) - 1000);
    if (i % 7 < 2) z[i] = rint(z[i]);
    if (i % 7 == 2) x[i] = fabs(x[i]), z[i] = x[i] * (1 + z[i] * 0x1p-12);
    if (pair) x[i] = special[i / specials], z[i] = special[i % specials];
    f[i] = (float)x[i], h[i] = (float)z[i];
  }
}
#define TEST(F) TEST_OF(F, F(x[i]), F##f(f[i]), F##l(x[i]), F##l(f[i]))
#define TEST2(F) TEST_OF(F, F(x[i], z[i]), F##f(f[i], h[i]), F##l(x[i], z[i]), F##l(f[i], h[i]))
#ifdef __sparc__
#define TEST_OF(F, WIDE, NARROW, EXACT_WIDE, EXACT_NARROW)                                                                             \
  _Pragma("omp target teams distribute parallel for map(to : x, z) map(from : y)") for (int i = 0; i < N; i++) y[i] = WIDE;             \
  _Pragma("omp target teams distribute parallel for map(to : f, h) map(from : g)") for (int i = 0; i < N; i++) g[i] = NARROW;           \
  fwrite(y, sizeof y, 1, stdout), fwrite(g, sizeof g, 1, stdout);
#else
/* The largest error in units of the last place; a NaN, an infinite result and zero must be right. */
static double error_of(long double exact, double got, double nearest, int digits, int lowest) {
  if (got == nearest ? signbit(got) == signbit(nearest) : got != got && nearest != nearest) return 0;
  if (got != got || nearest != nearest || isinf(got) || isinf(nearest) || got == nearest) return 1e9;
  int e;
  frexpl(exact, &e);
  return (double)(fabsl((long double)got - exact) / ldexpl(1, (e < lowest ? lowest : e) - digits));
}
static void read_swapped(void *to, size_t size) { /* psim's core has the other order of bytes */
  unsigned char *const bytes = to;
  for (int i = 0; i < N; i++) {
    const size_t at = (size_t)i * size;
    for (size_t b = 0; b < size; b++) bytes[at + size - 1 - b] = (unsigned char)getchar();
  }
}
#define TEST_OF(F, WIDE, NARROW, EXACT_WIDE, EXACT_NARROW)                                                                             \
  {                                                                                                                                    \
    double wide = 0, narrow = 0, at = 0, also = 0;                                                                                     \
    read_swapped(y, sizeof *y), read_swapped(g, sizeof *g);                                                                            \
    for (int i = 0; i < N; i++) {                                                                                                      \
      const long double a = EXACT_WIDE, b = EXACT_NARROW;                                                                              \
      const double error = error_of(a, y[i], (double)a, 53, -1021), other = error_of(b, g[i], (float)b, 24, -125);                     \
      if (error > wide) wide = error, at = x[i], also = z[i];                                                                          \
      if (other > narrow) narrow = other;                                                                                              \
    }                                                                                                                                  \
    printf(#F " %.4f %.4f at %a %a\n", wide, narrow, at, also);                                                                        \
  }
#endif
int main(void) {
#if LDBL_MANT_DIG < 64
  return 77; /* no wider numbers */
#else
  set();
  @TESTS@
  return 0;
#endif
}
"""
LINE = re.compile(r"(\w+) ([\d.]+) ([\d.]+) at .*")


def main():
    problems, chosen = [], sys.argv[2:]
    of_one, of_two = ([name for name in names if not chosen or name in chosen] for names in (ELEMENTARY + EXACT, OF_TWO + EXACT_OF_TWO))
    with tempfile.TemporaryDirectory() as directory:
        source, program, reference = (pathlib.Path(directory, name) for name in ("functions.c", "functions", "reference"))
        source.write_text(SOURCE.replace("@TESTS@", "\n  ".join([f"TEST({name})" for name in of_one] + [f"TEST2({name})" for name in of_two])))
        subprocess.run([psim.parent / "psim-sparc-cc", "-O3", "-fopenmp", "-o", program, source, "-lm"], check=True)
        subprocess.run(["gcc", "-O1", "-fno-builtin", "-w", "-o", reference, source, "-lm"], check=True)
        outputs = {}
        for place in "pes", "scalar":
            done = subprocess.run([psim, "exec", "--quiet", "--machine", "simd16", program], capture_output=True, timeout=200,
                                  env={**os.environ, "PSIM_OMP_LOOPS": place, "PSIM_OMP_VERIFY": "0"})
            if done.returncode or done.stderr:
                problems.append(f"{place}: status {done.returncode}, {done.stderr.decode()}")
            compared = subprocess.run([reference], input=done.stdout, capture_output=True)
            if compared.returncode == SKIPPED:
                print("long double is no wider than double")
                return SKIPPED
            outputs[place] = compared.stdout.decode()
        if outputs["pes"] != outputs["scalar"]:
            problems.append(f"PEs: {outputs['pes']}\nscalar core: {outputs['scalar']}")
        found = {line[1]: line for line in LINE.finditer(outputs["pes"])}
        if list(found) != of_one + of_two:
            problems.append(f"functions {list(found)}")
        for name, line in found.items():
            limit = 0 if name in EXACT + EXACT_OF_TWO else LIMITS.get(name, 1)
            if max(float(line[2]), float(line[3])) > limit:
                problems.append(f"{name}: errors {line[2]} and {line[3]}, at most {limit}")
    print(outputs["pes"], *problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
