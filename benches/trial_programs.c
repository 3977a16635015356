// SPDX-License-Identifier: Apache-2.0
// Programs for the trials of sampled runs, by name: integer and text work of embedded programs (crc, words,
// matrix, states, bodies), and kernels in the manner of the NAS benchmarks (random pairs, bucket sort,
// conjugate gradient, stencil). Usage: trial_programs NAME REPETITIONS
#include <math.h>
#include <psim.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 1;
static uint32_t toss(void) { return seed = seed * 1664525u + 1013904223u; }

static double crc(int repetitions) {
  static uint32_t table[256];
  static unsigned char text[16384];
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
    table[i] = value;
  }
  for (unsigned i = 0; i < sizeof text; ++i) text[i] = (unsigned char)(toss() >> 24);
  uint32_t sum = 0;
  for (int r = 0; r < repetitions; ++r)
    for (unsigned i = 0; i < sizeof text; ++i) sum = table[(sum ^ text[i]) & 255] ^ sum >> 8;
  return sum;
}

// Counts words in a hash table with chains.
static double words(int repetitions) {
  enum { kSlots = 4096, kEntries = 8192 };
  static struct {
    char name[12];
    int next, count;
  } entries[kEntries];
  static int slots[kSlots];
  double longest = 0;
  for (int r = 0; r < repetitions; ++r) {
    int used = 1;
    memset(slots, 0, sizeof slots);
    for (int i = 0; i < 20000; ++i) {
      char name[12];
      const int length = snprintf(name, sizeof name, "%x", toss() >> 19);
      uint32_t hash = 5381;
      for (int c = 0; c < length; ++c) hash = hash * 33 + (unsigned char)name[c];
      int at = slots[hash % kSlots];
      while (at != 0 && strcmp(entries[at].name, name) != 0) at = entries[at].next;
      if (at == 0 && used < kEntries) {
        at = used++;
        strcpy(entries[at].name, name);
        entries[at].count = 0, entries[at].next = slots[hash % kSlots];
        slots[hash % kSlots] = at;
      }
      if (at != 0 && ++entries[at].count > longest) longest = entries[at].count;
    }
  }
  return longest;
}

static double matrix(int repetitions) {
  enum { kOrder = 48 };
  static int a[kOrder][kOrder], b[kOrder][kOrder], c[kOrder][kOrder];
  for (int i = 0; i < kOrder; ++i)
    for (int j = 0; j < kOrder; ++j) a[i][j] = (int)(toss() >> 25), b[i][j] = (int)(toss() >> 25);
  for (int r = 0; r < repetitions; ++r)
    for (int i = 0; i < kOrder; ++i)
      for (int j = 0; j < kOrder; ++j) {
        int sum = 0;
        for (int k = 0; k < kOrder; ++k) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
  return c[3][7];
}

// Reads tokens of numbers, names and punctuation by a state machine.
static double states(int repetitions) {
  static char text[8192];
  const char letters[] = "abc 12.;+x-7 e9(q)";
  for (unsigned i = 0; i < sizeof text; ++i) text[i] = letters[(toss() >> 20) % (sizeof letters - 1)];
  long counts[5] = {0};
  for (int r = 0; r < repetitions; ++r) {
    int state = 0;
    for (unsigned i = 0; i < sizeof text; ++i) {
      const char c = text[i];
      switch (state) {
        case 0: state = c >= '0' && c <= '9' ? 1 : c >= 'a' ? 2 : c == ' ' ? 0 : 3; break;
        case 1: state = c == '.' ? 4 : c >= '0' && c <= '9' ? 1 : 0; break;
        case 2: state = c >= 'a' || (c >= '0' && c <= '9') ? 2 : 0; break;
        case 3: state = c == '(' ? 3 : 0; break;
        default: state = c >= '0' && c <= '9' ? 4 : 0;
      }
      ++counts[state];
    }
  }
  return (double)counts[2] + (double)counts[4] / 3;
}

static double bodies(int repetitions) {
  enum { kBodies = 32 };
  static double x[kBodies][3], v[kBodies][3];
  for (int i = 0; i < kBodies; ++i)
    for (int d = 0; d < 3; ++d) x[i][d] = toss() * 0x1p-32;
  for (int r = 0; r < repetitions; ++r) {
    for (int i = 0; i < kBodies; ++i)
      for (int j = 0; j < kBodies; ++j) {
        double delta[3], square = 1e-3;
        for (int d = 0; d < 3; ++d) delta[d] = x[j][d] - x[i][d], square += delta[d] * delta[d];
        const double force = 1e-6 / (square * sqrt(square));
        for (int d = 0; d < 3; ++d) v[i][d] += force * delta[d];
      }
    for (int i = 0; i < kBodies; ++i)
      for (int d = 0; d < 3; ++d) x[i][d] += v[i][d];
  }
  return x[5][1];
}

// Gaussian pairs by the polar method.
static double pairs(int repetitions) {
  long counts[10] = {0};
  double sum = 0;
  for (int r = 0; r < repetitions; ++r)
    for (int i = 0; i < 4096; ++i) {
      const double x = 0x1p-31 * toss() - 1, y = 0x1p-31 * toss() - 1, square = x * x + y * y;
      if (square > 1 || square == 0) continue;
      const double factor = sqrt(-2 * log(square) / square), a = fabs(factor * x), b = fabs(factor * y);
      ++counts[(int)(a > b ? a : b)];
      sum += a;
    }
  return sum + (double)counts[1];
}

static double sort(int repetitions) {
  enum { kKeys = 65536, kBuckets = 1024 };
  static uint32_t keys[kKeys], sorted[kKeys];
  static int starts[kBuckets + 1];
  double check = 0;
  for (int r = 0; r < repetitions; ++r) {
    PSIM_REGION_BEGIN("make");
    for (int i = 0; i < kKeys; ++i) keys[i] = toss() >> 12;
    PSIM_REGION_END("make");
    PSIM_REGION_BEGIN("rank");
    memset(starts, 0, sizeof starts);
    for (int i = 0; i < kKeys; ++i) ++starts[(keys[i] >> 10) + 1];
    for (int b = 0; b < kBuckets; ++b) starts[b + 1] += starts[b];
    for (int i = 0; i < kKeys; ++i) sorted[starts[keys[i] >> 10]++] = keys[i];
    PSIM_REGION_END("rank");
    check += sorted[kKeys / 2];
  }
  return check;
}

static double gradient(int repetitions) {
  enum { kRows = 4096, kEach = 12 };
  static int columns[kRows][kEach];
  static double values[kRows][kEach], x[kRows], p[kRows], q[kRows], r[kRows];
  for (int i = 0; i < kRows; ++i)
    for (int k = 0; k < kEach; ++k) {
      columns[i][k] = k == 0 ? i : (int)(toss() >> 20) % kRows;
      values[i][k] = k == 0 ? 20 : 0.5;
    }
  double rho = 0;
  for (int i = 0; i < kRows; ++i) r[i] = p[i] = 0x1p-32 * toss(), x[i] = 0, rho += r[i] * r[i];
  for (int round = 0; round < repetitions; ++round) {
    double pq = 0, next = 0;
    for (int i = 0; i < kRows; ++i) {
      double sum = 0;
      for (int k = 0; k < kEach; ++k) sum += values[i][k] * p[columns[i][k]];
      q[i] = sum;
      pq += sum * p[i];
    }
    const double alpha = rho / pq;
    for (int i = 0; i < kRows; ++i) x[i] += alpha * p[i], r[i] -= alpha * q[i], next += r[i] * r[i];
    const double beta = rho == 0 ? 0 : next / rho;
    rho = next + 1e-9;
    for (int i = 0; i < kRows; ++i) p[i] = r[i] + beta * p[i];
  }
  return x[77];
}

static double stencil(int repetitions) {
  enum { kEdge = 40 };
  static double a[2][kEdge][kEdge][kEdge];
  for (int i = 0; i < kEdge; ++i) a[0][i][i][i] = i;
  int from = 0;
  for (int r = 0; r < repetitions; ++r, from ^= 1)
    for (int i = 1; i + 1 < kEdge; ++i)
      for (int j = 1; j + 1 < kEdge; ++j)
        for (int k = 1; k + 1 < kEdge; ++k)
          a[from ^ 1][i][j][k] =
              0.5 * a[from][i][j][k] + (a[from][i - 1][j][k] + a[from][i + 1][j][k] + a[from][i][j - 1][k] +
                                        a[from][i][j + 1][k] + a[from][i][j][k - 1] + a[from][i][j][k + 1]) /
                                           12;
  return a[from][9][9][9];
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    double (*run)(int);
  } programs[] = {{"crc", crc},     {"words", words}, {"matrix", matrix},     {"states", states}, {"bodies", bodies},
                  {"pairs", pairs}, {"sort", sort},   {"gradient", gradient}, {"stencil", stencil}};
  for (unsigned i = 0; argc == 3 && i < sizeof programs / sizeof *programs; ++i)
    if (strcmp(argv[1], programs[i].name) == 0) {
      printf("%s %g\n", argv[1], programs[i].run(atoi(argv[2])));
      return 0;
    }
  fprintf(stderr, "usage: trial_programs NAME REPETITIONS\n");
  return 2;
}
