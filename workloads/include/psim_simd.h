/* SPDX-License-Identifier: Apache-2.0
 * The SIMD extension of psim for C and C++ (docs/isa.md), compiled by the stock sparc64 gcc:
 *
 *     static void scale(double a, double *x, long n) {      // ordinary code; every PE runs it on its own SBM
 *       for (long i = 0; i < n; i++) x[i] *= a;
 *     }
 *     …
 *     psim_simd_get(0, memory, 512, 512, 0);                // 512 bytes for each PE, to offset 0 of its SBM
 *     psim_simd_sync(1u << 0);
 *     psim_simd_call(scale, 2.0, (double *)psim_simd_data(0), 64);
 *     psim_simd_put(0, memory, 512, 512, 0);
 *     psim_simd_sync(1u << 0);
 *
 * Functions that psim_simd_call enters are compiled with
 *
 *     -O3 -mcpu=niagara3 -fno-tree-vectorize -fno-tree-loop-distribute-patterns -fcx-limited-range
 *
 * In SIMD state floating-point operations are done by every PE. Compiled code may use
 * spills, constants, local arrays (in the stack window), arrays in SBM (in the data window), values of memory that
 * all PEs share (read only). These raise an exception that names the remedy: a division or square root (psim_simd_math.h
 * has functions for them), a store to memory, a branch that depends on data of one PE (write it with the selects below),
 * a value that goes to an integer register and is not the same in all PEs. gcc makes the last of copies of whole
 * structures (copy their members), and of a loop with more live values than there are registers (add -mno-vis3). Do not
 * call the C library or the operating system there. */
#ifndef PSIM_SIMD_H
#define PSIM_SIMD_H

#if !defined(__sparc__) || !defined(__arch64__)
#error "psim_simd.h is for sparc64 programs"
#endif

/* The part of every SBM that backs the stack of a SIMD function, its last bytes: a multiple of 64. Define it before
 * the first inclusion, alike in every file. */
#ifndef PSIM_SIMD_STACK_BYTES
#define PSIM_SIMD_STACK_BYTES 8192
#endif
/* Address of the data window (simd.data_window). */
#define PSIM_SIMD_DATA_WINDOW 0xF0000000ul

#define PSIM_TEXT_(X) #X
#define PSIM_VALUE_(X) PSIM_TEXT_(X)

/* ---- the way into SIMD state ----
 *
 * psim_simd_enter_ is called like the function, whose address is in the static chain register, %g5: it gives every
 * PE the scalar argument registers, sets the stack window and the state bit, calls the function, clears the bit and
 * returns PE 0's %f0–%f7 beside the integer results. Up to ten arguments may be on the stack. In SIMD state already,
 * it only goes on to the function. psim_simd_call_ is the same for Fortran, which passes the function first.
 * The stack window begins 8192 bytes (PSIM_SIMD_STACK_BYTES) below the end of the arguments on the stack. */
__asm__(
    "  .macro psim_simd_entry_ name, fortran\n"
    "  .section .text.\\name,\"axG\",@progbits,\\name,comdat\n"
    "  .weak \\name\n"
    "  .type \\name, #function\n"
    "  .align 32\n"
    "\\name:\n"
    "  .if \\fortran == 0\n"
    "  .word 0x83420000\n"              /* rd %simd, %g1 */
    "  andcc %g1, 1, %g0\n"
    "  be,pt %xcc, 1f\n"
    "  nop\n"
    "  jmp %g5\n"
    "  nop\n"
    "1:\n"
    "  .endif\n"
    "  save %sp, -320, %sp\n"
    "  .irp n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30\n"
    "  .word 0x81b01240 + (\\n << 25) + \\n\n"  /* fbcastd %fn, %fn */
    "  .endr\n"
    "  .word 0xa1428000\n"              /* rd %simdstack, %l0 */
    "  add %sp, 2047, %l1\n"
    "  add %l1, 319, %l1\n"
    "  andn %l1, 63, %l1\n"             /* the end of the arguments on the stack, rounded up */
    "  set " PSIM_VALUE_(PSIM_SIMD_STACK_BYTES) ", %l2\n"
    "  sub %l1, %l2, %l1\n"
    "  sllx %l2, 42, %l2\n"             /* size / 64, in bits 63-48 */
    "  .word 0x95844012\n"              /* wr %l1, %l2, %simdstack */
    "  .word 0x91802001\n"              /* simd_on */
    "  .if \\fortran\n"
    "  mov %i0, %g5\n"
    "  mov %i1, %o0\n"
    "  mov %i2, %o1\n"
    "  mov %i3, %o2\n"
    "  mov %i4, %o3\n"
    "  mov %i5, %o4\n"
    "  ldx [%fp + 2223], %o5\n"
    "  .irp n, 0, 8, 16, 24, 32, 40, 48, 56, 64\n"
    "  ldx [%fp + 2231 + \\n], %l2\n"
    "  stx %l2, [%sp + 2223 + \\n]\n"
    "  .endr\n"
    "  .else\n"
    "  mov %i0, %o0\n"
    "  mov %i1, %o1\n"
    "  mov %i2, %o2\n"
    "  mov %i3, %o3\n"
    "  mov %i4, %o4\n"
    "  mov %i5, %o5\n"
    "  .irp n, 0, 8, 16, 24, 32, 40, 48, 56, 64, 72\n"
    "  ldx [%fp + 2223 + \\n], %l2\n"
    "  stx %l2, [%sp + 2223 + \\n]\n"
    "  .endr\n"
    "  .endif\n"
    "  call %g5\n"
    "  nop\n"
    "  .word 0x91802000\n"              /* simd_off */
    "  .word 0x95840000\n"              /* wr %l0, %g0, %simdstack */
    "  .irp n, 0, 2, 4, 6\n"
    "  .word 0x81b01340 + (\\n << 25) + \\n\n"  /* fgetd %g0, %fn, %fn */
    "  .endr\n"
    "  mov %o0, %i0\n"
    "  mov %o1, %i1\n"
    "  mov %o2, %i2\n"
    "  mov %o3, %i3\n"
    "  return %i7 + 8\n"
    "  nop\n"
    "  .size \\name, . - \\name\n"
    "  .previous\n"
    "  .endm\n"
    "  psim_simd_entry_ psim_simd_enter_, 0\n"
    "  psim_simd_entry_ psim_simd_call_, 1\n");

#ifdef __cplusplus
extern "C" void psim_simd_enter_(void);

/* Calls a function, or the function that a pointer points to, with the arguments in SIMD state; the result is PE 0's. */
template <class Result, class... Parameters, class... Arguments>
__attribute__((noinline)) Result psim_simd_call(Result (*function)(Parameters...), Arguments... arguments) {
  /* The static chain register is free here: nothing between this and the call needs it. */
  const auto enter = reinterpret_cast<Result (*)(Parameters...)>(psim_simd_enter_);
  register void *chain __asm__("g5") = reinterpret_cast<void *>(function);
  __asm__ __volatile__("" : "+r"(chain));
  return enter(static_cast<Parameters>(arguments)...);
}
#else
extern void psim_simd_enter_(void);
/* Opaque: gcc leaves out the static chain of a call whose callee it knows to need none. */
static inline void *psim_simd_entry_of_(void) {
  void *entry = (void *)psim_simd_enter_;
  __asm__("" : "+r"(entry));
  return entry;
}

/* Calls FUNCTION, a function or a pointer to one, with the arguments in SIMD state; the result is PE 0's. */
#define psim_simd_call(FUNCTION, ...)                                                                         \
  __builtin_call_with_static_chain(((__typeof__(*(FUNCTION)) *)psim_simd_entry_of_())(__VA_ARGS__), \
                                  (void *)(FUNCTION))
#endif

/* ---- memory of the PEs ---- */

/* Where a SIMD function sees the SBM of its PE from `offset` on. */
static inline void *psim_simd_data(unsigned long offset) { return (void *)(PSIM_SIMD_DATA_WINDOW + offset); }

/* A block transfer: of each PE in `pes`, `rows` rows of `row_bytes` bytes. All but `pes` and `tag` are multiples
 * of 8. */
struct psim_transfer {
  unsigned long memory;     /* address of PE 0's first byte */
  long pe_stride;           /* bytes in memory from PE to PE; 0: all PEs get the same */
  long row_stride;          /* bytes in memory from row to row */
  unsigned sbm_offset;      /* in every SBM */
  unsigned sbm_pitch;       /* bytes in SBM from row to row */
  unsigned row_bytes, rows;
  unsigned pes;             /* mask */
  unsigned tag;             /* 0-15, for psim_simd_sync */
};

/* Number of PEs, and the mask of all of them. */
static inline unsigned psim_simd_pes(void) {
  register unsigned long value __asm__("g1");
  __asm__ __volatile__(".word 0x83420000" : "=r"(value)); /* rd %simd, %g1 */
  return (unsigned)(value >> 8) & 63;
}
/* Bytes of an SBM. */
static inline unsigned long psim_simd_sbm_bytes(void) {
  register unsigned long value __asm__("g1");
  __asm__ __volatile__(".word 0x83420000" : "=r"(value)); /* rd %simd, %g1 */
  return (value >> 16 & 0xffff) * 64;
}
static inline unsigned psim_simd_all(void) { return 0xffffffffu >> (32 - psim_simd_pes()); }
/* The mask of the enabled PEs. */
static inline unsigned psim_simd_mask(void) {
  register unsigned long value __asm__("g1");
  __asm__ __volatile__(".word 0x83424000" : "=r"(value)); /* rd %pemask, %g1 */
  return (unsigned)value;
}
static inline void psim_simd_set_mask(unsigned mask) {
  register unsigned long value __asm__("g1") = mask;
  __asm__ __volatile__(".word 0x93804000" : : "r"(value) : "memory"); /* wr %g1, %g0, %pemask */
}

/* Memory to SBM; SBM to memory; waits for all transfers with the tags in the mask. */
static inline void psim_simd_get_tile(const struct psim_transfer *transfer) {
  register const struct psim_transfer *at __asm__("g1") = transfer;
  __asm__ __volatile__(".word 0xc1c06000" : : "r"(at) : "memory"); /* sbmget [ %g1 ] */
}
static inline void psim_simd_put_tile(const struct psim_transfer *transfer) {
  register const struct psim_transfer *at __asm__("g1") = transfer;
  __asm__ __volatile__(".word 0xc1c86000" : : "r"(at) : "memory"); /* sbmput [ %g1 ] */
}
static inline void psim_simd_sync(unsigned tags) {
  register unsigned long mask __asm__("g1") = tags;
  __asm__ __volatile__(".word 0xc1d00001" : : "r"(mask) : "memory"); /* sbmsync %g1 */
}
/* Likewise, one row for every PE. */
static inline void psim_simd_get(unsigned sbm_offset, const void *memory, unsigned bytes, long pe_stride,
                                 unsigned tag) {
  const struct psim_transfer transfer = {(unsigned long)memory, pe_stride, 0, sbm_offset, bytes, bytes, 1,
                                         psim_simd_all(), tag};
  psim_simd_get_tile(&transfer);
}
static inline void psim_simd_put(unsigned sbm_offset, void *memory, unsigned bytes, long pe_stride, unsigned tag) {
  const struct psim_transfer transfer = {(unsigned long)memory, pe_stride, 0, sbm_offset, bytes, bytes, 1,
                                         psim_simd_all(), tag};
  psim_simd_put_tile(&transfer);
}

/* A doubleword of one SBM, from scalar state (ASI 0xb8). */
static inline double psim_sbm_read(unsigned pe, unsigned offset) {
  double value;
  __asm__ __volatile__("ldda [%1] 0xb8, %0" : "=e"(value) : "r"((unsigned long)pe << 20 | offset) : "memory");
  return value;
}
/* The same as an integer, in either state: what one PE has, on purpose. */
static inline unsigned long psim_sbm_read_bits(unsigned pe, unsigned offset) {
  unsigned long value;
  __asm__ __volatile__("ldxa [%1] 0xb8, %0" : "=r"(value) : "r"((unsigned long)pe << 20 | offset) : "memory");
  return value;
}
static inline void psim_sbm_write(unsigned pe, unsigned offset, double value) {
  __asm__ __volatile__("stda %0, [%1] 0xb8" : : "e"(value), "r"((unsigned long)pe << 20 | offset) : "memory");
}

/* ---- operations of SIMD functions ----
 *
 * psim_field_ finds the field of a register from its name, so that the compiler chooses the registers. */
__asm__(
    "  .macro psim_field_ name, reg\n"
    "  .set \\name, -1\n"
    "  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26\n"
    "  .ifc \\reg, %f\\n\n"
    "  .set \\name, \\n\n"
    "  .endif\n"
    "  .endr\n"
    "  .irp n, 27, 28, 29, 30, 31\n"
    "  .ifc \\reg, %f\\n\n"
    "  .set \\name, \\n\n"
    "  .endif\n"
    "  .endr\n"
    "  .irp n, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62\n"
    "  .ifc \\reg, %f\\n\n"
    "  .set \\name, \\n - 31\n"
    "  .endif\n"
    "  .endr\n"
    "  .if \\name < 0\n"
    "  .error \"psim_simd.h: a floating-point register was expected\"\n"
    "  .endif\n"
    "  .endm\n"
    "  .macro psim_word_ base, rd, rs1, rs2, rs3\n"
    "  psim_field_ psim_rd_, \\rd\n"
    "  psim_field_ psim_rs1_, \\rs1\n"
    "  psim_field_ psim_rs2_, \\rs2\n"
    "  psim_field_ psim_rs3_, \\rs3\n"
    "  .word \\base + (psim_rd_ << 25) + (psim_rs1_ << 14) + psim_rs2_ + (psim_rs3_ << 9)\n"
    "  .endm\n");

#define PSIM_ONE_(NAME, TYPE, WORD)                                                                  \
  static inline TYPE NAME(TYPE b) {                                                                  \
    TYPE r;                                                                                          \
    __asm__ __volatile__("psim_word_ " WORD ", %0, %%f0, %1, %%f0" : "=e"(r) : "e"(b));              \
    return r;                                                                                        \
  }
#define PSIM_TWO_(NAME, TYPE, WORD)                                                                  \
  static inline TYPE NAME(TYPE a, TYPE b) {                                                          \
    TYPE r;                                                                                          \
    __asm__("psim_word_ " WORD ", %0, %1, %2, %%f0" : "=e"(r) : "e"(a), "e"(b));                     \
    return r;                                                                                        \
  }
#define PSIM_THREE_(NAME, TYPE, WORD)                                                                \
  static inline TYPE NAME(TYPE a, TYPE b, TYPE c) {                                                  \
    TYPE r;                                                                                          \
    __asm__("psim_word_ " WORD ", %0, %1, %2, %3" : "=e"(r) : "e"(a), "e"(b), "e"(c));               \
    return r;                                                                                        \
  }

/* The sum over the enabled PEs, for every PE. */
PSIM_ONE_(psim_fsums, float, "0x81b014a0")
PSIM_ONE_(psim_fsumd, double, "0x81b014c0")

/* The number of the PE that asks, as an integer in a floating-point register, and as a number. */
static inline double psim_pe_bits(void) {
  double r;
  __asm__ __volatile__("psim_word_ 0x81b013c0, %0, %%f0, %%f0, %%f0" : "=e"(r));
  return r;
}
static inline double psim_pe(void) {
  double r = psim_pe_bits();
  __asm__("fxtod %1, %0" : "=e"(r) : "e"(r));
  return r;
}

/* Cross operations. b comes from the partner: in the odd PE (fx…), in the even PE (fxe…), in both (fxb…); fxc… and
 * fxj…: in both, and the even (c) or odd (j) PE negates it. */
PSIM_TWO_(psim_fxadds, float, "0x81b01820")
PSIM_TWO_(psim_fxaddd, double, "0x81b01840")
PSIM_TWO_(psim_fxsubs, float, "0x81b018a0")
PSIM_TWO_(psim_fxsubd, double, "0x81b018c0")
PSIM_TWO_(psim_fxmuls, float, "0x81b01920")
PSIM_TWO_(psim_fxmuld, double, "0x81b01940")
PSIM_ONE_(psim_fxmovs, float, "0x81b019a0")
PSIM_ONE_(psim_fxmovd, double, "0x81b019c0")
PSIM_TWO_(psim_fxeadds, float, "0x81b01a20")
PSIM_TWO_(psim_fxeaddd, double, "0x81b01a40")
PSIM_TWO_(psim_fxesubs, float, "0x81b01aa0")
PSIM_TWO_(psim_fxesubd, double, "0x81b01ac0")
PSIM_TWO_(psim_fxemuls, float, "0x81b01b20")
PSIM_TWO_(psim_fxemuld, double, "0x81b01b40")
PSIM_ONE_(psim_fxemovs, float, "0x81b01ba0")
PSIM_ONE_(psim_fxemovd, double, "0x81b01bc0")
PSIM_TWO_(psim_fxbadds, float, "0x81b01c20")
PSIM_TWO_(psim_fxbaddd, double, "0x81b01c40")
PSIM_TWO_(psim_fxbsubs, float, "0x81b01ca0")
PSIM_TWO_(psim_fxbsubd, double, "0x81b01cc0")
PSIM_TWO_(psim_fxbmuls, float, "0x81b01d20")
PSIM_TWO_(psim_fxbmuld, double, "0x81b01d40")
PSIM_ONE_(psim_fxbmovs, float, "0x81b01da0")
PSIM_ONE_(psim_fxbmovd, double, "0x81b01dc0")
PSIM_TWO_(psim_fxcadds, float, "0x81b01e20")
PSIM_TWO_(psim_fxcaddd, double, "0x81b01e40")
PSIM_TWO_(psim_fxjadds, float, "0x81b01ea0")
PSIM_TWO_(psim_fxjaddd, double, "0x81b01ec0")
/* a × b + c, a × b - c, -(a × b) + c, -(a × b) - c. */
PSIM_THREE_(psim_fxmadds, float, "0x80e80020")
PSIM_THREE_(psim_fxmaddd, double, "0x80e80040")
PSIM_THREE_(psim_fxmsubs, float, "0x80e800a0")
PSIM_THREE_(psim_fxmsubd, double, "0x80e800c0")
PSIM_THREE_(psim_fxnmsubs, float, "0x80e80120")
PSIM_THREE_(psim_fxnmsubd, double, "0x80e80140")
PSIM_THREE_(psim_fxnmadds, float, "0x80e801a0")
PSIM_THREE_(psim_fxnmaddd, double, "0x80e801c0")
PSIM_THREE_(psim_fxemadds, float, "0x80e80000")
PSIM_THREE_(psim_fxemaddd, double, "0x80e80060")
PSIM_THREE_(psim_fxemsubs, float, "0x80e80080")
PSIM_THREE_(psim_fxemsubd, double, "0x80e800e0")
PSIM_THREE_(psim_fxenmsubs, float, "0x80e80100")
PSIM_THREE_(psim_fxenmsubd, double, "0x80e80160")
PSIM_THREE_(psim_fxenmadds, float, "0x80e80180")
PSIM_THREE_(psim_fxenmaddd, double, "0x80e801e0")
PSIM_THREE_(psim_fxbmadds, float, "0xc1400020")
PSIM_THREE_(psim_fxbmaddd, double, "0xc1400040")
PSIM_THREE_(psim_fxbmsubs, float, "0xc14000a0")
PSIM_THREE_(psim_fxbmsubd, double, "0xc14000c0")
PSIM_THREE_(psim_fxbnmsubs, float, "0xc1400120")
PSIM_THREE_(psim_fxbnmsubd, double, "0xc1400140")
PSIM_THREE_(psim_fxbnmadds, float, "0xc14001a0")
PSIM_THREE_(psim_fxbnmaddd, double, "0xc14001c0")
PSIM_THREE_(psim_fxcmadds, float, "0xc1400000")
PSIM_THREE_(psim_fxcmaddd, double, "0xc1400060")
PSIM_THREE_(psim_fxjmadds, float, "0xc1400080")
PSIM_THREE_(psim_fxjmaddd, double, "0xc14000e0")

#undef PSIM_ONE_
#undef PSIM_TWO_
#undef PSIM_THREE_

/* ---- selects ----
 *
 * psim_select_gt(x, y, a, b) is x > y ? a : b, decided by every PE for itself: a compare and a conditional move, without
 * a branch. Both a and b are computed. The comparisons are those of C: with a NaN all but "ne" are false, and == and !=
 * raise no exception for a quiet NaN. The functions with f at the end of their names are for float. In scalar state they
 * do the same with the scalar registers. */
#define PSIM_SELECT_(NAME, TYPE, REGISTER, COMPARE, MOVE)                                            \
  static inline TYPE NAME(TYPE x, TYPE y, TYPE a, TYPE b) {                                          \
    __asm__(COMPARE " %%fcc3, %1, %2\n\t" MOVE " %%fcc3, %3, %0"                                     \
            : "+" REGISTER(b)                                                                        \
            : REGISTER(x), REGISTER(y), REGISTER(a)                                                  \
            : "fcc3");                                                                               \
    return b;                                                                                        \
  }
#define PSIM_SELECTS_(OP, COMPARE, MOVE)                                               \
  PSIM_SELECT_(psim_select_##OP, double, "e", COMPARE "d", "fmovd" MOVE)               \
  PSIM_SELECT_(psim_select_##OP##f, float, "f", COMPARE "s", "fmovs" MOVE)
PSIM_SELECTS_(gt, "fcmpe", "g")
PSIM_SELECTS_(ge, "fcmpe", "ge")
PSIM_SELECTS_(lt, "fcmpe", "l")
PSIM_SELECTS_(le, "fcmpe", "le")
PSIM_SELECTS_(eq, "fcmp", "e")
PSIM_SELECTS_(ne, "fcmp", "ne")
#undef PSIM_SELECTS_
#undef PSIM_SELECT_

#endif
