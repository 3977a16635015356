/* SPDX-License-Identifier: Apache-2.0
   Mistakes without effect here: rank 1 calls MPI before MPI_Init, and keeps objects that it should free. */
#include <mpi.h>

int main(int argc, char** argv) {
  int me, size, number = 0;
  static int buffer[4];
  MPI_Request requests[4];
  MPI_Comm comm;
  MPI_Datatype type, freed;
  MPI_Win window;
  MPI_Info info;
  MPI_Initialized(&number); /* this is allowed, and so are the next two */
  MPI_Info_create(&info);
  MPI_Info_free(&info);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 1) MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (me == 0)
    for (int i = 0; i < 3; ++i) MPI_Recv(buffer, 1, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 1) {
    for (int i = 0; i < 3; ++i) MPI_Isend(&number, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[1]);
    MPI_Irecv(buffer, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, &requests[3]);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_contiguous(3, MPI_INT, &freed);
    MPI_Type_free(&freed);
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (me != 1) MPI_Comm_free(&comm);
  MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (argc > 1)
    MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
