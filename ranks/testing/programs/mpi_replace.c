/* SPDX-License-Identifier: Apache-2.0
   MPI_Sendrecv_replace of more bytes than an int holds, in runs that carry no data. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  static char nothing[8];
  int me, count = 0;
  MPI_Datatype type;
  MPI_Status status;
  MPI_Count bytes = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Type_contiguous(1 << 20, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv_replace(nothing, 300, type, 1 - me, 0, 1 - me, 0, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &count);
  MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  if (me == 0) printf("%d, %lld\n", count, (long long)bytes);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
