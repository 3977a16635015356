/* SPDX-License-Identifier: Apache-2.0
 * Which units of libgfortran's are this rank's, with their files. */
#ifndef PSIM_MPI_FORTRAN_CONNECTIONS_H
#define PSIM_MPI_FORTRAN_CONNECTIONS_H
#include <sys/types.h>

void psim_connected(int unit, dev_t device, ino_t inode);
void psim_disconnected(int unit);
int psim_is_connected(int unit);
/* Whether one is connected with that file: *unit. */
int psim_unit_of_file(dev_t device, ino_t inode, int* unit);
/* The unit at a place of the list; 0 past its end. */
int psim_connection(int place, int* unit);

#endif
