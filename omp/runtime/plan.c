/* SPDX-License-Identifier: Apache-2.0
 * Cuts a loop into tiles that fit into SBM, or returns the reason why that cannot be done. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "psim_simd.h"
#include "runtime.h"
#include "sbm.h"
#include "sections.h"

static unsigned long up(unsigned long bytes) { return (bytes + 7) & ~7ul; }
static unsigned long down(unsigned long bytes) { return bytes & ~7ul; }
static long size_of(long stride) { return stride < 0 ? -stride : stride; }

static char reason[200];

/* Rows that are not apart from each other, or not at doublewords, are one block. */
static void join_rows(struct array *a, long count) {
  if (a->rows == 1) return;
  const long width = (count - 1) * size_of(a->stride) + (a->high - a->low);
  if (a->row_stride % 8 == 0 && a->row_stride >= width) return;
  const long way = (a->rows - 1) * a->row_stride;
  if (way > 0) a->high += way;
  if (way < 0) a->low += way;
  if (a->write_low && way > 0) a->write_high += way;
  if (a->write_low && way < 0) a->write_low += way;
  a->rows = 1;
}

/* All bytes that the PEs access of the array. */
static void whole(const struct array *a, const struct shared_loop *loop, const char *low, const char *high, const char **first,
                  const char **end) {
  const long way = (loop->main_end - loop->main_begin - 1) * a->stride, before = loop->main_begin * a->stride;
  low += before, high += before;
  *first = low + (way < 0 ? way : 0), *end = high + (way > 0 ? way : 0) + (a->rows - 1) * a->row_stride;
}

/* An array whose references are not known in advance: each iteration has its part of what is mapped, if all have alike. */
static const char *close_open(struct shared_loop *loop) {
  for (unsigned i = 0; i < loop->arrays; ++i) {
    struct array *const a = &loop->array[i];
    if (!a->open) continue;
    char *first, *end;
    if (!psim_omp_section(a->low, &first, &end)) {
      snprintf(reason, sizeof reason, "%s is not mapped, and the addresses of its references do not grow linearly", a->name);
      return reason;
    }
    if (a->stride != 0 && (a->write_low == 0 || loop->ordered)) {
      snprintf(reason, sizeof reason, "the addresses of references to %s do not grow linearly", a->name);
      return reason;
    }
    if (a->stride != 0 && (a->stride < 0 || end - first != a->stride * loop->count)) {
      snprintf(reason, sizeof reason,
               "the addresses of references to %s do not grow linearly, and its %ld bytes are not %ld for each of %ld iterations",
               a->name, (long)(end - first), a->stride, loop->count);
      return reason;
    }
    a->low = first, a->high = a->stride ? first + a->stride : end;
    if (a->write_low) a->write_low = a->low, a->write_high = a->high;
    a->read = 1, a->dense = 0;
  }
  return 0;
}

long psim_omp_distance(const struct array *a, const char *low, const char *high) {
  if (a->write_low == 0 || a->stride == 0) return LONG_MAX;
  const long size = size_of(a->stride);
  const long between = a->stride > 0 ? a->write_low - high : low - a->write_high;
  const long first = between < 0 ? 1 : between / size + 1;
  return first * size < (a->stride > 0 ? a->write_high - low : high - a->write_low) ? first : LONG_MAX;
}

static long smaller(long a, long b) { return a < b ? a : b; }

/* References that move alike, near each other, have one part of SBM for both, so that a PE sees its values through either. The
 * compiler has separate arrays where it does not know their distance. */
static int joins(const struct shared_loop *loop, const struct array *a, const struct array *b) {
  if (a->stride != b->stride || a->stride == 0 || a->row_stride || b->row_stride || a->open || b->open || !a->low || !b->low) return 0;
  const long count = loop->main_end - loop->main_begin, size = size_of(a->stride);
  const long between = a->low < b->low ? b->low - a->high : a->low - b->high;
  return size_of(b->low - a->low) < size * count && between < size * (count / (long)psim_simd_pes() + 1);
}

static void join_arrays(struct shared_loop *loop) {
  for (unsigned i = 0; i < loop->arrays; ++i)
    for (unsigned j = i + 1; j < loop->arrays; ++j) {
      struct array *const a = &loop->array[i], *const b = &loop->array[j];
      if (!joins(loop, a, b)) continue;
      const struct array one = *a;
      if (b->low < a->low) a->low = b->low;
      if (b->high > a->high) a->high = b->high;
      if (b->write_low && (a->write_low == 0 || b->write_low < a->write_low)) a->write_low = b->write_low;
      if (b->write_high > a->write_high) a->write_high = b->write_high;
      a->distance = smaller(a->distance, b->distance);
      if (one.read) a->distance = smaller(a->distance, psim_omp_distance(a, one.low, one.high));
      if (b->read) a->distance = smaller(a->distance, psim_omp_distance(a, b->low, b->high));
      a->read = 1;
      memset(b, 0, sizeof *b);
      b->rows = 1, b->joined = i + 1;
      j = i; /* it may now be near one that was compared before */
    }
}

/* True if iterations read from `b` only what others write into `a`. Each PE has a copy of both. */
static int may_overlap(const struct array *a, const struct array *b) {
  if (b->write_low || a->stride == 0 || a->stride != b->stride || a->rows > 1 || b->rows > 1 || a->open || b->open) return 0;
  return b->high <= a->write_low || b->low >= a->write_high;
}

/* PEs have read all that the iterations of a tile read before any of them writes: an iteration may read what a later one writes. If it
 * reads what an earlier one has written, that one is in an earlier tile. */
static const char *conflicts(struct shared_loop *loop, struct plan *plan) {
  plan->at_once = LONG_MAX;
  for (unsigned i = 0; i < loop->arrays; ++i) {
    const struct array *const a = &loop->array[i];
    const char *first, *end;
    whole(a, loop, a->low, a->high, &first, &end);
    const long beyond = a->low && loop->count > 0 && !a->open ? psim_omp_beyond(first, end) : 0;
    if (beyond) {
      snprintf(reason, sizeof reason, "%ld bytes of the part of %s that it may access are not mapped", beyond, a->name);
      return reason;
    }
    if (a->write_low == 0) continue;
    whole(a, loop, a->write_low, a->write_high, &first, &end);
    if (loop->count > 0 && a->stride != 0 && a->write_high - a->write_low > size_of(a->stride)) {
      snprintf(reason, sizeof reason, "its iterations write parts of %s that overlap", a->name);
      return reason;
    }
    long distance = a->open ? LONG_MAX : a->distance;
    if (a->row_stride != 0) distance = a->high - a->low > size_of(a->stride) ? 0 : LONG_MAX;
    for (unsigned j = 0; j < loop->arrays; ++j) {
      const struct array *const b = &loop->array[j];
      if (j == i || b->low == 0) continue;
      const char *other, *other_end;
      whole(b, loop, b->low, b->high, &other, &other_end);
      if (other >= end || first >= other_end) continue;
      const long own = psim_omp_distance(a, b->low, b->high);
      if (own < distance) distance = own;
      if (!may_overlap(a, b)) {
        loop->near = 1;
        snprintf(reason, sizeof reason, "the part of %s that it writes overlaps %s", a->name, b->name);
        return reason;
      }
    }
    if (a->stride == 0 || distance >= loop->main_end - loop->main_begin) continue;
    if (distance < 2) {
      snprintf(reason, sizeof reason, "its iterations read parts of %s that %s", a->name,
               distance ? "the one before writes" : "other iterations write");
      return reason;
    }
    if (distance < plan->at_once) plan->at_once = distance;
  }
  return 0;
}

/* Transfers move doublewords. Iterations of shorter elements are taken in groups that begin at a doubleword. */
static const char *align(const struct shared_loop *loop, struct plan *plan) {
  plan->unit = 1, plan->lead = loop->main_begin;
  for (unsigned i = 0; i < loop->arrays; ++i) {
    const struct array *const a = &loop->array[i];
    while (a->stride * plan->unit % 8) plan->unit *= 2;
  }
  for (; plan->lead < loop->main_begin + plan->unit; ++plan->lead) {
    int good = 1;
    for (unsigned i = 0; i < loop->arrays; ++i) {
      const struct array *const a = &loop->array[i];
      if (a->write_low == 0 || a->stride == 0) continue;
      const int halo = a->high - a->low > size_of(a->stride);
      const unsigned long low = (unsigned long)((halo ? a->write_low : a->low) + plan->lead * a->stride);
      const unsigned long high =
          low + (halo ? a->write_high - a->write_low : a->high - a->low) + (plan->unit - 1) * size_of(a->stride);
      const unsigned long start = a->stride < 0 ? low + (plan->unit - 1) * a->stride : low;
      good &= up(high - (low - start)) - down(start) <= (unsigned long)(plan->unit * size_of(a->stride));
    }
    if (good) return 0;
  }
  return "the part of an array that it writes does not begin at a doubleword";
}

long psim_omp_end_of_pes(const struct shared_loop *loop) {
  const long last = loop->count - (loop->last ? 1 : 0);
  return last < loop->main_end ? last : loop->main_end;
}

const char *psim_omp_plan(struct shared_loop *loop, struct plan *plan) {
  if (loop->results > PSIM_OMP_RESULTS) return "it has more than 32 reductions and lastprivate variables";
  for (unsigned i = 0; i < loop->arrays; ++i) join_rows(&loop->array[i], loop->count);
  const int near = loop->near;
  if (near) join_arrays(loop);
  const char *problem = close_open(loop);
  if (problem == 0 && loop->count > 0 && 2 * (loop->main_end - loop->main_begin) < loop->count)
    problem = "conditions on its index, or remainders of it, change too often";
  if (problem == 0) problem = conflicts(loop, plan);
  if (problem && loop->near && !near) join_arrays(loop), problem = conflicts(loop, plan);
  if (problem == 0) problem = align(loop, plan);
  if (problem) return problem;
  plan->pes = psim_simd_pes();
  if (plan->at_once < plan->unit * (long)plan->pes) plan->pes = (unsigned)(plan->at_once / plan->unit);
  if (plan->pes < 2) return "its iterations need others that are a few iterations before";

  unsigned long per_unit = 0, fixed = 0, broadcast = 0;
  for (unsigned i = 0; i < loop->arrays; ++i) {
    const struct array *const a = &loop->array[i];
    if (a->low == 0) continue;
    if (a->stride == 0) {
      broadcast += a->high - a->low;
      continue;
    }
    per_unit += a->rows * size_of(a->stride) * plan->unit;
    const long beyond = a->high - a->low - size_of(a->stride);
    fixed += a->rows * (16 + up(beyond > 0 ? beyond : 0));
  }
  const long iterations = psim_omp_end_of_pes(loop) - plan->lead;
  const unsigned long room = psim_simd_sbm_bytes() - PSIM_OMP_SCRATCH - PSIM_SIMD_STACK_BYTES;
  long share = (iterations + plan->pes - 1) / plan->pes;
  share = (share + plan->unit - 1) / plan->unit * plan->unit;
  if (per_unit == 0) {  /* nothing moves: a reduction over what the index computes */
    plan->each = share > 0 ? share : 1, plan->buffers = 1, plan->buffer_bytes = 0;
    return 0;
  }
  plan->buffers = plan->at_once < LONG_MAX ? 1 : 2;
  long most = plan->buffers == 2 && fixed < room / 2 ? (long)((room / 2 - fixed) / per_unit) * plan->unit : 0;
  if (most == 0) plan->buffers = 1, most = fixed < room ? (long)((room - fixed) / per_unit) * plan->unit : 0;
  if (most == 0) {
    snprintf(reason, sizeof reason, "an iteration needs %lu bytes of SBM, and a PE has %lu for it", per_unit / plan->unit + fixed, room);
    return reason;
  }
  if (plan->at_once / plan->pes < most) most = plan->at_once / plan->pes / plan->unit * plan->unit;
  /* Several tiles let transfers overlap with work; arrays that all PEs read are read again in each tile. */
  const long apart = share / 4 / plan->unit * plan->unit;
  plan->each = share;
  if (broadcast < 1024 && plan->buffers == 2 && apart * (long)(per_unit / plan->unit) >= 1024) plan->each = apart;
  if (plan->each > most) {
    const long tiles = (share + most - 1) / most;
    plan->each = ((share + tiles - 1) / tiles + plan->unit - 1) / plan->unit * plan->unit;
    if (plan->each > most) plan->each = most;
  }
  if (plan->each < plan->unit) plan->each = plan->unit;
  plan->buffer_bytes = plan->buffers == 2 ? down(room / 2) : down(room);
  return 0;
}
