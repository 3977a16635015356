// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic on the host's SSE unit, one instruction each, with the rounding mode and the
// sticky flags of MXCSR. Written as volatile assembly so that no compiler, at any level, folds an operation,
// drops one whose flags matter, or moves one across a change of MXCSR.
//
// Unless a NaN results, IEEE 754 determines values and flags, so the host's are SPARC's. The exceptions are
// NaN results, conversions out of range, and the underflow of results rounded up to the least normal number;
// callers detect them and use isa/fp/operation.h.
#pragma once

#include <cstdint>

#if !defined(__x86_64__)
#error "the floating-point fast path is written for x86-64 hosts"
#endif

namespace psim::isa::fp::host {

// MXCSR: sticky flags in bits 0–5, their masks in 7–12, rounding in 13–14.
inline constexpr std::uint32_t kFlags = 0x3f, kMasks = 0x1f80;

inline std::uint32_t read_mxcsr() {
  std::uint32_t value;
  asm volatile("stmxcsr %0" : "=m"(value) : : "memory");
  return value;
}
inline void write_mxcsr(std::uint32_t value) { asm volatile("ldmxcsr %0" : : "m"(value) : "memory"); }

#define PSIM_FP_BINARY(name, T, instruction)                \
  inline T name(T a, T b) {                                 \
    asm volatile(instruction " %1, %0" : "+x"(a) : "x"(b)); \
    return a;                                               \
  }
PSIM_FP_BINARY(add, double, "addsd")
PSIM_FP_BINARY(sub, double, "subsd")
PSIM_FP_BINARY(mul, double, "mulsd")
PSIM_FP_BINARY(div, double, "divsd")
PSIM_FP_BINARY(add, float, "addss")
PSIM_FP_BINARY(sub, float, "subss")
PSIM_FP_BINARY(mul, float, "mulss")
PSIM_FP_BINARY(div, float, "divss")
#undef PSIM_FP_BINARY

#define PSIM_FP_UNARY(name, From, To, instruction)                              \
  inline To name(From a) {                                                      \
    To r;                                                                       \
    asm volatile("xorps %0, %0\n\t" instruction " %1, %0" : "=&x"(r) : "x"(a)); \
    return r;                                                                   \
  }
PSIM_FP_UNARY(root, double, double, "sqrtsd")
PSIM_FP_UNARY(root, float, float, "sqrtss")
PSIM_FP_UNARY(to_double, float, double, "cvtss2sd")
PSIM_FP_UNARY(to_single, double, float, "cvtsd2ss")
#undef PSIM_FP_UNARY

#define PSIM_FP_FROM(name, From, To, instruction)                               \
  inline To name(From a) {                                                      \
    To r;                                                                       \
    asm volatile("xorps %0, %0\n\t" instruction " %1, %0" : "=&x"(r) : "r"(a)); \
    return r;                                                                   \
  }
PSIM_FP_FROM(to_double, std::int32_t, double, "cvtsi2sdl")
PSIM_FP_FROM(to_double, std::int64_t, double, "cvtsi2sdq")
PSIM_FP_FROM(to_single, std::int32_t, float, "cvtsi2ssl")
PSIM_FP_FROM(to_single, std::int64_t, float, "cvtsi2ssq")
#undef PSIM_FP_FROM

// Truncates; the least integer stands for every number out of range, NaNs included.
#define PSIM_FP_TO(name, From, To, instruction)             \
  inline To name(From a) {                                  \
    To r;                                                   \
    asm volatile(instruction " %1, %0" : "=r"(r) : "x"(a)); \
    return r;                                               \
  }
PSIM_FP_TO(to_int32, double, std::int32_t, "cvttsd2sil")
PSIM_FP_TO(to_int64, double, std::int64_t, "cvttsd2siq")
PSIM_FP_TO(to_int32, float, std::int32_t, "cvttss2sil")
PSIM_FP_TO(to_int64, float, std::int64_t, "cvttss2siq")
#undef PSIM_FP_TO

// Returns the value of an fcc field: 0 equal, 1 less, 2 greater, 3 unordered.
#define PSIM_FP_COMPARE(name, T, instruction)                                                               \
  inline unsigned name(T a, T b) {                                                                          \
    bool equal, parity, carry;                                                                              \
    asm volatile(instruction " %4, %3" : "=@ccz"(equal), "=@ccp"(parity), "=@ccc"(carry) : "x"(a), "x"(b)); \
    /* ZF, PF, CF: greater 000, equal 100, less 001, unordered 111; two bits of the table each */           \
    return 0xc102u >> (2 * (equal | parity << 1 | carry << 2)) & 3;                                         \
  }
PSIM_FP_COMPARE(compare, double, "ucomisd")
PSIM_FP_COMPARE(compare, float, "ucomiss")
PSIM_FP_COMPARE(compare_signalling, double, "comisd")
PSIM_FP_COMPARE(compare_signalling, float, "comiss")
#undef PSIM_FP_COMPARE

/// Returns true for any NaN. Raises no flag, since no result is a signalling NaN.
inline bool is_nan(double a) { return __builtin_isunordered(a, a); }
inline bool is_nan(float a) { return __builtin_isunordered(a, a); }

/// Returns true if a rounded result is the least normal number of either sign. Its exact value may have been
/// tiny, which the host, detecting tininess after rounding, does not report.
inline bool is_least_normal(double a) {
  return __builtin_bit_cast(std::uint64_t, a) << 1 == std::uint64_t{0x0010'0000'0000'0000} << 1;
}
inline bool is_least_normal(float a) {
  return __builtin_bit_cast(std::uint32_t, a) << 1 == 0x0080'0000u << 1;
}

/// Returns true if the host multiplies and adds with one rounding.
inline bool has_multiply_add() { return __builtin_cpu_supports("fma") != 0; }
/// Returns a × b + c; call only if has_multiply_add().
inline double multiply_add(double a, double b, double c) {
  asm volatile("vfmadd231sd %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
  return c;
}
inline float multiply_add(float a, float b, float c) {
  asm volatile("vfmadd231ss %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
  return c;
}
inline double multiply_sub(double a, double b, double c) {
  asm volatile("vfmsub231sd %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
  return c;
}
inline float multiply_sub(float a, float b, float c) {
  asm volatile("vfmsub231ss %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
  return c;
}

}  // namespace psim::isa::fp::host
