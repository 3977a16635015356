/* SPDX-License-Identifier: Apache-2.0
 * The iterations in which conditions on the shared counter, and remainders of it, do not change. The PEs do these; the
 * scalar core does the others, at the ends, where all may differ. */
#include <limits.h>

#include "runtime.h"

#define loop psim_omp_loop

static int described(void) { return psim_omp_running && loop.state == DESCRIBE; }
static long within(long i) { return i < loop.main_begin ? loop.main_begin : i > loop.main_end ? loop.main_end : i; }

/* The first iteration in which first + i * step is not below `limit`; with a negative step, in which it is below. */
static long crossing(long first, long step, long limit) {
  if (step > 0) {
    if (limit == LONG_MIN) return loop.main_begin;
    if (limit == LONG_MAX) return loop.main_end;
    return within(first >= limit ? 0 : (limit - first + step - 1) / step);
  }
  if (limit == LONG_MIN) return loop.main_end;
  if (limit == LONG_MAX) return loop.main_begin;
  return within(first < limit ? 0 : (first - limit - step) / -step);
}

static void take(long begin, long end) { loop.main_begin = begin, loop.main_end = end > begin ? end : begin; }

void __psim_omp_split(long first, long step, long low, long high) {
  if (!described() || step == 0) return;
  const long a = crossing(first, step, step > 0 ? low : high), b = crossing(first, step, step > 0 ? high : low);
  const long before = a - loop.main_begin, between = b - a, behind = loop.main_end - b;
  if (before >= between && before >= behind)
    take(loop.main_begin, a);
  else if (between >= behind)
    take(a, b);
  else
    take(b, loop.main_end);
}

void __psim_omp_keep(long first, long step, long low, long high) {
  if (!described() || step == 0) return;
  const long a = crossing(first, step, step > 0 ? low : high), b = crossing(first, step, step > 0 ? high : low);
  take(a, b);
}

static long floor_of(long value, long divisor) {
  const long quotient = value / divisor;
  return quotient - (value % divisor < 0);
}

long __psim_omp_wrap(long first, long step, long modulus, long negative) {
  if (!described() || step == 0 || modulus <= 0) return 0;
  enum { MOST = 16 }; /* parts, of which one is not long if there are more */
  long best_begin = loop.main_begin, best_end = loop.main_begin, best = 0;
  long at = loop.main_begin;
  for (unsigned i = 0; i < MOST && at < loop.main_end; ++i) {
    const long part = floor_of(first + at * step, modulus);
    long end = crossing(first, step, step > 0 ? (part + 1) * modulus : part * modulus);
    /* C's remainder of a number below 0 is that of the number itself down to -modulus. */
    if (negative && part < 0 && first + at * step > -modulus && step > 0) end = crossing(first, step, modulus);
    if (end <= at) break;
    const int usable = part >= 0 || !negative || first + at * step > -modulus;
    if (usable && end - at > best_end - best_begin) best_begin = at, best_end = end, best = negative && part < 0 ? 0 : part;
    at = end;
  }
  take(best_begin, best_end);
  return -best * modulus;
}
