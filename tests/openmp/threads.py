#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks programs whose host threads execute target regions at the same time: each thread has SBMs and PE registers of its own.

threads.py PSIM"""
import pathlib
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
SOURCE = r"""
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#define N 640
static double c[4][N], d[N];
static void *other(void *unused) {
  for (int round = 0; round < 20; round++) {
#pragma omp target teams distribute parallel for map(tofrom : d)
    for (int i = 0; i < N; i++) d[i] = d[i] * 0.5 + i;
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
#pragma omp parallel num_threads(3)
  {
    double *own = c[omp_get_thread_num()];
    for (int round = 0; round < 20; round++) {
#pragma omp target teams distribute parallel for map(tofrom : own[:N])
      for (int i = 0; i < N; i++) own[i] += i * (round + 1.0);
    }
  }
  pthread_join(thread, 0);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    double wanted = 0;
    for (int round = 0; round < 20; round++) wanted = wanted * 0.5 + i;
    wrong += d[i] != wanted;
    for (int t = 0; t < 3; t++) wrong += c[t][i] != i * 210.0;
  }
  printf("%d wrong\n", wrong);
}
"""
# A slice of 1,000 cycles ends within target regions.
RUNS = [["exec", "--machine", "simd16"], ["exec", "--machine", "simd16", "--set", "node.time_slice=1000 cycles"],
        ["exec", "--machine", "psi-chip"], ["run", "--machine", "simd16", "--env", "PSIM_OMP_LOOPS=pes"],
        ["run", "--machine", "simd16", "--env", "PSIM_OMP_LOOPS=pes", "--set", "node.time_slice=1000 cycles"], ["run", "--machine", "psi-chip", "--set", "node.cores=2"]]


def main():
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        source, program = pathlib.Path(directory, "threads.c"), pathlib.Path(directory, "threads")
        source.write_text(SOURCE)
        subprocess.run([psim.parent / "psim-sparc-cc", "-O3", "-fopenmp", "-o", program, source], check=True)
        for options in RUNS:
            done = subprocess.run([psim, *options, program], capture_output=True, text=True, timeout=100)
            if (done.returncode, done.stdout) != (0, "0 wrong\n"):
                problems.append(f"{options}: status {done.returncode}, printed {done.stdout!r}, {done.stderr!r}")
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
