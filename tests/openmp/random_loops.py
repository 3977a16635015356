#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates random loops of OpenMP target regions and compares their results natively, on the SIMD-PEs, and on the scalar core.

random_loops.py PSIM 'COMPILER COMMAND' [PROGRAMS [SEED]]. The compiler command compiles C with OpenMP for psim. All data are small
integers or halves, so that no operation rounds."""
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

LOOPS = 8  # of a program


class Loop:
    """A loop over arrays of one to three dimensions, with neighbours, conditions and reductions."""

    def __init__(self, number, rng):
        self.rng, self.number = rng, number
        self.count = rng.choice([0, 1, 2, 15, 16, 17, 31, 33, 47, 64, 100, 131])
        self.inner = rng.choice([1, 2, 3, 5, 8, 13])
        self.nested = rng.random() < 0.5
        self.float_result = rng.random() < 0.4
        self.index = rng.choice(["int", "int", "int", "long", "unsigned", "size_t", "short"])
        self.depth = 0

    def subscript(self, array, write):
        rng, inner = self.rng, "j" if self.nested else "0"
        halo = 0 if write else rng.choice([0, 0, 0, 1, 2])
        side = 0 if write else rng.choice([0, 0, 1, 2])
        kind = rng.random()
        if not write and kind < 0.1:
            return f"{array}[8][{inner} + {side}]"  # the same for all
        if not write and kind < 0.2:
            return f"{array}[{self.count} + 3 - i][{inner} + {side}]"  # backwards
        if not write and kind < 0.25 and self.nested:
            return f"{array}[{inner} + {side}][i % 1 + 2]"
        return f"{array}[i + {2 + halo}][{inner} + {side}]"

    def value(self, depth=0):
        rng = self.rng
        kind = rng.random()
        if depth > 2 or kind < 0.35:
            return self.subscript(rng.choice("abfg"), False)
        if kind < 0.42:
            return rng.choice(["1.0", "0.5", "-2.0", "3.0f", "0.0", "s0", "t0"])
        if kind < 0.5:
            return rng.choice(["(double)i", "(float)i", "(i + 3) * 0.5", "(double)(2 * i + 1)"] + (["(double)j", "(i + j) * 0.5"] if self.nested else []))
        if kind < 0.78:
            return f"({self.value(depth + 1)} {rng.choice('+-')} {self.value(depth + 1)})"
        if kind < 0.83:
            return f"({self.value(depth + 1)} * {rng.choice(['2', '0.5', '-1', '3'])})"
        if kind < 0.86:
            return f"fabs({self.value(depth + 1)})"
        if kind < 0.89:
            return f"{rng.choice(['fmin', 'fmax'])}({self.value(depth + 1)}, {self.value(depth + 1)})"
        if kind < 0.91:
            return f"sqrt({self.value(3)} * 0 + 16)"
        if kind < 0.93:
            return f"({self.value(depth + 1)} / {rng.choice(['4', '2.0', '0.5'])})"
        return f"({self.condition(depth + 1)} ? {self.value(depth + 1)} : {self.value(depth + 1)})"

    def condition(self, depth=0):
        rng = self.rng
        kind = rng.random()
        if depth < 2 and kind < 0.2:
            return f"({self.condition(depth + 1)} {rng.choice(['&&', '||'])} {self.condition(depth + 1)})"
        if kind < 0.25:
            return f"!({self.condition(depth + 1)})"
        if kind < 0.3 and self.nested:
            return f"j {rng.choice(['<', '>', '=='])} 2"
        if kind < 0.33:
            return "s0 > 1"
        return f"{self.value(depth + 1)} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {self.value(depth + 2)}"

    def statement(self, depth=0):
        rng = self.rng
        kind = rng.random()
        place = self.subscript(self.result, True)
        if kind < 0.35:
            return [f"{place} = {self.value()};"]
        if kind < 0.5:
            return [f"{place} {rng.choice(['+=', '-='])} {self.value()};"]
        if kind < 0.62:
            return [f"t = {self.value()};"]
        if kind < 0.72:
            return [f"{place} = t;"]
        if kind < 0.78 and self.sums:
            return [f"sum += {self.value()};"]
        if kind < 0.82 and self.sums:
            return [rng.choice([f"least = fmin(least, {self.value()});", f"if ({self.value()} > most) most = {self.value(2)};"][:1] +
                               ["u = " + self.value() + "; most = u > most ? u : most;"])]
        if depth < 2:
            lines = [f"if ({self.condition()}) {{"] + self.statement(depth + 1) + self.statement(depth + 1)
            if rng.random() < 0.5:
                lines += ["} else {"] + self.statement(depth + 1)
            return lines + ["}"]
        return [f"{place} = t + 1;"]

    def text(self):
        rng = self.rng
        self.sums = rng.random() < 0.4
        self.result = "h" if self.float_result else "c"
        lines = [f"__attribute__((noinline)) static void loop{self.number}({self.index} n, int m, double s0, float t0) {{",
                 "  double sum = 1, least = 1e6, most = -1e6;"]
        collapse = self.nested and rng.random() < 0.4
        clauses = " collapse(2)" if collapse else ""
        if self.sums:
            clauses += " reduction(+ : sum) reduction(min : least) reduction(max : most)"
        construct = rng.choice(["target teams distribute parallel for", "target parallel for", "target teams distribute parallel for simd"])
        lines += [f"#pragma omp {construct}{clauses} map(to : a, b, f, g) map(tofrom : c, h)"]
        step, start = rng.choice([(1, 0), (1, 0), (1, 1), (2, 0), (3, 1)])
        down = rng.random() < 0.15 and self.index in ("int", "long", "short")
        lines += [f"  for ({self.index} i = n - 1; i >= {start}; i -= {step})" if down else f"  for ({self.index} i = {start}; i < n; i += {step})"]
        body = ["double t = 0, u = 0; (void)u;"]
        inner = []
        for _ in range(rng.randint(1, 3)):
            inner += self.statement()
        inner += [f"{self.subscript(self.result, True)} += t;"]
        if self.nested:
            head = f"for (int j = 0; j < {rng.choice(['m', str(self.inner)])}; j++) {{"
            if not collapse and self.index in ("int", "long") and self.count <= 17:  # a triangle
                head = rng.choice([head, "for (int j = 0; j < 14 - i; j++) {", "for (int j = i; j < 13; j++) {", "for (int j = 13 - i; j >= 0; j--) {",
                                   "for (int j = i < 10 ? i : 10; j >= 0; j--) {", "for (int j = 12; j >= i; j--) {"])
            if collapse:
                lines += [head] + body + inner + ["}"]
            else:
                lines += ["{", head] + body + inner + ["}"] + (["}"])
        else:
            lines += ["{"] + body + inner + ["}"]
        lines += ["  results(sum, least, most);", "}"]
        return "\n".join(lines)

    def call(self):
        return f"loop{self.number}({self.count}, {self.inner}, 1.5, 2.5f);"


def program(seed):
    rng = random.Random(seed)
    loops = [Loop(number, rng) for number in range(LOOPS)]
    texts = "\n".join(loop.text() for loop in loops)
    calls = "\n  ".join(loop.call() for loop in loops)
    odd = rng.choice([0, 1])
    return f"""#include <math.h>
#include <stdio.h>
#include <stddef.h>
enum {{ ROWS = 140, COLUMNS = {rng.choice([16, 17, 19, 24])} }};
static double a[ROWS][COLUMNS], b[ROWS][COLUMNS], c[ROWS][COLUMNS];
static float f[ROWS][COLUMNS], g[ROWS][COLUMNS], space[ROWS * COLUMNS + 1];
#define h ((float(*)[COLUMNS])(space + {odd}))
static double line;
static void results(double sum, double least, double most) {{
  double total = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {{
      volatile double p = c[i][j] * (i % 7 + j % 3 + 1), q = (double)h[i][j] * (i % 5 + j % 4 + 1);
      total += p + q;
      a[i][j] = (i * 37 + j * 11 + 5) % 19 - 9, b[i][j] = (i * 7 + j * 23) % 17 * 0.5;
      f[i][j] = (float)((i * 13 + j * 5) % 23 - 11), g[i][j] = (float)((i * 3 + j * 29) % 13) * 0.5f;
      c[i][j] = i - j, h[i][j] = (float)(j - i);
    }}
  printf("%g: %.17g %.17g %.17g %.17g\\n", line++, sum, least, most, total);
}}
{texts.replace("map(tofrom : c, h)", "map(tofrom : c, space)")}
int main(void) {{
  results(0, 0, 0);
  {calls}
}}
"""


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, "OMP_NUM_THREADS": "1", **environment})
    return done.returncode, done.stdout, done.stderr


def check(psim, compiler, seed, directory):
    """Returns what is wrong, and how many loops ran on the PEs."""
    source, native, guest = (pathlib.Path(directory, name) for name in ("loops.c", "native", "guest"))
    source.write_text(program(seed))
    status, _, errors = run(["gcc", "-O1", "-fopenmp", "-foffload=disable", "-w", "-o", native, source, "-lm"])
    if status:
        return [f"seed {seed}: native: {errors}"], 0
    status, _, errors = run([*compiler, "-o", guest, source, "-lm"])
    if status:
        return [f"seed {seed}: {errors}"], 0
    expected = run([native])
    problems = []
    on_pes = 0
    for verify in "01":
        status, output, errors = run([psim, "exec", guest], PSIM_OMP_VERIFY=verify)
        on_pes = LOOPS - errors.count("runs on the scalar core")
        if status or output != expected[1]:
            lines = [f"{a} / {b}" for a, b in zip(expected[1].splitlines(), output.splitlines()) if a != b]
            problems.append(f"seed {seed}, verify {verify}: status {status}, native / psim: {lines[:3]} {errors[-600:]}")
    return problems, on_pes


def main():
    psim, compiler = sys.argv[1], shlex.split(sys.argv[2])
    programs = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    problems, on_pes = [], 0
    with tempfile.TemporaryDirectory() as directory:
        for seed in range(first, first + programs):
            wrong, ran = check(psim, compiler, seed, directory)
            problems += wrong
            on_pes += ran
            for line in wrong:
                print(line, flush=True)
    print(f"{programs} programs, {on_pes} of {programs * LOOPS} loops on the PEs, {len(problems)} problems")
    return 1 if problems or on_pes * 2 < programs * LOOPS else 0


if __name__ == "__main__":
    sys.exit(main())
