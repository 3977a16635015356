/* SPDX-License-Identifier: Apache-2.0
   State of the C library: each rank has its own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rank_library.h"

static int wrong, number;

static void check(int right, const char* what) {
  if (!right) {
    ++wrong;
    fprintf(stderr, "rank %d: %s\n", number, what);
  }
}

static void at_end(void) {
  rank_sleep(1000);
  printf("atexit %d\n", number);
}

/* seed48 and lcong48 affect drand48 and related functions, but not those of another rank. */
static void check_rand48(int me) {
  unsigned short seed[3] = {1, 2, 3}, own[3] = {4, 5, 6}, again[3] = {4, 5, 6};
  unsigned short line[7] = {1, 2, 3, 5, 0, 0, 1}; /* x = 5 x + 1 from 0x000300020001 */
  double drawn;
  long drawn_own;
  seed48(seed);
  drawn = drand48();
  check(seed48(seed)[2] != seed[2], "seed48 returns the state before");
  if (me == 1) lcong48(line);
  drawn_own = nrand48(own);
  rank_sleep(1000);
  check((drand48() == drawn) == (me != 1), "seed48");
  check(nrand48(again) == drawn_own, "nrand48");
  if (me != 1) return;
  lcong48(line);
  check(drand48() == (5.0 * 0x000300020001 + 1) / 0x1p48, "lcong48");
}

int main(int argc, char** argv) {
  const int me = number = rank_number();
  char words[] = "alpha beta gamma";
  int letters = 0, c, expected_rand, first;
  double expected_drand;

  atexit(at_end);
  printf("a%d ", me);
  while ((c = getopt(argc, argv, "ab:c")) != -1) {
    ++letters;
    if (c == 'b') check(strcmp(optarg, "value") == 0, "optarg");
    rank_sleep(1000);
  }
  check(letters == 3 && optind == argc - 1, "getopt");

  check(strcmp(strtok(words, " "), "alpha") == 0, "strtok");
  rank_sleep(1000);
  check(strcmp(strtok(NULL, " "), "beta") == 0, "strtok after a wait");

  first = rand();
  check(first == 1804289383, "rand is seeded with 1");
  srand(5);
  expected_rand = rand();
  srand48(7);
  expected_drand = drand48();
  srand(5);
  srand48(7);
  rank_sleep(1000);
  check(rand() == expected_rand, "rand");
  check(drand48() == expected_drand, "drand48");

  check_rand48(me);

  errno = 20 + me;
  rank_sleep(1000);
  check(errno == 20 + me, "errno");

  printf("b%d\n", me);
  if (write(1, "raw\n", 4) != 4) return 9;
  if (me == 1) exit(wrong ? 100 : 17);
  if (me == 2) _exit(wrong ? 100 : 18);
  return wrong;
}
