// SPDX-License-Identifier: Apache-2.0
// Every floating-point operation of SPARC-V9 on special × special and on random operands in all four
// rounding modes: prints a line with a hash of results, flags and condition codes for each. Two machines
// agree if they print the same.
//   arithmetic [rounds]            all lines; `rounds` random operand pairs a line (default 2000)
//   arithmetic rounds OP MODE      every case of that line, to find the first difference
//
// Not compared, because qemu 7.2 differs from the manual: the result when both operands are NaNs (V9 annex B:
// a signalling one, then rs2), and signalling NaNs in fstod, fstoq and fdtoq (invalid is lost there), and
// NaNs in fcmpq (invalid accrues there); underflow of results rounded up to the least normal number (qemu detects
// tininess after rounding, SPARC JPS1 and psim before).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef struct {
  u64 hi, lo;
} Reg;  // a single or 32-bit integer is the upper half of hi

enum Kind { NONE, S, D, Q, I, X, FCC };  // I, X: 32- and 64-bit integers

#define RUN(name, text)                                                                                \
  static void run_##name(const Reg* a, const Reg* b, Reg* r, u64* fsr) {                               \
    __asm__ volatile(                                                                                  \
        "ldd [%0], %%f0\n\tldd [%0+8], %%f2\n\tldd [%1], %%f4\n\tldd [%1+8], %%f6\n\t"                 \
        "ldd [%2], %%f8\n\tldd [%2+8], %%f10\n\tldx [%3], %%fsr\n\t" text                              \
        "\n\tstd %%f8, [%2]\n\tstd %%f10, [%2+8]\n\tstx %%fsr, [%3]"                                   \
        :                                                                                              \
        : "r"(a), "r"(b), "r"(r), "r"(fsr)                                                             \
        : "memory", "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "fcc0"); \
  }
#define BINARY(name, from, to) RUN(name, #name " %%f0, %%f4, %%f8")
#define UNARY(name, from, to) RUN(name, #name " %%f4, %%f8")
#define COMPARE(name, from, to) RUN(name, #name " %%fcc1, %%f0, %%f4")

#define OPERATIONS                                                                                        \
  BINARY(fadds, S, S)                                                                                     \
  BINARY(faddd, D, D) BINARY(faddq, Q, Q) BINARY(fsubs, S, S) BINARY(fsubd, D, D) BINARY(fsubq, Q, Q)     \
      BINARY(fmuls, S, S) BINARY(fmuld, D, D) BINARY(fmulq, Q, Q) BINARY(fdivs, S, S) BINARY(fdivd, D, D) \
          BINARY(fdivq, Q, Q) BINARY(fsmuld, S, D) BINARY(fdmulq, D, Q) UNARY(fsqrts, S, S)               \
              UNARY(fsqrtd, D, D) UNARY(fsqrtq, Q, Q) UNARY(fstod, S, D) UNARY(fstoq, S, Q)               \
                  UNARY(fdtos, D, S) UNARY(fdtoq, D, Q) UNARY(fqtos, Q, S) UNARY(fqtod, Q, D)             \
                      UNARY(fstoi, S, I) UNARY(fdtoi, D, I) UNARY(fqtoi, Q, I) UNARY(fstox, S, X)         \
                          UNARY(fdtox, D, X) UNARY(fqtox, Q, X) UNARY(fitos, I, S) UNARY(fitod, I, D)     \
                              UNARY(fitoq, I, Q) UNARY(fxtos, X, S) UNARY(fxtod, X, D) UNARY(fxtoq, X, Q) \
                                  UNARY(fmovs, S, S) UNARY(fmovd, D, D) UNARY(fmovq, Q, Q)                \
                                      UNARY(fnegs, S, S) UNARY(fnegd, D, D) UNARY(fnegq, Q, Q)            \
                                          UNARY(fabss, S, S) UNARY(fabsd, D, D) UNARY(fabsq, Q, Q)        \
                                              COMPARE(fcmps, S, FCC) COMPARE(fcmpd, D, FCC)               \
                                                  COMPARE(fcmpq, Q, FCC) COMPARE(fcmpes, S, FCC)          \
                                                      COMPARE(fcmped, D, FCC) COMPARE(fcmpeq, Q, FCC)
OPERATIONS
#undef BINARY
#undef UNARY
#undef COMPARE

#define BINARY(name, from, to) {#name, from, from, run_##name},
#define UNARY(name, from, to) {#name, NONE, from, run_##name},
#define COMPARE(name, from, to) BINARY(name, from, to)
static const struct {
  const char* name;
  enum Kind a, b;
  void (*run)(const Reg*, const Reg*, Reg*, u64*);
} operations[] = {OPERATIONS};

static const uint32_t singles[] = {
    0,          1,          2,          0x400000,   0x7fffff,   0x800000,   0x800001,   0x33800000,
    0x34000000, 0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000,
    0x40000000, 0x4b000000, 0x4effffff, 0x4f000000, 0x5effffff, 0x5f000000, 0x7e800000, 0x7f000000,
    0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fa00000, 0x7fbfffff, 0x7fc00000, 0x7fc12345, 0x7fffffff};
static const u64 doubles[] = {0,
                              1,
                              2,
                              0x8000000000000,
                              0xfffffffffffff,
                              0x10000000000000,
                              0x10000000000001,
                              0x369fffffffffffff,
                              0x36a0000000000000,
                              0x36a0000000000001,
                              0x380fffffe0000000,
                              0x380fffffffffffff,
                              0x3810000000000000,
                              0x3810000010000000,
                              0x3ca0000000000000,
                              0x3fdfffffffffffff,
                              0x3fe0000000000000,
                              0x3fefffffffffffff,
                              0x3ff0000000000000,
                              0x3ff0000000000001,
                              0x3ff8000000000000,
                              0x4000000000000000,
                              0x41dfffffffc00000,
                              0x41dfffffffe00000,
                              0x41e0000000000000,
                              0x41e0000000100000,
                              0x41e00000001fffff,
                              0x41e0000000200000,
                              0x43dfffffffffffff,
                              0x43e0000000000000,
                              0x43e0000000000001,
                              0x47efffffe0000000,
                              0x47efffffefffffff,
                              0x47effffff0000000,
                              0x7fd0000000000000,
                              0x7fe0000000000000,
                              0x7fefffffffffffff,
                              0x7ff0000000000000,
                              0x7ff0000000000001,
                              0x7ff4000000000000,
                              0x7ff0000020000000,
                              0x7ff8000000000000,
                              0x7ff8000000000123,
                              0x7fffffffffffffff};
static const Reg quads[] = {{0, 0},
                            {0, 1},
                            {0x800000000000, 0},
                            {0xffffffffffff, ~0ull},
                            {1ull << 48, 0},
                            {1ull << 48, 1},
                            {0x3bcd000000000000, 0},
                            {0x3bccffffffffffff, ~0ull},
                            {0x3c00ffffffffffff, 0xf000000000000000},
                            {0x3c00ffffffffffff, 0xf800000000000000},
                            {0x3c01000000000000, 0},
                            {0x3f6a000000000000, 0},
                            {0x3f80ffffffffffff, ~0ull},
                            {0x3f81000000000000, 0},
                            {0x3f8d000000000000, 0},
                            {0x3ffe000000000000, 0},
                            {0x3ffeffffffffffff, ~0ull},
                            {0x3fff000000000000, 0},
                            {0x3fff000000000000, 1},
                            {0x3fff000001000000, 0},
                            {0x3fff000000000000, 0x0800000000000000},
                            {0x3fff000000000000, 0x1800000000000000},
                            {0x3fff800000000000, 0},
                            {0x4000000000000000, 0},
                            {0x401dffffffc00000, 0},
                            {0x401e000000000000, 0},
                            {0x401e000000020000, 0},
                            {0x403dffffffffffff, 0xfffe000000000000},
                            {0x403e000000000000, 0},
                            {0x403e000000000000, 1},
                            {0x407effffffffffff, ~0ull},
                            {0x407f000000000000, 0},
                            {0x43feffffffffffff, 0xf800000000000000},
                            {0x43ff000000000000, 0},
                            {0x7ffe000000000000, 0},
                            {0x7ffeffffffffffff, ~0ull},
                            {0x7fff000000000000, 0},
                            {0x7fff000000000000, 1},
                            {0x7fff400000000000, 77},
                            {0x7fff000001000000, 0},
                            {0x7fff800000000000, 0},
                            {0x7fffffffffffffff, ~0ull}};
static const u64 integers[] = {0,
                               1,
                               2,
                               0xffffff,
                               0x1000000,
                               0x1000001,
                               0x1000003,
                               0x7fffff80,
                               0x7fffffff,
                               0x40000000,
                               0x1fffffffffffff,
                               0x20000000000001,
                               0x20000000000003,
                               0x7ffffffffffffdff,
                               0x7ffffffffffffe00,
                               0x7fffffffffffffff,
                               0x4000000000000001};

static u64 seed = 88172645463325252ull;
static u64 random64(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

static unsigned specials(enum Kind kind) {
  switch (kind) {
    case S:
      return 2 * sizeof singles / sizeof *singles;
    case D:
      return 2 * sizeof doubles / sizeof *doubles;
    case Q:
      return 2 * sizeof quads / sizeof *quads;
    case I:
    case X:
      return 2 * sizeof integers / sizeof *integers;
    default:
      return 1;
  }
}
static Reg special(enum Kind kind, unsigned n) {
  const u64 sign = (u64)(n & 1) << 63;
  Reg r = {0, 0};
  switch (kind) {
    case S:
      r.hi = (u64)singles[n / 2] << 32 | sign;
      break;
    case D:
      r.hi = doubles[n / 2] | sign;
      break;
    case Q:
      r = quads[n / 2], r.hi |= sign;
      break;
    case I:
      r.hi = (n & 1 ? -integers[n / 2] : integers[n / 2]) << 32;
      break;
    case X:
      r.hi = n & 1 ? -integers[n / 2] : integers[n / 2];
      break;
    default:
      break;
  }
  return r;
}
/// Half of them with exponents near one another, so that sums cancel and products stay in range.
static Reg any(enum Kind kind) {
  Reg r = {random64(), random64()};
  const u64 near = random64();
  if (near & 1) {
    const u64 e = near >> 8 & 63;
    if (kind == S) r.hi = (r.hi & 0x807fffffffffffffull) | (0x60 + e) << 55;
    if (kind == D) r.hi = (r.hi & 0x800fffffffffffffull) | (0x3e0 + e) << 52;
    if (kind == Q) r.hi = (r.hi & 0x8000ffffffffffffull) | (0x3fc0 + 2 * e) << 48;
    if (near & 2) r.hi &= ~(near >> 16), r.lo &= near;  // short fractions: exact results, ties
  }
  if ((kind == I || kind == X) && (near & 1)) r.hi = (u64)((int64_t)r.hi >> (near >> 8 & 63));
  return r;
}
static int is_nan(enum Kind kind, Reg r) {
  const u64 magnitude = r.hi & ~(1ull << 63);
  if (kind == S) return magnitude >> 32 > 0x7f800000;
  if (kind == D) return magnitude > 0x7ffull << 52;
  if (kind == Q) return magnitude > 0x7fffull << 48 || (magnitude == 0x7fffull << 48 && r.lo != 0);
  return 0;
}

static int is_signalling(enum Kind kind, Reg r) {
  return is_nan(kind, r) && (r.hi >> (kind == S ? 54 : kind == D ? 51 : 47) & 1) == 0;
}

/// In any of the formats; the rest of the register is as it was or zero.
static int is_least_normal(Reg r) {
  const u64 magnitude = r.hi & ~(1ull << 63);
  return magnitude >> 32 == 0x00800000 || magnitude == 1ull << 52 || (magnitude == 1ull << 48 && r.lo == 0);
}

static u64 hash;
static int verbose;
static void add(u64 value) {
  hash = (hash ^ value) * 0x100000001b3ull;
  hash ^= hash >> 29;
}
static void one(unsigned n, unsigned mode, Reg a, Reg b) {
  static const char widening[][8] = {"fstod", "fstoq", "fdtoq"};
  for (unsigned i = 0; i < 3; ++i)
    if (strcmp(operations[n].name, widening[i]) == 0 && is_signalling(operations[n].b, b)) return;
  if (strcmp(operations[n].name, "fcmpq") == 0 && (is_nan(Q, a) || is_nan(Q, b))) return;
  Reg r = {0x5555555555555555ull, 0x5555555555555555ull};
  u64 fsr = (u64)mode << 30;
  operations[n].run(&a, &b, &r, &fsr);
  if (is_nan(operations[n].a, a) && is_nan(operations[n].b, b)) r.hi = r.lo = 0;
  if (is_least_normal(r)) fsr &= ~(4ul << 5 | 4);
  if (verbose)
    printf("%016lx %016lx, %016lx %016lx: %016lx %016lx fsr %lx\n", a.hi, a.lo, b.hi, b.lo, r.hi, r.lo, fsr);
  add(r.hi), add(r.lo), add(fsr);
}

int main(int argc, char** argv) {
  const unsigned rounds = argc > 1 ? atoi(argv[1]) : 2000;
  for (unsigned n = 0; n < sizeof operations / sizeof *operations; ++n)
    for (unsigned mode = 0; mode < 4; ++mode) {
      if (argc > 3 && (strcmp(argv[2], operations[n].name) != 0 || mode != (unsigned)atoi(argv[3]))) continue;
      verbose = argc > 3;
      hash = 0xcbf29ce484222325ull, seed = 88172645463325252ull + n;
      const enum Kind ka = operations[n].a, kb = operations[n].b;
      for (unsigned i = 0; i < specials(ka); ++i)
        for (unsigned j = 0; j < specials(kb); ++j) one(n, mode, special(ka, i), special(kb, j));
      for (unsigned i = 0; i < rounds; ++i) {
        const Reg a = any(ka);
        const Reg b = any(kb);
        one(n, mode, a, b);
      }
      printf("%-8s mode %u %016lx\n", operations[n].name, mode, hash);
    }
  return 0;
}
