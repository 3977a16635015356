// SPDX-License-Identifier: Apache-2.0
// MPI-IO: one file in /tmp for all ranks, by collective and by shared pointers, and external32.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, block[4], next[4] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 4; ++i) block[i] = 10 * rank + i;
  MPI_File file;
  const char* const name = argc > 1 ? argv[1] : "/tmp/psim_nodes_file";
  if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);
  const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  int failed = MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (failed) {
    if (rank == 0) printf("%d ranks cannot open the file\n", failed);
    MPI_Finalize();
    return 0;
  }
  MPI_File_write_at_all(file, rank * sizeof block, block, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at_all(file, (rank + 1) % size * sizeof block, next, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek_shared(file, size * sizeof block, MPI_SEEK_SET);
  MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Offset bytes;
  MPI_File_get_size(file, &bytes);
  MPI_File_close(&file);

  const int word = 0x102;
  const double number = 1.5;
  unsigned char packed[12];
  MPI_Aint position = 0;
  MPI_Pack_external("external32", &word, 1, MPI_INT, packed, sizeof packed, &position);
  MPI_Pack_external("external32", &number, 1, MPI_DOUBLE, packed, sizeof packed, &position);
  int read_word = 0;
  position = 0;
  MPI_Unpack_external("external32", packed, sizeof packed, &position, &read_word, 1, MPI_INT);
  for (int turn = 0; turn < size; ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (turn != rank) continue;
    printf("rank %d: next %d %d, %d bytes, external32", rank, next[0], next[3], (int)bytes);
    for (int i = 0; i < 12; ++i) printf(" %02x", packed[i]);
    printf(" and back %x\n", read_word);
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
