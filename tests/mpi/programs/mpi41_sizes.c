/* SPDX-License-Identifier: Apache-2.0
 * Transfers of more than 2^31 elements, without data (psim_mpi_run -s), and counts that are too large: for int, or for 63 bits of
 * bytes. Each line says what the standard demands, and prints 1. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BIG 3000000000LL
static int rank, size, up, down;
static void say(const char *what, int good) { printf("%d: %s: %d\n", rank, what, good); }
static int class_of(int code) {
  int found;
  MPI_Error_class(code, &found);
  return found;
}

static void messages(void) {
  MPI_Request request[2];
  MPI_Status status;
  MPI_Count count;
  int small;
  MPI_Irecv_c(NULL, BIG, MPI_SHORT, down, 1, MPI_COMM_WORLD, &request[0]);
  MPI_Isend_c(NULL, BIG, MPI_SHORT, up, 1, MPI_COMM_WORLD, &request[1]);
  MPI_Wait(&request[0], &status);
  MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  MPI_Get_count_c(&status, MPI_SHORT, &count);
  MPI_Get_count(&status, MPI_SHORT, &small);
  say("message", count == BIG && small == MPI_UNDEFINED);
  MPI_Sendrecv_c(NULL, BIG, MPI_BYTE, up, 2, NULL, BIG + 1, MPI_BYTE, down, 2, MPI_COMM_WORLD, &status);
  MPI_Get_elements_c(&status, MPI_BYTE, &count);
  say("shorter than the buffer", count == BIG);
  MPI_Isend_c(NULL, BIG, MPI_BYTE, up, 3, MPI_COMM_WORLD, &request[0]);
  say("truncated", class_of(MPI_Recv_c(NULL, BIG - 1, MPI_BYTE, down, 3, MPI_COMM_WORLD, &status)) == MPI_ERR_TRUNCATE);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

static void collectives(void) {
  MPI_Count *counts = malloc(sizeof *counts * size);
  MPI_Aint *places = malloc(sizeof *places * size);
  MPI_Datatype *types = malloc(sizeof *types * size);
  for (int i = 0; i < size; ++i) counts[i] = BIG + i, places[i] = i * (BIG + size), types[i] = MPI_CHAR;
  const double begin = MPI_Wtime();
  say("bcast", MPI_Bcast_c(NULL, BIG, MPI_CHAR, 0, MPI_COMM_WORLD) == 0);
  say("time passes", size == 1 || MPI_Wtime() > begin);
  say("allgather", MPI_Allgather_c(NULL, BIG, MPI_CHAR, NULL, BIG, MPI_CHAR, MPI_COMM_WORLD) == 0);
  say("allgatherv", MPI_Allgatherv_c(NULL, BIG + rank, MPI_CHAR, NULL, counts, places, MPI_CHAR, MPI_COMM_WORLD) == 0);
  say("alltoall", MPI_Alltoall_c(NULL, BIG, MPI_CHAR, NULL, BIG, MPI_CHAR, MPI_COMM_WORLD) == 0);
  for (int i = 0; i < size; ++i) counts[i] = BIG;
  say("alltoallv", MPI_Alltoallv_c(NULL, counts, places, MPI_CHAR, NULL, counts, places, MPI_CHAR, MPI_COMM_WORLD) == 0);
  say("alltoallw", MPI_Alltoallw_c(NULL, counts, places, types, NULL, counts, places, types, MPI_COMM_WORLD) == 0);
  say("allreduce", MPI_Allreduce_c(NULL, NULL, BIG, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) == 0);
  say("reduce_scatter", MPI_Reduce_scatter_c(NULL, NULL, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == 0);
  say("gatherv", MPI_Gatherv_c(NULL, BIG, MPI_CHAR, NULL, counts, places, MPI_CHAR, 0, MPI_COMM_WORLD) == 0);
  for (int i = 0; i < size; ++i) counts[i] = LLONG_MAX / 2;
  if (size > 2) {
    say("a sum of counts above 63 bits", class_of(MPI_Reduce_scatter_c(NULL, NULL, counts, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
    say("n times a count above 63 bits",
        class_of(MPI_Allgather_c(NULL, 1, MPI_CHAR, NULL, LLONG_MAX / 2, MPI_CHAR, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
    say("a sum in a v form",
        class_of(MPI_Alltoallv_c(NULL, counts, places, MPI_CHAR, NULL, counts, places, MPI_CHAR, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
  }
  free(counts), free(places), free(types);
}

static void too_large(void) {
  MPI_Datatype type, large;
  MPI_Count count;
  MPI_Aint place;
  int class_found, numbers[4];
  MPI_Request request;
  const MPI_Count huge = LLONG_MAX / 4;
  say("send", class_of(MPI_Send_c(NULL, huge, MPI_DOUBLE, up, 0, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
  say("send to MPI_PROC_NULL", class_of(MPI_Send_c(NULL, huge, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
  say("receive", class_of(MPI_Irecv_c(NULL, huge, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &request)) == MPI_ERR_COUNT);
  say("bcast", class_of(MPI_Bcast_c(NULL, huge, MPI_DOUBLE, 0, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
  say("type", class_of(MPI_Type_contiguous_c(huge, MPI_DOUBLE, &type)) == MPI_ERR_COUNT);
  say("stride", class_of(MPI_Type_vector_c(2, 1, huge, MPI_DOUBLE, &type)) == MPI_ERR_COUNT);
  say("pack size", class_of(MPI_Pack_size_c(huge, MPI_DOUBLE, MPI_COMM_WORLD, &count)) == MPI_ERR_COUNT);
  MPI_Type_contiguous_c(BIG, MPI_CHAR, &large);
  say("envelope for int", class_of(MPI_Type_get_envelope(large, &numbers[0], &numbers[1], &numbers[2], &numbers[3])) == MPI_ERR_TYPE);
  say("contents for int", class_of(MPI_Type_get_contents(large, 1, 1, 1, numbers, &place, &type)) == MPI_ERR_TYPE);
  MPI_Type_free(&large);
  MPI_Type_create_struct_c(2, (const MPI_Count[]){1, 1}, (const MPI_Count[]){0, 8}, (const MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type);
  class_found = class_of(MPI_Type_contiguous_c(BIG, type, &large));
  say("too many pieces", class_found == MPI_ERR_NO_MEM);
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  up = (rank + 1) % size, down = (rank + size - 1) % size;
  messages();
  collectives();
  too_large();
  MPI_Finalize();
  return 0;
}
