/* SPDX-License-Identifier: Apache-2.0
   Phases of communication with pauses of 60 us between them, in which links fall asleep: a broadcast, an exchange of all with
   all, a gathering, and messages that a rank takes from anywhere. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORDS = 512, PAUSE = 60 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks, rank, wrong = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* const out = malloc(sizeof(int) * (size_t)(ranks * WORDS));
  int* const in = malloc(sizeof(int) * (size_t)(ranks * WORDS));

  for (int i = 0; i < 8 * WORDS; ++i) out[i] = rank == 3 ? i : 0;
  MPI_Bcast(out, 8 * WORDS, MPI_INT, 3, MPI_COMM_WORLD);
  for (int i = 0; i < 8 * WORDS; ++i) wrong += out[i] != i;
  usleep(PAUSE);

  for (int i = 0; i < ranks * WORDS; ++i) out[i] = rank * ranks + i / WORDS;
  MPI_Alltoall(out, WORDS, MPI_INT, in, WORDS, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < ranks * WORDS; ++i) wrong += in[i] != i / WORDS * ranks + rank;
  usleep(PAUSE);

  MPI_Gather(&rank, 1, MPI_INT, in, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; ++i) wrong += in[i] != i;
  usleep(PAUSE);

  if (rank == 0) {
    long sum = 0;
    for (int i = 1; i < ranks; ++i) {
      MPI_Status status;
      int value;
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      wrong += value != status.MPI_SOURCE * status.MPI_TAG;
      sum += status.MPI_SOURCE;
    }
    wrong += sum != (long)ranks * (ranks - 1) / 2;
  } else {
    const int value = rank * (rank % 7 + 1);
    MPI_Send(&value, 1, MPI_INT, 0, rank % 7 + 1, MPI_COMM_WORLD);
  }
  int total;
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("phases of %d ranks, wrong=%d\n", ranks, total);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
