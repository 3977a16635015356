/* SPDX-License-Identifier: Apache-2.0
 * A thread that sleeps 0.1 ms can then call MPI although another thread of the rank tests in a loop. Each line ends with 1 if that is so. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile int woken;

static void *sleep_and_complete(void *request) {
  usleep(100);
  MPI_Grequest_complete(*(MPI_Request *)request);
  woken = 1;
  return NULL;
}

static int query(void *state, MPI_Status *status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = 0;
  return MPI_SUCCESS;
}
static int release(void *state) { return state != NULL; }
static int cancel(void *state, int complete) { return state != NULL && complete; }

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int probes = 0; probes < 2; ++probes) {
    MPI_Request request, copy;
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    copy = request;
    woken = 0;
    pthread_t sleeper;
    pthread_create(&sleeper, NULL, sleep_and_complete, &copy);
    int done = 0, found = 0;
    for (int turn = 0; turn < 10000 && !done; ++turn)
      if (probes) {
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
        done = woken;
      } else {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      }
    printf("%s in a loop: %d\n", probes ? "MPI_Iprobe" : "MPI_Test", done);
    pthread_join(sleeper, NULL);
    if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
