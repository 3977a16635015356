#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random loops in C, for trials of sampled runs.

  benches/random_loops.py FROM TO FOLDER

Writes FOLDER/rNNN.c for each number from FROM up to TO, without TO. A loop has 3 to 9 lines of integer arithmetic, loads, stores, divisions and branches,
in an inner loop of one to three iterations, and some 2 to 24 million instructions. A program is the same whenever it is written. Compile them with
sparc64-linux-gnu-gcc -O2 -static into another folder, and run benches/sampling_trials.py --programs on that.
"""
import pathlib
import random
import sys

SEED = 20261130
KINDS = ["arith", "arith", "arith", "load", "load", "store", "div", "branch", "branch", "mul", "chain"]
NAMES = ["a", "b", "c", "d", "e"]


def line(r, size):
    """Returns a random line for arrays of `size` elements."""
    kind = r.choice(KINDS)
    x, y, z = (r.choice(NAMES) for _ in range(3))
    index = r.choice(["i", "i", str(r.choice(NAMES)), f"i*{r.choice([3, 5, 17])}"])
    mask = size - 1
    if kind == "arith":
        return f"{x} {r.choice(['+=', '^=', '-='])} {y} {r.choice(['+', '^', '&', '|', '-'])} ({z} {r.choice(['>>', '<<'])} {r.randint(1, 13)});"
    if kind == "chain":
        return f"{x} = {x} * {r.choice([3, 5, 7])} + ({x} >> {r.randint(1, 9)});"
    if kind == "mul":
        return f"{x} = {y} * {z} + {r.randint(1, 99)};"
    if kind == "load":
        return f"{x} += p[({index}) & {mask}];"
    if kind == "store":
        return f"q[({index}) & {mask}] = {y};"
    if kind == "div":
        return f"{x} {r.choice(['+=', '^='])} {y} / (({z} & {r.choice([7, 63, 1023])}) | 1);"
    # The empty statement keeps gcc from a conditional move.
    bits = r.choice([1, 1, 3, 7, 15, 63])
    tested = r.choice([y, y, f"p[({index}) & {mask}]"])
    then = f"if (({tested} & {bits}) == {r.randint(0, bits)}) {{ {x} += {z} ^ i; __asm__ volatile(\"\"); }}"
    return then + (f" else {{ {z} -= {y}; __asm__ volatile(\"\"); }}" if r.random() < 0.4 else "")


def program(number):
    r = random.Random(SEED * 1000 + number)
    size = r.choice([64, 256, 1024, 4096, 16384])
    type_name = {"u": "unsigned", "l": "unsigned long"}[r.choice("ul")]
    count = r.randint(3, 9)
    lines = [line(r, size) for _ in range(count)]
    inner = r.randint(1, 3)
    nested = inner > 1 and r.choice(["single", "inner"]) == "inner"
    instructions = int(10 ** r.uniform(6.35, 7.35))
    passes = max(1000, instructions // ((count * 5 + 4) * (inner if nested else 1)))
    outer = r.choice([1, 1, 1, 4, 50])
    body = "\n      ".join(lines)
    loop = f"for (int k = 0; k < {inner}; ++k) {{ i += k;\n      {body}\n      }}" if nested else body
    return f"""#include <stdio.h>
#include <stdlib.h>
static {type_name} p[{size}], q[{size}];
int main(void) {{
  {type_name} a, b, c, d, e;
  srand({number});
  a = rand(), b = rand(), c = rand(), d = rand(), e = rand();
  for (int i = 0; i < {size}; ++i) p[i] = rand();
  for (int o = 0; o < {outer}; ++o) {{
    {type_name} i = 0;
    for (long n = 0; n < {max(100, passes // outer)}; ++n, ++i) {{
      {loop}
    }}
    a += o;
  }}
  printf("%lu\\n", (unsigned long)(a + b + c + d + e + q[3]));
  return 0;
}}
"""


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        (pathlib.Path(sys.argv[3]) / f"r{number:03}.c").write_text(program(number), encoding="utf-8")


if __name__ == "__main__":
    main()
