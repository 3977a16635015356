/* SPDX-License-Identifier: Apache-2.0
 * Where loops run: the user's choice, and the report of PSIM_OMP_REPORT at the end of the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

int psim_omp_place(const struct shared_loop *loop) {
  enum { UNREAD = -2, NOT_GIVEN = -1 };
  static int given = UNREAD;
  if (given == UNREAD) {
    const char *const value = getenv("PSIM_OMP_LOOPS");
    if (value == 0 || *value == 0) {
      given = NOT_GIVEN;
    } else if (strcmp(value, "auto") == 0) {
      given = PSIM_OMP_LOOPS_AUTO;
    } else if (strcmp(value, "pes") == 0) {
      given = PSIM_OMP_LOOPS_PES;
    } else if (strcmp(value, "scalar") == 0) {
      given = PSIM_OMP_LOOPS_SCALAR;
    } else {
      fprintf(stderr, "psim_omp: PSIM_OMP_LOOPS = %s: expected auto, pes or scalar\n", value);
      exit(2);
    }
  }
  return given == NOT_GIVEN ? loop->place : given;
}

enum { NOTED = 256 };
static struct noted {
  const char *name;
  long on_pes, on_scalar;
  double scalar, pes; /* sums of estimates */
  int known;
} noted[NOTED];
static unsigned count;
static long left_out;

static void print_report(void) {
  for (unsigned i = 0; i < count; ++i) {
    const struct noted *const n = &noted[i];
    fprintf(stderr, "psim_omp: report: %s: %ld times on the PEs, %ld on the scalar core", n->name, n->on_pes, n->on_scalar);
    if (n->known) fprintf(stderr, "; estimated %.0f cycles on the PEs, %.0f on the scalar core", n->pes, n->scalar);
    fprintf(stderr, "\n");
  }
  if (left_out) fprintf(stderr, "psim_omp: report: %ld executions of more than %d loops are left out\n", left_out, NOTED);
}

static int reports(void) {
  static int on = -1;
  if (on >= 0) return on;
  const char *const value = getenv("PSIM_OMP_REPORT");
  on = value != 0 && *value != 0 && strcmp(value, "0") != 0;
  if (on && strcmp(value, "1") != 0) {
    fprintf(stderr, "psim_omp: PSIM_OMP_REPORT = %s: expected 0 or 1\n", value);
    exit(2);
  }
  if (on) atexit(print_report);
  return on;
}

void psim_omp_note(const char *name, int on_pes, double scalar, double pes) {
  if (!reports()) return;
  struct noted *n = noted;
  while (n < noted + count && n->name != name) ++n;
  if (n == noted + NOTED) {
    ++left_out;
    return;
  }
  if (n == noted + count) ++count, n->name = name;
  if (on_pes)
    ++n->on_pes;
  else
    ++n->on_scalar;
  if (scalar > 0) n->scalar += scalar, n->pes += pes, n->known = 1;
}
