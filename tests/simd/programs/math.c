/* SPDX-License-Identifier: Apache-2.0
 * Quotients and roots of the PEs, bit for bit those of fdivd, fdivs, fsqrtd and fsqrts in scalar state.
 * Usage: math [ROUNDS [SEED]]; each round has 16 × 256 operands of each kind. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_simd_math.h"

enum { kPes = 16, kEach = 256, kAll = kPes * kEach };

/* Every PE, on its own SBM. */
__attribute__((noinline)) static void divide(double* z, const double* x, const double* y, long n) {
  for (long i = 0; i < n; i++) z[i] = psim_simd_div(x[i], y[i]);
}
__attribute__((noinline)) static void root(double* z, const double* x, long n) {
  for (long i = 0; i < n; i++) z[i] = psim_simd_sqrt(x[i]);
}
__attribute__((noinline)) static void dividef(float* z, const float* x, const float* y, long n) {
  for (long i = 0; i < n; i++) z[i] = psim_simd_divf(x[i], y[i]);
}
__attribute__((noinline)) static void rootf(float* z, const float* x, long n) {
  for (long i = 0; i < n; i++) z[i] = psim_simd_sqrtf(x[i]);
}

static union {
  double d[kAll];
  uint64_t u[kAll];
} x, y, z;
static union {
  float f[kAll];
  uint32_t u[kAll];
} xf, yf, zf;
static long wrong, compared;

static uint64_t state = 1;
static uint64_t random64(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state * 0x2545f4914f6cdd1d;
}

static const uint64_t kSpecial[] = {
    0,
    1,
    2,
    0x8000000000000,
    0xfffffffffffff,
    0x10000000000000,
    0x1fffffffffffff,
    0x20000000000000,
    0x0170000000000000,
    0x1010000000000000,
    0x1430000000000000,
    0x7830000000000000,
    0x3fe0000000000000,
    0x3fefffffffffffff,
    0x3ff0000000000000,
    0x3ff0000000000001,
    0x3fffffffffffffff,
    0x4000000000000000,
    0x4008000000000000,
    0x7fd0000000000000,
    0x7fe0000000000000,
    0x7fefffffffffffff,
    0x7ff0000000000000,
    0x7ff0000000000001,
    0x7ff4000000000123,
    0x7ff8000000000000,
    0x7fffffffffffffff,
};
enum { kSpecials = sizeof kSpecial / sizeof *kSpecial };
static uint64_t special(uint64_t k) { return kSpecial[k / 2 % kSpecials] | k << 63; }
static uint32_t specialf(uint64_t k) {
  const uint64_t u = special(k);
  const uint64_t exponent = u >> 52 & 0x7ff;
  const uint64_t small = exponent == 0 || exponent == 0x7ff ? exponent & 0xff : 1 + exponent % 254;
  return (uint32_t)(u >> 63 << 31 | small << 23 | (u & 0x3fffff) | (u >> 29 & 0x7fffff));
}
/* Few bits of the fraction: exact quotients, and quotients in the middle of two denormal numbers. */
static uint64_t few_bits(int fraction, int exponents) {
  const uint64_t r = random64();
  const uint64_t bits = random64() & (((uint64_t)1 << fraction) - 1) & ~(uint64_t)0 << r % (unsigned)fraction;
  return (r >> 32) % (unsigned)exponents << fraction | bits;
}
/* Quotients from a third of the least denormal number to the least normal one, and those that overflow by
 * little. */
static uint64_t partner(uint64_t x, int fraction, int bias, int most) {
  const int exponent = (int)(x >> fraction);
  const int up = (int)(random64() % (unsigned)(fraction + 4));
  const int wanted = random64() % 4 ? exponent + bias - 2 + up : exponent - bias - 2 + up / 8;
  const uint64_t clipped = (uint64_t)(wanted < 0 ? 0 : wanted > most ? most : wanted);
  const uint64_t f = random64() % 3 ? random64() & (((uint64_t)1 << fraction) - 1) : few_bits(fraction, 1);
  return clipped << fraction | f;
}

static void operands(long round) {
  for (int i = 0; i < kAll; i++) {
    const uint64_t a = random64(), b = random64();
    x.u[i] = a, y.u[i] = b, xf.u[i] = (uint32_t)a, yf.u[i] = (uint32_t)b;
    if (round == 0) {
      x.u[i] = special((uint64_t)i), y.u[i] = special((uint64_t)i / (2 * kSpecials));
      xf.u[i] = specialf((uint64_t)i), yf.u[i] = specialf((uint64_t)i / (2 * kSpecials));
    } else if (i % 8 == 1) {
      x.u[i] = few_bits(52, 2047) | a >> 63 << 63, y.u[i] = few_bits(52, 2047);
      xf.u[i] = (uint32_t)few_bits(23, 255), yf.u[i] = (uint32_t)few_bits(23, 255);
    } else if (i % 8 == 2) { /* alike exponents */
      x.u[i] = a >> 12 | (uint64_t)0x3ff << 52, y.u[i] = b >> 12 | (uint64_t)0x3ff << 52;
      xf.u[i] = (uint32_t)(a >> 41) | 127u << 23, yf.u[i] = (uint32_t)(b >> 41) | 127u << 23;
    } else if (i % 8 < 6) { /* denormal results, and rounded ones */
      x.u[i] = i % 2 ? a >> 2 : few_bits(52, 1100), y.u[i] = partner(x.u[i], 52, 1023, 2046);
      xf.u[i] = (uint32_t)(i % 2 ? a >> 34 : few_bits(23, 140)),
      yf.u[i] = (uint32_t)partner(xf.u[i], 23, 127, 254);
    } else if (i % 8 == 6) { /* a reciprocal near the middle of two numbers; the largest fractions */
      x.u[i] = few_bits(52, 2047), y.u[i] = (b | (((uint64_t)1 << 52) - 1)) - 2 * (b >> 56);
    }
    if (round != 0 && i % 16 == 7) x.u[i] = special(a), xf.u[i] = specialf(a);
    if (round != 0 && i % 16 == 15) y.u[i] = special(b), yf.u[i] = specialf(b);
  }
}

static void complain(const char* name, uint64_t a, uint64_t b, uint64_t got, uint64_t expected) {
  compared++;
  if (got == expected) return;
  if (wrong++ < 10)
    printf("%s %#llx %#llx: %#llx, expected %#llx\n", name, (unsigned long long)a, (unsigned long long)b,
           (unsigned long long)got, (unsigned long long)expected);
}
static uint64_t bits_of(volatile double d) {
  uint64_t u;
  const double copy = d;
  memcpy(&u, &copy, 8);
  return u;
}
static uint32_t bits_off(volatile float f) {
  uint32_t u;
  const float copy = f;
  memcpy(&u, &copy, 4);
  return u;
}
static double scalar_root(double value) {
  double r;
  __asm__("fsqrtd %1, %0" : "=e"(r) : "e"(value));
  return r;
}
static float scalar_rootf(float value) {
  float r;
  __asm__("fsqrts %1, %0" : "=f"(r) : "f"(value));
  return r;
}

int main(int count, char** arguments) {
  const long rounds = count > 1 ? atol(arguments[1]) : 20;
  if (count > 2) state = strtoull(arguments[2], NULL, 0) * 2 + 1;
  double *const px = psim_simd_data(0), *const py = psim_simd_data(8 * kEach),
                *const pz = psim_simd_data(16 * kEach);
  float *const pxf = psim_simd_data(24 * kEach), *const pyf = psim_simd_data(28 * kEach),
               *const pzf = psim_simd_data(32 * kEach);
  for (long round = 0; round < rounds; round++) {
    operands(round);
    psim_simd_get(0, x.d, 8 * kEach, 8 * kEach, 0);
    psim_simd_get(8 * kEach, y.d, 8 * kEach, 8 * kEach, 0);
    psim_simd_get(24 * kEach, xf.f, 4 * kEach, 4 * kEach, 0);
    psim_simd_get(28 * kEach, yf.f, 4 * kEach, 4 * kEach, 0);
    psim_simd_sync(1);
    psim_simd_call(divide, pz, px, py, kEach);
    psim_simd_call(dividef, pzf, pxf, pyf, kEach);
    psim_simd_put(16 * kEach, z.d, 8 * kEach, 8 * kEach, 0);
    psim_simd_put(32 * kEach, zf.f, 4 * kEach, 4 * kEach, 0);
    psim_simd_sync(1);
    for (int i = 0; i < kAll; i++) {
      /* Of two NaNs the result is one. */
      if (x.d[i] == x.d[i] || y.d[i] == y.d[i])
        complain("x / y:", x.u[i], y.u[i], z.u[i], bits_of(x.d[i] / y.d[i]));
      else
        complain("NaN / NaN:", x.u[i], y.u[i], z.d[i] != z.d[i], 1);
      if (xf.f[i] == xf.f[i] || yf.f[i] == yf.f[i])
        complain("float x / y:", xf.u[i], yf.u[i], zf.u[i], bits_off(xf.f[i] / yf.f[i]));
      else
        complain("float NaN / NaN:", xf.u[i], yf.u[i], zf.f[i] != zf.f[i], 1);
    }
    for (int i = 0; i < kAll; i++) { /* the functions also work in scalar state */
      if (i % 64 != 0) continue;
      complain("scalar x / y:", x.u[i], y.u[i], bits_of(psim_simd_div(x.d[i], y.d[i])), z.u[i]);
      complain("scalar root:", x.u[i], 0, bits_of(psim_simd_sqrt(x.d[i])), bits_of(scalar_root(x.d[i])));
    }
    psim_simd_call(root, pz, px, kEach);
    psim_simd_call(rootf, pzf, pxf, kEach);
    psim_simd_put(16 * kEach, z.d, 8 * kEach, 8 * kEach, 0);
    psim_simd_put(32 * kEach, zf.f, 4 * kEach, 4 * kEach, 0);
    psim_simd_sync(1);
    for (int i = 0; i < kAll; i++) {
      complain("root:", x.u[i], 0, z.u[i], bits_of(scalar_root(x.d[i])));
      complain("float root:", xf.u[i], 0, zf.u[i], bits_off(scalar_rootf(xf.f[i])));
    }
  }
  printf("%ld compared, %ld wrong\n", compared, wrong);
  return wrong != 0;
}
