/* SPDX-License-Identifier: Apache-2.0
 * Procedures whose arguments differ from C's: indices start at one, sizes of strings have no terminator. Strings end with blanks and
 * pass their lengths last. */
#include "mpi/fortran/binding.h"

#define COMMON(name, size) char name[size] __attribute__((common, aligned(8)))
COMMON(psim_mpi_bottom_, 4);
COMMON(psim_mpi_in_place_, 4);
COMMON(psim_mpi_buffer_automatic_, 4);
COMMON(psim_mpi_status_ignore_, 24);
COMMON(psim_mpi_statuses_ignore_, 24);
COMMON(psim_mpi_unweighted_, 4);
COMMON(psim_mpi_weights_empty_, 4);
COMMON(psim_mpi_errcodes_ignore_, 4);

FORTRAN(void, init, (MPI_Fint *error)) { set_error(MPI_Init(0, 0), error); }
FORTRAN(void, init_thread, (int *required, int *provided, MPI_Fint *error)) {
  set_error(MPI_Init_thread(0, 0, *required, provided), error);
}

FORTRAN(void, waitany, (int *n, MPI_Request *requests, int *which, MPI_Status *s, MPI_Fint *error)) {
  set_error(MPI_Waitany(*n, requests, which, status(s)), error);
  if (*which >= 0) ++*which;
}
FORTRAN(void, testany, (int *n, MPI_Request *requests, int *which, int *flag, MPI_Status *s, MPI_Fint *error)) {
  set_error(MPI_Testany(*n, requests, which, flag, status(s)), error);
  if (*which >= 0) ++*which;
}
FORTRAN(void, waitsome, (int *n, MPI_Request *requests, int *done, int *indices, MPI_Status *s, MPI_Fint *error)) {
  set_error(MPI_Waitsome(*n, requests, done, indices, status(s)), error);
  for (int i = 0; i < *done; ++i) ++indices[i];
}
FORTRAN(void, testsome, (int *n, MPI_Request *requests, int *done, int *indices, MPI_Status *s, MPI_Fint *error)) {
  set_error(MPI_Testsome(*n, requests, done, indices, status(s)), error);
  for (int i = 0; i < *done; ++i) ++indices[i];
}
FORTRAN(void, request_get_status_any, (int *n, MPI_Request *requests, int *which, int *flag, MPI_Status *s, MPI_Fint *error)) {
  set_error(MPI_Request_get_status_any(*n, requests, which, flag, status(s)), error);
  if (*which >= 0) ++*which;
}
FORTRAN(void, request_get_status_some, (int *n, MPI_Request *requests, int *done, int *indices, MPI_Status *s, MPI_Fint *error)) {
  set_error(MPI_Request_get_status_some(*n, requests, done, indices, status(s)), error);
  for (int i = 0; i < *done; ++i) ++indices[i];
}

FORTRAN(void, info_get, (MPI_Info *info, const char *key, int *length, char *value, int *flag, MPI_Fint *error, size_t key_room,
                   size_t room)) {
  char key_text[kLongestText], text[kLongestText];
  set_error(MPI_Info_get(*info, to_c(key_text, key, key_room), *length < kLongestText ? *length : kLongestText - 1, text, flag), error);
  if (*flag) to_fortran(value, room, text);
}
/* The size of a Fortran string has no terminator. */
FORTRAN(void, info_get_string, (MPI_Info *info, const char *key, int *length, char *value, int *flag, MPI_Fint *error, size_t key_room,
                          size_t room)) {
  char key_text[kLongestText], text[kLongestText];
  int size = *length > 0 ? (*length < kLongestText - 1 ? *length : kLongestText - 1) + 1 : 0;
  set_error(MPI_Info_get_string(*info, to_c(key_text, key, key_room), &size, text, flag), error);
  if (!*flag) return;
  if (*length > 0) to_fortran(value, room, text);
  *length = size - 1;
}
FORTRAN(void, info_create_env, (MPI_Info *info, MPI_Fint *error)) { set_error(MPI_Info_create_env(0, 0, info), error); }

/* Drops the address, which Fortran programs do not need: the buffer is a variable of theirs. */
#define DETACH(lower, Name, Size)                                                                 \
  FORTRAN(void, lower, (int *owner, void *unused, Size *size, MPI_Fint *error)) {                 \
    void *address;                                                                                \
    (void)unused;                                                                                 \
    set_error(MPI_##Name(*owner, &address, size), error);                                         \
  }
#define DETACH_FROM_PROCESS(lower, Name, Size)                                                    \
  FORTRAN(void, lower, (void *unused, Size *size, MPI_Fint *error)) {                             \
    void *address;                                                                                \
    (void)unused;                                                                                 \
    set_error(MPI_##Name(&address, size), error);                                                 \
  }
DETACH_FROM_PROCESS(buffer_detach, Buffer_detach, int)
DETACH_FROM_PROCESS(buffer_detach_c, Buffer_detach_c, MPI_Count)
DETACH(comm_detach_buffer, Comm_detach_buffer, int)
DETACH(comm_detach_buffer_c, Comm_detach_buffer_c, MPI_Count)
DETACH(session_detach_buffer, Session_detach_buffer, int)
DETACH(session_detach_buffer_c, Session_detach_buffer_c, MPI_Count)
FORTRAN(void, pcontrol, (int *level)) { MPI_Pcontrol(*level); }

FORTRAN(void, session_get_nth_pset, (MPI_Session *session, MPI_Info *info, int *n, int *length, char *name, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  int size = *length > 0 ? (*length < kLongestText - 1 ? *length : kLongestText - 1) + 1 : 0;
  const int result = MPI_Session_get_nth_pset(*session, *info, *n, &size, text);
  if (result == MPI_SUCCESS && *length > 0) to_fortran(name, room, text);
  if (result == MPI_SUCCESS) *length = size - 1;
  set_error(result, error);
}

/* Process creation: see process_creation_api.cpp. */
FORTRAN(void, comm_spawn, (const char *command, const char *arguments, int *processes, MPI_Info *info, int *root, MPI_Comm *comm,
                           MPI_Comm *result, int *codes, MPI_Fint *error, size_t room, size_t argument_room)) {
  char text[kLongestText];
  (void)arguments, (void)argument_room;
  set_error(MPI_Comm_spawn(to_c(text, command, room), MPI_ARGV_NULL, *processes, *info, *root, *comm, result,
                        (char *)codes == psim_mpi_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : codes),
         error);
}
