/* SPDX-License-Identifier: Apache-2.0
   An OpenMP thread calls MPI, which is not allowed. */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int granted = 0, main_thread = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
  MPI_Is_thread_main(&main_thread);
  if (granted != MPI_THREAD_MULTIPLE || !main_thread) return 3;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
