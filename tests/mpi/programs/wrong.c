/* SPDX-License-Identifier: Apache-2.0
 * Wrong arguments that Open MPI checks too: the error class, and that later calls work. Lengths that differ between ranks,
 * with arriving data longer than the buffer. */
#include <mpi.h>
#include <stdio.h>

static int me, size;
static MPI_Comm world;

static const char *name_of(int code) {
  int class_of;
  MPI_Error_class(code, &class_of);
  switch (class_of) {
    case MPI_SUCCESS: return "success";
    case MPI_ERR_ARG: return "argument";
    case MPI_ERR_BUFFER: return "buffer";
    case MPI_ERR_OP: return "operation";
    case MPI_ERR_TYPE: return "type";
    case MPI_ERR_COUNT: return "count";
    case MPI_ERR_TAG: return "tag";
    case MPI_ERR_RANK: return "rank";
    case MPI_ERR_COMM: return "communicator";
    case MPI_ERR_ROOT: return "root";
    case MPI_ERR_GROUP: return "group";
    case MPI_ERR_REQUEST: return "request";
    case MPI_ERR_TOPOLOGY: return "topology";
    case MPI_ERR_DIMS: return "dimensions";
    case MPI_ERR_TRUNCATE: return "truncated";
    case MPI_ERR_KEYVAL: return "keyval";
    case MPI_ERR_INFO_KEY: return "key";
    case MPI_ERR_INFO: return "info";
    default: return "other";
  }
}
#define SAY(call) printf("rank %d " #call ": %s\n", me, name_of(call))

static int data[64], result[64], counts[64], places[64];

static void point_to_point(void) {
  MPI_Request request;
  MPI_Datatype uncommitted;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  SAY(MPI_Send(data, 1, uncommitted, me, 0, world));
  SAY(MPI_Irecv(data, 1, uncommitted, me, 0, world, &request));
  SAY(MPI_Send(data, 1, MPI_INT, me, 0, MPI_COMM_NULL));
  SAY(MPI_Send(data, 1, MPI_INT, -7, 0, world));
  SAY(MPI_Send(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, world));
  SAY(MPI_Recv(data, -1, MPI_INT, me, 0, world, MPI_STATUS_IGNORE));
  SAY(MPI_Recv(data, 1, MPI_INT, size, 0, world, MPI_STATUS_IGNORE));
  SAY(MPI_Recv(data, 1, MPI_INT, me, -9, world, MPI_STATUS_IGNORE));
  SAY(MPI_Ssend_init(data, -1, MPI_INT, me, 0, world, &request));
  SAY(MPI_Probe(size + 1, 0, world, MPI_STATUS_IGNORE));
  SAY(MPI_Sendrecv(data, 1, MPI_INT, me, -1, result, 1, MPI_INT, me, 0, world, MPI_STATUS_IGNORE));
  SAY(MPI_Sendrecv(data, 1, MPI_INT, me, 0, result, -1, MPI_INT, me, 0, world, MPI_STATUS_IGNORE));
  request = MPI_REQUEST_NULL;
  SAY(MPI_Start(&request));
  SAY(MPI_Cancel(&request));
  MPI_Isend(data, 4, MPI_INT, me, 1, world, &request);
  SAY(MPI_Recv(result, 2, MPI_INT, me, 1, world, MPI_STATUS_IGNORE));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&uncommitted);
}

static void collectives(void) {
  MPI_Request request;
  SAY(MPI_Bcast(data, -1, MPI_INT, 0, world));
  SAY(MPI_Bcast(data, 1, MPI_DATATYPE_NULL, 0, world));
  SAY(MPI_Bcast(data, 1, MPI_INT, size, world));
  SAY(MPI_Bcast(data, 1, MPI_INT, 0, MPI_COMM_NULL));
  SAY(MPI_Ibcast(data, 1, MPI_INT, -3, world, &request));
  SAY(MPI_Gather(data, 1, MPI_INT, result, 1, MPI_INT, size, world));
  SAY(MPI_Scatter(data, 1, MPI_INT, result, 1, MPI_INT, -1, world));
  SAY(MPI_Allgather(data, -1, MPI_INT, result, 1, MPI_INT, world));
  SAY(MPI_Allgather(data, 1, MPI_INT, result, 1, MPI_DATATYPE_NULL, world));
  SAY(MPI_Alltoall(data, -2, MPI_INT, result, 1, MPI_INT, world));
  SAY(MPI_Reduce(data, result, -1, MPI_INT, MPI_SUM, 0, world));
  SAY(MPI_Reduce(data, result, 1, MPI_INT, MPI_SUM, size + 1, world));
  SAY(MPI_Reduce(data, result, 1, MPI_INT, MPI_OP_NULL, 0, world));
  SAY(MPI_Allreduce(data, result, 1, MPI_DOUBLE, MPI_BAND, world));
  SAY(MPI_Allreduce(data, result, -1, MPI_INT, MPI_SUM, world));
  SAY(MPI_Barrier(MPI_COMM_NULL));
}

static void objects(void) {
  MPI_Comm comm;
  MPI_Group group;
  MPI_Datatype type;
  int number, dims[2] = {0, 3};
  SAY(MPI_Comm_size(MPI_COMM_NULL, &number));
  SAY(MPI_Comm_rank(world, NULL));
  SAY(MPI_Comm_dup(MPI_COMM_NULL, &comm));
  SAY(MPI_Comm_group(MPI_COMM_NULL, &group));
  SAY(MPI_Group_size(MPI_GROUP_NULL, &number));
  MPI_Comm_group(world, &group);
  number = size;
  MPI_Group none;
  SAY(MPI_Group_incl(group, 1, &number, &none));
  MPI_Group_free(&group);
  SAY(MPI_Cart_coords(world, 0, 1, dims));
  SAY(MPI_Dims_create(4, 2, dims));
  SAY(MPI_Type_contiguous(-1, MPI_INT, &type));
  SAY(MPI_Type_vector(2, -1, 1, MPI_INT, &type));
  SAY(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type));
  SAY(MPI_Type_size(MPI_DATATYPE_NULL, &number));
  type = MPI_DATATYPE_NULL;
  SAY(MPI_Type_commit(&type));
  SAY(MPI_Type_free(&type));
  SAY(MPI_Info_set(MPI_INFO_NULL, "key", "value"));
}

/* Data longer than the buffer. Only ranks with too small buffers get an error in both libraries. */
static void too_long(void) {
  for (int i = 0; i < size; ++i) counts[i] = 1, places[i] = i;
  int code = MPI_Gatherv(data, me == 0 ? 1 : 2, MPI_INT, result, counts, places, MPI_INT, 0, world);
  if (me == 0 && size > 1) printf("gatherv: %s\n", name_of(code));
  MPI_Barrier(world);
  for (int i = 0; i < size; ++i) counts[i] = 3;
  code = MPI_Scatterv(data, counts, places, MPI_INT, result, me == 0 ? 3 : 2, MPI_INT, 0, world);
  if (me != 0) printf("rank %d scatterv: %s\n", me, name_of(code));
  MPI_Barrier(world);
  int sum = 0;
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, world);
  printf("rank %d goes on: %d\n", me, sum);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  point_to_point();
  collectives();
  objects();
  too_long();
  MPI_Comm_free(&world);
  MPI_Finalize();
  return 0;
}
