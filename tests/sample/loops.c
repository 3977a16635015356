/* SPDX-License-Identifier: Apache-2.0
 * Two target loops, again and again: a smoothing step and a nonlinear one. loops N: N times. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 130
#define COLUMNS 160
static double from[ROWS][COLUMNS], to[ROWS][COLUMNS];

int main(int argc, char **argv) {
  const int times = argc > 1 ? atoi(argv[1]) : 60;
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) from[i][j] = 1 + (i * 7 + j * 3) % 11;
  for (int time = 0; time < times; ++time) {
#pragma omp target teams distribute parallel for map(to : from) map(tofrom : to)
    for (int i = 1; i < ROWS - 1; ++i)
      for (int j = 0; j < COLUMNS; ++j) to[i][j] = 0.25 * from[i - 1][j] + 0.5 * from[i][j] + 0.25 * from[i + 1][j];
#pragma omp target teams distribute parallel for map(tofrom : from) map(to : to)
    for (int i = 1; i < ROWS - 1; ++i)
      for (int j = 0; j < COLUMNS; ++j) from[i][j] = 0.5 * from[i][j] + 0.75 * to[i][j] / (1 + to[i][j]);
  }
  double sum = 0;
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) sum += from[i][j] * (i + 2 * j);
  printf("%.12g\n", sum);
}
