/* SPDX-License-Identifier: Apache-2.0
 * The loop describes itself. */
#include "runtime.h"

#include <limits.h>
#include <omp.h>
#include <string.h>

#include "psim.h"
#include "psim_simd.h"

struct shared_loop psim_omp_loop;
unsigned long __psim_omp_displacements[PSIM_OMP_ARRAYS], __psim_omp_row_displacements[PSIM_OMP_ARRAYS];

#define loop psim_omp_loop

__thread int psim_omp_running, psim_omp_in_target;
static __thread long own_begin, own_end; /* of a loop that libgomp runs */

void __psim_omp_region(void) {
  if (psim_omp_running) loop.compiled = 1;
}

void __psim_omp_ordered(void) {
  if (psim_omp_running && loop.state == DESCRIBE) loop.ordered = 1;
}

void __psim_omp_iterations(long count, const char *name, const char *reason) {
  if (!psim_omp_running) {
    if (psim_omp_in_target)
      psim_omp_warn(name, reason ? reason : "it is in another parallel region, or has a reduction of tasks");
    const long threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const long each = count > 0 ? count / threads : 0, more = count > 0 ? count % threads : 0;
    own_begin = thread * each + (thread < more ? thread : more);
    own_end = own_begin + each + (thread < more);
    return;
  }
  if (loop.state != DESCRIBE) return;
  if (count < 0) count = 0;
  loop.count = count, loop.name = name, loop.reason = reason;
  loop.begin = 0, loop.end = count > 0;
  loop.main_begin = 0, loop.main_end = count;
  if (reason) {
    loop.state = SCALAR, loop.end = count;
    loop.measured = 1;
    PSIM_REGION_BEGIN(name, count);
  }
}

long __psim_omp_begin(void) { return psim_omp_running ? loop.begin : own_begin; }
long __psim_omp_end(void) { return psim_omp_running ? loop.end : own_end; }

static struct array *array_at(long index) {
  while (loop.arrays <= index) {
    memset(&loop.array[loop.arrays], 0, sizeof(struct array));
    loop.array[loop.arrays].distance = LONG_MAX;
    loop.array[loop.arrays++].rows = 1;
  }
  return &loop.array[index];
}

static long next_rows = 1, next_above; /* the latter in bytes */

void __psim_omp_rows(long index, long stride, long count, long above) {
  if (!psim_omp_running || loop.state != DESCRIBE) return;
  struct array *const a = array_at(index);
  next_rows = count, next_above = above * stride;
  a->row_stride = stride;
  if (count > 0 && count < PSIM_OMP_SKIPPED && above + count > a->rows) a->rows = above + count;
}

void __psim_omp_access(long index, char *low, char *high, long stride, long flags, const char *name) {
  if (!psim_omp_running || loop.state != DESCRIBE) return;
  struct array *const a = array_at(index);
  const long rows = next_rows;
  loop.near |= (flags & PSIM_OMP_NEAR) != 0;
  low -= next_above, high -= next_above;
  next_rows = 1, next_above = 0;
  if (flags & PSIM_OMP_OPEN)
    a->open = 1;
  else if (low >= high || rows <= 0 || high - low >= PSIM_OMP_SKIPPED || rows >= PSIM_OMP_SKIPPED)
    return; /* in an inner loop of no iterations */
  if (a->low == 0) a->low = low, a->high = high, a->stride = stride, a->name = name;
  if (low < a->low) a->low = low;
  if (high > a->high) a->high = high;
  if (flags & PSIM_OMP_WRITES) {
    if (a->write_low == 0) a->write_low = low, a->write_high = high;
    if (low < a->write_low) a->write_low = low;
    if (high > a->write_high) a->write_high = high;
    if (flags & PSIM_OMP_DENSE && high - low == (stride < 0 ? -stride : stride)) a->dense = 1;
  } else {
    const long distance = psim_omp_distance(a, low, high);
    if (distance < a->distance) a->distance = distance;
    a->read = 1;
  }
}

void __psim_omp_result(void *at, long bytes) {
  if (!psim_omp_running || loop.state != DESCRIBE) return;
  if (loop.results < PSIM_OMP_RESULTS) loop.result[loop.results] = (struct result){at, bytes};
  ++loop.results;
}

void __psim_omp_work(long times, long scalar, long pes, long instructions) {
  if (!psim_omp_running || loop.state != DESCRIBE) return;
  if (times <= 0 || times >= PSIM_OMP_SKIPPED) return;
  loop.work_scalar += (double)(times * scalar), loop.work_pes += (double)(times * pes);
  loop.instructions += (double)(times * instructions);
}

void __psim_omp_ready(long last, long place, long reorders) {
  if (!psim_omp_running || loop.state != DESCRIBE) return;
  loop.last = (int)last, loop.place = (int)place, loop.reorders = (int)reorders;
  longjmp(loop.back, READY);
}

double __psim_omp_first_index(void) {
  if (!psim_omp_running || loop.state != PES) return 0;
  return psim_pe() * (double)(loop.end - loop.begin) + (double)loop.first;
}

long __psim_omp_farthest(long slope) {
  if (!psim_omp_running || loop.state != PES) return 0;
  const long last = loop.first + (loop.pes - 1) * (loop.end - loop.begin);
  return slope * (slope > 0 ? last : loop.first);
}

long __psim_omp_on_pes(void) { return psim_omp_running && loop.state != SCALAR; }
