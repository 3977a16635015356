/* SPDX-License-Identifier: Apache-2.0
 * Skeletons of MPI programs for psim net (docs/skeletons.md), as in BSIM (paper 003, 3.5):
 *
 *     #include "lmpi.h"
 *     BSIM_Add_model("zgemm", n, m);          the time that the model of --compute model:FILE gives
 *     BSIM_Add_time(2.5e-6);                  a time in seconds
 *     LMPI_Allreduce(0, 0, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
 *
 * Every function of mpi.h has the name LMPI_X, too. Messages of a program that includes lmpi.h have sizes but no
 * contents, unless psim net --data states otherwise: buffers may be smaller than the messages, or null. */
#ifndef PSIM_LMPI_H
#define PSIM_LMPI_H

#include "mpi.h"
#include "psim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PSIM_MPI_FUNCTION(result, name, arguments) result LMPI_##name arguments;
#include "mpi_functions.h"
#undef PSIM_MPI_FUNCTION

/** Computes for `seconds` >= 0 of simulated time. */
void BSIM_Add_time(double seconds);

/* Marks the program: its have no contents. */
extern const int psim_skeleton;
__attribute__((weak, visibility("default"))) const int psim_skeleton = 1;

void psim_add_model_at(const char *name, int count, const long long *arguments, const char *file, int line);

#ifdef __cplusplus
}
#endif

/** BSIM_Add_model(name, up to four integers): computes for the time of a region's model. */
#define BSIM_Add_model(...)                                                                                 \
  PSIM_PICK_(__VA_ARGS__, BSIM_MODEL_4_, BSIM_MODEL_3_, BSIM_MODEL_2_, BSIM_MODEL_1_, BSIM_MODEL_0_, 0) \
  (__VA_ARGS__)
#define BSIM_MODEL_0_(NAME) BSIM_MODEL_(0, NAME, 0, 0, 0, 0)
#define BSIM_MODEL_1_(NAME, A) BSIM_MODEL_(1, NAME, A, 0, 0, 0)
#define BSIM_MODEL_2_(NAME, A, B) BSIM_MODEL_(2, NAME, A, B, 0, 0)
#define BSIM_MODEL_3_(NAME, A, B, C) BSIM_MODEL_(3, NAME, A, B, C, 0)
#define BSIM_MODEL_4_(NAME, A, B, C, D) BSIM_MODEL_(4, NAME, A, B, C, D)
#define BSIM_MODEL_(COUNT, NAME, A, B, C, D)                                                             \
  do {                                                                                                   \
    const char *psim_name_v_ = (NAME);                                                                   \
    const long long psim_arguments_[4] = {(long long)(A), (long long)(B), (long long)(C), (long long)(D)}; \
    psim_add_model_at(psim_name_v_, COUNT, psim_arguments_, __FILE__, __LINE__);                         \
  } while (0)

#endif
