/* SPDX-License-Identifier: Apache-2.0
   A thread of the program calls MPI, which it may not. */
#include <mpi.h>
#include <pthread.h>

static void* call(void* nothing) {
  MPI_Barrier(MPI_COMM_WORLD);
  return nothing;
}

int main(int argc, char** argv) {
  int granted = 0, main_thread = 0;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
  MPI_Is_thread_main(&main_thread);
  if (granted != MPI_THREAD_FUNNELED || !main_thread) return 3;
  if (pthread_create(&thread, 0, call, 0) != 0) return 4;
  pthread_join(thread, 0);
  MPI_Finalize();
  return 0;
}
