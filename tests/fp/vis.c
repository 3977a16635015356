// SPDX-License-Identifier: Apache-2.0
// Operations of VIS 1 and VIS 2 on patterns and random operands: prints a line with a hash of results, %gsr
// and condition codes for each. Two machines agree if they print the same.
//
// Left out, because qemu 7.2 differs from the manual there: siam (illegal instruction), fcmple and fcmpgt
// (compared as unsigned), bshuffle (bytes reversed), fpsub but fpsub32s (operands swapped), the multiplies by
// single sources (wrong half, wrong shift) and fmul8ulx16 (wrong shift), fexpand (wrong source), array (upper
// field), edge (equality inverted). isa/vis/vis_test.cpp has vectors for all of them. fmul8x16 and fpmerge
// take their single sources from the wrong half there, so both halves are the same here.
//   vis [rounds]        all lines (default 20000)
//   vis rounds OP       every case of that line
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;

// Operands are in %f0 and %f4 (the upper halves, of singles), the result in %f8; or in integer registers.
#define FP(name, operands)                                                                             \
  static u64 run_##name(u64 a, u64 b, u64 old, u64* gsr, u64* ccr) {                                   \
    __asm__ volatile("ldd [%0], %%f0\n\tldd [%1], %%f4\n\tldd [%2], %%f8\n\twr %3, 0, %%gsr\n\t" #name \
                     " " operands "\n\tstd %%f8, [%2]"                                                 \
                     :                                                                                 \
                     : "r"(&a), "r"(&b), "r"(&old), "r"(*gsr)                                          \
                     : "memory", "f0", "f1", "f4", "f5", "f8", "f9");                                  \
    (void)ccr;                                                                                         \
    return old;                                                                                        \
  }
#define FP2(name) FP(name, "%%f0, %%f4, %%f8")
#define FP1(name) FP(name, "%%f4, %%f8")
#define FP1A(name) FP(name, "%%f0, %%f8")
#define FP0(name) FP(name, "%%f8")
#define CMP(name)                                                                   \
  static u64 run_##name(u64 a, u64 b, u64 old, u64* gsr, u64* ccr) {                \
    __asm__ volatile("ldd [%1], %%f0\n\tldd [%2], %%f4\n\t" #name " %%f0, %%f4, %0" \
                     : "=&r"(old)                                                   \
                     : "r"(&a), "r"(&b)                                             \
                     : "memory", "f0", "f1", "f4", "f5");                           \
    (void)gsr, (void)ccr;                                                           \
    return old;                                                                     \
  }
#define INT(name)                                                        \
  static u64 run_##name(u64 a, u64 b, u64 old, u64* gsr, u64* ccr) {     \
    __asm__ volatile("wr %5, 0, %%gsr\n\twr %%g0, 0x50, %%ccr\n\t" #name \
                     " %3, %4, %0\n\trd %%gsr, %1\n\trd %%ccr, %2"       \
                     : "=&r"(old), "=&r"(*gsr), "=&r"(*ccr)              \
                     : "r"(a), "r"(b), "r"(*gsr)                         \
                     : "cc");                                            \
    return old;                                                          \
  }

#define OPERATIONS                                                                                      \
  INT(alignaddr) INT(alignaddrl) INT(bmask) FP2(faligndata) CMP(fcmpne16) CMP(fcmpeq16) CMP(fcmpne32)    \
  CMP(fcmpeq32) FP2(fmul8x16) FP2(fmul8sux16) FP1(fpack16) FP2(fpack32) FP1(fpackfix) FP2(fpmerge)       \
  FP2(pdist) FP2(fpadd16) FP2(fpadd16s) FP2(fpadd32) FP2(fpadd32s) FP2(fpsub32s) FP0(fzero) FP0(fzeros)  \
  FP0(fone) FP0(fones) FP1A(fsrc1) FP1A(fsrc1s) FP1(fsrc2) FP1(fsrc2s) FP1A(fnot1) FP1A(fnot1s)          \
  FP1(fnot2) FP1(fnot2s) FP2(fand) FP2(fands) FP2(fandnot1) FP2(fandnot1s) FP2(fandnot2) FP2(fandnot2s)  \
  FP2(fnand) FP2(fnands) FP2(for) FP2(fors) FP2(fornot1) FP2(fornot1s) FP2(fornot2) FP2(fornot2s)        \
  FP2(fnor) FP2(fnors) FP2(fxor) FP2(fxors) FP2(fxnor) FP2(fxnors)
OPERATIONS
#undef FP2
#undef FP1
#undef FP1A
#undef FP0
#undef CMP
#undef INT
#define FP2(name) {#name, run_##name},
#define FP1(name) FP2(name)
#define FP1A(name) FP2(name)
#define FP0(name) FP2(name)
#define CMP(name) FP2(name)
#define INT(name) FP2(name)
static const struct {
  const char* name;
  u64 (*run)(u64, u64, u64, u64*, u64*);
} operations[] = {OPERATIONS};

static u64 seed = 88172645463325252ull;
static u64 random64(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}
/// Random lanes, often at the ends of their ranges.
static u64 any(void) {
  static const u64 ends[] = {0,
                             ~0ull,
                             0x8000800080008000ull,
                             0x7fff7fff7fff7fffull,
                             0x8000000080000000ull,
                             0x7fffffff7fffffffull,
                             0x00ff00ff00ff00ffull,
                             0x8080808080808080ull,
                             0x0001000100010001ull};
  const u64 value = random64(), how = random64(), end = ends[(how >> 8) % 9];
  u64 lanes = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (how >> (16 + i) & 1) lanes |= 0xffull << 8 * i;
  return how & 1 ? value : (value & ~lanes) | (end & lanes);
}

int main(int argc, char** argv) {
  const unsigned rounds = argc > 1 ? atoi(argv[1]) : 20000;
  for (unsigned n = 0; n < sizeof operations / sizeof *operations; ++n) {
    const char* const name = operations[n].name;
    if (argc > 2 && strcmp(argv[2], name) != 0) continue;
    u64 hash = 0xcbf29ce484222325ull;
    seed = 88172645463325252ull + n;
    for (unsigned i = 0; i < rounds; ++i) {
      u64 a = any(), b = any();
      if (strcmp(name, "fmul8x16") == 0 || strcmp(name, "fpmerge") == 0) a = (a & ~0xffffffffull) | a >> 32;
      if (strcmp(name, "fpmerge") == 0) b = (b & ~0xffffffffull) | b >> 32;
      u64 gsr = any() & ~(7ull << 25), ccr = 0, old = any();
      const u64 gsr_before = gsr, old_before = old;
      const u64 r = operations[n].run(a, b, old, &gsr, &ccr);
      if (argc > 2)
        printf("%016lx %016lx old %016lx gsr %016lx: %016lx gsr %016lx ccr %lx\n", a, b, old_before,
               gsr_before, r, gsr, ccr);
      const u64 parts[] = {r, gsr, ccr};
      for (unsigned k = 0; k < 3; ++k) {
        hash = (hash ^ parts[k]) * 0x100000001b3ull;
        hash ^= hash >> 29;
      }
    }
    printf("%-12s %016lx\n", name, hash);
  }
  return 0;
}
