/* SPDX-License-Identifier: Apache-2.0
 * libgomp calls dlopen if it is to load a profiler of OpenACC. The linker would warn of that in each program, because static programs
 * can hardly load libraries; with this function in the place of libc's, it warns only of what the program itself calls. */
#include <stdio.h>

void *__wrap_dlopen(const char *file, int mode) {
  (void)mode;
  fprintf(stderr, "psim_omp: dlopen %s: programs for psim's cores are static, and load no libraries\n", file ? file : "of the program");
  return 0;
}
