/* SPDX-License-Identifier: Apache-2.0
   Halo exchange as an MGEN program: a box of cells is divided among a periodic grid of ranks; in every step each rank
   computes its cells, swaps the faces of its part with its neighbours (2 in 1D, 4 in 2D, 6 in 3D) and takes part in a sum
   over all, as solvers do. Sizes only; no data.

       psim-cc -O2 -o halo_exchange halo_exchange.c
       psim net -n 64 ./halo_exchange 3 64 10 1      # dimensions, cells along an edge of a rank's part, steps, ns a cell
*/
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 3, kBytesOfCell = 8 };

int MGEN_Main(int argc, char** argv) {
  MGEN_Init(&argc, &argv);
  int rank, ranks;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  const int dimensions = argc > 1 ? atoi(argv[1]) : 3, edge = argc > 2 ? atoi(argv[2]) : 64;
  const int steps = argc > 3 ? atoi(argv[3]) : 10;
  const double cell_seconds = (argc > 4 ? atof(argv[4]) : 1) * 1e-9;
  if (dimensions < 1 || dimensions > kMost || edge < 1 || steps < 1) {
    if (rank == 0) fprintf(stderr, "halo_exchange: 1 to 3 dimensions, cells and steps from 1\n");
    MGEN_Abort(MGEN_COMM_WORLD, 2);
  }
  int grid[kMost] = {0, 0, 0}, periods[kMost] = {1, 1, 1}, face = kBytesOfCell;
  double cells = edge;
  for (int d = 1; d < dimensions; ++d) face *= edge, cells *= edge;
  MGEN_Comm torus;
  MGEN_Dims_create(ranks, dimensions, grid);
  MGEN_Cart_create(MGEN_COMM_WORLD, dimensions, grid, periods, 0, &torus);
  int down[kMost], up[kMost];
  for (int d = 0; d < dimensions; ++d) MGEN_Cart_shift(torus, d, 1, &down[d], &up[d]);

  MGEN_Barrier(torus);
  const double begin = MGEN_Wtime();
  for (int step = 0; step < steps; ++step) {
    MGEN_Request requests[4 * kMost];
    int n = 0;
    for (int d = 0; d < dimensions; ++d) {
      MGEN_Irecv(NULL, face, MGEN_BYTE, down[d], 2 * d, torus, &requests[n++]);
      MGEN_Irecv(NULL, face, MGEN_BYTE, up[d], 2 * d + 1, torus, &requests[n++]);
    }
    for (int d = 0; d < dimensions; ++d) {
      MGEN_Isend(NULL, face, MGEN_BYTE, up[d], 2 * d, torus, &requests[n++]);
      MGEN_Isend(NULL, face, MGEN_BYTE, down[d], 2 * d + 1, torus, &requests[n++]);
    }
    MGEN_Comp(cells * cell_seconds);
    MGEN_Waitall(n, requests, MGEN_STATUSES_IGNORE);
    MGEN_Allreduce(NULL, NULL, 1, MGEN_DOUBLE, MGEN_SUM, torus);
  }
  const double step_seconds = (MGEN_Wtime() - begin) / steps;
  if (rank == 0) {
    printf("halo exchange of %d", grid[0]);
    for (int d = 1; d < dimensions; ++d) printf("x%d", grid[d]);
    printf(" ranks, %d steps: faces of %d bytes, %.3f us a step, %.1f %% of it computing\n", steps, face, step_seconds * 1e6,
           100 * cells * cell_seconds / step_seconds);
  }
  MGEN_Comm_free(&torus);
  MGEN_Finalize();
  return 0;
}
