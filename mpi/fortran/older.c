/* SPDX-License-Identifier: Apache-2.0
 * Procedures removed from MPI-3 that older programs call. Addresses, bounds and displacements are INTEGER. An address is
 * cut to its lower 32 bits: differences between addresses that are close to each other are right. */
#include <stdlib.h>

#include "mpi/fortran/binding.h"

FORTRAN(void, address, (void *location, MPI_Fint *address, MPI_Fint *error)) {
  MPI_Aint whole = 0;
  set_error(MPI_Get_address(buffer(location), &whole), error);
  *address = (MPI_Fint)whole;
}

#define BOUND(lower, call)                                                           \
  FORTRAN(void, lower, (MPI_Datatype *type, MPI_Fint *value, MPI_Fint *error)) {     \
    MPI_Aint lb = 0, extent = 0;                                                     \
    set_error(MPI_Type_get_extent(*type, &lb, &extent), error);                         \
    *value = (MPI_Fint)(call);                                                       \
  }
BOUND(type_extent, extent)
BOUND(type_lb, lb)
BOUND(type_ub, lb + extent)

FORTRAN(void, type_hvector, (int *count, int *length, MPI_Fint *stride, MPI_Datatype *old, MPI_Datatype *result, MPI_Fint *error)) {
  set_error(MPI_Type_create_hvector(*count, *length, *stride, *old, result), error);
}

/* Returns the displacements as addresses, in memory that the caller frees. */
static MPI_Aint *widened(int n, const MPI_Fint *places) {
  MPI_Aint *wide = malloc((size_t)(n > 0 ? n : 1) * sizeof *wide);
  for (int i = 0; i < n; ++i) wide[i] = places[i];
  return wide;
}

FORTRAN(void, type_hindexed, (int *n, int *lengths, MPI_Fint *places, MPI_Datatype *old, MPI_Datatype *result, MPI_Fint *error)) {
  MPI_Aint *wide = widened(*n, places);
  set_error(MPI_Type_create_hindexed(*n, lengths, wide, *old, result), error);
  free(wide);
}
FORTRAN(void, type_struct, (int *n, int *lengths, MPI_Fint *places, MPI_Datatype *types, MPI_Datatype *result, MPI_Fint *error)) {
  MPI_Aint *wide = widened(*n, places);
  set_error(MPI_Type_create_struct(*n, lengths, wide, types, result), error);
  free(wide);
}
