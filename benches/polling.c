// SPDX-License-Identifier: Apache-2.0
// Programs that poll until a message has arrived, as solvers do that compute meanwhile.
//   polling panel P Q PANELS WIDTH   As HPL: a column of P ranks factorises a panel, WIDTH steps of a reduction
//                                    each, then sends it along the rows of Q ranks; the others poll by
//                                    MPI_Iprobe whether it has come, in between parts of their update.
//   polling sweep P Q SWEEPS BYTES   As a sweep over a grid (SNAP, Sweep3D): each rank needs the data that its neighbours
//                                    to the left and above send, and polls for them by MPI_Test.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, p, q, row, column;
static MPI_Comm of_row, of_column;

// The arguments and results of HPL's functions for a broadcast.
typedef struct {
  double *data;
  int length, root, tag, have;
} Panel;
enum { kKeepTesting, kSuccess };

static int broadcast(Panel *panel) {
  const int left = (column + q - 1) % q, right = (column + 1) % q;
  if (!panel->have) {
    int come;
    MPI_Status status;
    MPI_Iprobe(left, panel->tag, of_row, &come, &status);
    if (!come) return kKeepTesting;
    MPI_Recv(panel->data, panel->length, MPI_DOUBLE, left, panel->tag, of_row, &status);
    panel->have = 1;
  }
  if (right != panel->root) MPI_Send(panel->data, panel->length, MPI_DOUBLE, right, panel->tag, of_row);
  return kSuccess;
}

static void factorise(Panel *panel, int width) {
  for (int step = 0; step < width; ++step) {
    struct {
      double value;
      int rank;
    } mine = {(rank * 7919 + step * 104729) % 1000, row}, most;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, of_column);
    panel->data[step] = most.value;
  }
  panel->have = 1;
}

static void panels(int count, int width) {
  Panel panel = {malloc(sizeof(double) * width * 64), width * 64, 0, 0, 0};
  memset(panel.data, 0, sizeof(double) * panel.length);
  for (int k = 0; k < count; ++k) {
    panel.root = k % q;
    panel.tag = k;
    panel.have = 0;
    if (column == panel.root) factorise(&panel, width);
    int state = kKeepTesting;
    for (int part = 0; part < 8 && state == kKeepTesting; ++part) state = broadcast(&panel);
    while (state == kKeepTesting) state = broadcast(&panel);
  }
  free(panel.data);
}

static void wait_for(MPI_Request *request) {
  for (int come = 0; !come;) MPI_Test(request, &come, MPI_STATUS_IGNORE);
}

static void sweeps(int count, int bytes) {
  char *above = calloc(1, bytes), *left = calloc(1, bytes), *to_right = calloc(1, bytes), *to_below = calloc(1, bytes);
  for (int i = 0; i < count; ++i) {
    // Corner by corner.
    const int down = i & 1 ? -1 : 1, over = i & 2 ? -1 : 1;
    const int from_row = row - down, to_row = row + down, from_column = column - over, to_column = column + over;
    MPI_Request request[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (from_row >= 0 && from_row < p) MPI_Irecv(above, bytes, MPI_CHAR, from_row, i, of_column, &request[0]);
    if (from_column >= 0 && from_column < q) MPI_Irecv(left, bytes, MPI_CHAR, from_column, i, of_row, &request[1]);
    wait_for(&request[0]);
    wait_for(&request[1]);
    if (to_row >= 0 && to_row < p) MPI_Isend(to_below, bytes, MPI_CHAR, to_row, i, of_column, &request[2]);
    if (to_column >= 0 && to_column < q) MPI_Isend(to_right, bytes, MPI_CHAR, to_column, i, of_row, &request[3]);
    wait_for(&request[2]);
    wait_for(&request[3]);
  }
  free(above), free(left), free(to_right), free(to_below);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 6 || (p = atoi(argv[2])) * (q = atoi(argv[3])) != ranks) {
    if (rank == 0) fprintf(stderr, "usage: polling panel|sweep P Q COUNT SIZE, on P times Q ranks\n");
    MPI_Finalize();
    return 2;
  }
  row = rank % p, column = rank / p;
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &of_row);
  MPI_Comm_split(MPI_COMM_WORLD, column, row, &of_column);
  const double begin = MPI_Wtime();
  if (strcmp(argv[1], "panel") == 0)
    panels(atoi(argv[4]), atoi(argv[5]));
  else
    sweeps(atoi(argv[4]), atoi(argv[5]));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%s on %d x %d ranks: %.9f s\n", argv[1], p, q, MPI_Wtime() - begin);
  MPI_Comm_free(&of_row);
  MPI_Comm_free(&of_column);
  MPI_Finalize();
  return 0;
}
