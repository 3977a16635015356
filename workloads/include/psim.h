/* SPDX-License-Identifier: Apache-2.0
 * Marks regions of a program for psim run:
 *
 *     PSIM_REGION_BEGIN("dgemm", n);
 *     …
 *     PSIM_REGION_END("dgemm");
 *
 * The name is a C string (255 characters at most); up to four integer arguments may follow it and are shown
 * with the region's cycles. A marker is one instruction that does nothing on any real SPARC and under qemu;
 * on other machines it is no instruction at all. Regions may nest; they end in the order opposite to their
 * beginning. Fortran: see psim.f90. */
#ifndef PSIM_H
#define PSIM_H

#if defined(__sparc__) && defined(__arch64__)

/* sethi to %g0 with a number for its kind; isa/state/region_marker.h reads it. */
#define PSIM_MARKER_(WORD, NAME, A, B, C, D)                                                       \
  do {                                                                                             \
    /* First into variables: a call in an argument must not disturb the registers. */              \
    const char* psim_name_v_ = (NAME);                                                             \
    long long psim_a_v_ = (long long)(A), psim_b_v_ = (long long)(B);                              \
    long long psim_c_v_ = (long long)(C), psim_d_v_ = (long long)(D);                              \
    register const char* psim_name_ __asm__("o0") = psim_name_v_;                                  \
    register long long psim_a_ __asm__("o1") = psim_a_v_;                                          \
    register long long psim_b_ __asm__("o2") = psim_b_v_;                                          \
    register long long psim_c_ __asm__("o3") = psim_c_v_;                                          \
    register long long psim_d_ __asm__("o4") = psim_d_v_;                                          \
    __asm__ __volatile__(".word " WORD                                                             \
                         :                                                                         \
                         : "r"(psim_name_), "r"(psim_a_), "r"(psim_b_), "r"(psim_c_), "r"(psim_d_) \
                         : "memory");                                                              \
  } while (0)

#else
#define PSIM_MARKER_(WORD, NAME, A, B, C, D) ((void)(NAME), (void)(A), (void)(B), (void)(C), (void)(D))
#endif

#define PSIM_BEGIN_0_(NAME) PSIM_MARKER_("0x013051d0", NAME, 0, 0, 0, 0)
#define PSIM_BEGIN_1_(NAME, A) PSIM_MARKER_("0x013051d1", NAME, A, 0, 0, 0)
#define PSIM_BEGIN_2_(NAME, A, B) PSIM_MARKER_("0x013051d2", NAME, A, B, 0, 0)
#define PSIM_BEGIN_3_(NAME, A, B, C) PSIM_MARKER_("0x013051d3", NAME, A, B, C, 0)
#define PSIM_BEGIN_4_(NAME, A, B, C, D) PSIM_MARKER_("0x013051d4", NAME, A, B, C, D)
#define PSIM_PICK_(N0, N1, N2, N3, N4, WHICH, ...) WHICH

#define PSIM_REGION_BEGIN(...)                                                                          \
  PSIM_PICK_(__VA_ARGS__, PSIM_BEGIN_4_, PSIM_BEGIN_3_, PSIM_BEGIN_2_, PSIM_BEGIN_1_, PSIM_BEGIN_0_, 0) \
  (__VA_ARGS__)
#define PSIM_REGION_END(NAME) PSIM_MARKER_("0x013051e0", NAME, 0, 0, 0, 0)

#endif
