/* SPDX-License-Identifier: Apache-2.0
 * Events of the tool information interface, buffers of sessions, and statuses of Fortran (MPI-4.1). Each line says what the standard
 * demands, and prints 1. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, up, down;
static void say(const char *what, int good) { printf("%d: %s: %d\n", rank, what, good); }

static struct {
  int calls, peer, tag, source, foreign, whole;
  MPI_Count bytes, time;
} seen[2];
static MPI_T_event_registration registrations[2];
static MPI_Aint places[3];
static int freed, safety_seen;

static void note(MPI_T_event_instance event, MPI_T_event_registration registration, MPI_T_cb_safety safety, void *data) {
  const int i = *(int *)data;
  char all[64];
  MPI_Count bytes;
  ++seen[i].calls;
  safety_seen = safety;
  seen[i].foreign += registration != registrations[i];
  MPI_T_event_read(event, 0, &seen[i].peer);
  MPI_T_event_read(event, 1, &seen[i].tag);
  MPI_T_event_read(event, 2, &seen[i].bytes);
  MPI_T_event_copy(event, all);
  memcpy(&bytes, all + places[2], sizeof bytes);
  seen[i].whole = bytes == seen[i].bytes;
  MPI_T_event_get_source(event, &seen[i].source);
  MPI_T_event_get_timestamp(event, &seen[i].time);
}
static void end(MPI_T_event_registration registration, MPI_T_cb_safety safety, void *data) {
  (void)registration, (void)safety;
  freed += *(int *)data;
}
static void dropped(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety safety, void *data) {
  (void)count, (void)registration, (void)source, (void)safety, (void)data;
}

static void events(void) {
  static int numbers[2] = {0, 1}, one = 1;
  int provided, events, sources, index[2] = {-1, -1}, elements = 3, bind, length, verbosity, order, value[3] = {1, 2, 3}, got[3];
  char name[32], description[200];
  MPI_Datatype types[3];
  MPI_T_enum enumeration;
  MPI_Info info;
  MPI_Count ticks, most, before, after;
  MPI_Request request;
  say("not initialised", MPI_T_event_get_num(&events) == MPI_T_ERR_NOT_INITIALIZED);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_source_get_num(&sources);
  MPI_T_event_get_num(&events);
  say("numbers", sources == 1 && events == 2);
  length = sizeof name;
  MPI_T_source_get_info(0, name, &length, NULL, NULL, &order, &ticks, &most, &info);
  say("source", !strcmp(name, "psim_clock") && length == 11 && order == MPI_T_SOURCE_ORDERED && ticks == 1000000000000LL && most > 0);
  MPI_Info_free(&info);
  say("no such source", MPI_T_source_get_timestamp(1, &before) == MPI_T_ERR_INVALID_INDEX);
  MPI_T_event_get_index("psim_send", &index[0]);
  MPI_T_event_get_index("psim_receive", &index[1]);
  say("indices", index[0] == 0 && index[1] == 1);
  say("no such event", MPI_T_event_get_index("nothing", &index[0]) == MPI_T_ERR_INVALID_NAME &&
                           MPI_T_event_get_info(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_T_ERR_INVALID_INDEX);
  length = 5;
  int room = sizeof description;
  MPI_T_event_get_info(0, name, &length, &verbosity, types, places, &elements, &enumeration, NULL, description, &room, &bind);
  say("event", !strcmp(name, "psim") && length == 10 && elements == 3 && types[1] == MPI_INT && types[2] == MPI_COUNT && places[1] == 4 &&
                   bind == MPI_T_BIND_NO_OBJECT && strlen(description) + 1 == (size_t)room && verbosity == MPI_T_VERBOSITY_USER_BASIC);
  for (int i = 0; i < 2; ++i) {
    MPI_T_event_handle_alloc(i, NULL, MPI_INFO_NULL, &registrations[i]);
    MPI_T_event_register_callback(registrations[i], MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, &numbers[i], note);
    MPI_T_event_set_dropped_handler(registrations[i], dropped);
  }
  MPI_T_source_get_timestamp(0, &before);
  MPI_Isend(value, 3, MPI_INT, up, 5, MPI_COMM_WORLD, &request);
  say("send", seen[0].calls == 1 && seen[0].peer == up && seen[0].tag == 5 && seen[0].bytes == 12 && seen[0].whole && seen[0].source == 0);
  say("no receive yet", seen[1].calls == 0);
  MPI_Recv(got, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_T_source_get_timestamp(0, &after);
  say("receive", seen[1].calls == 1 && seen[1].peer == down && seen[1].tag == 5 && seen[1].bytes == 12);
  say("time", before <= seen[0].time && seen[0].time <= seen[1].time && seen[1].time <= after);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  say("only these", seen[0].calls == 1 && seen[1].calls == 1 && seen[0].foreign == 0 && seen[1].foreign == 0);
  say("safety", safety_seen == MPI_T_CB_REQUIRE_MPI_RESTRICTED);
  MPI_T_event_handle_set_info(registrations[0], MPI_INFO_NULL);
  MPI_T_event_handle_get_info(registrations[0], &info);
  MPI_Info_free(&info);
  MPI_T_event_callback_set_info(registrations[0], MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL);
  say("hints of a callback", MPI_T_event_callback_get_info(registrations[0], MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, &info) == MPI_SUCCESS &&
                                 MPI_T_event_callback_get_info(registrations[0], MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID_HANDLE);
  MPI_T_event_handle_free(registrations[0], &one, end);
  say("freed", freed == 1 && MPI_T_event_handle_set_info(registrations[0], MPI_INFO_NULL) == MPI_T_ERR_INVALID_HANDLE);
  MPI_T_event_register_callback(registrations[1], MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, NULL, NULL);
  MPI_Sendrecv(value, 1, MPI_INT, up, 6, got, 1, MPI_INT, down, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("none any longer", seen[0].calls == 1 && seen[1].calls == 1);
  say("outside of a callback", MPI_T_event_read(1, 0, got) == MPI_T_ERR_INVALID_HANDLE);
  MPI_T_event_handle_free(registrations[1], NULL, NULL);
  say("no category", MPI_T_category_get_num_events(0, &events) == MPI_T_ERR_INVALID_INDEX &&
                         MPI_T_category_get_events(0, 1, got) == MPI_T_ERR_INVALID_INDEX);
  MPI_T_finalize();
}

static void session_buffers(void) {
  static char of_session[20000], of_process[100];
  MPI_Session session;
  MPI_Group group, reverse;
  MPI_Comm comm, copy;
  MPI_Request request;
  MPI_Count wide;
  void *base;
  int bytes, in[2000], out[2000], class_of, ranks[64];
  for (int i = 0; i < 2000; ++i) out[i] = i + rank;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  say("none attached", MPI_Session_detach_buffer(session, &base, &bytes) != MPI_SUCCESS);
  MPI_Session_attach_buffer(session, of_session, sizeof of_session);
  MPI_Error_class(MPI_Session_attach_buffer_c(session, of_session, 100), &class_of);
  say("one is attached", class_of == MPI_ERR_BUFFER);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  for (int i = 0; i < size; ++i) ranks[i] = i;
  MPI_Group_incl(group, size, ranks, &reverse);
  MPI_Comm_create_from_group(reverse, "events", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Comm_dup(comm, &copy);
  MPI_Buffer_attach(of_process, sizeof of_process);
  say("the session's buffer", MPI_Bsend(out, 2000, MPI_INT, up, 1, comm) == MPI_SUCCESS);
  say("also of a copy", MPI_Bsend(out, 1, MPI_INT, up, 2, copy) == MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Bsend(out, 2000, MPI_INT, up, 1, MPI_COMM_WORLD), &class_of);
  say("not of the world", class_of == MPI_ERR_BUFFER);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Session_iflush_buffer(session, &request);
  MPI_Recv(in, 2000, MPI_INT, down, 1, comm, MPI_STATUS_IGNORE);
  MPI_Recv(in + 1, 1, MPI_INT, down, 2, copy, MPI_STATUS_IGNORE);
  say("data", in[1999] == 1999 + down && in[1] == down);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say("flush", MPI_Session_flush_buffer(session) == MPI_SUCCESS);
  MPI_Session_detach_buffer_c(session, &base, &wide);
  say("detached", base == of_session && wide == sizeof of_session);
  MPI_Buffer_detach(&base, &bytes);
  MPI_Comm_attach_buffer_c(comm, of_session, 500);
  MPI_Comm_detach_buffer_c(comm, &base, &wide);
  say("of a communicator", base == of_session && wide == 500);
  MPI_Group_free(&group);
  MPI_Group_free(&reverse);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&copy);
  MPI_Session_finalize(&session);
}

static void statuses(void) {
  MPI_Status status, back;
  MPI_F08_status f08, again;
  MPI_Fint f[MPI_F_STATUS_SIZE];
  MPI_Count count;
  MPI_Status_set_source(&status, 3);
  MPI_Status_set_tag(&status, 4);
  MPI_Status_set_error(&status, MPI_SUCCESS);
  MPI_Status_set_elements_c(&status, MPI_INT, 3000000000LL);
  MPI_Status_set_cancelled(&status, 0);
  MPI_Status_c2f08(&status, &f08);
  MPI_Status_f082f(&f08, f);
  say("Fortran's", f[MPI_F_SOURCE] == 3 && f[MPI_F_TAG] == 4 && f[MPI_F_ERROR] == MPI_SUCCESS);
  MPI_Status_f2f08(f, &again);
  MPI_Status_f082c(&again, &back);
  MPI_Get_count_c(&back, MPI_INT, &count);
  say("and back", back.MPI_SOURCE == 3 && back.MPI_TAG == 4 && count == 3000000000LL);
}

int main(int argc, char **argv) {
  int version, subversion;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  up = (rank + 1) % size, down = (rank + size - 1) % size;
  MPI_Get_version(&version, &subversion);
  say("version", version == 4 && subversion == 1 && MPI_VERSION == 4 && MPI_SUBVERSION == 1);
  events();
  session_buffers();
  statuses();
  MPI_Finalize();
  return 0;
}
