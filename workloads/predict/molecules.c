/* SPDX-License-Identifier: Apache-2.0
 * Molecular dynamics in the manner of CoMD: a crystal of Lennard-Jones atoms in link cells. molecules CELLS STEPS:
 * each rank has CELLS^3 cells of four atoms; ranks form a ring along x. Atoms vibrate and stay in their cells.
 * Regions: halo(cells), force(cells), advance(cells), and energy(cells), which ends with an allreduce.
 *
 * One source for the core and for ranks: -DSERIAL builds one rank without MPI, whose neighbours are itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef SERIAL
#include <mpi.h>
#endif

#include "psim.h"

enum { ATOMS = 4 };
typedef struct {
  double x[ATOMS][3];
} cell;

static const double kLattice = 1.68, kCutoff2 = 2.5 * 2.5, kStep = 0.002;
static int cells, side; /* side: with one layer of halo on each side */
static cell *positions, *velocities, *forces;
static double potential;

static cell *at(cell *grid, int x, int y, int z) { return &grid[((long)(x + 1) * side + y + 1) * side + z + 1]; }

static cell *new_grid(void) {
  cell *const grid = calloc((size_t)side * side * side, sizeof *grid);
  if (grid) return grid;
  fprintf(stderr, "molecules: no memory for %d cells\n", cells);
  exit(1);
}

static void place(int rank) {
  static const double kSites[ATOMS][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  unsigned random = 12345 + rank;
  for (int x = 0; x < cells; ++x)
    for (int y = 0; y < cells; ++y)
      for (int z = 0; z < cells; ++z)
        for (int a = 0; a < ATOMS; ++a) {
          const int corner[3] = {x, y, z};
          for (int d = 0; d < 3; ++d) {
            random = random * 1664525u + 1013904223u;
            at(positions, x, y, z)->x[a][d] = kLattice * (corner[d] + 0.25 + kSites[a][d]);
            at(velocities, x, y, z)->x[a][d] = (random >> 8) * (1.0 / (1 << 24)) - 0.5;
          }
        }
}

/* Copies a layer of cells with its positions shifted by a period, with the halos of the axes before. */
static void copy_layer(int axis, int to, int from, double shift) {
  const int low = axis == 1 ? 0 : -1, high = axis == 1 ? cells : cells + 1;
  for (int i = -1; i <= cells; ++i)
    for (int j = low; j < high; ++j) {
      cell *const target = axis == 1 ? at(positions, i, to, j) : at(positions, i, j, to);
      *target = axis == 1 ? *at(positions, i, from, j) : *at(positions, i, j, from);
      for (int a = 0; a < ATOMS; ++a) target->x[a][axis] += shift;
    }
}

static void shift_plane(int x, double shift) {
  for (int y = -1; y <= cells; ++y)
    for (int z = -1; z <= cells; ++z)
      for (int a = 0; a < ATOMS; ++a) at(positions, x, y, z)->x[a][0] += shift;
}

/* Planes of constant x are contiguous. */
static void exchange_planes(int rank, int ranks) {
  const size_t plane = (size_t)side * side;
  cell *const first = positions + plane, *const last = positions + plane * cells;
#ifdef SERIAL
  (void)rank, (void)ranks;
  memcpy(positions, last, plane * sizeof *positions);
  memcpy(positions + plane * (cells + 1), first, plane * sizeof *positions);
#else
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks, bytes = (int)(plane * sizeof *positions);
  MPI_Sendrecv(last, bytes, MPI_BYTE, right, 0, positions, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(first, bytes, MPI_BYTE, left, 1, positions + plane * (cells + 1), bytes, MPI_BYTE, right, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
}

static void halo(int rank, int ranks) {
  const double period = kLattice * cells;
  PSIM_REGION_BEGIN("halo", cells);
  exchange_planes(rank, ranks);
  shift_plane(-1, -period), shift_plane(cells, period);
  for (int axis = 1; axis < 3; ++axis) {
    copy_layer(axis, -1, cells - 1, -period);
    copy_layer(axis, cells, 0, period);
  }
  PSIM_REGION_END("halo");
}

static void pair(const double *p, const double *q, double *f, double *energy) {
  const double dx = p[0] - q[0], dy = p[1] - q[1], dz = p[2] - q[2], r2 = dx * dx + dy * dy + dz * dz;
  if (r2 > kCutoff2 || r2 == 0) return;
  const double s2 = 1 / r2, s6 = s2 * s2 * s2, scale = 24 * s2 * s6 * (2 * s6 - 1);
  f[0] += scale * dx, f[1] += scale * dy, f[2] += scale * dz;
  *energy += 2 * s6 * (s6 - 1);
}

static void force(void) {
  PSIM_REGION_BEGIN("force", cells);
  double energy = 0;
  for (int x = 0; x < cells; ++x)
    for (int y = 0; y < cells; ++y)
      for (int z = 0; z < cells; ++z) {
        const cell *const own = at(positions, x, y, z);
        cell *const sum = at(forces, x, y, z);
        memset(sum, 0, sizeof *sum);
        for (int n = 0; n < 27; ++n) {
          const cell *const other = at(positions, x + n / 9 - 1, y + n / 3 % 3 - 1, z + n % 3 - 1);
          for (int a = 0; a < ATOMS; ++a)
            for (int b = 0; b < ATOMS; ++b) pair(own->x[a], other->x[b], sum->x[a], &energy);
        }
      }
  potential = energy;
  PSIM_REGION_END("force");
}

static void advance(void) {
  PSIM_REGION_BEGIN("advance", cells);
  for (int x = 0; x < cells; ++x)
    for (int y = 0; y < cells; ++y)
      for (int z = 0; z < cells; ++z)
        for (int a = 0; a < ATOMS; ++a)
          for (int d = 0; d < 3; ++d) {
            at(velocities, x, y, z)->x[a][d] += kStep * at(forces, x, y, z)->x[a][d];
            at(positions, x, y, z)->x[a][d] += kStep * at(velocities, x, y, z)->x[a][d];
          }
  PSIM_REGION_END("advance");
}

static double energy(void) {
  PSIM_REGION_BEGIN("energy", cells);
  double sum = potential;
  for (int x = 0; x < cells; ++x)
    for (int y = 0; y < cells; ++y)
      for (int z = 0; z < cells; ++z)
        for (int a = 0; a < ATOMS; ++a)
          for (int d = 0; d < 3; ++d) {
            const double v = at(velocities, x, y, z)->x[a][d];
            sum += 0.5 * v * v;
          }
#ifndef SERIAL
  double all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  sum = all;
#endif
  PSIM_REGION_END("energy");
  return sum;
}

int main(int count, char **words) {
  int rank = 0, ranks = 1;
#ifndef SERIAL
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
  cells = count > 1 ? atoi(words[1]) : 4;
  const int steps = count > 2 ? atoi(words[2]) : 2;
  if (cells < 2 || steps < 1) {
    fprintf(stderr, "usage: molecules CELLS STEPS, with CELLS >= 2\n");
    return 2;
  }
  side = cells + 2;
  positions = new_grid(), velocities = new_grid(), forces = new_grid();
  place(rank);
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    halo(rank, ranks);
    force();
    advance();
    last = energy();
    if (step == 0) first = last;
  }
  const double atoms = (double)ranks * cells * cells * cells * ATOMS;
  if (rank == 0) printf("energy per atom %.6f, then %.6f\n", first / atoms, last / atoms);
#ifndef SERIAL
  MPI_Finalize();
#endif
  return 0;
}
