/* SPDX-License-Identifier: Apache-2.0
 * What cannot work, one case a run: each ends in its precise exception. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "psim_simd.h"

static double memory[64];
static volatile sig_atomic_t caught;

__attribute__((noinline)) static double divide(double a, double b) { return a / b; }
__attribute__((noinline)) static double branch(double a) {
  if (psim_pe() < a) psim_simd_set_mask(1);
  return a;
}
__attribute__((noinline)) static void store(double *to, double a) { *to = a; }
__attribute__((noinline)) static double deep(double a, int n) {
  volatile double local[200];
  for (int i = 0; i < 200; i++) local[i] = a;
  return n == 0 ? local[7] : deep(a + local[3], n - 1) + local[5];
}
__attribute__((noinline)) static double read(const double *from) { return *from + 1; }

/* With VIS 3, gcc keeps values in integer registers if no floating-point register is free. */
__attribute__((noinline)) static double crowd(double a, const double *x, long n) {
  double sum[40];
  for (int i = 0; i < 40; i++) sum[i] = a + i;
  for (long k = 0; k < n; k++) {
    double first = sum[0];
#pragma GCC unroll 40
    for (int i = 0; i < 39; i++) sum[i] = sum[i + 1] + x[k];
    sum[39] = first * 0.5;
  }
  double all = 0;
  for (int i = 0; i < 40; i++) all += sum[i];
  return psim_fsumd(all);
}
__attribute__((noinline)) static double crowd_of_one(double a, const double *x, long n) { return crowd(a, x, n); }
__attribute__((noinline)) static double crowd_of_all(double a, const double *x, long n) {
  return crowd(a + psim_pe(), x, n);
}
/* It copies structures by integer registers. */
struct pair {
  double a, b;
};
__attribute__((noinline)) static double copy(struct pair *to, const struct pair *from) {
  *to = *from;
  return to->a;
}
__attribute__((noinline)) static double members(struct pair *to, const struct pair *from) {
  to->a = from->a, to->b = from->b;
  return to->b;
}
/* A number for an address is one for all. */
__attribute__((noinline)) static double element(const double *x, double a) { return x[(int)(psim_pe() * a)]; }
/* The value of PE `a`, on purpose. */
__attribute__((noinline)) static double chosen(double *x, long pe) {
  x[2] = psim_pe() * 3;
  return x[psim_sbm_read_bits((unsigned)pe, 16) == 0x4008000000000000 ? 0 : 1];
}

/* A handler runs in scalar state; after it the function goes on in SIMD state. */
static void handler(int number) {
  (void)number;
  memory[1] = memory[0] / 3.0;  /* both impossible in SIMD state */
  caught++;
}
/* A handler that uses the PEs, too: other registers, and no PE less than all of them. */
__attribute__((noinline)) static double count(double a) {
  double all[8];
  for (int i = 0; i < 8; i++) all[i] = a + i;
  for (int i = 0; i < 8; i++) a = psim_fsumd(all[i]);
  return a;
}
static void busy_handler(int number) {
  handler(number);
  memory[2] = psim_simd_mask() == psim_simd_all() ? psim_simd_call(count, 1.0) : -1;
}
__attribute__((noinline)) static double busy(double a) {
  double kept[8];
  for (int i = 0; i < 8; i++) kept[i] = psim_pe() * (i + 1) + a;
  __asm__ volatile("" : "+e"(kept[0]), "+e"(kept[1]), "+e"(kept[2]), "+e"(kept[3]), "+e"(kept[4]), "+e"(kept[5]),
                   "+e"(kept[6]), "+e"(kept[7]));
  psim_simd_set_mask(psim_simd_all() & ~2u);
  register long number __asm__("g1") = 20, pid __asm__("o0");
  __asm__ volatile("ta 0x6d" : "=r"(pid) : "r"(number) : "cc", "memory"); /* getpid */
  register long kill_number __asm__("g1") = 37, to __asm__("o0") = pid, signal __asm__("o1") = SIGUSR1;
  __asm__ volatile("ta 0x6d" : "+r"(to) : "r"(kill_number), "r"(signal) : "cc", "memory");
  const int masked = psim_simd_mask() == (psim_simd_all() & ~2u);
  psim_simd_set_mask(psim_simd_all());
  double sum = masked ? 0 : 1e9;
  for (int i = 0; i < 8; i++) sum += psim_fsumd(kept[i]);
  return sum;
}
/* A handler whose function has a local array, too, where the interrupted one has its own. */
__attribute__((noinline)) static double filled(double a, int n) {
  volatile double local[64];
  for (int i = 0; i < 64; i++) local[i] = a + i;
  return local[n];
}
static void filling_handler(int number) {
  (void)number;
  caught++;
  memory[3] = psim_simd_call(filled, 1000.0, 7);
}
__attribute__((noinline)) static double interrupted(double a) {
  volatile double local[64];
  for (int i = 0; i < 64; i++) local[i] = psim_pe() * a + i;
  register long number __asm__("g1") = 20, pid __asm__("o0");
  __asm__ volatile("ta 0x6d" : "=r"(pid) : "r"(number) : "cc", "memory"); /* getpid */
  register long kill_number __asm__("g1") = 37, to __asm__("o0") = pid, signal __asm__("o1") = SIGUSR1;
  __asm__ volatile("ta 0x6d" : "+r"(to) : "r"(kill_number), "r"(signal) : "cc", "memory");
  double sum = 0;
  for (int i = 0; i < 64; i++) sum += local[i] - i;
  return psim_fsumd(sum);
}
__attribute__((noinline)) static double with_signal(double a) {
  register long number __asm__("g1") = 20, pid __asm__("o0");
  __asm__ volatile("ta 0x6d" : "=r"(pid) : "r"(number) : "cc", "memory"); /* getpid */
  register long kill_number __asm__("g1") = 37, to __asm__("o0") = pid, signal __asm__("o1") = SIGUSR1;
  __asm__ volatile("ta 0x6d" : "+r"(to) : "r"(kill_number), "r"(signal) : "cc", "memory");
  return psim_pe() + a;
}

/* A handler on purpose. */
static sigjmp_buf back;
static void returning_handler(int number) {
  (void)number;
  caught++;
  siglongjmp(back, 1);
}

int main(int argc, char **argv) {
  const char *const which = argc > 1 ? argv[1] : "";
  struct psim_transfer bad = {(unsigned long)memory, 0, 0, 0, 64, 64, 1, 1, 0};
  if (!strcmp(which, "divide")) printf("%g\n", psim_simd_call(divide, 1.0, 2.0));
  if (!strcmp(which, "branch")) printf("%g\n", psim_simd_call(branch, 1.0));
  double *const sbm = psim_simd_data(0);
  for (unsigned pe = 0; pe < psim_simd_pes(); pe++)
    for (unsigned i = 0; i < 4; i++) psim_sbm_write(pe, 8 * i, i == 1 ? pe : 1.0);
  if (!strcmp(which, "alone")) printf("%g\n", psim_simd_call(crowd_of_one, 1.0, sbm, 1L));
  if (!strcmp(which, "crowd")) printf("%g\n", psim_simd_call(crowd_of_all, 1.0, sbm, 1L));
  if (!strcmp(which, "copy")) printf("%g\n", psim_simd_call(copy, (struct pair *)(sbm + 8), (struct pair *)sbm));
  if (!strcmp(which, "alike")) printf("%g\n", psim_simd_call(copy, (struct pair *)(sbm + 8), (struct pair *)(sbm + 2)));
  if (!strcmp(which, "members"))
    printf("%g\n", psim_simd_call(members, (struct pair *)(sbm + 8), (struct pair *)sbm) + psim_sbm_read(5, 72));
  if (!strcmp(which, "element")) printf("%g\n", psim_simd_call(element, (const double *)sbm, 0.5));
  if (!strcmp(which, "same")) printf("%g\n", psim_simd_call(element, (const double *)sbm, 0.0));
  if (!strcmp(which, "chosen")) printf("%g\n", psim_simd_call(chosen, sbm, 1L));
  if (!strcmp(which, "store")) psim_simd_call(store, memory, 1.0);
  if (!strcmp(which, "deep")) printf("%g\n", psim_simd_call(deep, 1.0, 10));
  if (!strcmp(which, "shallow")) printf("%g\n", psim_simd_call(deep, 1.0, 2));
  if (!strcmp(which, "race")) {
    psim_simd_get(0, memory, 64, 0, 5);
    printf("%g\n", psim_simd_call(read, (const double *)psim_simd_data(8)));
  }
  if (!strcmp(which, "descriptor")) bad.row_bytes = 12, psim_simd_get_tile(&bad);
  if (!strcmp(which, "beyond")) bad.sbm_offset = 65536 - 32, psim_simd_get_tile(&bad);
  if (!strcmp(which, "unmapped")) bad.memory = 0x40, psim_simd_get_tile(&bad);
  if (!strcmp(which, "cross")) printf("%g\n", psim_fxmaddd(1.0, 2.0, 3.0));
  if (!strcmp(which, "scalar")) printf("%g\n", *(volatile double *)psim_simd_data(0));
  if (!strcmp(which, "pe")) printf("%g\n", psim_sbm_read(16, 0));
  if (!strcmp(which, "busy")) {
    signal(SIGUSR1, busy_handler);
    const double result = psim_simd_call(busy, 0.5);
    printf("%d handled, %g there, %g here\n", (int)caught, memory[2], result);
  }
  if (!strcmp(which, "locals") || !strcmp(which, "small")) {
    static char small[16384];
    const stack_t stack = {.ss_sp = small, .ss_size = sizeof small};
    const int alternate = which[0] == 's' && sigaltstack(&stack, NULL) == 0;
    const struct sigaction action = {.sa_handler = filling_handler, .sa_flags = alternate ? SA_ONSTACK : 0};
    sigaction(SIGUSR1, &action, NULL);
    const double result = psim_simd_call(interrupted, 0.5);
    printf("%d handled, %g there, %g here\n", (int)caught, memory[3], result);
  }
  if (!strcmp(which, "signal")) {
    signal(SIGUSR1, handler);
    memory[0] = 6;
    const double result = psim_simd_call(with_signal, 0.5);
    printf("%d handled, %g, PE 0 %g\n", (int)caught, memory[1], result);
  }
  if (!strcmp(which, "handled")) {
    signal(SIGILL, returning_handler);
    for (volatile int i = 0; i < 3; i++)
      if (!sigsetjmp(back, 1)) psim_simd_call(divide, 1.0, 2.0);
    if (!sigsetjmp(back, 1)) psim_simd_call(branch, 1.0);
    printf("%d handled\n", (int)caught);
  }
  return 0;
}
