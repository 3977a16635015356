/* SPDX-License-Identifier: Apache-2.0
 * Estimates how long a loop takes on the scalar core and on the PEs (docs/decisions/0084-estimates-of-loops.md). The compiler has estimated
 * an iteration; this adds memory, transfers, tiles, and the way into SIMD state. */
#include <sys/auxv.h>

#include "machine_flags.h"
#include "psim_simd.h"
#include "runtime.h"

enum { LINE = 64 };

/* Cycles of the runtime's own code and of the loop's, outside its iterations, measured on machine simd16: the loops of 12 and
 * 50 elements of benches/openmp_loops.c. */
static const double SCALAR_START = 280; /* the function is entered, passes its descriptions, and returns */
static const double START = 500;        /* likewise, and the wait for the last transfers */
static const double FIRST = 700;        /* its code, some 5 KB, is in no cache before the first loop on the PEs */
static const double TILE = 420;         /* mask, registers to all PEs, the function with its descriptions, two waits */
static const double PER_ARRAY = 90;     /* of a tile: descriptors of 8 words, displacements */
static const double PER_RESULT = 250;   /* of a tile: a sum takes less, a minimum, from PE to PE, more */

struct machine {
  double memory, l2, line, l1_bytes, l2_bytes; /* cycles; `line`: of one line at full bandwidth */
  int perfect, stream;
};

static const struct machine *machine(void) {
  static struct machine m;
  if (m.line > 0) return &m;
  unsigned long flags = getauxval(AT_FLAGS);
  if (PSIM_FLAGS_BANDWIDTH(flags) == 0) flags = PSIM_FLAGS_OF_SIMD16; /* a psim that does not set them */
  const double sixteenths = (double)PSIM_FLAGS_BANDWIDTH(flags);
  m.memory = (double)PSIM_FLAGS_MEMORY_CYCLES(flags), m.l2 = (double)PSIM_FLAGS_L2_CYCLES(flags);
  m.l1_bytes = (double)(1ul << PSIM_FLAGS_L1_LOG(flags)), m.l2_bytes = (double)(1ul << PSIM_FLAGS_L2_LOG(flags));
  m.perfect = PSIM_FLAGS_PREFETCH(flags) == 2, m.stream = PSIM_FLAGS_PREFETCH(flags) == 1;
  m.line = LINE * 16 / sixteenths;
  return &m;
}

static double size_of(long stride) { return (double)(stride < 0 ? -stride : stride); }
static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* Lines of one row of `pieces` pieces of `bytes`, `stride` bytes apart. Pieces that follow each other share lines. */
static double lines_of(double pieces, double bytes, double stride) {
  if (bytes <= stride && stride - bytes < LINE) return (pieces - 1) * stride / LINE + bytes / LINE + 1;
  return pieces * ((bytes + LINE - 8) / LINE);
}

/* Lines of the parts of all iterations. */
static double lines_in_all(const struct array *a, double count) {
  const double bytes = (double)(a->high - a->low), stride = size_of(a->stride);
  const double row = stride - bytes >= LINE ? count * (bytes + LINE - 8) / LINE : ((count - 1) * stride + bytes) / LINE + 1;
  return (double)a->rows * row;
}

/* A cache holds lines that the program has used last: data that fit into it are taken to be there. While an
 * access misses, the core goes on until its commit stack is full. */
double psim_omp_scalar_cycles(const struct shared_loop *loop) {
  const struct machine *const m = machine();
  const double count = (double)loop->count, work = SCALAR_START + count * loop->work_scalar / 16;
  if (m->perfect) return work;
  double lines = 0, written = 0;
  for (unsigned i = 0; i < loop->arrays; ++i) {
    const struct array *const a = &loop->array[i];
    if (a->low == 0) continue;
    const double own = lines_in_all(a, count);
    lines += own;
    if (a->write_low) written += own;
  }
  const double bytes = lines * LINE;
  if (bytes <= m->l1_bytes) return work;
  const double latency = bytes <= m->l2_bytes ? m->l2 : m->memory;
  const double commit_stack = 64;
  double waits = smaller(lines * latency, count * loop->instructions / 16 / commit_stack * latency);
  if (m->stream) waits = 0;
  return bytes <= m->l2_bytes ? work + waits : larger(work + waits, (lines + written) * m->line);
}

/* Cycles of one tile. */
struct parts {
  double get, work, put;
};

/* Transfers of one tile of `each` iterations for every PE: cycles of the memory. */
static struct parts transfer_cycles(const struct shared_loop *loop, double pes, double each, double line) {
  struct parts parts = {0, 0, 0};
  for (unsigned i = 0; i < loop->arrays; ++i) {
    const struct array *const a = &loop->array[i];
    if (a->low == 0 || a->stride == 0) continue;
    const double stride = size_of(a->stride), lines = (double)a->rows * line;
    const double way = (each - 1) * stride;
    if (a->read || !a->dense) parts.get += lines * lines_of(pes, (double)(a->high - a->low) + way, each * stride);
    if (a->write_low) parts.put += lines * lines_of(pes, (double)(a->write_high - a->write_low) + way, each * stride);
  }
  return parts;
}

/* Each tile's cycles outside its iterations. */
static double of_tile(const struct shared_loop *loop) {
  unsigned arrays = 0;
  for (unsigned i = 0; i < loop->arrays; ++i) arrays += loop->array[i].low && loop->array[i].stride;
  return TILE + arrays * PER_ARRAY + loop->results * PER_RESULT;
}

int psim_omp_used_pes;
static double start(void) { return psim_omp_used_pes ? START : START + FIRST; }

double psim_omp_least_pe_cycles(const struct shared_loop *loop) {
  return start() + of_tile(loop) + machine()->memory +
         (double)loop->count / psim_simd_pes() * loop->work_pes / 16;
}

/* While a tile is worked on, the next one's data come and the last one's go. */
static double step(const struct plan *plan, double work, double get, double put) {
  return plan->buffers == 2 ? larger(work, get + put) : work + get + put;
}

double psim_omp_pe_cycles(const struct shared_loop *loop, const struct plan *plan) {
  const struct machine *const m = machine();
  const double pes = plan->pes, own = of_tile(loop), of_iteration = loop->work_pes / 16;
  const long end = psim_omp_end_of_pes(loop), left = end - plan->lead;
  const long tile = plan->each * (long)plan->pes, full = left / tile, rest = left - full * tile;
  const long tail = rest / (long)plan->pes / plan->unit * plan->unit; /* iterations of each PE in the tile after the full ones */
  const long single = (rest - tail * (long)plan->pes) / plan->unit;   /* PEs with one more unit */
  const long scalar = plan->lead + (loop->count - end) + (rest - tail * (long)plan->pes - single * plan->unit);
  const struct {
    long tiles;
    double pes, each;
  } group[] = {{full, pes, (double)plan->each}, {tail > 0, pes, (double)tail}, {single > 0, (double)single, (double)plan->unit}};
  double busy = 0, put = 0; /* the results of the tile before the last one */
  struct parts last = {0, 0, 0};
  for (unsigned i = 0; i < sizeof group / sizeof *group; ++i) {
    if (group[i].tiles == 0) continue;
    struct parts next = transfer_cycles(loop, group[i].pes, group[i].each, m->line);
    next.work = own + group[i].each * of_iteration;
    busy += step(plan, last.work, next.get, put), put = last.put, last = next;
    if (group[i].tiles > 1) busy += step(plan, next.work, next.get, put), put = next.put;
    if (group[i].tiles > 2) busy += (double)(group[i].tiles - 2) * step(plan, next.work, next.get, put);
  }
  busy += step(plan, last.work, 0, put) + last.put;
  return start() + m->memory + busy + (double)scalar * loop->work_scalar / 16;
}
