// SPDX-License-Identifier: Apache-2.0
// Rank 0 alone has the file: its working directory is another one.
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0 && chdir("/tmp") != 0) return 1;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "private", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_Finalize();
  return 0;
}
