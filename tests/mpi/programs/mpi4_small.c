/* SPDX-License-Identifier: Apache-2.0
 * Functions of MPI-4 for messages, requests, hints and errors that MPICH 4.0 has too. Each line says what the standard demands, and prints 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static void say(const char *what, int good) { printf("%d: %s: %d\n", rank, what, good); }

static void both_ways(int count) {
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  int *in = malloc(sizeof(int) * count), *out = malloc(sizeof(int) * count);
  MPI_Request request;
  MPI_Status status;
  for (int i = 0; i < count; ++i) out[i] = 1000 * rank + i;
  MPI_Isendrecv(out, count, MPI_INT, up, 3, in, count, MPI_INT, down, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  int got;
  MPI_Get_count(&status, MPI_INT, &got);
  say("isendrecv", got == count && status.MPI_SOURCE == down && status.MPI_TAG == 3);
  say("its data", in[0] == 1000 * down && in[count - 1] == 1000 * down + count - 1);
  MPI_Isendrecv_replace(out, count, MPI_INT, down, 4, up, 4, MPI_COMM_WORLD, &request);
  int done = 0;
  while (!done) MPI_Test(&request, &done, &status);
  MPI_Get_count(&status, MPI_INT, &got);
  say("isendrecv_replace", got == count && status.MPI_SOURCE == up && status.MPI_TAG == 4 && request == MPI_REQUEST_NULL);
  say("its data", out[0] == 1000 * up && out[count - 1] == 1000 * up + count - 1);
  MPI_Isendrecv(out, count, MPI_INT, rank == 0 ? MPI_PROC_NULL : rank - 1, 5, in, count, MPI_INT,
                rank == size - 1 ? MPI_PROC_NULL : rank + 1, 5, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &got);
  say("chain", rank == size - 1 ? got == 0 && status.MPI_SOURCE == MPI_PROC_NULL : got == count && status.MPI_SOURCE == rank + 1);
  free(in);
  free(out);
}

static void strings(void) {
  MPI_Info info;
  char value[16] = "unchanged";
  int length, flag;
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "turquoise");
  length = 0;
  MPI_Info_get_string(info, "colour", &length, value, &flag);
  say("length", flag && length == 10 && !strcmp(value, "unchanged"));
  length = 6;
  MPI_Info_get_string(info, "colour", &length, value, &flag);
  say("cut string", flag && length == 10 && !strcmp(value, "turqu"));
  length = sizeof value;
  MPI_Info_get_string(info, "colour", &length, value, &flag);
  say("string", flag && length == 10 && !strcmp(value, "turquoise"));
  length = 5;
  MPI_Info_get_string(info, "shape", &length, value, &flag);
  say("no string", !flag && length == 5);
  MPI_Info_free(&info);
  MPI_Info_create_env(0, NULL, &info);
  MPI_Info_free(&info);
}

static void duplicate(void) {
  MPI_Info info;
  MPI_Comm copy;
  MPI_Request request;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &copy, &request);
  MPI_Info_free(&info);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int same, sum;
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &same);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
  say("duplicate", same == MPI_CONGRUENT && sum == size * (size - 1) / 2);
  MPI_Comm_free(&copy);
}

static void constants(void) {
  char text[MPI_MAX_ERROR_STRING];
  int length, classes[] = {MPI_ERR_PROC_ABORTED, MPI_ERR_VALUE_TOO_LARGE, MPI_ERR_SESSION};
  for (int i = 0; i < 3; ++i) {
    int class_of;
    MPI_Error_class(classes[i], &class_of);
    MPI_Error_string(classes[i], text, &length);
    say("class", class_of == classes[i] && length > 0);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  both_ways(5);
  both_ways(100000);
  strings();
  duplicate();
  constants();
  MPI_Finalize();
}
