// SPDX-License-Identifier: Apache-2.0
// Arguments, environment, standard input, clocks, limits, names; ends with a status of its own.
#define _GNU_SOURCE
#include <locale.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
  setbuf(stdout, 0);
  for (int i = 1; i < argc; ++i) printf("[%s]", argv[i]);
  printf(" %s\n", getenv("PSIM_TEST_VARIABLE"));
  char line[100];
  while (fgets(line, sizeof line, stdin)) printf("in: %s", line);
  fprintf(stderr, "to stderr\n");
  struct utsname name;
  CALL(uname(&name));
  puts(name.machine), puts(name.sysname);
  struct timespec a, b;
  CALL(clock_gettime(CLOCK_MONOTONIC, &a));
  a.tv_sec = 1, a.tv_nsec = 0;
  struct timespec before;
  clock_gettime(CLOCK_MONOTONIC, &before);
  nanosleep(&(struct timespec){0, 20000000}, 0);
  clock_gettime(CLOCK_MONOTONIC, &b);
  SHOW((b.tv_sec - before.tv_sec) * 1000000000 + b.tv_nsec - before.tv_nsec >= 20000000);
  CALL(nanosleep(&(struct timespec){0, -1}, 0));
  CALL(clock_gettime(99, &b));
  CALL(clock_gettime(CLOCK_REALTIME, (struct timespec*)8));
  struct timeval tv;
  CALL(gettimeofday(&tv, 0));
  struct rlimit limit;
  CALL(getrlimit(RLIMIT_STACK, &limit));
  CALL(getrlimit(99, &limit));
  // A soft limit may rise to the hard one, which only falls.
  for (rlim_t files = 30; files <= 50; files += 10) {
    limit = (struct rlimit){files, files == 30 ? 40 : files};
    CALL(setrlimit(RLIMIT_NOFILE, &limit));
    getrlimit(RLIMIT_NOFILE, &limit);
    SHOW(limit.rlim_cur), SHOW(limit.rlim_max);
  }
  struct statvfs file_system;
  CALL(statvfs("/", &file_system));
  SHOW(file_system.f_blocks > 0 && file_system.f_files > 0);
  CALL(access("/dev/null/inside", R_OK));
  struct rusage usage;
  CALL(getrusage(RUSAGE_SELF, &usage));
  CALL(getrusage(77, &usage));
  CALL(sysconf(_SC_PAGESIZE));
  CALL(sysconf(_SC_CLK_TCK));
  struct sysinfo memory;
  CALL(sysinfo(&memory));
  SHOW(memory.freeram > 0 && memory.freeram < memory.totalram);
  FILE* file = fopen("/proc/self/stat", "r");
  char of[64] = {0}, state = 0;
  int self = 0, parent = 0;
  SHOW(file && fscanf(file, "%d (%63[^)]) %c %d", &self, of, &state, &parent) == 4);
  SHOW(self == getpid()), SHOW(state != 0), SHOW(parent > 0);
  puts(of);
  CALL(pathconf("/", _PC_NAME_MAX));
  SHOW(getauxval(AT_PAGESZ)), SHOW(getauxval(AT_HWCAP)), SHOW(getauxval(AT_SECURE));
  CALL(setlocale(LC_ALL, "C") != 0);
  CALL(getuid() == getauxval(AT_UID));
  jmp_buf there;
  volatile int times = 0;
  if (setjmp(there) < 3) longjmp(there, ++times);
  SHOW(times);
  long double x = 1;
  for (int i = 2; i < 20; ++i) x = x * i / 3.0L + 1.0L / i;
  printf("%.30Lg\n", x);
  return 42;
}
