#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks programs that use several host threads around target regions: psim has no threads, and the program learns it.

threads.py PSIM"""
import os
import pathlib
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
SOURCE = r"""
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
static double c[64], d[64];
static void *other(void *unused) {
#pragma omp target teams distribute parallel for map(tofrom : d)
  for (int i = 0; i < 64; i++) d[i] += 1;
  return unused;
}
int main(void) {
#pragma omp parallel
  {
#pragma omp target teams distribute parallel for map(tofrom : c)
    for (int i = 0; i < 64; i++) c[i] += 1;
  }
  pthread_t thread;
  printf("%g %d\n", c[5], pthread_create(&thread, 0, other, 0) == ENOSYS);
}
"""


def main():
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        source, program = pathlib.Path(directory, "threads.c"), pathlib.Path(directory, "threads")
        source.write_text(SOURCE)
        subprocess.run([psim.parent / "psim-sparc-cc", "-O3", "-fopenmp", "-o", program, source], check=True)
        for threads, status, output, message in ("1", 0, "1 1\n", "threads need a machine with several cores"), ("2", 1, "", "Thread creation failed"):
            done = subprocess.run([psim, "exec", program], capture_output=True, text=True, timeout=100,
                                  env={**os.environ, "OMP_NUM_THREADS": threads})
            if (done.returncode, done.stdout) != (status, output) or message not in done.stderr:
                problems.append(f"{threads} threads: status {done.returncode}, expected {status}; printed {done.stdout!r}, "
                                f"expected {output!r}; {done.stderr!r}, expected {message!r}")
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
