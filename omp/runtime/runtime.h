/* SPDX-License-Identifier: Apache-2.0
 * Declarations that the sources of the runtime share. Target regions run one at a time. */
#ifndef PSIM_OMP_RUNTIME_H
#define PSIM_OMP_RUNTIME_H

#include <setjmp.h>

#include "loop.h"

/* An array of the loop, or several that move alike: what iteration 0 accesses, and the bytes from iteration
 * to iteration. A stride of 0 is an array that all PEs read in memory. */
struct array {
  const char* name;
  long stride;
  char *low, *high;
  char *write_low, *write_high; /* null: only read */
  long row_stride, rows;        /* the same in more rows; rows = 1: there are none */
  int read, dense, open;        /* open: only `low` is known, an address in the array */
  unsigned joined;              /* not 0: its data are part of those of the array with this number less 1 */
  long distance; /* the fewest iterations between one that writes and a later one that reads it */
};

/* gcc's count of an inner loop that the code skips is about 2^32, or 2^64: no array is that long. */
#define PSIM_OMP_SKIPPED ((1L << 32) - 64)

enum { PSIM_OMP_RESULTS = 32 };
struct result {
  void* at;
  long bytes;
};

enum state {
  SCALAR,   /* the scalar core does iterations [begin, end) */
  DESCRIBE, /* the loop describes itself */
  PES       /* every PE does `end` iterations */
};

enum leaves { READY = 1, NO_LOOP }; /* how a function leaves before it has done anything */

struct shared_loop {
  enum state state;
  outlined* function;
  long begin, end;
  long count;
  const char *name, *reason;
  int last;
  int compiled, measured; /* by the plug-in; a region of the result has begun */
  int near;               /* two arrays may be near each other */
  int ordered;            /* an iteration may need an earlier one */
  unsigned arrays, results;
  long main_begin, main_end; /* the iterations that PEs can do; the scalar core does those around them */
  int place;                 /* PSIM_OMP_LOOPS_…, of the compiler's option */
  int reorders; /* -fassociative-math: the code for PEs may round otherwise than the scalar core's */
  double work_scalar, work_pes, instructions; /* of an iteration, in sixteenths */
  /* The members below are not cleared between loops. */
  struct array array[PSIM_OMP_ARRAYS];
  long first; /* number of the first PE's first iteration in this tile, less `begin` */
  long pes;   /* that take part in it, from the first on */
  struct result result[PSIM_OMP_RESULTS];
  jmp_buf back;
};
extern struct shared_loop psim_omp_loop;
/* The thread runs psim_omp_loop; without it, a compiled loop is one of libgomp's, which shares it out to host
 * threads. */
extern __thread int psim_omp_running;
/* The thread is in a target region, and not in one of if(false). */
extern __thread int psim_omp_in_target;

/* How the iterations are cut: `lead` on the scalar core, tiles of `each` iterations for every PE, then what
 * is left. */
struct plan {
  long lead, each, unit; /* `each` is a multiple of `unit` */
  long at_once;          /* the number of consecutive iterations that do not need each other */
  unsigned pes, buffers; /* PEs of a tile */
  unsigned buffer_bytes;
};

/* Returns the fewest iterations between one that writes the array and a later one that reads [low, high) + i
 * * stride; LONG_MAX: none needs an earlier one. */
long psim_omp_distance(const struct array* a, const char* low, const char* high);
/* Returns null, or why the PEs cannot do the loop. */
const char* psim_omp_plan(struct shared_loop* loop, struct plan* plan);
/* The iteration behind the last one that PEs do. */
long psim_omp_end_of_pes(const struct shared_loop* loop);
/* Does the iterations of the PEs, from plan->lead on; returns the iteration behind the last one. */
long psim_omp_run_tiles(outlined* function, void* data, const struct plan* plan);
/* Does iterations [begin, end) on the scalar core. */
void psim_omp_run_scalar(outlined* function, void* data, long begin, long end);

/* Estimated cycles of the loop: on the scalar core; on the PEs as planned; a lower limit for the PEs without
 * a plan. */
double psim_omp_scalar_cycles(const struct shared_loop* loop);
double psim_omp_pe_cycles(const struct shared_loop* loop, const struct plan* plan);
double psim_omp_least_pe_cycles(const struct shared_loop* loop);
extern int psim_omp_used_pes; /* a loop has run on them */
/* Where loops run: PSIM_OMP_LOOPS of the environment, else what the compiler's option has chosen. */
int psim_omp_place(const struct shared_loop* loop);
/* Notes an execution of the loop for PSIM_OMP_REPORT. An estimate of 0 is not known. */
void psim_omp_note(const char* name, int on_pes, double scalar, double pes);

/* Prints once for each loop the reason why it runs on the scalar core. */
void psim_omp_warn(const char* name, const char* reason);

/* Does the whole loop. Keeps what the PEs write, runs the tiles, and compares with the scalar core's results.
 */
void psim_omp_verify(outlined* function, void* data, const struct plan* plan);

#endif
