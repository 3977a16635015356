/* SPDX-License-Identifier: Apache-2.0
 * Helpers of the Fortran procedures. These are linked into each program, so that the addresses of Fortran's
 * special values, which are common blocks of the program, are known without a table. */
#ifndef PSIM_MPI_FORTRAN_BINDING_H
#define PSIM_MPI_FORTRAN_BINDING_H
#include <string.h>

#include "mpi.h"

#define PSIM_COMMON(name) extern char name[]
PSIM_COMMON(psim_mpi_bottom_);
PSIM_COMMON(psim_mpi_in_place_);
PSIM_COMMON(psim_mpi_buffer_automatic_);
PSIM_COMMON(psim_mpi_status_ignore_);
PSIM_COMMON(psim_mpi_statuses_ignore_);
PSIM_COMMON(psim_mpi_unweighted_);
PSIM_COMMON(psim_mpi_weights_empty_);
PSIM_COMMON(psim_mpi_errcodes_ignore_);

static inline void* buffer(void* address) {
  if ((char*)address == psim_mpi_bottom_) return MPI_BOTTOM;
  if ((char*)address == psim_mpi_in_place_) return MPI_IN_PLACE;
  if ((char*)address == psim_mpi_buffer_automatic_) return MPI_BUFFER_AUTOMATIC;
  return address;
}
static inline MPI_Status* status(MPI_Status* address) {
  if ((char*)address == psim_mpi_status_ignore_ || (char*)address == psim_mpi_statuses_ignore_)
    return MPI_STATUS_IGNORE;
  return address;
}
static inline int* weights(int* address) {
  if ((char*)address == psim_mpi_unweighted_) return MPI_UNWEIGHTED;
  if ((char*)address == psim_mpi_weights_empty_) return MPI_WEIGHTS_EMPTY;
  return address;
}
/* Defines pmpi_x_ and its weak aliases mpi_x_ and lmpi_x_, so that programs and tools can interpose their
 * own. */
#define FORTRAN(result, lower, parameters)                                            \
  result mpi_##lower##_ parameters __attribute__((weak, alias("pmpi_" #lower "_")));  \
  result lmpi_##lower##_ parameters __attribute__((weak, alias("pmpi_" #lower "_"))); \
  result pmpi_##lower##_ parameters

/* Stores the error code in the last argument, which is optional in mpi_f08. */
static inline void set_error(int code, MPI_Fint* error) {
  if (error) *error = code;
}

enum { kLongestText = MPI_MAX_INFO_VAL + 1 };

/* Copies a Fortran string without the blanks around it to `to`, at most kLongestText - 1 characters. */
static inline const char* to_c(char* to, const char* from, size_t length) {
  while (length > 0 && from[length - 1] == ' ') --length;
  while (length > 0 && *from == ' ') ++from, --length;
  if (length > kLongestText - 1) length = kLongestText - 1;
  memcpy(to, from, length);
  to[length] = '\0';
  return to;
}
static inline void to_fortran(char* to, size_t length, const char* from) {
  const size_t n = strlen(from) < length ? strlen(from) : length;
  memcpy(to, from, n);
  memset(to + n, ' ', length - n);
}
#endif
