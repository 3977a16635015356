// SPDX-License-Identifier: Apache-2.0
// CRC-32 by table and bit by bit, population counts, bit reversal, and the Collatz walk of small numbers.
#include <stdint.h>
#include <stdio.h>

#include "psim.h"

enum { BYTES = 4096, WORDS = BYTES / 8 };
static union {
  uint8_t bytes[BYTES];
  uint64_t words[WORDS];
} data;

static uint32_t table[256];

static uint32_t step(uint32_t crc) {
  for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
}

static int population(uint64_t x) {
  x -= x >> 1 & 0x5555555555555555;
  x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (int)(x * 0x0101010101010101 >> 56);
}

static uint64_t reverse(uint64_t x) {
  uint64_t mask = ~(uint64_t)0;
  for (int shift = 32; shift; shift >>= 1) {
    mask ^= mask << shift;
    x = (x >> shift & mask) | (x << shift & ~mask);
  }
  return x;
}

int main(void) {
  uint64_t state = 88172645463325252;
  for (int i = 0; i < WORDS; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    data.words[i] = state;
  }

  PSIM_REGION_BEGIN("crc", BYTES);
  for (uint32_t i = 0; i < 256; ++i) table[i] = step(i);
  uint32_t by_table = ~0u, by_bit = ~0u;
  for (int i = 0; i < BYTES; ++i) by_table = by_table >> 8 ^ table[(by_table ^ data.bytes[i]) & 255];
  for (int i = 0; i < BYTES; ++i) by_bit = step(by_bit ^ data.bytes[i]);
  PSIM_REGION_END("crc");

  PSIM_REGION_BEGIN("population", WORDS);
  long ones = 0, reversed = 0, counted = 0;
  for (int i = 0; i < WORDS; ++i) {
    ones += population(data.words[i]);
    reversed += population(reverse(data.words[i]));
    for (uint64_t x = data.words[i]; x; x &= x - 1) ++counted;
  }
  PSIM_REGION_END("population");

  PSIM_REGION_BEGIN("collatz", 700);
  long steps = 0;
  for (uint64_t n = 1; n <= 700; ++n)
    for (uint64_t x = n; x != 1; ++steps) x = x & 1 ? 3 * x + 1 : x >> 1;
  PSIM_REGION_END("collatz");

  const int wrong = (by_table != by_bit) + (ones != reversed) + (ones != counted);
  printf("bits: crc %08x, %ld ones, %ld steps, wrong=%d\n", ~by_table, ones, steps, wrong);
  return wrong != 0;
}
