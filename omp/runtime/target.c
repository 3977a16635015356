/* SPDX-License-Identifier: Apache-2.0
 * The functions that replace those of libgomp (linked with --wrap), so that parallel loops of target regions go to the PEs.
 * libgomp itself keeps the rest of OpenMP, on its device "host", whose memory is the program's: mapping copies nothing. */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "machine_flags.h"
#include "psim.h"
#include "psim_simd.h"
#include "runtime.h"
#include "sbm.h"
#include "sections.h"

#define loop psim_omp_loop

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

typedef void target_ext(int, outlined *, size_t, void **, size_t *, unsigned short *, unsigned, void **, void **);
typedef void target_data_ext(int, size_t, void **, size_t *, unsigned short *);
typedef void target_enter_exit_data(int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
extern target_ext __real_GOMP_target_ext;
extern target_data_ext __real_GOMP_target_data_ext;
extern void __real_GOMP_target_end_data(void);
extern target_enter_exit_data __real_GOMP_target_enter_exit_data;
extern void __real_GOMP_parallel(outlined *, void *, unsigned, unsigned);

enum { HOST_FALLBACK = -2 }; /* if(false) */
enum { NOWAIT = 1 };          /* GOMP_TARGET_FLAG_NOWAIT */

void __wrap_GOMP_target_ext(int device, outlined *region, size_t count, void **addresses, size_t *sizes,
                            unsigned short *kinds, unsigned flags, void **depend, void **arguments) {
  const int outer = psim_omp_in_target;
  const unsigned kept = psim_omp_sections();
  psim_omp_in_target = device != HOST_FALLBACK;
  psim_omp_enter(count, addresses, sizes, kinds);
  /* A region that need not be waited for is done at once: as a task it would run outside of its target region. */
  __real_GOMP_target_ext(device, region, count, addresses, sizes, kinds, flags & ~(unsigned)NOWAIT, depend, arguments);
  psim_omp_leave_to(kept);
  psim_omp_in_target = outer;
}

/* Sections of enclosing `target data` constructs, youngest last. */
enum { DEEPEST = 64 };
static unsigned outer_sections[DEEPEST], depth;

void __wrap_GOMP_target_data_ext(int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds) {
  if (depth == DEEPEST) {
    fprintf(stderr, "psim_omp: target data constructs are nested deeper than %d\n", DEEPEST);
    exit(2);
  }
  outer_sections[depth++] = psim_omp_sections();
  psim_omp_enter(count, addresses, sizes, kinds);
  __real_GOMP_target_data_ext(device, count, addresses, sizes, kinds);
}
void __wrap_GOMP_target_end_data(void) {
  if (depth > 0) psim_omp_leave_to(outer_sections[--depth]);
  __real_GOMP_target_end_data();
}

void __wrap_GOMP_target_enter_exit_data(int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds,
                                        unsigned flags, void **depend) {
  enum { EXITS = 2 }; /* GOMP_TARGET_FLAG_EXIT_DATA */
  if (flags & EXITS)
    psim_omp_leave(count, addresses);
  else
    psim_omp_enter(count, addresses, sizes, kinds);
  __real_GOMP_target_enter_exit_data(device, count, addresses, sizes, kinds, flags, depend);
}

/* Returns true at the first call for a loop. */
static int first_warning(const char *name) {
  enum { KEPT = 64 };
  static const char *said[KEPT];
  for (unsigned i = 0; i < KEPT; ++i) {
    if (said[i] == name) return 0;
    if (said[i] == 0) {
      said[i] = name;
      break;
    }
  }
  return 1;
}

void psim_omp_warn(const char *name, const char *reason) {
  if (first_warning(name)) fprintf(stderr, "psim_omp: %s runs on the scalar core: %s\n", name, reason);
}

void __psim_omp_scalar(outlined *function, const char *region, const char *reason) {
  if (!psim_omp_in_target) return;
  psim_omp_warn(region, reason);
  if (psim_omp_running && loop.state == DESCRIBE && loop.function == function) longjmp(loop.back, NO_LOOP);
}

/* Where time means nothing, every loop is verified unless the user says no. */
static int verifying(void) {
  const char *const value = getenv("PSIM_OMP_VERIFY");
  if (value == 0 || *value == 0) return (getauxval(AT_FLAGS) & PSIM_FLAG_FUNCTIONAL) != 0;
  if (strcmp(value, "0") == 0 || strcmp(value, "1") == 0) return *value == '1';
  fprintf(stderr, "psim_omp: PSIM_OMP_VERIFY = %s: expected 0 or 1\n", value);
  exit(2);
}

/* Values of loop.count in a parallel region that has not come to a loop of its own. */
enum { NO_COUNT = -1, INNER_REGIONS = -2 /* the compiler has made its loops regions of their own */ };

/* Estimates differ from times by some percent. */
static const double FASTER = 0.9;

/* The estimates of a loop that runs on the scalar core because of them; its name is null for another loop. The message comes after the
 * loop, whose code and data it would else drive out of the caches. */
static struct choice {
  const char *name, *at_least;
  double scalar, pes;
} choice;

static void warn_of_choice(void) {
  if (choice.name && first_warning(choice.name))
    fprintf(stderr,
            "psim_omp: %s runs on the scalar core: it takes an estimated %.0f cycles there, %s%.0f on the PEs; "
            "PSIM_OMP_LOOPS=pes selects them\n",
            choice.name, choice.scalar, choice.at_least, choice.pes);
}

/* Returns true, with a plan, if the loop is to run on the PEs. Under psim exec every loop that can does, to be verified. */
static int choose(struct plan *plan) {
  const unsigned long flags = getauxval(AT_FLAGS);
  if (!(flags & PSIM_FLAG_SIMD_PES)) {
    psim_omp_warn(loop.name, "this core has no SIMD-PEs; machine simd16 has");
    psim_omp_note(loop.name, 0, 0, 0);
    return 0;
  }
  const int place = psim_omp_place(&loop);
  const int free = place == PSIM_OMP_LOOPS_AUTO && !(flags & PSIM_FLAG_FUNCTIONAL);
  const double scalar = psim_omp_scalar_cycles(&loop);
  double pes = psim_omp_least_pe_cycles(&loop);
  if (place == PSIM_OMP_LOOPS_SCALAR || (free && pes > FASTER * scalar)) {
    psim_omp_note(loop.name, 0, scalar, pes);
    if (free) choice = (struct choice){loop.name, "at least ", scalar, pes};
    return 0;
  }
  const char *const reason = psim_omp_plan(&loop, plan);
  if (reason) {
    psim_omp_note(loop.name, 0, 0, 0);
    psim_omp_warn(loop.name, reason);
    return 0;
  }
  pes = psim_omp_pe_cycles(&loop, plan);
  const int on_pes = !free || pes <= FASTER * scalar;
  psim_omp_note(loop.name, on_pes, scalar, pes);
  if (!on_pes) choice = (struct choice){loop.name, "", scalar, pes};
  return on_pes;
}

static void run_loop(outlined *function, void *data, unsigned flags) {
  memset(&loop, 0, offsetof(struct shared_loop, array));
  memset(__psim_omp_displacements, 0, sizeof __psim_omp_displacements);
  memset(__psim_omp_row_displacements, 0, sizeof __psim_omp_row_displacements);
  loop.state = DESCRIBE, loop.count = NO_COUNT, loop.function = function;
  switch (setjmp(loop.back)) {
    case 0:
      function(data);
      loop.state = SCALAR;
      if (loop.measured) PSIM_REGION_END(loop.name);
      if (loop.reason) psim_omp_note(loop.name, 0, 0, 0);
      if (loop.count == NO_COUNT && !loop.compiled)
        psim_omp_warn("a target region", "its parallel part is no loop that psim-sparc-cc, -cxx or -f90 has compiled");
      else if (loop.reason)
        psim_omp_warn(loop.name, loop.reason);
      return;
    case NO_LOOP: /* in a team, which barriers that can be cancelled need; to make one takes some 1500 cycles */
      loop.state = SCALAR;
      __real_GOMP_parallel(function, data, 1, flags);
      return;
    default:
      break;
  }
  loop.state = SCALAR;
  struct plan plan;
  choice.name = 0;
  const int on_pes = choose(&plan);
  PSIM_REGION_BEGIN(loop.name, loop.count);
  if (!on_pes) {
    psim_omp_run_scalar(function, data, 0, loop.count);
  } else if (verifying()) {
    psim_omp_verify(function, data, &plan);
  } else {
    psim_omp_run_scalar(function, data, 0, plan.lead);
    const long next = psim_omp_run_tiles(function, data, &plan);
    psim_omp_run_scalar(function, data, next, loop.count);
  }
  PSIM_REGION_END(loop.name);
  warn_of_choice();
}

void __wrap_GOMP_parallel(outlined *function, void *data, unsigned threads, unsigned flags) {
  if (psim_omp_in_target && psim_omp_running && loop.state == DESCRIBE && loop.count < 0) {
    run_loop(function, data, flags);
    memset(&loop, 0, offsetof(struct shared_loop, array));
    loop.state = DESCRIBE, loop.count = INNER_REGIONS;
    return;
  }
  if (!psim_omp_in_target || psim_omp_running) {
    const int outer = psim_omp_running;
    psim_omp_running = 0; /* a region in the body of a loop */
    __real_GOMP_parallel(function, data, threads, flags);
    psim_omp_running = outer;
    return;
  }
  pthread_mutex_lock(&one_at_a_time);
  psim_omp_running = 1;
  run_loop(function, data, flags);
  psim_omp_running = 0;
  pthread_mutex_unlock(&one_at_a_time);
}
