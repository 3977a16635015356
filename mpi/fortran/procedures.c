/* SPDX-License-Identifier: Apache-2.0
 * Procedures whose arguments differ from C's: strings end with blanks and pass their lengths last, indices start at one. */
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

FORTRAN(void, get_processor_name, (char *name, int *length, MPI_Fint *error, size_t room)) {
  char text[MPI_MAX_PROCESSOR_NAME];
  set_error(MPI_Get_processor_name(text, length), error);
  to_fortran(name, room, text);
}
FORTRAN(void, get_library_version, (char *name, int *length, MPI_Fint *error, size_t room)) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  set_error(MPI_Get_library_version(text, length), error);
  to_fortran(name, room, text);
}
FORTRAN(void, error_string, (int *code, char *name, int *length, MPI_Fint *error, size_t room)) {
  char text[MPI_MAX_ERROR_STRING];
  set_error(MPI_Error_string(*code, text, length), error);
  to_fortran(name, room, text);
}

#define NAMES(lower, Upper)                                                                 \
  FORTRAN(void, lower##_set_name, (int *handle, const char *name, MPI_Fint *error, size_t room)) { \
    char text[kLongestText];                                                                        \
    set_error(MPI_##Upper##_set_name(*handle, to_c(text, name, room)), error);                  \
  }                                                                                          \
  FORTRAN(void, lower##_get_name, (int *handle, char *name, int *length, MPI_Fint *error, size_t room)) { \
    char text[MPI_MAX_OBJECT_NAME];                                                          \
    set_error(MPI_##Upper##_get_name(*handle, text, length), error);                            \
    to_fortran(name, room, text);                                                            \
  }
NAMES(comm, Comm)
NAMES(type, Type)
NAMES(win, Win)

FORTRAN(void, info_set, (MPI_Info *info, const char *key, const char *value, MPI_Fint *error, size_t key_room, size_t room)) {
  char key_text[kLongestText], text[kLongestText];
  set_error(MPI_Info_set(*info, to_c(key_text, key, key_room), to_c(text, value, room)), error);
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
FORTRAN(void, info_get_nthkey, (MPI_Info *info, int *n, char *key, MPI_Fint *error, size_t room)) {
  char text[MPI_MAX_INFO_KEY + 1] = "";
  set_error(MPI_Info_get_nthkey(*info, *n, text), error);
  to_fortran(key, room, text);
}
FORTRAN(void, info_get_valuelen, (MPI_Info *info, const char *key, int *length, int *flag, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Info_get_valuelen(*info, to_c(text, key, room), length, flag), error);
}
FORTRAN(void, info_delete, (MPI_Info *info, const char *key, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Info_delete(*info, to_c(text, key, room)), error);
}

FORTRAN(void, file_open, (MPI_Comm *comm, const char *name, int *amode, MPI_Info *info, MPI_File *file, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_File_open(*comm, to_c(text, name, room), *amode, *info, file), error);
}
FORTRAN(void, file_delete, (const char *name, MPI_Info *info, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_File_delete(to_c(text, name, room), *info), error);
}
FORTRAN(void, file_set_view, (MPI_File *file, MPI_Offset *displacement, MPI_Datatype *etype, MPI_Datatype *filetype, const char *name,
                        MPI_Info *info, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_File_set_view(*file, *displacement, *etype, *filetype, to_c(text, name, room), *info), error);
}
FORTRAN(void, file_get_view, (MPI_File *file, MPI_Offset *displacement, MPI_Datatype *etype, MPI_Datatype *filetype, char *name,
                        MPI_Fint *error, size_t room)) {
  char text[MPI_MAX_DATAREP_STRING];
  set_error(MPI_File_get_view(*file, displacement, etype, filetype, text), error);
  to_fortran(name, room, text);
}

FORTRAN(void, add_error_string, (int *code, const char *text, MPI_Fint *error, size_t room)) {
  char copy[kLongestText];
  set_error(MPI_Add_error_string(*code, to_c(copy, text, room)), error);
}
FORTRAN(void, pack_external, (const char *name, void *in, int *count, MPI_Datatype *type, void *out, MPI_Aint *size,
                              MPI_Aint *position, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Pack_external(to_c(text, name, room), buffer(in), *count, *type, out, *size, position), error);
}
FORTRAN(void, unpack_external, (const char *name, void *in, MPI_Aint *size, MPI_Aint *position, void *out, int *count,
                                MPI_Datatype *type, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Unpack_external(to_c(text, name, room), in, *size, position, buffer(out), *count, *type), error);
}
FORTRAN(void, pack_external_size, (const char *name, int *count, MPI_Datatype *type, MPI_Aint *size, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Pack_external_size(to_c(text, name, room), *count, *type, size), error);
}
FORTRAN(void, pack_external_c, (const char *name, void *in, MPI_Count *count, MPI_Datatype *type, void *out, MPI_Count *size,
                                MPI_Count *position, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Pack_external_c(to_c(text, name, room), buffer(in), *count, *type, out, *size, position), error);
}
FORTRAN(void, unpack_external_c, (const char *name, void *in, MPI_Count *size, MPI_Count *position, void *out, MPI_Count *count,
                                  MPI_Datatype *type, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Unpack_external_c(to_c(text, name, room), in, *size, position, buffer(out), *count, *type), error);
}
FORTRAN(void, pack_external_size_c,
        (const char *name, MPI_Count *count, MPI_Datatype *type, MPI_Count *size, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Pack_external_size_c(to_c(text, name, room), *count, *type, size), error);
}

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
FORTRAN(void, session_get_pset_info, (MPI_Session *session, const char *name, MPI_Info *info, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Session_get_pset_info(*session, to_c(text, name, room), info), error);
}
FORTRAN(void, group_from_session_pset, (MPI_Session *session, const char *name, MPI_Group *group, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Group_from_session_pset(*session, to_c(text, name, room), group), error);
}
FORTRAN(void, comm_create_from_group, (MPI_Group *group, const char *tag, MPI_Info *info, MPI_Errhandler *handler, MPI_Comm *comm,
                                       MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Comm_create_from_group(*group, to_c(text, tag, room), *info, *handler, comm), error);
}
FORTRAN(void, intercomm_create_from_groups, (MPI_Group *local, int *local_leader, MPI_Group *remote, int *remote_leader,
                                             const char *tag, MPI_Info *info, MPI_Errhandler *handler, MPI_Comm *comm, MPI_Fint *error,
                                             size_t room)) {
  char text[kLongestText];
  set_error(MPI_Intercomm_create_from_groups(*local, *local_leader, *remote, *remote_leader, to_c(text, tag, room), *info, *handler, comm),
            error);
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
FORTRAN(void, open_port, (MPI_Info *info, char *name, MPI_Fint *error, size_t room)) {
  char text[MPI_MAX_PORT_NAME];
  set_error(MPI_Open_port(*info, text), error);
  to_fortran(name, room, text);
}
FORTRAN(void, close_port, (const char *name, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Close_port(to_c(text, name, room)), error);
}
FORTRAN(void, comm_accept, (const char *name, MPI_Info *info, int *root, MPI_Comm *comm, MPI_Comm *result, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Comm_accept(to_c(text, name, room), *info, *root, *comm, result), error);
}
FORTRAN(void, comm_connect, (const char *name, MPI_Info *info, int *root, MPI_Comm *comm, MPI_Comm *result, MPI_Fint *error, size_t room)) {
  char text[kLongestText];
  set_error(MPI_Comm_connect(to_c(text, name, room), *info, *root, *comm, result), error);
}
FORTRAN(void, publish_name, (const char *service, MPI_Info *info, const char *port, MPI_Fint *error, size_t room, size_t port_room)) {
  char text[kLongestText], port_text[kLongestText];
  set_error(MPI_Publish_name(to_c(text, service, room), *info, to_c(port_text, port, port_room)), error);
}
FORTRAN(void, unpublish_name, (const char *service, MPI_Info *info, const char *port, MPI_Fint *error, size_t room, size_t port_room)) {
  char text[kLongestText], port_text[kLongestText];
  set_error(MPI_Unpublish_name(to_c(text, service, room), *info, to_c(port_text, port, port_room)), error);
}
FORTRAN(void, lookup_name, (const char *service, MPI_Info *info, char *port, MPI_Fint *error, size_t room, size_t port_room)) {
  char text[kLongestText], port_text[MPI_MAX_PORT_NAME];
  set_error(MPI_Lookup_name(to_c(text, service, room), *info, port_text), error);
  to_fortran(port, port_room, port_text);
}
