/* SPDX-License-Identifier: Apache-2.0
 * Partitioned communication. Each line says what the standard demands, and prints 1. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static void say(const char *what, int good) { printf("%d: %s: %d\n", rank, what, good); }

static MPI_Request sending;
static void *ready(void *partitions) {
  for (int *p = partitions; *p >= 0; ++p) MPI_Pready(*p, sending);
  return NULL;
}

/* A ring of messages of `elements`, divided into `mine` partitions by the sender and `theirs` by the receiver. */
static void ring(const char *what, int elements, int mine, int theirs, int threads) {
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  int *in = malloc(elements * sizeof(int)), *out = malloc(elements * sizeof(int)), good = 1, flag = 0;
  int *order = malloc((mine + 2) * sizeof(int));
  MPI_Request receiving;
  MPI_Status status;
  MPI_Psend_init(out, mine, elements / mine, MPI_INT, up, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &sending);
  MPI_Precv_init(in, theirs, elements / theirs, MPI_INT, down, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &receiving);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < elements; ++i) out[i] = 1000000 * rank + 10 * i + round, in[i] = -1;
    if (rank % 2) {
      MPI_Start(&receiving);
      MPI_Start(&sending);
    } else {
      MPI_Start(&sending);
      MPI_Start(&receiving);
    }
    if (threads) {
      pthread_t other;
      int n = 0, m = mine / 2 + 1;
      for (int p = 0; p < mine / 2; ++p) order[n++] = p;
      order[n] = -1;
      for (int p = mine / 2; p < mine; ++p) order[m++] = p;
      order[m] = -1;
      pthread_create(&other, NULL, ready, order);
      ready(order + mine / 2 + 1);
      pthread_join(other, NULL);
    } else if (round == 0) {
      for (int p = mine - 1; p >= 0; --p) MPI_Pready(p, sending);
    } else if (round == 1) {
      MPI_Pready_range(0, mine - 1, sending);
    } else {
      for (int p = 0; p < mine; ++p) order[p] = mine - 1 - p;
      MPI_Pready_list(mine, order, sending);
    }
    if (round != 1)
      for (int p = 0; p < theirs; ++p) {
        for (flag = 0; !flag;) MPI_Parrived(receiving, p, &flag);
        const int last = (p + 1) * (elements / theirs) - 1;
        good &= in[last] == 1000000 * down + 10 * last + round;
      }
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
    MPI_Wait(&receiving, &status);
    for (int i = 0; i < elements; ++i) good &= in[i] == 1000000 * down + 10 * i + round;
    good &= status.MPI_SOURCE == down && status.MPI_TAG == 7;
    good &= sending != MPI_REQUEST_NULL && receiving != MPI_REQUEST_NULL;
  }
  MPI_Request_free(&sending);
  MPI_Request_free(&receiving);
  say(what, good);
  free(in);
  free(out);
  free(order);
}

/* Two messages with the same envelope match in the order of their initialisations, also if started in another. */
static void order(void) {
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  int out[2] = {rank, rank + 100}, in[2] = {-1, -1}, flag;
  MPI_Request s[2], r[2];
  for (int i = 0; i < 2; ++i) MPI_Psend_init(&out[i], 1, 1, MPI_INT, up, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &s[i]);
  for (int i = 0; i < 2; ++i) MPI_Precv_init(&in[i], 1, 1, MPI_INT, down, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[i]);
  MPI_Start(&r[1]);
  MPI_Parrived(r[1], 0, &flag);
  say("nothing before MPI_Pready", !flag);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Startall(2, s);
  MPI_Pready(0, s[1]);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Start(&r[0]);
  MPI_Pready(0, s[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Waitall(2, s, MPI_STATUSES_IGNORE);
  say("order", in[0] == down && in[1] == down + 100);
  for (int i = 0; i < 2; ++i) {
    MPI_Request_free(&s[i]);
    MPI_Request_free(&r[i]);
  }
  MPI_Psend_init(out, 2, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &s[0]);
  MPI_Precv_init(in, 2, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
  MPI_Start(&s[0]);
  MPI_Start(&r[0]);
  MPI_Pready_range(0, 1, s[0]);
  MPI_Wait(&s[0], MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  say("no process", in[0] == down);
  MPI_Request_free(&s[0]);
  MPI_Request_free(&r[0]);
}

/* Errors: a partition that a list has twice, and a sender with more data than the receiver. Later calls work. */
static void wrong(void) {
  const int up = (rank + 1) % size, down = (rank + size - 1) % size, twice[] = {0, 2, 0}, once[] = {2, 0, 1};
  int out[6] = {0, 1, 2, 3, 4, 5}, in[6], class_of, good = 1;
  MPI_Comm comm;
  MPI_Request s, r;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int elements = 6; elements >= 0; elements -= 3) {
    MPI_Psend_init(out, 3, 2, MPI_INT, up, 1, comm, MPI_INFO_NULL, &s);
    MPI_Precv_init(in, elements / 3, 3, MPI_INT, down, 1, comm, MPI_INFO_NULL, &r);
    MPI_Start(&s);
    MPI_Start(&r);
    MPI_Error_class(MPI_Pready_list(3, twice, s), &class_of);
    good &= class_of == MPI_ERR_ARG;
    good &= MPI_Pready_list(3, once, s) == MPI_SUCCESS;
    good &= MPI_Wait(&s, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    MPI_Error_class(MPI_Wait(&r, MPI_STATUS_IGNORE), &class_of);
    say("sizes", class_of == (elements == 6 ? MPI_SUCCESS : MPI_ERR_TRUNCATE));
    MPI_Request_free(&s);
    MPI_Request_free(&r);
  }
  say("a partition twice", good && in[5] == 5);
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ring("equal partitions", 24, 4, 4, 0);
  ring("more partitions of the sender", 24, 12, 3, 0);
  ring("more partitions of the receiver", 24, 2, 8, 0);
  ring("long partitions", 300000, 3, 5, 0);
  ring("partitions that overlap", 60, 4, 6, 0);
  order();
  wrong();
  if (level == MPI_THREAD_MULTIPLE) ring("threads", 60000, 10, 6, 1);
  else say("threads", 1);
  MPI_Finalize();
}
