/* SPDX-License-Identifier: Apache-2.0
 * What the Fortran procedures share. They are linked into each program, so that the places of Fortran's
 * special values (common blocks of the program) are known without a table. */
#ifndef PSIM_MPI_FORTRAN_BINDING_H
#define PSIM_MPI_FORTRAN_BINDING_H
#include "mpi.h"

#define PSIM_COMMON(name) extern char name[]
PSIM_COMMON(psim_mpi_bottom_);
PSIM_COMMON(psim_mpi_in_place_);
PSIM_COMMON(psim_mpi_status_ignore_);
PSIM_COMMON(psim_mpi_statuses_ignore_);
PSIM_COMMON(psim_mpi_unweighted_);
PSIM_COMMON(psim_mpi_weights_empty_);

static inline void* buffer(void* address) {
  if ((char*)address == psim_mpi_bottom_) return MPI_BOTTOM;
  if ((char*)address == psim_mpi_in_place_) return MPI_IN_PLACE;
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
/* The error is optional in mpi_f08. */
static inline void answer(int code, MPI_Fint* error) {
  if (error) *error = code;
}
#endif
