/* SPDX-License-Identifier: Apache-2.0
 * Procedures whose arguments differ from C's: strings with blanks at the end and their lengths last, indices that count from
 * one, attributes by value. */
#include <stdint.h>
#include <string.h>

#include "netsim/mpi/fortran/binding.h"

#define COMMON(name, size) char name[size] __attribute__((common, aligned(8)))
COMMON(psim_mpi_bottom_, 4);
COMMON(psim_mpi_in_place_, 4);
COMMON(psim_mpi_status_ignore_, 24);
COMMON(psim_mpi_statuses_ignore_, 24);
COMMON(psim_mpi_unweighted_, 4);
COMMON(psim_mpi_weights_empty_, 4);

enum { kMost = MPI_MAX_INFO_VAL + 1 };

static const char *to_c(char *to, const char *from, size_t length) {
  while (length > 0 && from[length - 1] == ' ') --length;
  while (length > 0 && *from == ' ') ++from, --length;
  if (length > kMost - 1) length = kMost - 1;
  memcpy(to, from, length);
  to[length] = '\0';
  return to;
}
static void to_fortran(char *to, size_t length, const char *from) {
  const size_t n = strlen(from) < length ? strlen(from) : length;
  memcpy(to, from, n);
  memset(to + n, ' ', length - n);
}

void mpi_init_(MPI_Fint *error) { answer(MPI_Init(0, 0), error); }
void mpi_init_thread_(int *required, int *provided, MPI_Fint *error) {
  answer(MPI_Init_thread(0, 0, *required, provided), error);
}

void mpi_waitany_(int *n, MPI_Request *requests, int *which, MPI_Status *s, MPI_Fint *error) {
  answer(MPI_Waitany(*n, requests, which, status(s)), error);
  if (*which >= 0) ++*which;
}
void mpi_testany_(int *n, MPI_Request *requests, int *which, int *flag, MPI_Status *s, MPI_Fint *error) {
  answer(MPI_Testany(*n, requests, which, flag, status(s)), error);
  if (*which >= 0) ++*which;
}
void mpi_waitsome_(int *n, MPI_Request *requests, int *done, int *indices, MPI_Status *s, MPI_Fint *error) {
  answer(MPI_Waitsome(*n, requests, done, indices, status(s)), error);
  for (int i = 0; i < *done; ++i) ++indices[i];
}
void mpi_testsome_(int *n, MPI_Request *requests, int *done, int *indices, MPI_Status *s, MPI_Fint *error) {
  answer(MPI_Testsome(*n, requests, done, indices, status(s)), error);
  for (int i = 0; i < *done; ++i) ++indices[i];
}

void mpi_get_processor_name_(char *name, int *length, MPI_Fint *error, size_t room) {
  char text[MPI_MAX_PROCESSOR_NAME];
  answer(MPI_Get_processor_name(text, length), error);
  to_fortran(name, room, text);
}
void mpi_get_library_version_(char *name, int *length, MPI_Fint *error, size_t room) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  answer(MPI_Get_library_version(text, length), error);
  to_fortran(name, room, text);
}
void mpi_error_string_(int *code, char *name, int *length, MPI_Fint *error, size_t room) {
  char text[MPI_MAX_ERROR_STRING];
  answer(MPI_Error_string(*code, text, length), error);
  to_fortran(name, room, text);
}

#define NAMES(lower, Upper)                                                                 \
  void mpi_##lower##_set_name_(int *handle, const char *name, MPI_Fint *error, size_t room) { \
    char text[kMost];                                                                        \
    answer(MPI_##Upper##_set_name(*handle, to_c(text, name, room)), error);                  \
  }                                                                                          \
  void mpi_##lower##_get_name_(int *handle, char *name, int *length, MPI_Fint *error, size_t room) { \
    char text[MPI_MAX_OBJECT_NAME];                                                          \
    answer(MPI_##Upper##_get_name(*handle, text, length), error);                            \
    to_fortran(name, room, text);                                                            \
  }
NAMES(comm, Comm)
NAMES(type, Type)
NAMES(win, Win)

/* Predefined attributes are pointers to their values in C, the values themselves here. */
void mpi_comm_get_attr_(MPI_Comm *comm, int *key, MPI_Aint *value, int *flag, MPI_Fint *error) {
  void *found = 0;
  answer(MPI_Comm_get_attr(*comm, *key, &found, flag), error);
  if (*flag) *value = *key >= MPI_TAG_UB && *key <= MPI_LASTUSEDCODE ? *(int *)found : (MPI_Aint)(intptr_t)found;
}
void mpi_comm_set_attr_(MPI_Comm *comm, int *key, MPI_Aint *value, MPI_Fint *error) {
  answer(MPI_Comm_set_attr(*comm, *key, (void *)(intptr_t)*value), error);
}

void mpi_info_set_(MPI_Info *info, const char *key, const char *value, MPI_Fint *error, size_t key_room, size_t room) {
  char key_text[kMost], text[kMost];
  answer(MPI_Info_set(*info, to_c(key_text, key, key_room), to_c(text, value, room)), error);
}
void mpi_info_get_(MPI_Info *info, const char *key, int *length, char *value, int *flag, MPI_Fint *error, size_t key_room,
                   size_t room) {
  char key_text[kMost], text[kMost];
  answer(MPI_Info_get(*info, to_c(key_text, key, key_room), *length < kMost ? *length : kMost - 1, text, flag), error);
  if (*flag) to_fortran(value, room, text);
}
void mpi_info_get_nthkey_(MPI_Info *info, int *n, char *key, MPI_Fint *error, size_t room) {
  char text[MPI_MAX_INFO_KEY + 1] = "";
  answer(MPI_Info_get_nthkey(*info, *n, text), error);
  to_fortran(key, room, text);
}
void mpi_info_get_valuelen_(MPI_Info *info, const char *key, int *length, int *flag, MPI_Fint *error, size_t room) {
  char text[kMost];
  answer(MPI_Info_get_valuelen(*info, to_c(text, key, room), length, flag), error);
}
void mpi_info_delete_(MPI_Info *info, const char *key, MPI_Fint *error, size_t room) {
  char text[kMost];
  answer(MPI_Info_delete(*info, to_c(text, key, room)), error);
}

void mpi_file_open_(MPI_Comm *comm, const char *name, int *amode, MPI_Info *info, MPI_File *file, MPI_Fint *error, size_t room) {
  char text[kMost];
  answer(MPI_File_open(*comm, to_c(text, name, room), *amode, *info, file), error);
}
void mpi_file_delete_(const char *name, MPI_Info *info, MPI_Fint *error, size_t room) {
  char text[kMost];
  answer(MPI_File_delete(to_c(text, name, room), *info), error);
}
void mpi_file_set_view_(MPI_File *file, MPI_Offset *displacement, MPI_Datatype *etype, MPI_Datatype *filetype, const char *name,
                        MPI_Info *info, MPI_Fint *error, size_t room) {
  char text[kMost];
  answer(MPI_File_set_view(*file, *displacement, *etype, *filetype, to_c(text, name, room), *info), error);
}
void mpi_file_get_view_(MPI_File *file, MPI_Offset *displacement, MPI_Datatype *etype, MPI_Datatype *filetype, char *name,
                        MPI_Fint *error, size_t room) {
  char text[MPI_MAX_DATAREP_STRING];
  answer(MPI_File_get_view(*file, displacement, etype, filetype, text), error);
  to_fortran(name, room, text);
}
