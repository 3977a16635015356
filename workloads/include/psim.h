/* SPDX-License-Identifier: Apache-2.0
 * Marks regions of a program for psim run and psim net:
 *
 *     PSIM_REGION_BEGIN("dgemm", n);
 *     …
 *     PSIM_REGION_END("dgemm");
 *
 * The name is a C string (255 characters at most); up to four integer arguments may follow it and are shown
 * with the region's cycles. A marker is one instruction that does nothing on any real SPARC and under qemu;
 * on other machines it is no instruction at all. In programs of psim-cc and psim-cxx it calls psim, which gives
 * the region's time (psim net --compute). Regions may nest; they end in the order opposite to their beginning.
 *
 *     PSIM_REGION_SKIP("dgemm", n) {
 *       …
 *     }
 *
 * is a region whose body psim net --skeleton leaves out: only its time passes. No break, goto or return may
 * leave the body.
 *
 *     PSIM_WORK(flops, memory_bytes);
 *
 * states floating-point operations and bytes of memory that the rank has read and written, for psim roofline. On
 * a sparc64 core psim counts both by itself, and the statement has no effect. Fortran: see psim.f90. */
#ifndef PSIM_H
#define PSIM_H

#if defined(__sparc__) && defined(__arch64__)

/* sethi to %g0 with a number for its kind; isa/state/region_marker.h reads it. A function, because gcc forgets the
 * registers of such variables in the body of an OpenMP region. */
#define PSIM_MARKER_(FUNCTION, WORD)                                                                              \
  static inline __attribute__((__always_inline__)) void FUNCTION(const char* name, long long a, long long b,      \
                                                                 long long c, long long d) {                      \
    register const char* in_o0 __asm__("o0") = name;                                                              \
    register long long in_o1 __asm__("o1") = a;                                                                   \
    register long long in_o2 __asm__("o2") = b;                                                                   \
    register long long in_o3 __asm__("o3") = c;                                                                   \
    register long long in_o4 __asm__("o4") = d;                                                                   \
    __asm__ __volatile__(".word " WORD : : "r"(in_o0), "r"(in_o1), "r"(in_o2), "r"(in_o3), "r"(in_o4) : "memory"); \
  }
PSIM_MARKER_(psim_begin_0_, "0x013051d0")
PSIM_MARKER_(psim_begin_1_, "0x013051d1")
PSIM_MARKER_(psim_begin_2_, "0x013051d2")
PSIM_MARKER_(psim_begin_3_, "0x013051d3")
PSIM_MARKER_(psim_begin_4_, "0x013051d4")
PSIM_MARKER_(psim_end_, "0x013051e0")

#define PSIM_BEGIN_(COUNT, NAME, A, B, C, D) \
  psim_begin_##COUNT##_(NAME, (long long)(A), (long long)(B), (long long)(C), (long long)(D))
#define PSIM_END_(NAME) psim_end_(NAME, 0, 0, 0, 0)
#define PSIM_WORK(FLOPS, BYTES) ((void)(FLOPS), (void)(BYTES))

#elif defined(PSIM_RANKS) /* psim-cc, psim-cxx and psim-f90 define it */

#ifdef __cplusplus
extern "C" {
#endif
void psim_region_begin_at(const char* name, int count, const long long* arguments, const char* file, int line);
void psim_region_end_at(const char* name, const char* file, int line);
/* Returns whether the region's body is to be executed; if not, the region has passed. */
int psim_region_runs_at(const char* name, int count, const long long* arguments, const char* file, int line);
void psim_work(long long flops, long long memory_bytes);
#ifdef __cplusplus
}
#endif

#define PSIM_BEGIN_(COUNT, NAME, A, B, C, D)                                                             \
  do {                                                                                                   \
    const char* psim_name_v_ = (NAME);                                                                   \
    const long long psim_arguments_[4] = {(long long)(A), (long long)(B), (long long)(C), (long long)(D)}; \
    psim_region_begin_at(psim_name_v_, COUNT, psim_arguments_, __FILE__, __LINE__);                      \
  } while (0)
#define PSIM_END_(NAME) psim_region_end_at(NAME, __FILE__, __LINE__)
#define PSIM_WORK(FLOPS, BYTES) psim_work((long long)(FLOPS), (long long)(BYTES))

static inline int psim_runs_(const char* name, int count, long long a, long long b, long long c, long long d,
                             const char* file, int line) {
  const long long arguments[4] = {a, b, c, d};
  return psim_region_runs_at(name, count, arguments, file, line);
}
static inline int psim_ran_(const char* name, const char* file, int line) {
  psim_region_end_at(name, file, line);
  return 0;
}
#define PSIM_RUNS_(COUNT, NAME, A, B, C, D)                                                                       \
  psim_runs_(NAME, COUNT, (long long)(A), (long long)(B), (long long)(C), (long long)(D), __FILE__, __LINE__)
#define PSIM_RAN_(NAME) psim_ran_(NAME, __FILE__, __LINE__)

#else
#define PSIM_BEGIN_(COUNT, NAME, A, B, C, D) ((void)(NAME), (void)(A), (void)(B), (void)(C), (void)(D))
#define PSIM_END_(NAME) ((void)(NAME))
#define PSIM_WORK(FLOPS, BYTES) ((void)(FLOPS), (void)(BYTES))
#endif

#define PSIM_BEGIN_0_(NAME) PSIM_BEGIN_(0, NAME, 0, 0, 0, 0)
#define PSIM_BEGIN_1_(NAME, A) PSIM_BEGIN_(1, NAME, A, 0, 0, 0)
#define PSIM_BEGIN_2_(NAME, A, B) PSIM_BEGIN_(2, NAME, A, B, 0, 0)
#define PSIM_BEGIN_3_(NAME, A, B, C) PSIM_BEGIN_(3, NAME, A, B, C, 0)
#define PSIM_BEGIN_4_(NAME, A, B, C, D) PSIM_BEGIN_(4, NAME, A, B, C, D)
#define PSIM_PICK_(N0, N1, N2, N3, N4, WHICH, ...) WHICH

#define PSIM_REGION_BEGIN(...)                                                                          \
  PSIM_PICK_(__VA_ARGS__, PSIM_BEGIN_4_, PSIM_BEGIN_3_, PSIM_BEGIN_2_, PSIM_BEGIN_1_, PSIM_BEGIN_0_, 0) \
  (__VA_ARGS__)
#define PSIM_REGION_END(NAME) PSIM_END_(NAME)

#ifndef PSIM_RUNS_
static inline int psim_runs_(const char* name, int count, long long a, long long b, long long c, long long d) {
  switch (count) {
    case 0:
      PSIM_REGION_BEGIN(name);
      break;
    case 1:
      PSIM_REGION_BEGIN(name, a);
      break;
    case 2:
      PSIM_REGION_BEGIN(name, a, b);
      break;
    case 3:
      PSIM_REGION_BEGIN(name, a, b, c);
      break;
    default:
      PSIM_REGION_BEGIN(name, a, b, c, d);
      break;
  }
  return 1;
}
static inline int psim_ran_(const char* name) {
  PSIM_REGION_END(name);
  return 0;
}
#define PSIM_RUNS_(COUNT, NAME, A, B, C, D) \
  psim_runs_(NAME, COUNT, (long long)(A), (long long)(B), (long long)(C), (long long)(D))
#define PSIM_RAN_(NAME) psim_ran_(NAME)
#endif

#define PSIM_SKIP_0_(NAME) PSIM_SKIP_(0, NAME, 0, 0, 0, 0)
#define PSIM_SKIP_1_(NAME, A) PSIM_SKIP_(1, NAME, A, 0, 0, 0)
#define PSIM_SKIP_2_(NAME, A, B) PSIM_SKIP_(2, NAME, A, B, 0, 0)
#define PSIM_SKIP_3_(NAME, A, B, C) PSIM_SKIP_(3, NAME, A, B, C, 0)
#define PSIM_SKIP_4_(NAME, A, B, C, D) PSIM_SKIP_(4, NAME, A, B, C, D)
#define PSIM_SKIP_(COUNT, NAME, A, B, C, D) \
  for (int psim_runs_v_ = PSIM_RUNS_(COUNT, NAME, A, B, C, D); psim_runs_v_; psim_runs_v_ = PSIM_RAN_(NAME))
#define PSIM_REGION_SKIP(...)                                                                      \
  PSIM_PICK_(__VA_ARGS__, PSIM_SKIP_4_, PSIM_SKIP_3_, PSIM_SKIP_2_, PSIM_SKIP_1_, PSIM_SKIP_0_, 0) \
  (__VA_ARGS__)

#endif
