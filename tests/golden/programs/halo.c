/* SPDX-License-Identifier: Apache-2.0
   A grid of ranks without wrap-around exchanges halos of integer cells: rows as they lie, columns by a datatype, by messages
   that do not block. Cells are averaged; a maximum ends each step. */
#include <mpi.h>
#include <stdio.h>

enum { EDGE = 96, STEPS = 5 };
static int cells[EDGE + 2][EDGE + 2];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2], up, down, left, right;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, at);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  MPI_Datatype column;
  MPI_Type_vector(EDGE, 1, EDGE + 2, MPI_INT, &column);
  MPI_Type_commit(&column);

  int wrong = 0;
  for (int step = 0; step < STEPS; ++step) {
    for (int y = 1; y <= EDGE; ++y)
      for (int x = 1; x <= EDGE; ++x) cells[y][x] = rank * STEPS + step;
    MPI_Request requests[8];
    MPI_Irecv(&cells[0][1], EDGE, MPI_INT, up, 0, grid, &requests[0]);
    MPI_Irecv(&cells[EDGE + 1][1], EDGE, MPI_INT, down, 1, grid, &requests[1]);
    MPI_Irecv(&cells[1][0], 1, column, left, 2, grid, &requests[2]);
    MPI_Irecv(&cells[1][EDGE + 1], 1, column, right, 3, grid, &requests[3]);
    MPI_Isend(&cells[EDGE][1], EDGE, MPI_INT, down, 0, grid, &requests[4]);
    MPI_Isend(&cells[1][1], EDGE, MPI_INT, up, 1, grid, &requests[5]);
    MPI_Isend(&cells[1][EDGE], 1, column, right, 2, grid, &requests[6]);
    MPI_Isend(&cells[1][1], 1, column, left, 3, grid, &requests[7]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= EDGE; ++i) {
      wrong += up >= 0 && cells[0][i] != up * STEPS + step;
      wrong += down >= 0 && cells[EDGE + 1][i] != down * STEPS + step;
      wrong += left >= 0 && cells[i][0] != left * STEPS + step;
      wrong += right >= 0 && cells[i][EDGE + 1] != right * STEPS + step;
    }
    int largest;
    MPI_Allreduce(&cells[1][1], &largest, 1, MPI_INT, MPI_MAX, grid);
    wrong += largest != (ranks - 1) * STEPS + step;
  }
  int total;
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, grid);
  if (rank == 0) printf("halo of %dx%d ranks, wrong=%d\n", dims[0], dims[1], total);
  MPI_Type_free(&column);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
