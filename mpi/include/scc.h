/* SPDX-License-Identifier: Apache-2.0
 * The library of the SCC board (paper 001): barriers on the sync-comm network, and the pseudo-global clock. The network needs
 * barrier.network = sync-comm, and one rank on each node. All functions return 0; a mistake ends the job. SCC_Init, SCC_Barrier,
 * SCC_FuzzyBarrier and SCC_Finalize are the paper's names; it does not give their arguments, nor the names of the others. */
#ifndef PSIM_SCC_H
#define PSIM_SCC_H

#ifdef __cplusplus
extern "C" {
#endif

/** After MPI_Init, by all ranks. */
int SCC_Init(void);
int SCC_Finalize(void);
/** Sets the S-flag and reads it until it is clear: until all nodes of the group have set theirs. */
int SCC_Barrier(void);
/** Sets the S-flag and returns. The caller may compute until SCC_FuzzyWait. */
int SCC_FuzzyBarrier(void);
/** Reads the S-flag until it is clear. */
int SCC_FuzzyWait(void);
/** Sets the group register: bit n is node n of the caller's micro-cluster. Later barriers are among these nodes. All of them
 * call it with the same bits. 0: all nodes of the machine. */
int SCC_Group(unsigned bits);

/** Lets the end of the next barrier start the counter of this board at 0. */
int SCC_StartClock(void);
/** Reads the counter: ticks of 40 ns, 32 bits. */
int SCC_ReadClock(unsigned *count);
/** Stores the counter in the time-stamp memory. */
int SCC_Stamp(void);
/** Reads at most `most` time stamps and clears the memory; `*found` is their number. */
int SCC_ReadStamps(unsigned *counts, int most, int *found);

#ifdef __cplusplus
}
#endif

#endif
