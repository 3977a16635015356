/* SPDX-License-Identifier: Apache-2.0
   grequest MICROSECONDS | never
   A thread completes generalized requests after a time while the main thread tests or waits for them, as threads/pt2pt/greq_test
   of MPICH does. "never": a thread waits for a mutex, and the main thread tests for a message that no rank sends. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static useconds_t delay;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int query(void* extra, MPI_Status* status) {
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  MPI_Status_set_cancelled(status, 0);
  return MPI_Status_set_elements(status, MPI_BYTE, *(int*)extra);
}
static int release(void* extra) { return extra == 0; }
static int cancel(void* extra, int complete) { return extra == 0 || complete; }

static void* work(void* request) {
  usleep(delay);
  MPI_Grequest_complete(*(MPI_Request*)request);
  return 0;
}
static void* lock(void* unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  int granted, rank, number;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_t thread;
  delay = (useconds_t)atoi(argv[1]);
  if (!strcmp(argv[1], "never")) {
    MPI_Request request;
    int done = 0;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, lock, 0);
    MPI_Irecv(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  for (int how = 0; how < 5; ++how) {
    MPI_Request request, copy;
    MPI_Status status;
    int done = 0, index = -1, count;
    MPI_Grequest_start(query, release, cancel, &how, &request);
    copy = request;
    const double begin = MPI_Wtime();
    pthread_create(&thread, 0, work, &copy);
    if (how == 0) MPI_Wait(&request, &status);
    if (how == 1) while (!done) MPI_Test(&request, &done, &status);
    if (how == 2) while (!done) MPI_Testsome(1, &request, &done, &index, &status);
    if (how == 3) while (!done) MPI_Testall(1, &request, &done, &status);
    if (how == 4) while (!done) MPI_Testany(1, &request, &index, &done, &status);
    const double seconds = MPI_Wtime() - begin;
    pthread_join(thread, 0);
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (rank == 0) printf("%d bytes after %.6f s\n", count, seconds);
  }
  MPI_Finalize();
  return 0;
}
