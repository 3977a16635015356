/* SPDX-License-Identifier: Apache-2.0
   A minimal message library, for tests of ranks without MPI. C, C++ and Fortran (bind(C)). */
#ifndef PSIM_TEST_RANK_LIBRARY_H
#define PSIM_TEST_RANK_LIBRARY_H
#ifdef __cplusplus
extern "C" {
#endif

int rank_number(void);
int rank_count(void);
/* Returns the simulated time in picoseconds. */
long rank_time(void);
/* Lets simulated time pass, and other ranks run. */
void rank_sleep(long picoseconds);
/* Copies the data and returns at once. */
void rank_send(int to, const void* data, long bytes);
/* Waits for the next message from that rank, which must have this many bytes. */
void rank_receive(int from, void* data, long bytes);
/* Ends the job. */
void rank_abort(int status);

#ifdef __cplusplus
}
#endif
#endif
