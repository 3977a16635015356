/* SPDX-License-Identifier: Apache-2.0
 * OpenMP's constructs in and around target regions, one for each function. entry_points.py builds and runs them, natively and for psim.
 * A line of it before a function has the construct and the place where its code runs: `PEs`, `scalar: REASON` or `libgomp`. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { N = 40 };
static double c[N], d[N];
static volatile int varying = N;
#define P(TEXT) _Pragma(#TEXT)

/* A loop by int, and one by unsigned long, for which libgomp has functions of its own. */
#define BOTH(KIND, NAME, CLAUSES) KIND(NAME, int, CLAUSES) KIND(NAME##_ull, unsigned long, CLAUSES)
#define LOOP(NAME, TYPE, CLAUSES)                                               \
  void NAME(void) {                                                             \
    const int n = varying;                                                      \
    P(omp target parallel map(tofrom : c)) {                                    \
      P(omp for CLAUSES) for (TYPE i = 0; i < n; i++) c[i] += 1 + omp_get_thread_num(); \
    }                                                                           \
  }
#define COMBINED(NAME, CLAUSES)                                                 \
  void NAME(void) {                                                             \
    P(omp target parallel for CLAUSES map(tofrom : c)) for (int i = 0; i < N; i++) c[i] += 1 + omp_get_thread_num(); \
  }
#define ORDERED(NAME, TYPE, CLAUSES)                                            \
  void NAME(void) {                                                             \
    const int n = varying;                                                      \
    P(omp target parallel map(tofrom : c)) {                                    \
      P(omp for ordered CLAUSES) for (TYPE i = 0; i < n; i++) {                 \
        P(omp ordered) c[i] += 1;                                               \
      }                                                                         \
    }                                                                           \
  }
#define DOACROSS(NAME, TYPE, CLAUSES)                                           \
  void NAME(void) {                                                             \
    const int n = varying;                                                      \
    P(omp target parallel map(tofrom : c)) {                                    \
      P(omp for ordered(1) CLAUSES) for (TYPE i = 1; i < n; i++) {              \
        P(omp ordered depend(sink : i - 1)) c[i] += c[i - 1] / 2;               \
        P(omp ordered depend(source))                                           \
      }                                                                         \
    }                                                                           \
  }
#define TASK_SUM(NAME, TYPE, CLAUSES)                                           \
  void NAME(void) {                                                             \
    const int n = varying;                                                      \
    double s = 0;                                                               \
    P(omp target parallel map(tofrom : c, s)) {                                 \
      P(omp for CLAUSES reduction(task, + : s)) for (TYPE i = 0; i < n; i++) {  \
        P(omp task in_reduction(+ : s)) s += c[i];                              \
      }                                                                         \
    }                                                                           \
    c[0] = s;                                                                   \
  }
#define ORDERED_SUM(NAME, TYPE, CLAUSES)                                        \
  void NAME(void) {                                                             \
    const int n = varying;                                                      \
    double s = 0;                                                               \
    P(omp target parallel map(tofrom : c, s)) {                                 \
      P(omp for ordered CLAUSES reduction(task, + : s)) for (TYPE i = 0; i < n; i++) { \
        P(omp ordered) s += c[i];                                               \
      }                                                                         \
    }                                                                           \
    c[0] = s;                                                                   \
  }
#define DOACROSS_SUM(NAME, TYPE, CLAUSES)                                       \
  void NAME(void) {                                                             \
    const int n = varying;                                                      \
    double s = 0;                                                               \
    P(omp target parallel map(tofrom : c, s)) {                                 \
      P(omp for ordered(1) CLAUSES reduction(task, + : s)) for (TYPE i = 1; i < n; i++) { \
        P(omp ordered depend(sink : i - 1)) s += c[i];                          \
        P(omp ordered depend(source))                                           \
      }                                                                         \
    }                                                                           \
    c[0] = s;                                                                   \
  }

// Target regions and their data.

//: `target parallel for` | PEs
void target_parallel_for(void) {
#pragma omp target parallel for map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
}
//: `target teams distribute parallel for` | PEs
void teams_distribute(void) {
#pragma omp target teams distribute parallel for num_teams(3) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 2;
}
//: `target data` | PEs
void target_data(void) {
#pragma omp target data map(tofrom : c)
  {
#pragma omp target parallel for
    for (int i = 0; i < N; i++) c[i] *= 2;
  }
}
//: `target enter data`, `target exit data` | PEs
void enter_exit(void) {
#pragma omp target enter data map(to : c)
#pragma omp target parallel for
  for (int i = 0; i < N; i++) c[i] -= 5;
#pragma omp target exit data map(from : c)
}
//: `target update` | libgomp
void target_update(void) {
#pragma omp target data map(tofrom : c)
  {
#pragma omp target update to(c)
#pragma omp target update from(c)
  }
}
//: `target … nowait`, `depend`, `taskwait` | PEs
void nowait(void) {
#pragma omp target parallel for map(tofrom : c) nowait depend(inout : c)
  for (int i = 0; i < N; i++) c[i] += i;
#pragma omp target parallel for map(tofrom : c) nowait depend(inout : c)
  for (int i = 0; i < N; i++) c[i] *= 2;
#pragma omp taskwait
}
//: `nowait` and `depend` on data directives | libgomp
void data_nowait(void) {
#pragma omp target enter data map(to : c) nowait depend(inout : c)
#pragma omp target update to(c) nowait depend(inout : c)
#pragma omp target exit data map(from : c) nowait depend(inout : c)
#pragma omp taskwait
}
//: `target` in a `task` | PEs
void in_task(void) {
#pragma omp task
#pragma omp target parallel for map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 3;
#pragma omp taskwait
}
//: `target` in `parallel` | PEs
void in_parallel(void) {
#pragma omp parallel num_threads(1)
#pragma omp target parallel for map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 3;
}
//: `if(0)` | libgomp
void if_false(void) {
#pragma omp target parallel for map(tofrom : c) if (target : varying < 0)
  for (int i = 0; i < N; i++) c[i] += 3;
}
//: `device(…)` | PEs
void device(void) {
#pragma omp target parallel for map(tofrom : c) device(omp_get_default_device())
  for (int i = 0; i < N; i++) c[i] += 3;
}
//: a barrier after the loop | PEs
void separate_for(void) {
#pragma omp target parallel map(tofrom : c)
#pragma omp for
  for (int i = 0; i < N; i++) c[i] += 4;
}
//: several reductions | PEs
void reductions(void) {
  double s = 0, t = 0;
#pragma omp target parallel for map(to : c) reduction(+ : s) reduction(max : t)
  for (int i = 0; i < N; i++) s += c[i], t = c[i] > t ? c[i] : t;
  c[0] = s + t;
}

// Code that PEs do not execute.

//: `target` without a parallel loop | scalar: it has no parallel loop
void target_alone(void) {
#pragma omp target map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 5;
}
//: `target teams distribute` | PEs
void distribute(void) {
#pragma omp target teams distribute map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 5;
}
//: `omp_get_thread_num()` and similar functions | scalar: its schedule has a chunk size, or it uses the number of its thread
void functions(void) {
#pragma omp target parallel map(from : c)
  {
    c[0] = omp_get_num_teams() + 10 * omp_get_team_num() + 100 * omp_get_num_threads() + 1000 * omp_get_level();
    c[1] = omp_is_initial_device() + 10 * omp_in_parallel() + 100 * omp_get_thread_num();
  }
}
//: other functions of the library in a loop | scalar: it calls omp_get_max_teams, whose body is not in the same file
void function_in_loop(void) {
#pragma omp target parallel for map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += omp_get_max_teams();
}
//: `allocate` | scalar: the parallel region calls GOMP_alloc outside its loop
void allocate(void) {
  const int n = varying;
  double w[n];
#pragma omp target parallel for private(w) allocate(omp_large_cap_mem_alloc : w) map(tofrom : c)
  for (int i = 0; i < N; i++) {
    w[i % n] = i;
    c[i] += w[i % n];
  }
}

// Loops whose iterations are shared out while they run.

//: `simd` in target regions | PEs
void lanes(void) {
#pragma omp target teams distribute simd map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
#pragma omp target simd map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
}
//: `schedule(dynamic)`, `guided`, `runtime`, `auto`, and `static` with a chunk size | PEs
void schedules(void) {
#pragma omp target parallel for schedule(dynamic, 2) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
#pragma omp target parallel for schedule(guided) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
#pragma omp target parallel for schedule(runtime) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
#pragma omp target parallel for schedule(auto) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
#pragma omp target parallel for schedule(static, 4) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
}
//: `atomic` updates of elements, and of variables | PEs
void atomics(void) {
  double s = 0;
#pragma omp target parallel for map(tofrom : c, s)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    c[i] += 1;
#pragma omp atomic
    s += c[i];
  }
  c[0] = s;
}
//: `schedule(dynamic)`, and the thread's number | scalar: its loop has a dynamic schedule
BOTH(LOOP, dynamic, schedule(dynamic))
//: `parallel for schedule(dynamic)`, and the thread's number | scalar: its loop has a dynamic schedule
COMBINED(combined_dynamic, schedule(dynamic))
//: `schedule(monotonic: dynamic)`, and the thread's number | scalar: its loop has a dynamic schedule
BOTH(LOOP, monotonic_dynamic, schedule(monotonic : dynamic))
//: `parallel for schedule(monotonic: dynamic)`, and the thread's number | scalar: its loop has a dynamic schedule
COMBINED(combined_monotonic_dynamic, schedule(monotonic : dynamic))
//: `schedule(guided)`, and the thread's number | scalar: its loop has a guided schedule
BOTH(LOOP, guided, schedule(guided))
//: `parallel for schedule(guided)`, and the thread's number | scalar: its loop has a guided schedule
COMBINED(combined_guided, schedule(guided))
//: `schedule(monotonic: guided)`, and the thread's number | scalar: its loop has a guided schedule
BOTH(LOOP, monotonic_guided, schedule(monotonic : guided))
//: `parallel for schedule(monotonic: guided)`, and the thread's number | scalar: its loop has a guided schedule
COMBINED(combined_monotonic_guided, schedule(monotonic : guided))
//: `schedule(runtime)`, and the thread's number | scalar: the schedule of its loop is chosen at run time
BOTH(LOOP, runtime, schedule(runtime))
//: `parallel for schedule(runtime)`, and the thread's number | scalar: the schedule of its loop is chosen at run time
COMBINED(combined_runtime, schedule(runtime))
//: `schedule(monotonic: runtime)`, and the thread's number | scalar: the schedule of its loop is chosen at run time
BOTH(LOOP, monotonic_runtime, schedule(monotonic : runtime))
//: `parallel for schedule(monotonic: runtime)`, and the thread's number | scalar: the schedule of its loop is chosen at run time
COMBINED(combined_monotonic_runtime, schedule(monotonic : runtime))
//: `schedule(nonmonotonic: runtime)`, and the thread's number | scalar: the schedule of its loop is chosen at run time
BOTH(LOOP, nonmonotonic_runtime, schedule(nonmonotonic : runtime))
//: `parallel for schedule(nonmonotonic: runtime)`, and the thread's number | scalar: the schedule of its loop is chosen at run time
COMBINED(combined_nonmonotonic_runtime, schedule(nonmonotonic : runtime))
//: `schedule(static, 4)`, and the thread's number | scalar: its schedule has a chunk size, or it uses the number of its thread
COMBINED(chunks, schedule(static, 4))
//: `ordered` | scalar: its loop is ordered
BOTH(ORDERED, ordered_static, )
//: `ordered schedule(dynamic)` | scalar: its loop is ordered
BOTH(ORDERED, ordered_dynamic, schedule(dynamic))
//: `ordered schedule(guided)` | scalar: its loop is ordered
BOTH(ORDERED, ordered_guided, schedule(guided))
//: `ordered schedule(runtime)` | scalar: its loop is ordered
BOTH(ORDERED, ordered_runtime, schedule(runtime))
//: `ordered(1)`, `depend(sink: …)` | scalar: its loop is ordered
BOTH(DOACROSS, doacross_static, )
//: `ordered(1) schedule(dynamic)` | scalar: its loop is ordered
BOTH(DOACROSS, doacross_dynamic, schedule(dynamic))
//: `ordered(1) schedule(guided)` | scalar: its loop is ordered
BOTH(DOACROSS, doacross_guided, schedule(guided))
//: `ordered(1) schedule(runtime)` | scalar: its loop is ordered
BOTH(DOACROSS, doacross_runtime, schedule(runtime))
//: `reduction(task, …)` of a loop | scalar: it has a reduction of tasks
BOTH(TASK_SUM, task_sum, )
//: `reduction(task, …) schedule(dynamic)` | scalar: its loop has a dynamic schedule
BOTH(TASK_SUM, dynamic_task_sum, schedule(dynamic))
//: `reduction(task, …) ordered` | scalar: its loop is ordered
BOTH(ORDERED_SUM, ordered_sum, )
//: `reduction(task, …) ordered(1)` | scalar: its loop is ordered
BOTH(DOACROSS_SUM, doacross_sum, )

// Other code of a team.

//: `sections` | scalar: it has sections
void sections(void) {
#pragma omp target parallel map(tofrom : c)
  {
#pragma omp sections
    {
      c[0] += 1;
#pragma omp section
      c[1] += 1;
    }
#pragma omp sections nowait
    {
      c[2] += 1;
#pragma omp section
      c[3] += 1;
    }
  }
}
//: `parallel sections` | scalar: it has sections
void combined_sections(void) {
#pragma omp target map(tofrom : c)
#pragma omp parallel sections
  {
    c[0] += 1;
#pragma omp section
    c[1] += 1;
  }
}
//: `reduction(task, …)` of `sections` | scalar: it has sections
void sections_sum(void) {
  double s = 0;
#pragma omp target parallel map(tofrom : s)
#pragma omp sections reduction(task, + : s)
  {
    s += 1;
#pragma omp section
    s += 2;
  }
  c[0] += s;
}
//: `scope` with `reduction(task, …)` | scalar: it has a reduction of tasks
void scope_sum(void) {
  double s = 0;
#pragma omp target parallel map(tofrom : s)
#pragma omp scope reduction(task, + : s)
  s += 1;
  c[0] += s;
}
//: `parallel for reduction(task, …)` | scalar: every iteration writes the same place in memory
void parallel_task_sum(void) {
  double s = 0;
#pragma omp target parallel for reduction(task, + : s) map(to : c)
  for (int i = 0; i < N; i++) s += c[i];
  c[0] = s;
}
//: `single`, `masked`, `barrier` | scalar: it is a task, or has no loop with a static schedule
void single(void) {
#pragma omp target parallel map(tofrom : c)
  {
#pragma omp single
    c[0] += 1;
#pragma omp masked
    c[1] += 1;
#pragma omp barrier
    c[2] += c[1];
  }
}
//: `single copyprivate(…)` | scalar: it is a task, or has no loop with a static schedule
void copyprivate(void) {
#pragma omp target parallel map(tofrom : c)
  {
    double x;
#pragma omp single copyprivate(x)
    x = c[0];
    c[1] = x;
  }
}
//: `critical`, `critical(NAME)` | scalar: it has a critical section
void critical(void) {
#pragma omp target parallel map(tofrom : c)
  {
#pragma omp critical
    c[0] += 1;
#pragma omp critical(name)
    c[1] += 1;
  }
}
//: `critical` in a loop | scalar: it has a critical section
void critical_in_loop(void) {
#pragma omp target parallel for map(tofrom : c, d)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    d[0] += c[i];
  }
  c[0] = d[0];
}
//: `atomic` in a loop | scalar: the address of a reference does not grow linearly with the loops
void atomic_in_loop(void) {
#pragma omp target parallel for map(tofrom : c, d)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    d[1] += c[i];
  }
  c[1] = d[1];
}
//: `cancel`, `cancellation point` | scalar: it can be cancelled
void cancel(void) {
#pragma omp target parallel map(tofrom : c)
  {
#pragma omp for
    for (int i = 0; i < N; i++) {
      c[i] += 1;
#pragma omp cancel for if (i == 20)
#pragma omp cancellation point for
    }
  }
}
//: `cancel` of loops with `schedule(dynamic)`, of `sections` and of `parallel` | scalar: it can be cancelled
void cancel_others(void) {
#pragma omp target parallel map(tofrom : c)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) {
      c[i] += 1;
#pragma omp cancel for if (i == 20)
    }
#pragma omp sections
    {
      {
        c[0] += 1;
#pragma omp cancel sections
      }
#pragma omp section
      c[1] += 1;
    }
#pragma omp barrier
#pragma omp cancel parallel if (c[0] > -100)
    c[2] += 1;
  }
}
//: `error at(execution)` | scalar: it is a task, or has no loop with a static schedule
void error(void) {
#pragma omp target parallel map(tofrom : c)
  {
    if (varying == N) {
#pragma omp error at(execution) severity(warning) message("a warning of the program")
    }
    if (varying > N) {
#pragma omp error at(execution) severity(fatal) message("an error of the program")
    }
  }
}

// Tasks.

//: `task`, `taskyield`, `taskwait` | scalar: it has no parallel loop
void task(void) {
#pragma omp target map(tofrom : c)
  {
#pragma omp task depend(inout : c[0])
    c[0] += 1;
#pragma omp taskyield
#pragma omp taskwait depend(in : c[0])
#pragma omp task
    c[1] += 1;
#pragma omp taskwait
  }
}
//: `taskgroup` | scalar: it has no parallel loop
void taskgroup(void) {
#pragma omp target map(tofrom : c)
#pragma omp taskgroup
  {
#pragma omp task
    c[0] += 1;
  }
}
//: `task_reduction`, `in_reduction` | scalar: it has no parallel loop
void taskgroup_sum(void) {
  double s = 0;
#pragma omp target map(tofrom : s)
#pragma omp taskgroup task_reduction(+ : s)
  {
#pragma omp task in_reduction(+ : s)
    s += 1;
  }
  c[0] = s;
}
//: `taskloop` | scalar: it has no parallel loop
void taskloop(void) {
  const int n = varying;
#pragma omp target map(tofrom : c)
#pragma omp taskloop
  for (int i = 0; i < n; i++) c[i] += 1;
}
//: `taskloop` by `unsigned long` | scalar: it has no parallel loop
void taskloop_ull(void) {
  const unsigned long n = varying;
#pragma omp target map(tofrom : c)
#pragma omp taskloop
  for (unsigned long i = 0; i < n; i++) c[i] += 1;
}
//: `parallel for` in a parallel region | PEs
void nested_parallel(void) {
#pragma omp target parallel map(tofrom : c)
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < N; i++) c[i] += 1;
}
//: `target … in_reduction(…)` | scalar: every iteration writes the same place in memory
void target_in_reduction(void) {
  double s = 0;
#pragma omp parallel num_threads(1) reduction(task, + : s)
#pragma omp target parallel for in_reduction(+ : s) map(to : c)
  for (int i = 0; i < N; i++) s += c[i];
  c[0] = s;
}
//: `teams` outside of target regions | libgomp
void host_teams(void) {
  double s = 0;
#pragma omp teams num_teams(2) reduction(+ : s)
  s += 1;
  c[0] = s;
}

/* Prints the array after each construct. The numbers are multiples of 2^-40 at least, and exact. */
static void print(const char* name) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += c[i] * (i % 7 + 1);
  printf("%s %.17g %.17g %.17g %.17g\n", name, c[0], c[1], c[N - 1], sum);
}
/* Begins each construct with the same numbers, of which all sums are exact. */
static void begin(void) {
  for (int i = 0; i < N; i++) c[i] = i % 11 - 3, d[i] = 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "error") == 0) varying = N + 1, error();
#define CALL(NAME) begin(), NAME(), print(#NAME);
  CONSTRUCTS /* of entry_points.py: CALL(NAME) for each */
  return 0;
}
