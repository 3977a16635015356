// SPDX-License-Identifier: Apache-2.0
// Two ranks exchange messages of the given sizes, each twice; the second rank changes every byte.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int a = 1; a < argc; ++a) {
    const int bytes = atoi(argv[a]);
    unsigned char* data = malloc(bytes + 1);
    int wrong = 0;
    for (int round = 0; round < 2; ++round) {
      MPI_Status status;
      int count;
      if (rank == 0) {
        for (int i = 0; i < bytes; ++i) data[i] = (unsigned char)(3 * i + round);
        MPI_Send(data, bytes, MPI_BYTE, 1, a, MPI_COMM_WORLD);
        MPI_Recv(data, bytes, MPI_BYTE, 1, a, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        wrong += count != bytes;
        for (int i = 0; i < bytes; ++i) wrong += data[i] != (unsigned char)(3 * i + round + 1);
      } else {
        MPI_Recv(data, bytes, MPI_BYTE, 0, a, MPI_COMM_WORLD, &status);
        for (int i = 0; i < bytes; ++i) ++data[i];
        MPI_Send(data, bytes, MPI_BYTE, 0, a, MPI_COMM_WORLD);
      }
    }
    if (rank == 0) printf("%d bytes: %s\n", bytes, wrong == 0 ? "good" : "wrong");
    free(data);
  }
  MPI_Finalize();
  return 0;
}
