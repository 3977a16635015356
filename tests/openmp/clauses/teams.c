// SPDX-License-Identifier: Apache-2.0
// Loops whose iterations OpenMP gives to teams or to SIMD lanes, and what several threads would need.
#include <omp.h>
#include <stdio.h>

enum { N = 1003, M = 20 };
static double x[N], y[N], m[M][M];
static float f[N];
static int a[N], order[N], many[N];

static void start(void) {
  for (int i = 0; i < N; ++i) x[i] = i % 17, y[i] = 3 * i % 23, f[i] = i % 5, a[i] = i % 29, order[i] = (i * 7) % N, many[i] = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) m[i][j] = i + 2 * j;
}

static void show(const char *name, double other) {
  double sum = 0, weighted = 0;
  for (int i = 0; i < N; ++i) sum += x[i] + f[i] + a[i] + many[i], weighted += i * (x[i] - 2 * y[i] + a[i]);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) weighted += (3 * i + j) * m[i][j];
  printf("%s: %g %.17g %.17g\n", name, other, sum, weighted);
  start();
}

static void distributes(void) {
  int i, k = 3;
  double t = 0;
#pragma omp target teams distribute
  for (i = 0; i < N; ++i) x[i] += k * y[i];
  show("distribute", 0);
#pragma omp target teams distribute num_teams(7) thread_limit(2) dist_schedule(static, 5)
  for (i = 0; i < N; ++i) x[i] += k * y[i];
  show("num_teams, dist_schedule", 0);
#pragma omp target teams distribute collapse(2)
  for (i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) m[i][j] *= k;
  show("distribute collapse", 0);
#pragma omp target teams distribute private(t) firstprivate(k)
  for (i = 0; i < N; ++i) {
    t = y[i] + k;
    x[i] = t * t;
  }
  show("private, firstprivate", k);
#pragma omp target teams distribute lastprivate(t) map(from : t)
  for (i = 0; i < N; ++i) {
    t = y[i] - 5;
    x[i] = t;
  }
  show("lastprivate", t);
#pragma omp target teams distribute if (0)
  for (i = 0; i < N; ++i) a[i] = 10 * omp_get_level() + omp_in_parallel() + omp_get_team_size(0);
  show("level", 0);
#pragma omp target teams distribute
  for (i = 0; i < 1; ++i) a[i] = 10 * omp_get_level();
  show("level of one iteration", 0);
#pragma omp target teams
  {
    double own = k;
#pragma omp distribute
    for (i = 0; i < N; ++i) x[i] -= own;
#pragma omp distribute
    for (i = 0; i < N; ++i) y[i] += x[i] * own;
  }
  show("several in one league", 0);
#pragma omp target teams
  {
    double shared_value = 1;
#pragma omp distribute
    for (i = 0; i < M; ++i) {  // the scalar core: its iterations need the one before
      x[i] += shared_value;
      shared_value = shared_value + 1;
    }
  }
  show("carried", 0);
#pragma omp target teams distribute
  for (i = 0; i < M; ++i) {
#pragma omp parallel for
    for (int j = 0; j < M; ++j) m[i][j] += i;
  }
  show("parallel for inside", 0);
#pragma omp target teams loop
  for (i = 0; i < N; ++i) x[i] += k;
  show("loop", 0);
#pragma omp target teams distribute if (0)
  for (i = 0; i < N; ++i) x[i] += k;
  show("if(0)", 0);
}

static void lanes(void) {
  int i = 5, n = N;
  double sum = 1, largest = -1;
#pragma omp target simd map(from : i)
  for (i = 0; i < n; ++i) x[i] += 2 * y[i];
  show("simd", i);
#pragma omp target teams distribute simd simdlen(8) aligned(x) reduction(+ : sum) map(tofrom : sum)
  for (int j = 0; j < n; ++j) sum += x[j] * y[j];
  show("distribute simd", sum);
#pragma omp target parallel for simd reduction(max : largest) map(tofrom : largest)
  for (int j = 0; j < n; ++j) largest = x[j] > largest ? x[j] : largest;
  show("parallel for simd", largest);
#pragma omp target simd collapse(2)
  for (int j = 0; j < M; ++j)
    for (int k = 0; k < M; ++k) m[j][k] += j * k;
  show("simd collapse", 0);
#pragma omp target simd safelen(8)
  for (int j = 8; j < n; ++j) x[j] += x[j - 8];  // the scalar core
  show("safelen", 0);
#pragma omp target
#pragma omp simd
  for (int j = 0; j < n; ++j) a[j] = 2 * a[j] + 1;
  show("simd in target", 0);
}

static void reductions(void) {
  double sum = 2, product = 1;
  float smallest = 100;
  int count = 0, bits = 0, all = 1;
  unsigned mask = ~0u;
#pragma omp target teams distribute reduction(+ : sum, count) map(tofrom : sum, count)
  for (int i = 0; i < N; ++i) {
    sum += x[i];
    count += a[i];
  }
  show("+", sum + count);
#pragma omp target teams distribute reduction(* : product) reduction(min : smallest) map(tofrom : product, smallest)
  for (int i = 0; i < 10; ++i) {
    product *= y[i] + 1;
    smallest = f[i] < smallest ? f[i] : smallest;
  }
  show("*, min", product + smallest);
#pragma omp target teams distribute reduction(| : bits) reduction(& : mask) reduction(&& : all) map(tofrom : bits, mask, all)
  for (int i = 0; i < N; ++i) {
    bits |= a[i];
    mask &= (unsigned)a[i] + 0xfffffff0u;
    all = all && a[i] < 40;
  }
  show("bits", bits + mask + all);
#pragma omp target teams reduction(- : sum) map(tofrom : sum)
  {
    sum = 5;
#pragma omp distribute
    for (int i = 0; i < N; ++i) sum -= x[i];
  }
  show("a league that counts on", sum);
#pragma omp target teams reduction(+ : sum) map(tofrom : sum)
  {
#pragma omp distribute
    for (int i = 0; i < N; ++i) sum = x[i];  // the scalar core
  }
  show("no accumulation", sum);
}

static void queries(void) {
  int teams = -1, threads = -1, device = 0;
  double d = 0;
  float s = 0;
#pragma omp target teams distribute map(from : teams)
  for (int i = 0; i < N; ++i) {
    x[i] += 1;
    many[i] = omp_get_num_teams() + omp_get_thread_num();
    if (omp_get_team_num() == 0) teams = omp_get_num_teams();
  }
  show("num_teams", teams);
#pragma omp target teams distribute num_teams(4)
  for (int i = 0; i < N; ++i) many[i] = omp_get_num_teams();
  show("num_teams(4)", 0);
  double sum = 0;
#pragma omp target teams distribute num_teams(3) collapse(2)
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) m[i][j] += i * 20 + j + omp_get_num_teams();
#pragma omp target teams distribute simd num_teams(5) reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < N; ++i) {
    sum += x[i];
    many[i] = omp_get_team_num();
  }
  show("several teams", sum);
#pragma omp target parallel for map(tofrom : threads, device, d, s) num_threads(1)
  for (int i = 0; i < N; ++i) {
    x[i] -= 1;
    if (omp_get_thread_num() == 0) {
      threads = omp_get_num_threads();
      d = 6.5, s = 1.5f;
    }
    device |= 0;
  }
  show("num_threads", threads + d + s + device);
#pragma omp target teams distribute map(tofrom : teams)
  for (int i = 0; i < N; ++i) {
    x[i] += teams;  // the scalar core: a value that iterations write
    teams = 1;
  }
  show("read and written", teams);
}

static void threads(void) {
  int count = 0, last = 0;
  double sum = 0;
#pragma omp target parallel for schedule(dynamic, 3)
  for (int i = 0; i < N; ++i) x[i] += y[i];
  show("dynamic", 0);
#pragma omp target parallel for schedule(static, 4)
  for (int i = 0; i < N; ++i) x[i] += y[i];
  show("static, 4", 0);
#pragma omp target teams distribute parallel for schedule(guided) collapse(2)
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) m[i][j] += j;
  show("guided collapse", 0);
#pragma omp target teams distribute
  for (int i = 0; i < N; ++i) {
#pragma omp atomic
    x[i] += y[i];
#pragma omp atomic
    a[i] += 3;
  }
  show("atomic elements", 0);
#pragma omp target teams distribute parallel for map(tofrom : count, sum)
  for (int i = 0; i < N; ++i) {
#pragma omp atomic
    count += a[i];
#pragma omp atomic
    sum = sum - x[i];
#pragma omp atomic
    sum += y[i];
  }
  show("atomic sums", count + sum);
#pragma omp target teams distribute parallel for map(tofrom : last)
  for (int i = 0; i < N; ++i) {
    x[i] += 1;
#pragma omp atomic write
    last = 20;
  }
  show("atomic write", last);
#pragma omp target parallel for map(tofrom : count)
  for (int i = 0; i < N; ++i) {  // the scalar core
    int mine;
#pragma omp atomic capture
    mine = count++;
    a[i] += mine > -1;
  }
  show("atomic capture", count);
#pragma omp target parallel for
  for (int i = 0; i < N; ++i) {  // the scalar core
#pragma omp atomic
    many[order[i] / 4] += 1;
  }
  show("atomic histogram", 0);
#pragma omp target parallel for if (target : 0) schedule(static, 2) map(tofrom : count)
  for (int i = 0; i < N; ++i) {
#pragma omp atomic
    count += 1;
  }
  show("if(0)", count);
}

static void leagues(void) {
  int count = 0, sum = 0;
#pragma omp target teams num_teams(4) map(tofrom : count)
#pragma omp parallel num_threads(1)
#pragma omp atomic
  count++;
  show("a parallel region of each team", count);
#pragma omp target teams num_teams(3) reduction(+ : sum) map(tofrom : sum)
  sum += 1;
  show("a reduction without a loop", sum);
#pragma omp target teams num_teams(3)
  {
#pragma omp distribute
    for (int i = 0; i < N; ++i) x[i] += 2 * y[i];
#pragma omp parallel for
    for (int i = 0; i < N; ++i) {
#pragma omp atomic
      f[i] += i % 3;
    }
  }
  show("a shared loop, and a loop of each team", 0);
}

int main(void) {
  start();
  distributes();
  lanes();
  reductions();
  queries();
  threads();
  leagues();
}
