/* SPDX-License-Identifier: Apache-2.0
 * What the units of all ranks of a host process need to know of each other: in libpsim_mpi.so, as programs
 * have their own globals for each rank. */
#ifndef PSIM_MPI_FORTRAN_UNITS_H
#define PSIM_MPI_FORTRAN_UNITS_H
#ifdef __cplusplus
extern "C" {
#endif

/* The running rank of MPI_COMM_WORLD, before MPI_Init and after MPI_Finalize, too. */
int psim_rank(void);

/* Standard units (0, 5, 6). Enters a statement on one: 0 if another rank is in the middle of a statement on
 * it. */
int psim_unit_enter(int unit);
void psim_unit_leave(int unit);
/* Whether no other rank is in the middle of a statement on it. */
int psim_unit_free(int unit);

/* From the simulator, where there is one with outputs of its own: what ranks write to `descriptor` from now
 * on goes to their standard output (1) or error (2), or to the descriptor's file again (0). */
void psim_output_descriptor(int descriptor, int standard) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
