/* SPDX-License-Identifier: Apache-2.0
 * Sessions, without MPI_Init. Each line says what the standard demands, and prints 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, handled;
static void say(const char *what, int good) { printf("%d: %s: %d\n", rank, what, good); }
static void handle(MPI_Session *session, int *code, ...) { handled += session != NULL && *code != MPI_SUCCESS; }

static void note(MPI_Comm *comm, int *code, ...) { handled += comm != NULL && *code != MPI_SUCCESS; }

static MPI_Comm world_of(MPI_Session session, const char *tag) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  return comm;
}

int main(void) {
  MPI_Session session, second;
  MPI_Errhandler handler;
  MPI_Info threads;
  MPI_Info_create(&threads);
  MPI_Info_set(threads, "thread_level", "several");
  const int refused = MPI_Session_init(threads, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS;
  MPI_Info_set(threads, "thread_level", "MPI_THREAD_FUNNELED");
  MPI_Session_init(threads, MPI_ERRORS_RETURN, &session);
  MPI_Info_free(&threads);
  MPI_Session_create_errhandler(handle, &handler);
  MPI_Session_set_errhandler(session, handler);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
  MPI_Comm comm = world_of(session, "org.example.first"), other = world_of(second, "org.example.second");
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);

  int sets, length, flag, initialized, found = 0, sum, total;
  char name[64], value[16];
  say("unknown level of threads", refused);
  MPI_Initialized(&initialized);
  say("not initialized", !initialized);
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
  for (int i = 0; i < sets; ++i) {
    length = sizeof name;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
    found += !strcmp(name, "mpi://WORLD") && length == 12;
    found += !strcmp(name, "mpi://SELF");
  }
  say("process sets", found == 2);
  MPI_Info info;
  MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
  length = sizeof value;
  MPI_Info_get_string(info, "mpi_size", &length, value, &flag);
  say("size of a set", flag && atoi(value) == size);
  MPI_Info_free(&info);
  MPI_Session_get_info(session, &info);
  MPI_Info_free(&info);

  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_MAX, other);
  say("collectives", sum == size * (size - 1) / 2 && total == sum);
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  int got = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, up, 0, &got, 1, MPI_INT, down, 0, comm, MPI_STATUS_IGNORE);
  say("messages", got == down);

  MPI_Group self, all, part, rest;
  MPI_Comm alone;
  MPI_Group_from_session_pset(session, "mpi://SELF", &self);
  MPI_Comm_create_from_group(self, "alone", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &alone);
  MPI_Comm_size(alone, &got);
  say("alone", got == 1);
  MPI_Comm_free(&alone);
  MPI_Group_free(&self);

  /* Even and odd ranks meet in an intercommunicator. */
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  int range[1][3] = {{0, size - 1, 2}};
  MPI_Group_range_incl(all, 1, range, &part);
  MPI_Group_difference(all, part, &rest);
  if (size > 1) {
    MPI_Comm between;
    const int even = rank % 2 == 0;
    MPI_Intercomm_create_from_groups(even ? part : rest, 0, even ? rest : part, 0, "between", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &between);
    MPI_Comm_test_inter(between, &flag);
    MPI_Comm_remote_size(between, &got);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
    int wanted = 0;
    for (int i = even; i < size; i += 2) wanted += i;
    say("intercommunicator", flag && got == (even ? size / 2 : (size + 1) / 2) && sum == wanted);
    MPI_Comm_free(&between);
  }
  MPI_Group_free(&part);
  MPI_Group_free(&rest);
  MPI_Group_free(&all);

  /* Errors go to the handler that is passed for the new communicator. */
  MPI_Group none = MPI_GROUP_NULL;
  MPI_Errhandler passed;
  MPI_Comm_create_errhandler(note, &passed);
  MPI_Comm_create_from_group(none, "none", MPI_INFO_NULL, passed, &alone);
  MPI_Intercomm_create_from_groups(none, 0, none, 0, "none", MPI_INFO_NULL, passed, &alone);
  MPI_Comm_create_from_group(none, "none", MPI_INFO_NULL, MPI_ERRORS_RETURN, &alone);
  say("handler of the creation", handled == 2);
  handled = 0;
  MPI_Errhandler_free(&passed);
  MPI_Group_from_session_pset(session, "mpi://NOBODY", &none);
  say("unknown set", handled == 1 || none == MPI_GROUP_NULL);
  say("unknown set returns", MPI_Group_from_session_pset(second, "mpi://NOBODY", &none) != MPI_SUCCESS);
  handled = 0;
  MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
  say("error handler", handled == 1);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&other);
  MPI_Session_finalize(&second);
  MPI_Session_finalize(&session);
  say("finalized", session == MPI_SESSION_NULL && second == MPI_SESSION_NULL);
}
