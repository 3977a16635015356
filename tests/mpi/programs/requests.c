/* SPDX-License-Identifier: Apache-2.0
 * Send modes, persistent requests, wait and test families, probes, cancelling, truncation, MPI_PROC_NULL. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me, size;

static void modes(void) {
  int value = 0, data = me + 100, bytes;
  void *buffer = malloc(100000);
  MPI_Request request;
  MPI_Status status;
  const int to = (me + 1) % size, from = (me + size - 1) % size;
  MPI_Buffer_attach(buffer, 100000);
  MPI_Bsend(&data, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &status);
  printf("%d bsend %d\n", me, value);
  MPI_Issend(&data, 1, MPI_INT, to, 2, MPI_COMM_WORLD, &request);
  MPI_Recv(&value, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  printf("%d issend %d %d\n", me, value, request == MPI_REQUEST_NULL);
  MPI_Irecv(&value, 1, MPI_INT, from, 3, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(&data, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  printf("%d rsend %d source %d\n", me, value, status.MPI_SOURCE);
  if (size > 1) {
    if (me % 2 == 0 && me + 1 < size) MPI_Ssend(&data, 1, MPI_INT, me + 1, 4, MPI_COMM_WORLD);
    if (me % 2 == 1) {
      MPI_Recv(&value, 1, MPI_INT, me - 1, 4, MPI_COMM_WORLD, &status);
      printf("%d ssend %d\n", me, value);
    }
  }
  void *detached;
  MPI_Buffer_detach(&detached, &bytes);
  printf("%d detached %d %d\n", me, detached == buffer, bytes);
  free(buffer);
}

static void persistent(int n) {
  int *out = malloc(n * sizeof(int) + 4), *in = malloc(n * sizeof(int) + 4), flag;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Send_init(out, n, MPI_INT, (me + 1) % size, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, n, MPI_INT, (me + size - 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) out[i] = me + round * 10 + i;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i];
    printf("%d persistent %d round %d: %lld flag %d active %d\n", me, n, round, sum, flag, requests[0] != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  free(out);
  free(in);
}

static void families(void) {
  enum { kMost = 64 };
  int values[kMost], index, flag, done, indices[kMost], seen = 0, count = 0;
  MPI_Request requests[kMost];
  MPI_Status status, statuses[kMost];
  if (me == 0) {
    for (int i = 0; i < size; ++i) requests[i] = MPI_REQUEST_NULL;
    MPI_Waitany(size, requests, &index, &status);
    printf("none: %d source %d\n", index == MPI_UNDEFINED, status.MPI_SOURCE == MPI_ANY_SOURCE);
    MPI_Waitsome(size, requests, &done, indices, statuses);
    printf("none: %d\n", done == MPI_UNDEFINED);
    MPI_Testall(size, requests, &flag, MPI_STATUSES_IGNORE);
    printf("none: %d\n", flag);
    for (int i = 1; i < size; ++i) MPI_Irecv(&values[i], 1, MPI_INT, i, 6, MPI_COMM_WORLD, &requests[i]);
    for (int i = 1; i < size; ++i) {
      MPI_Waitany(size, requests, &index, &status);
      seen += values[index] == index * 7 && status.MPI_SOURCE == index;
    }
    printf("waitany %d\n", seen);
    seen = 0;
    for (int i = 1; i < size; ++i) MPI_Irecv(&values[i], 1, MPI_INT, i, 6, MPI_COMM_WORLD, &requests[i]);
    while (count < size - 1) {
      MPI_Testsome(size, requests, &done, indices, statuses);
      for (int i = 0; i < done; ++i) seen += values[indices[i]] == indices[i] * 8;
      count += done;
    }
    printf("testsome %d\n", seen);
    for (int i = 1; i < size; ++i) MPI_Irecv(&values[i], 1, MPI_INT, i, 6, MPI_COMM_WORLD, &requests[i]);
    do MPI_Testall(size, requests, &flag, statuses);
    while (!flag);
    seen = 0;
    for (int i = 1; i < size; ++i) seen += values[i] == i * 9 && statuses[i].MPI_SOURCE == i;
    printf("testall %d\n", seen);
  } else {
    for (int k = 7; k <= 9; ++k) {
      int value = me * k;
      MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    }
  }
}

static void probes(void) {
  MPI_Status status;
  MPI_Message message;
  int count, flag = 0, value[8];
  if (me == 0) {
    for (int i = 1; i < size; ++i) {
      MPI_Probe(i, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      MPI_Recv(value, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
      printf("probe %d: count %d tag %d first %d\n", i, count, status.MPI_TAG, count > 0 ? value[0] : -1);
    }
    for (int i = 1; i < size; ++i) {
      while (!flag) MPI_Improbe(i, 12, MPI_COMM_WORLD, &flag, &message, &status);
      flag = 0;
      MPI_Get_count(&status, MPI_INT, &count);
      MPI_Mrecv(value, count, MPI_INT, &message, &status);
      printf("mprobe %d: count %d %d null %d\n", i, count, value[0], message == MPI_MESSAGE_NULL);
    }
    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
    MPI_Request request;
    MPI_Imrecv(value, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    printf("no process %d %d\n", status.MPI_SOURCE == MPI_PROC_NULL, status.MPI_TAG == MPI_ANY_TAG);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    printf("nothing left %d\n", flag);
  } else {
    for (int i = 0; i < 8; ++i) value[i] = me * 10 + i;
    MPI_Send(value, me % 4, MPI_INT, 0, 20 + me, MPI_COMM_WORLD);
    MPI_Send(value, 2, MPI_INT, 0, 12, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void errors(void) {
  int value[4] = {1, 2, 3, 4}, flag, code, class_of, error, length;
  MPI_Status status;
  MPI_Request request;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Isend(value, 4, MPI_INT, me, 30, MPI_COMM_WORLD, &request);
  error = MPI_Recv(value, 2, MPI_INT, me, 30, MPI_COMM_WORLD, &status);
  MPI_Error_class(error, &class_of);
  printf("%d truncated %d\n", me, class_of == MPI_ERR_TRUNCATE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Error_class(MPI_Send(value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), &class_of);
  printf("%d rank %d\n", me, class_of == MPI_ERR_RANK);
  MPI_Error_class(MPI_Send(value, -1, MPI_INT, me, 0, MPI_COMM_WORLD), &class_of);
  printf("%d count %d\n", me, class_of == MPI_ERR_COUNT);
  MPI_Error_class(MPI_Send(value, 1, MPI_INT, me, -5, MPI_COMM_WORLD), &class_of);
  printf("%d tag %d\n", me, class_of == MPI_ERR_TAG);
  MPI_Error_class(MPI_Send(value, 1, MPI_DATATYPE_NULL, me, 0, MPI_COMM_WORLD), &class_of);
  printf("%d type %d\n", me, class_of == MPI_ERR_TYPE);
  MPI_Error_class(MPI_Bcast(value, 1, MPI_INT, size, MPI_COMM_WORLD), &class_of);
  printf("%d root %d\n", me, class_of == MPI_ERR_ROOT);
  MPI_Add_error_class(&class_of);
  MPI_Add_error_code(class_of, &code);
  MPI_Add_error_string(code, "own error");
  MPI_Error_string(code, text, &length);
  MPI_Error_class(code, &error);
  printf("%d %s %d %d\n", me, text, length, error == class_of);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Irecv(value, 1, MPI_INT, me, 31, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  printf("%d cancelled %d\n", me, flag);
  MPI_Recv(value, 4, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &length);
  printf("%d null %d %d %d\n", me, status.MPI_SOURCE == MPI_PROC_NULL, status.MPI_TAG == MPI_ANY_TAG, length);
  MPI_Send(value, 4, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
  value[0] = me;
  MPI_Sendrecv_replace(value, 1, MPI_INT, (me + 1) % size, 33, (me + size - 1) % size, 33, MPI_COMM_WORLD, &status);
  printf("%d replaced %d\n", me, value[0]);
}

static void order(void) {
  /* Messages between two ranks are matched in order, long and short mixed. */
  int *long_one = calloc(50000, sizeof(int)), *in = calloc(50000, sizeof(int));
  MPI_Request requests[8];
  const int to = (me + 1) % size, from = (me + size - 1) % size;
  for (int i = 0; i < 50000; ++i) long_one[i] = i;
  int small[4] = {10, 20, 30, 40}, got[4];
  MPI_Isend(long_one, 50000, MPI_INT, to, 40, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&small[0], 1, MPI_INT, to, 40, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&small[1], 2, MPI_INT, to, 40, MPI_COMM_WORLD, &requests[2]);
  MPI_Irecv(in, 50000, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[3]);
  MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, &requests[4]);
  MPI_Irecv(&got[1], 2, MPI_INT, from, 40, MPI_COMM_WORLD, &requests[5]);
  MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
  printf("%d order %d %d %d %d\n", me, in[49999], got[0], got[1], got[2]);
  free(long_one);
  free(in);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  modes();
  persistent(0);
  persistent(3);
  persistent(30000);
  families();
  probes();
  errors();
  order();
  MPI_Finalize();
  return 0;
}
