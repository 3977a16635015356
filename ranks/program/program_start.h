/* SPDX-License-Identifier: Apache-2.0
   What the wrappers link into every program of ranks (C, for start/program_start.c is C). */
#ifndef PSIM_NETSIM_RANKS_PROGRAM_START_H
#define PSIM_NETSIM_RANKS_PROGRAM_START_H

#define PSIM_PROGRAM_MAGIC "psimprog"
/* Increased when programs must be linked again. */
#define PSIM_PROGRAM_VERSION 1

struct psim_program_description {
  char magic[8];
  unsigned version;
  int (*entry)(int argc, char** argv, char** environment);
};

#endif
