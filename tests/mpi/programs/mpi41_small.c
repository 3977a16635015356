/* SPDX-License-Identifier: Apache-2.0
 * Functions of MPI-4.1 that MPICH 4.0 and Open MPI 4.1 lack. Each line says what the standard demands, and prints 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static void say(const char *what, int good) { printf("%d: %s: %d\n", rank, what, good); }

static void looks(void) {
  MPI_Request requests[3];
  MPI_Status statuses[3], status;
  int in[2] = {0}, flag = 1, which = -9, done = -9, indices[3];
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  MPI_Irecv(&in[0], 1, MPI_INT, down, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, down, 2, MPI_COMM_WORLD, &requests[1]);
  requests[2] = MPI_REQUEST_NULL;
  MPI_Request_get_status_all(3, requests, &flag, statuses);
  say("not all complete", !flag);
  MPI_Request_get_status_any(3, requests, &which, &flag, &status);
  say("none complete", !flag && which == MPI_UNDEFINED);
  MPI_Request_get_status_some(3, requests, &done, indices, statuses);
  say("no indices", done == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, up, 2, MPI_COMM_WORLD);
  for (flag = 0; !flag;) MPI_Request_get_status_any(3, requests, &which, &flag, &status);
  say("the second", which == 1 && status.MPI_TAG == 2 && status.MPI_SOURCE == down && requests[1] != MPI_REQUEST_NULL);
  MPI_Request_get_status_some(3, requests, &done, indices, statuses);
  say("one of three", done == 1 && indices[0] == 1 && statuses[0].MPI_TAG == 2);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, up, 1, MPI_COMM_WORLD);
  for (flag = 0; !flag;) MPI_Request_get_status_all(3, requests, &flag, statuses);
  say("all", statuses[0].MPI_TAG == 1 && statuses[1].MPI_TAG == 2 && statuses[2].MPI_TAG == MPI_ANY_TAG && in[0] == down);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_get_status_any(3, requests, &which, &flag, &status);
  say("nothing left", flag && which == MPI_UNDEFINED && status.MPI_SOURCE == MPI_ANY_SOURCE);
  MPI_Request_get_status_some(3, requests, &done, indices, statuses);
  say("nothing to list", done == MPI_UNDEFINED);
}

static void fields(void) {
  MPI_Status status;
  int source, tag, error;
  MPI_Status_set_source(&status, 5);
  MPI_Status_set_tag(&status, 6);
  MPI_Status_set_error(&status, MPI_ERR_TRUNCATE);
  MPI_Status_get_source(&status, &source);
  MPI_Status_get_tag(&status, &tag);
  MPI_Status_get_error(&status, &error);
  say("fields", source == 5 && tag == 6 && error == MPI_ERR_TRUNCATE && status.MPI_SOURCE == 5);
}

static void codes(void) {
  int class_of, code, found, *last, flag;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Add_error_class(&class_of);
  MPI_Add_error_code(class_of, &code);
  MPI_Add_error_string(code, "mine");
  say("code with a text stays", MPI_Remove_error_code(code) != MPI_SUCCESS);
  say("class with a code stays", MPI_Remove_error_class(class_of) != MPI_SUCCESS);
  say("text goes", MPI_Remove_error_string(code) == MPI_SUCCESS);
  MPI_Error_string(code, text, &found);
  say("empty text", found == 0 && text[0] == '\0');
  say("text is gone", MPI_Remove_error_string(code) != MPI_SUCCESS);
  say("code goes", MPI_Remove_error_code(code) == MPI_SUCCESS);
  say("class goes", MPI_Remove_error_class(class_of) == MPI_SUCCESS);
  say("class is gone", MPI_Error_class(class_of, &found) != MPI_SUCCESS);
  say("predefined class stays", MPI_Remove_error_class(MPI_ERR_RANK) != MPI_SUCCESS);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  say("last used code", flag && *last == MPI_ERR_LASTCODE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* MPICH 4.0.2 has the name, and fails. */
static void aborts(void) {
  MPI_Errhandler handler;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
  say("handler that aborts", handler == MPI_ERRORS_ABORT);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

static void send_buffered(MPI_Comm comm, int count, int times) {
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  char *data = malloc(count);
  for (int i = 0; i < times; ++i) {
    memset(data, rank + i, count);
    MPI_Bsend(data, count, MPI_CHAR, up, i, comm);
  }
  MPI_Request request;
  if (comm == MPI_COMM_WORLD) MPI_Buffer_iflush(&request);
  else MPI_Comm_iflush_buffer(comm, &request);
  int good = 1;
  for (int i = 0; i < times; ++i) {
    MPI_Recv(data, count, MPI_CHAR, down, i, comm, MPI_STATUS_IGNORE);
    good &= data[0] == down + i && data[count - 1] == down + i;
  }
  say("buffered data", good);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (comm == MPI_COMM_WORLD) MPI_Buffer_flush();
  else MPI_Comm_flush_buffer(comm);
  free(data);
}

static void buffers(void) {
  MPI_Comm copy;
  void *address, *mine = malloc(1 << 20), *general = malloc(1 << 20);
  int bytes;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_attach_buffer(copy, mine, 1 << 20);
  send_buffered(copy, 100000, 3);
  MPI_Buffer_attach(general, 1 << 20);
  send_buffered(MPI_COMM_WORLD, 100000, 3);
  send_buffered(copy, 100, 3);
  MPI_Comm_detach_buffer(copy, &address, &bytes);
  say("buffer of the communicator", address == mine && bytes == 1 << 20);
  send_buffered(copy, 100000, 2); /* now in that of the process */
  MPI_Buffer_detach(&address, &bytes);
  say("buffer of the process", address == general && bytes == 1 << 20);
  MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
  send_buffered(MPI_COMM_WORLD, 3000000, 2);
  MPI_Buffer_detach(&address, &bytes);
  say("automatic buffer", address == MPI_BUFFER_AUTOMATIC && bytes == 0);
  MPI_Comm_free(&copy);
  free(mine);
  free(general);
}

static void windows(void) {
  MPI_Win window;
  MPI_Aint bytes;
  int unit, value[2] = {rank, 7}, *base;
  void *got;
  MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_shared_query(window, rank, &bytes, &unit, &got);
  say("own part of a window", bytes == sizeof value && unit == sizeof(int) && got == value);
  MPI_Win_free(&window);
  MPI_Win_allocate(12, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  MPI_Win_shared_query(window, rank, &bytes, &unit, &got);
  say("own part of an allocated window", bytes == 12 && unit == 4 && got == base);
  MPI_Win_shared_query(window, (rank + 1) % size, &bytes, &unit, &got);
  say("part of another rank", size == 1 || (bytes == 0 && got == NULL) || bytes == 12);
  MPI_Win_free(&window);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_shared_query(window, rank, &bytes, &unit, &got);
  say("dynamic window", bytes == 0);
  MPI_Win_free(&window);
}

static void types(void) {
  MPI_Datatype pair, *none = malloc(sizeof(MPI_Datatype) * size);
  int *zeros = calloc(size, sizeof(int)), unused;
  MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
  say("pair", pair == MPI_DOUBLE_INT);
  MPI_Type_get_value_index(MPI_INT, MPI_INT, &pair);
  say("pair of integers", pair == MPI_2INT);
  MPI_Type_get_value_index(MPI_CHAR, MPI_DOUBLE, &pair);
  say("no pair", pair == MPI_DATATYPE_NULL);
  for (int i = 0; i < size; ++i) none[i] = MPI_DATATYPE_NULL;
  say("blocks without a type", MPI_Alltoallw(&unused, zeros, zeros, none, &unused, zeros, zeros, none, MPI_COMM_WORLD) == MPI_SUCCESS);
  free(none);
  free(zeros);
}

static void hardware(void) {
  MPI_Info info;
  MPI_Comm part;
  int keys, length = 0, flag, all, whole;
  char key[MPI_MAX_INFO_KEY + 1], value[8];
  MPI_Get_hw_resource_info(&info);
  MPI_Info_get_nkeys(info, &keys);
  MPI_Info_get_nthkey(info, 0, key);
  length = sizeof value;
  MPI_Info_get_string(info, key, &length, value, &flag);
  say("resource", keys > 0 && strstr(key, "://") && (!strcmp(value, "true") || !strcmp(value, "false")));
  MPI_Info_free(&info);
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_hw_resource_type", key);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, rank, info, &part);
  MPI_Comm_size(part, &whole);
  MPI_Comm_free(&part);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &part);
  MPI_Comm_size(part, &all);
  MPI_Comm_free(&part);
  say("split by resource", whole == all);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, rank, MPI_INFO_NULL, &part);
  say("split into smaller parts", part == MPI_COMM_NULL ? all == size : all < size);
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  MPI_Info_set(info, "mpi_hw_resource_type", "psim://unknown");
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, rank, info, &part);
  say("split by an unknown resource", part == MPI_COMM_NULL);
  MPI_Info_free(&info);
}

/* MPI_DATATYPE_NULL is a type of no elements, and null handles have names. */
static void nothing(void) {
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  int count = -1, length;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Status status;
  MPI_Sendrecv(NULL, 0, MPI_DATATYPE_NULL, up, 1, NULL, 0, MPI_DATATYPE_NULL, down, 1, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  say("a message of no type", count == 0 && status.MPI_SOURCE == down);
  MPI_Bcast(NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  MPI_Allgather(NULL, 0, MPI_DATATYPE_NULL, NULL, 0, MPI_DATATYPE_NULL, MPI_COMM_WORLD);
  MPI_Allreduce(NULL, NULL, 0, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_get_name(MPI_COMM_NULL, name, &length);
  say("name of no communicator", !strcmp(name, "MPI_COMM_NULL") && length == 13);
  MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length);
  say("name of no type", !strcmp(name, "MPI_DATATYPE_NULL"));
  MPI_Win_get_name(MPI_WIN_NULL, name, &length);
  say("name of no window", !strcmp(name, "MPI_WIN_NULL"));
}

/* Integers of 16 bytes. */
static void wide(void) {
  typedef __int128 Wide;
  const Wide big = (Wide)1 << 100;
  Wide value = big + rank, result, wanted = 0, from = -1;
  MPI_Datatype type;
  int bytes;
  for (int i = 0; i < size; ++i) wanted += big + i;
  MPI_Allreduce(&value, &result, 1, MPI_INTEGER16, MPI_SUM, MPI_COMM_WORLD);
  say("wide sum", result == wanted);
  value = -big * (rank + 1);
  MPI_Allreduce(&value, &result, 1, MPI_INTEGER16, MPI_MIN, MPI_COMM_WORLD);
  say("wide minimum", result == -big * size);
  MPI_Allreduce(&value, &result, 1, MPI_INTEGER16, MPI_MAX, MPI_COMM_WORLD);
  say("wide maximum", result == -big);
  value = (Wide)1 << (64 + rank);
  MPI_Allreduce(&value, &result, 1, MPI_INTEGER16, MPI_BOR, MPI_COMM_WORLD);
  say("wide bits", result == (((Wide)1 << size) - 1) << 64);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 16, &type);
  say("wide match", type == MPI_INTEGER16);
  MPI_Type_create_f90_integer(30, &type);
  MPI_Type_size(type, &bytes);
  say("thirty digits", bytes == 16);
  MPI_Win window;
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
  MPI_Win_fence(0, window);
  result = value;
  MPI_Compare_and_swap(&big, &result, &from, MPI_INTEGER16, 0, 0, window);
  MPI_Win_fence(0, window);
  say("wide swap", value == big && from == result);
  MPI_Win_free(&window);
}

/* A message that ends within an element, which a program that handles errors sees. */
static void cut(void) {
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  int into[2], blocks[2] = {1, 1}, places[2] = {0, 2}, class_of;
  MPI_Datatype apart;
  MPI_Status status;
  MPI_Type_indexed(2, blocks, places, MPI_INT, &apart);
  MPI_Type_commit(&apart);
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, i ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL);
    int code = MPI_Sendrecv("abc", 3, MPI_CHAR, up, 1, into, 2, MPI_INT, down, 1, MPI_COMM_WORLD, &status);
    MPI_Error_class(code, &class_of);
    say("element cut", class_of == (i ? MPI_ERR_TYPE : MPI_SUCCESS));
    int wide_apart[3] = {0};
    code = MPI_Sendrecv("abcdef", 6, MPI_CHAR, up, 1, wide_apart, 1, apart, down, 1, MPI_COMM_WORLD, &status);
    MPI_Error_class(code, &class_of);
    say("second element cut", class_of == (i ? MPI_ERR_TYPE : MPI_SUCCESS));
    say("whole element", MPI_Sendrecv(&rank, 4, MPI_CHAR, up, 1, wide_apart, 1, apart, down, 1, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&apart);
}

/* Errors that concern no object go to the handler of MPI_COMM_SELF, or of MPI_COMM_WORLD if that has none. */
static int of_self, of_world, of_copy;
static void self_fails(MPI_Comm *comm, int *code, ...) { of_self += *comm == MPI_COMM_SELF && *code != MPI_SUCCESS; }
static void world_fails(MPI_Comm *comm, int *code, ...) { of_world += *comm == MPI_COMM_WORLD && *code != MPI_SUCCESS; }
static int last_code;
static void copy_fails(MPI_Comm *comm, int *code, ...) {
  of_copy += *comm != MPI_COMM_NULL && *code != MPI_SUCCESS;
  last_code = *code;
}

/* A communicator cannot be freed while it has messages, if the program handles errors. */
static void unmatched(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  MPI_Request request;
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 5, copy, &request);
  MPI_Probe(MPI_ANY_SOURCE, 5, copy, MPI_STATUS_IGNORE);
  say("message left", MPI_Comm_free(&copy) == MPI_ERR_OTHER && copy != MPI_COMM_NULL);
  int from = -1;
  MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 5, copy, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say("message received", from == (rank + size - 1) % size && MPI_Comm_free(&copy) == MPI_SUCCESS && copy == MPI_COMM_NULL);
}

/* Starts receives of the own messages, on the world and on `copy`. A receive of one element is too short. */
static int values[3][2];
static void start_receives(MPI_Comm copy, int first, int second, int third, MPI_Request *requests) {
  const MPI_Comm comms[3] = {MPI_COMM_WORLD, copy, MPI_COMM_WORLD};
  const int counts[3] = {first, second, third}, value[2] = {1, 2};
  for (int i = 0; i < 3; ++i) {
    MPI_Irecv(values[i], counts[i], MPI_INT, rank, i, comms[i], &requests[i]);
    MPI_Send(value, 2, MPI_INT, rank, i, comms[i]);
  }
}

/* Errors of requests go to the communicator of the first request that failed. Both communicators have counting handlers. */
static void several_requests(MPI_Comm copy) {
  MPI_Request requests[3];
  MPI_Status statuses[3];
  int which, flag, done, indices[3];
  int world = of_world, mine = of_copy;
  start_receives(copy, 2, 1, 1, requests);
  int code = MPI_Waitall(3, requests, statuses);
  say("the first failure of three", code == MPI_ERR_IN_STATUS && of_world == world && of_copy == ++mine && last_code == MPI_ERR_IN_STATUS);
  say("statuses of three", statuses[0].MPI_ERROR == MPI_SUCCESS && statuses[1].MPI_ERROR == MPI_ERR_TRUNCATE && statuses[2].MPI_ERROR == MPI_ERR_TRUNCATE);
  start_receives(copy, 1, 2, 2, requests);
  do code = MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
  while (!flag);
  say("failure on the world", code == MPI_ERR_IN_STATUS && of_world == ++world && of_copy == mine);
  start_receives(copy, 2, 1, 2, requests);
  MPI_Waitany(1, requests, &which, MPI_STATUS_IGNORE);
  code = MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
  say("waitany", which == 1 && code == MPI_ERR_TRUNCATE && of_world == world && of_copy == ++mine && last_code == MPI_ERR_TRUNCATE);
  MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
  start_receives(copy, 2, 1, 2, requests);
  do code = MPI_Testany(1, &requests[1], &which, &flag, MPI_STATUS_IGNORE);
  while (!flag);
  say("testany", which == 0 && code == MPI_ERR_TRUNCATE && of_world == world && of_copy == ++mine);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  start_receives(copy, 2, 1, 2, requests);
  do code = MPI_Testsome(1, &requests[1], &done, indices, statuses);
  while (done == 0);
  say("testsome", code == MPI_ERR_IN_STATUS && statuses[0].MPI_ERROR == MPI_ERR_TRUNCATE && of_world == world && of_copy == ++mine);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  code = MPI_Waitall(-1, requests, MPI_STATUSES_IGNORE);
  say("a wrong count concerns no object", code == MPI_ERR_COUNT && of_self == 6 && of_world == world && of_copy == mine);
}

static void without_object(void) {
  MPI_Comm copy;
  MPI_Win window;
  MPI_Datatype type;
  MPI_Errhandler self, world, of_duplicate;
  int key, value;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_create_errhandler(self_fails, &self);
  MPI_Comm_create_errhandler(world_fails, &world);
  MPI_Comm_create_errhandler(copy_fails, &of_duplicate);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, world);
  MPI_Type_contiguous(-1, MPI_INT, &type);
  say("handler of the world", of_world == 1 && of_self == 0);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, self);
  MPI_Type_contiguous(-1, MPI_INT, &type);
  MPI_Comm_size(MPI_COMM_NULL, &value);
  say("handler of the own rank", of_world == 1 && of_self == 2);
  MPI_Send(NULL, 0, MPI_INT, size, 1, MPI_COMM_WORLD);
  say("a communicator's error", of_world == 2 && of_self == 2);
  /* Neither null pointers nor keys of other objects concern an object whose handler would end the job. */
  MPI_Comm_size(copy, NULL);
  MPI_Comm_dup(copy, NULL);
  MPI_Win_set_attr(window, key, &value);
  say("pointers and keys", of_self == 5);
  MPI_Comm_set_errhandler(copy, of_duplicate);
  MPI_Comm_size(copy, NULL);
  say("handler of the copy", of_self == 5 && of_copy == 1);
  several_requests(copy);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&self);
  MPI_Errhandler_free(&world);
  MPI_Errhandler_free(&of_duplicate);
  MPI_Comm_free_keyval(&key);
  MPI_Win_free(&window);
  MPI_Comm_free(&copy);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  looks();
  fields();
  codes();
  aborts();
  buffers();
  windows();
  types();
  hardware();
  nothing();
  wide();
  cut();
  unmatched();
  without_object();
  MPI_Finalize();
}
