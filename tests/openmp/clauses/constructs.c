/* SPDX-License-Identifier: Apache-2.0
 * Combined and separate constructs, and the clauses that decide who does what. */
#include <omp.h>
#include <stdlib.h>

#include "check.h"

enum { N = 1003 };
static double a[N], b[N], c[N];

int main(void) {
  fill(a, N, 1), fill(b, N, 2);
#pragma omp target teams distribute parallel for simd map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++) c[i] = a[i] + 2 * b[i];
  SHOW("combined simd", c, N);
#pragma omp target parallel for map(to : a, b) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += a[i] * b[i];
  SHOW("target parallel for", c, N);
#pragma omp target parallel for simd map(to : a, b) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] -= b[i];
  SHOW("target parallel for simd", c, N);
  for (int vector = 0; vector < 2; vector++) {
#pragma omp target teams distribute parallel for simd map(tofrom : c) if (vector) collapse(2)
    for (int i = 0; i < N / 5; i++)
      for (int j = 0; j < 5; j++) c[i * 5 + j] += i - j;
#pragma omp target parallel for simd map(to : b) map(tofrom : c) if (simd : vector)
    for (int i = 0; i < N; i++) c[i] += b[i];
  }
  SHOW("simd if", c, N);
#pragma omp target map(to : a) map(tofrom : c)
#pragma omp teams
#pragma omp distribute parallel for
  for (int i = 0; i < N; i++) c[i] = c[i] * 0.5 + a[i];
  SHOW("target, teams, distribute", c, N);
#pragma omp target map(to : a) map(tofrom : c)
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < N; i++) c[i] = a[i] - c[i];
  SHOW("target, parallel, for", c, N);
#pragma omp target data map(to : a, b) map(tofrom : c)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) c[i] = a[i] * b[i];
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) c[i] += 3;
#pragma omp target update from(c)
    SHOW("update from", c, N);
    fill(a, N, 5);
#pragma omp target update to(a)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) c[i] += a[i];
  }
  SHOW("target data", c, N);
#pragma omp target enter data map(to : a) map(alloc : c)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) c[i] = 4 * a[i];
#pragma omp target exit data map(from : c) map(release : a)
  SHOW("enter and exit data", c, N);
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(delete : a)
#pragma omp target map(tofrom : c) map(to : a)
  {
#pragma omp parallel for
    for (int i = 0; i < N; i++) c[i] = a[i];
#pragma omp parallel for
    for (int i = 0; i < N; i++) c[i] = 2 * c[i] + a[N - 1 - i];
  }
  SHOW("two loops in a region", c, N);
  fill(c, N, 9);
#pragma omp target parallel map(tofrom : c) map(to : a)
  {
#pragma omp for
    for (int i = 0; i < N; i++) c[i] += a[i];
#pragma omp for
    for (int i = 0; i < N; i++) c[i] *= 2;
  }
  SHOW("two loops in parallel", c, N);
  for (int on = 0; on < 2; on++) {
#pragma omp target teams distribute parallel for if (target : on) map(tofrom : c)
    for (int i = 0; i < N; i++) c[i] += on + 1;
    SHOW("if target", c, N);
#pragma omp target teams distribute parallel for if (parallel : on) map(tofrom : c)
    for (int i = 0; i < N; i++) c[i] += on + 1;
    SHOW("if parallel", c, N);
  }
  for (int teams = 1; teams < 20; teams += 5) {
#pragma omp target teams distribute parallel for num_teams(teams) map(tofrom : c)
    for (int i = 0; i < N; i++) c[i] += i % 2 ? 1.5 : teams;
    SHOW("num_teams", c, N);
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(4) map(tofrom : c)
    for (int i = 0; i < N; i++) c[i] += teams;
    SHOW("num_teams, thread_limit", c, N);
#pragma omp target teams distribute parallel for num_threads(teams) map(tofrom : c)
    for (int i = 0; i < N; i++) c[i] -= teams;
    SHOW("num_threads", c, N);
  }
#pragma omp target teams distribute parallel for schedule(static) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 1;
  SHOW("static", c, N);
#pragma omp target teams distribute parallel for schedule(static, 4) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 2;
  SHOW("static, 4", c, N);
#pragma omp target teams distribute parallel for dist_schedule(static) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 3;
  SHOW("dist_schedule", c, N);
#pragma omp target teams distribute parallel for dist_schedule(static, 64) num_teams(3) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 4;
  SHOW("dist_schedule, 64", c, N);
#pragma omp target teams distribute parallel for schedule(dynamic) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 5;
  SHOW("dynamic", c, N);
#pragma omp target teams distribute parallel for schedule(guided, 3) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 6;
  SHOW("guided", c, N);
#pragma omp target teams distribute parallel for schedule(runtime) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 7;
  SHOW("runtime", c, N);
#pragma omp target teams distribute parallel for schedule(auto) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 7;
  SHOW("auto", c, N);
#pragma omp target teams distribute parallel for order(concurrent) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 8;
  SHOW("order(concurrent)", c, N);
#pragma omp target teams loop map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 9;
  SHOW("loop", c, N);
#pragma omp target parallel loop map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 9;
  SHOW("parallel loop", c, N);
#pragma omp target simd map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 10;
  SHOW("target simd", c, N);
#pragma omp target map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 11;
  SHOW("target", c, N);
#pragma omp target teams distribute map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 12;
  SHOW("target teams distribute", c, N);
#pragma omp target teams distribute simd map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 12;
  SHOW("target teams distribute simd", c, N);
#pragma omp target teams distribute parallel for nowait map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 13;
#pragma omp taskwait
  SHOW("nowait", c, N);
#pragma omp target teams distribute parallel for nowait depend(out : c) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += 14;
#pragma omp target teams distribute parallel for nowait depend(inout : c) map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] *= 2;
#pragma omp taskwait
  SHOW("depend", c, N);
#pragma omp target map(tofrom : c)
  {
#pragma omp task
    c[0] += 1;
#pragma omp taskwait
  }
  SHOW("task", c, N);
#pragma omp parallel num_threads(1)
  {
#pragma omp target teams distribute parallel for map(tofrom : c)
    for (int i = 0; i < N; i++) c[i] += 15;
  }
  SHOW("target in parallel", c, N);
  int teams = 0;
#pragma omp target teams num_teams(1) map(from : teams)
  teams = omp_get_num_teams() + omp_get_team_num();
  printf("devices %d, teams %d\n", omp_get_num_devices(), teams);
#pragma omp target teams distribute parallel for map(tofrom : c) device(omp_get_default_device())
  for (int i = 0; i < N; i++) c[i] += omp_is_initial_device() ? 1 : 2;
  SHOW("initial device", c, N);
#pragma omp target teams distribute parallel for map(tofrom : c) num_teams(1)
  for (int i = 0; i < N; i++) c[i] += omp_get_team_num();
  SHOW("team number", c, N);
#pragma omp target parallel for map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] += omp_get_thread_num() * 0;
  SHOW("thread number", c, N);
#pragma omp target parallel map(tofrom : c) num_threads(1)
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int i = thread * N / threads; i < (thread + 1) * N / threads; i++) c[i] += i;
  }
  SHOW("shares by hand", c, N);
#pragma omp target parallel map(tofrom : c)
  {
    const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const int each = (N + threads - 1) / threads, first = thread * each;
    const int end = first + each < N ? first + each : N;
    for (int i = first; i < end; i++) c[i] += i;
  }
  SHOW("shares by hand, rounded up", c, N);
#pragma omp target parallel map(tofrom : c) num_threads(1)
  {
#pragma omp single
    c[0] += 1;
#pragma omp for
    for (int i = 0; i < N; i++) c[i] += 1;
#pragma omp master
    c[1] += 1;
  }
  SHOW("single, for, master", c, N);
#pragma omp target parallel map(tofrom : c) num_threads(1)
  {
#pragma omp sections
    {
#pragma omp section
      c[0] += 1;
#pragma omp section
      c[1] += 2;
    }
  }
  SHOW("sections", c, N);
#pragma omp target parallel map(tofrom : c) num_threads(1)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++) c[i] += 1;
    puts("after the loop");
  }
  SHOW("a call after the loop", c, N);
#pragma omp target parallel map(tofrom : c) num_threads(1)
  {
    puts("before the loop");
#pragma omp for
    for (int i = 0; i < N; i++) c[i] += 1;
  }
  SHOW("a call before the loop", c, N);
#pragma omp target parallel map(tofrom : c) num_threads(1)
  {
    c[3] += 1;
#pragma omp for
    for (int i = 0; i < N; i++) c[i] += 1;
    c[4] += 1;
  }
  SHOW("stores around the loop", c, N);
  double total = 0;
#pragma omp target parallel map(tofrom : c, total) num_threads(1)
  {
#pragma omp for
    for (int i = 0; i < N; i++) {
#pragma omp atomic
      total += c[i];
    }
#pragma omp critical
    total += 1;
  }
  printf("atomic, critical %.17g\n", total);
#pragma omp target parallel map(tofrom : c) num_threads(1)
  {
#pragma omp parallel for num_threads(1)
    for (int i = 0; i < N; i++) c[i] += 1;
  }
  SHOW("parallel in parallel", c, N);
#pragma omp target parallel for ordered map(tofrom : c)
  for (int i = 1; i < N; i++) {
#pragma omp ordered
    c[i] = c[i - 1] * 0.5;
  }
  SHOW("ordered", c, N);
#pragma omp target parallel map(tofrom : c) num_threads(1)
  {
#pragma omp for
    for (int i = 1; i < N; i++) {
      c[i] += i;
#pragma omp cancel for if (c[i] < -1e9)
    }
#pragma omp cancellation point parallel
  }
  SHOW("cancel", c, N);
#pragma omp target teams distribute parallel for map(tofrom : c)
  for (int i = 0; i < N; i++) {
    if (i == 7) continue;
    c[i] = i;
  }
  SHOW("continue", c, N);
  /* Code after the loop runs once for each thread, not for each tile. */
  double threads = 0;
#pragma omp target parallel num_threads(1) map(tofrom : c, threads)
  {
#pragma omp for
    for (int i = 0; i < N; i++) c[i] *= 2;
#pragma omp atomic
    threads += 1;
  }
  SHOW("atomic after the loop", c, N);
  printf("threads %.17g\n", threads);
  /* The distance between the elements is 0, which only the run shows: all iterations update one. */
  const int distance = getenv("NO_SUCH_VARIABLE") ? 1 : 0;
#pragma omp target parallel for map(tofrom : c)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    c[i * distance] += 1;
  }
  SHOW("atomic updates of one element", c, N);
  return 0;
}
