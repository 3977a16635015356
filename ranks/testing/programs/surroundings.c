/* SPDX-License-Identifier: Apache-2.0
   Ranks change to separate folders, which all have a file of the same name, and have separate environments. The last
   rank stays in the first folder. No rank's processor is the host's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rank_library.h"

static int environment(int me, int last) {
  static char put[] = "PSIM_TEST_PUT=0";
  char number[8];
  const char* had = getenv("HOME");
  snprintf(number, sizeof number, "%d", me);
  put[14] = (char)('0' + me);
  if (me != last && (setenv("PSIM_TEST_SET", number, 1) != 0 || putenv(put) != 0)) return 20;
  if (me == 0) unsetenv("PATH");
  if (me == 1) clearenv();
  rank_sleep(1000);
  if (!getenv("PATH") != (me <= 1)) return 21;
  if (me == last) return getenv("PSIM_TEST_SET") || getenv("PSIM_TEST_PUT") ? 22 : 0;
  if (me == 1)
    return getenv("PSIM_TEST_SET") || setenv("HOME", "new", 0) != 0 || strcmp(getenv("HOME"), "new") != 0 ? 23
                                                                                                          : 0;
  if (strcmp(getenv("PSIM_TEST_SET"), number) != 0 || atoi(getenv("PSIM_TEST_PUT")) != me) return 24;
  setenv("PSIM_TEST_SET", "kept", 0);
  if (strcmp(getenv("PSIM_TEST_SET"), number) != 0 || setenv("A=B", "", 1) == 0) return 25;
  setenv("PSIM_TEST_SET", "more", 1);
  return strcmp(getenv("PSIM_TEST_SET"), "more") != 0 || (had && strcmp(getenv("HOME"), had) != 0) ? 26 : 0;
}

int main(int argc, char** argv) {
  int failed = environment(rank_number(), rank_count() - 1);
  if (failed) return failed;
  char above[PATH_MAX], name[PATH_MAX + 16], start[PATH_MAX], here[PATH_MAX];
  int me = rank_number(), last = rank_count() - 1, before, after;
  cpu_set_t set;
  if (argc < 2 || !getcwd(start, sizeof start) || !realpath(argv[1], above)) return 1;
  snprintf(name, sizeof name, "%s/%d", above, me);
  if (me != last && (mkdir(name, 0777) != 0 || chdir(name) != 0)) return 2;
  if (chdir("nowhere") == 0) return 3;
  rank_sleep(1000);
  if (!getcwd(here, sizeof here) || strcmp(here, me == last ? start : name) != 0) return 4;
  if (me != last) {
    FILE* file = fopen("same", "w");
    fprintf(file, "%d", me);
    fclose(file);
    rank_sleep(1000);
    file = fopen("same", "r");
    if (!file || getc(file) != '0' + me) return 5;
    fclose(file);
    int up = open("..", O_RDONLY);
    if (fchdir(up) != 0 || close(up) != 0) return 6;
    rank_sleep(1000);
    if (!getcwd(here, sizeof here) || strcmp(here, above) != 0) return 7;
  } else {
    rank_sleep(1000);
    rank_sleep(1000);
    if (access("same", F_OK) == 0) return 8;
  }
  sched_getaffinity(0, sizeof set, &set);
  before = CPU_COUNT(&set);
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) return 9;
  sched_getaffinity(0, sizeof set, &set);
  after = CPU_COUNT(&set);
  return before == after ? 0 : 10;
}
