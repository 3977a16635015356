/* SPDX-License-Identifier: Apache-2.0
   Wrong arguments return the standard's error classes. Nothing is sent, and later calls work. */
#include <mpi.h>
#include <stdio.h>

static int me, size, wrong;

static void expect(const char* call, int code, int class_wanted) {
  int class_of = -1;
  MPI_Error_class(code, &class_of);
  if (class_of == class_wanted) return;
  ++wrong;
  printf("rank %d: %s: class %d, not %d\n", me, call, class_of, class_wanted);
}
#define EXPECT(call, class_wanted) expect(#call, call, class_wanted)

static MPI_Comm world;
static MPI_Request request;
static int data[64], result[64], counts[64], places[64];
static MPI_Datatype types[64], uncommitted;

static void point_to_point(void) {
  MPI_Status status;
  int flag;
  EXPECT(MPI_Send(NULL, 1, MPI_INT, me, 0, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Ssend(NULL, 1, MPI_INT, me, 0, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Bsend(data, 1, MPI_INT, me, 0, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Isend(data, 1, MPI_INT, me, 0, world, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Irecv(data, 1, MPI_INT, me, 0, world, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Sendrecv(data, 1, MPI_INT, me, 0, result, 1, MPI_INT, me, 0, world, &status), MPI_SUCCESS); /* works after the errors */
  EXPECT(MPI_Isend(MPI_IN_PLACE, 1, MPI_INT, me, 0, world, &request), MPI_ERR_BUFFER);
  EXPECT(MPI_Recv(data, -1, MPI_INT, me, 0, world, &status), MPI_ERR_COUNT);
  EXPECT(MPI_Recv(data, 1, MPI_INT, size, 0, world, &status), MPI_ERR_RANK);
  EXPECT(MPI_Recv(data, 1, MPI_INT, me, -9, world, &status), MPI_ERR_TAG);
  EXPECT(MPI_Recv(data, 1, uncommitted, me, 0, world, &status), MPI_ERR_TYPE);
  EXPECT(MPI_Recv(data, 1, MPI_INT, me, 0, MPI_COMM_NULL, &status), MPI_ERR_COMM);
  EXPECT(MPI_Sendrecv(NULL, 1, MPI_INT, me, 0, data, 1, MPI_INT, me, 0, world, &status), MPI_ERR_BUFFER);
  EXPECT(MPI_Sendrecv_replace(NULL, 1, MPI_INT, me, 0, me, 0, world, &status), MPI_ERR_BUFFER);
  EXPECT(MPI_Sendrecv_replace(NULL, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, world, &status), MPI_SUCCESS);
  EXPECT(MPI_Send_init(NULL, 1, MPI_INT, me, 0, world, &request), MPI_ERR_BUFFER);
  EXPECT(MPI_Start(NULL), MPI_ERR_ARG);
  EXPECT(MPI_Wait(NULL, &status), MPI_ERR_ARG);
  EXPECT(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
  EXPECT(MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE), MPI_ERR_COUNT);
  request = MPI_REQUEST_NULL;
  EXPECT(MPI_Test(&request, NULL, &status), MPI_ERR_ARG);
  status.MPI_ERROR = MPI_ERR_OTHER;
  EXPECT(MPI_Waitany(1, &request, &flag, &status), MPI_SUCCESS);
  EXPECT(status.MPI_ERROR, MPI_SUCCESS);
  EXPECT(MPI_Mprobe(me, 0, world, NULL, &status), MPI_ERR_ARG);
  EXPECT(MPI_Iprobe(me, 0, world, NULL, &status), MPI_ERR_ARG);
  EXPECT(MPI_Cancel(NULL), MPI_ERR_ARG);
  EXPECT(MPI_Get_count(NULL, MPI_INT, &flag), MPI_ERR_ARG);
  EXPECT(MPI_Buffer_attach(NULL, 8), MPI_ERR_BUFFER);
  request = 12345;
  EXPECT(MPI_Wait(&request, &status), MPI_ERR_REQUEST);
  EXPECT(MPI_Start(&request), MPI_ERR_REQUEST);
  EXPECT(MPI_Request_free(&request), MPI_ERR_REQUEST);
}

static void collectives(void) {
  EXPECT(MPI_Bcast(NULL, 1, MPI_INT, 0, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Bcast(data, -1, MPI_INT, 0, world), MPI_ERR_COUNT);
  EXPECT(MPI_Bcast(data, 1, MPI_INT, size, world), MPI_ERR_ROOT);
  EXPECT(MPI_Bcast(data, 1, MPI_DATATYPE_NULL, 0, world), MPI_ERR_TYPE);
  EXPECT(MPI_Ibcast(data, 1, MPI_INT, 0, world, NULL), MPI_ERR_ARG);
  if (me == 0) {
    EXPECT(MPI_Gather(data, 1, MPI_INT, NULL, 1, MPI_INT, 0, world), MPI_ERR_BUFFER);
    EXPECT(MPI_Gather(data, 1, MPI_INT, data, 1, MPI_INT, 0, world), MPI_ERR_BUFFER);
    EXPECT(MPI_Gatherv(data, 1, MPI_INT, data, counts, places, MPI_INT, 0, world), MPI_ERR_BUFFER);
    EXPECT(MPI_Gatherv(data, 1, MPI_INT, result, NULL, places, MPI_INT, 0, world), MPI_ERR_ARG);
    EXPECT(MPI_Scatter(NULL, 1, MPI_INT, result, 1, MPI_INT, 0, world), MPI_ERR_BUFFER);
    EXPECT(MPI_Scatterv(data, counts, NULL, MPI_INT, result, 1, MPI_INT, 0, world), MPI_ERR_ARG);
    EXPECT(MPI_Reduce(data, data, 1, MPI_INT, MPI_SUM, 0, world), MPI_ERR_BUFFER);
    EXPECT(MPI_Reduce(data, NULL, 1, MPI_INT, MPI_SUM, 0, world), MPI_ERR_BUFFER);
  } else {
    EXPECT(MPI_Gather(NULL, 1, MPI_INT, NULL, 0, MPI_INT, 0, world), MPI_ERR_BUFFER);
    EXPECT(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, NULL, 0, MPI_INT, 0, world), MPI_ERR_BUFFER);
    EXPECT(MPI_Reduce(MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM, 0, world), MPI_ERR_BUFFER);
    EXPECT(MPI_Scatter(NULL, 0, MPI_INT, NULL, 1, MPI_INT, 0, world), MPI_ERR_BUFFER);
  }
  EXPECT(MPI_Allgather(NULL, 1, MPI_INT, result, 1, MPI_INT, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Allgather(data, 1, MPI_INT, NULL, 1, MPI_INT, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Allgatherv(data, 1, MPI_INT, result, counts, NULL, MPI_INT, world), MPI_ERR_ARG);
  EXPECT(MPI_Alltoall(NULL, 1, MPI_INT, result, 1, MPI_INT, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Alltoall(data, 1, MPI_INT, data, 1, MPI_INT, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Alltoallv(NULL, counts, places, MPI_INT, result, counts, places, MPI_INT, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Alltoallw(data, counts, places, NULL, result, counts, places, types, world), MPI_ERR_ARG);
  EXPECT(MPI_Ialltoallw(data, counts, places, types, NULL, counts, places, types, world, &request), MPI_ERR_BUFFER);
  EXPECT(MPI_Allreduce(NULL, result, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Allreduce(data, NULL, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Allreduce(data, result, 1, MPI_INT, MPI_OP_NULL, world), MPI_ERR_OP);
  EXPECT(MPI_Iallreduce(data, data, 1, MPI_INT, MPI_SUM, world, &request), MPI_ERR_BUFFER);
  EXPECT(MPI_Reduce_scatter(data, result, NULL, MPI_INT, MPI_SUM, world), MPI_ERR_ARG);
  EXPECT(MPI_Reduce_scatter_block(NULL, result, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Scan(data, NULL, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Exscan(NULL, result, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Reduce_local(NULL, result, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
  EXPECT(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
  EXPECT(MPI_Exscan(data, data, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Iexscan(data, data, 1, MPI_INT, MPI_SUM, world, &request), MPI_ERR_BUFFER);
  /* The first rank has no result of MPI_Exscan. */
  EXPECT(MPI_Exscan(data, me == 0 ? NULL : result, 1, MPI_INT, MPI_SUM, world), MPI_SUCCESS);
  /* A type of no elements is valid and does not change the type that contains it. */
  const int lengths[2] = {1, 0};
  const MPI_Aint at[2] = {0, 8};
  const MPI_Datatype parts[2] = {MPI_2INT, MPI_DOUBLE};
  MPI_Datatype pair;
  MPI_Type_create_struct(2, lengths, at, parts, &pair);
  MPI_Type_commit(&pair);
  EXPECT(MPI_Allreduce(data, result, 1, pair, MPI_MAXLOC, world), MPI_SUCCESS);
  MPI_Type_free(&pair);
  EXPECT(MPI_Bcast(NULL, 0, MPI_INT, 0, world), MPI_SUCCESS);
  EXPECT(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, world), MPI_SUCCESS);
}

static void objects(void) {
  int flag, position = 0;
  void* value;
  MPI_Group group;
  MPI_Comm comm;
  EXPECT(MPI_Comm_size(world, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Comm_dup(world, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Comm_split(world, -5, 0, &comm), MPI_ERR_ARG);
  EXPECT(MPI_Comm_free(NULL), MPI_ERR_ARG);
  EXPECT(MPI_Comm_set_name(world, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Comm_group(MPI_COMM_NULL, &group), MPI_ERR_COMM);
  EXPECT(MPI_Group_incl(MPI_GROUP_NULL, 0, NULL, &group), MPI_ERR_GROUP);
  EXPECT(MPI_Comm_create(world, MPI_GROUP_NULL, &comm), MPI_ERR_GROUP);
  EXPECT(MPI_Cart_create(world, 1, NULL, places, 0, &comm), MPI_ERR_ARG);
  EXPECT(MPI_Dims_create(4, 2, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Type_contiguous(-1, MPI_INT, &types[63]), MPI_ERR_COUNT);
  EXPECT(MPI_Type_contiguous(1, MPI_INT, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Type_vector(1, 1, 1, MPI_DATATYPE_NULL, &types[63]), MPI_ERR_TYPE);
  EXPECT(MPI_Type_indexed(2, NULL, places, MPI_INT, &types[63]), MPI_ERR_ARG);
  EXPECT(MPI_Type_commit(NULL), MPI_ERR_TYPE);
  EXPECT(MPI_Type_size(MPI_INT, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Pack(NULL, 1, MPI_INT, result, 64, &position, world), MPI_ERR_BUFFER);
  EXPECT(MPI_Pack(data, 1, MPI_INT, result, 2, &position, world), MPI_ERR_TRUNCATE);
  EXPECT(MPI_Comm_get_attr(world, MPI_TAG_UB, &value, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Comm_get_attr(world, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
  EXPECT(MPI_Info_set(MPI_INFO_NULL, "key", "value"), MPI_ERR_INFO);
  EXPECT(MPI_Op_create(NULL, 1, NULL), MPI_ERR_ARG);
  EXPECT(MPI_Op_free(NULL), MPI_ERR_ARG);
  EXPECT(MPI_Errhandler_free(NULL), MPI_ERR_ARG);
  EXPECT(MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL), MPI_ERR_WIN);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  for (int i = 0; i < 64; ++i) counts[i] = 1, places[i] = i, types[i] = MPI_INT;
  point_to_point();
  collectives();
  objects();
  int sum = 0;
  MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, world);
  if (me == 0) printf("wrong %d\n", sum);
  MPI_Finalize();
  return 0;
}
