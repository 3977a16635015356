/* SPDX-License-Identifier: Apache-2.0
 * The words of the command, and the pivots that it names. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmpi.h"

enum Broadcast { k1Ring, k1RingM, k2Ring, k2RingM, kLongBroadcast, kLongBroadcastM };
enum Swap { kExchange, kLong, kMix, kCollective };

static const char *const kBroadcasts[] = {"1ring", "1ring-m", "2ring", "2ring-m", "long", "long-m", NULL};
static const char *const kSwaps[] = {"exchange", "long", "mix", "collective", NULL};

static struct {
  long n, nb, p, q, bcast, depth, swap, threshold, nbmin, ndiv, columns, chunks, seed;
} o = {.n = 0, .nb = 0, .p = 1, .q = 1, .bcast = k1RingM, .depth = 1, .swap = kMix, .threshold = 64, .nbmin = 4, .ndiv = 2, .seed = 1};

static const char *pivot_file;
static long *pivots; /* of pivot_file */

static int me;

static void wrong(const char *word, const char *expected) {
  if (me == 0) fprintf(stderr, "hpl: %s: expected %s\n", word, expected);
  LMPI_Abort(MPI_COMM_WORLD, 2);
}

static long number(const char *word, const char *text, long least, long most) {
  char *end, range[80];
  const long value = strtol(text, &end, 10);
  snprintf(range, sizeof range, "a whole number from %ld to %ld", least, most);
  if (*text == 0 || *end != 0 || value < least || value > most) wrong(word, range);
  return value;
}

static long choice(const char *word, const char *text, const char *const *names) {
  char all[200] = "";
  for (long i = 0; names[i]; ++i) {
    if (strcmp(names[i], text) == 0) return i;
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
  }
  wrong(word, all);
  return 0;
}

static void take_words(int count, char **words) {
  const long most = 1L << 40;
  const struct {
    const char *name;
    long *value, least, most;
    const char *const *names;
  } kKeys[] = {{"n", &o.n, 1, most, NULL},          {"nb", &o.nb, 1, 1 << 16, NULL},
               {"p", &o.p, 1, 1 << 20, NULL},       {"q", &o.q, 1, 1 << 20, NULL},
               {"bcast", &o.bcast, 0, 0, kBroadcasts}, {"depth", &o.depth, 0, 64, NULL},
               {"swap", &o.swap, 0, 0, kSwaps},     {"threshold", &o.threshold, 0, most, NULL},
               {"nbmin", &o.nbmin, 1, 1 << 16, NULL}, {"ndiv", &o.ndiv, 2, 1 << 16, NULL},
               {"columns", &o.columns, 1, 1 << 16, NULL}, {"chunks", &o.chunks, 1, most, NULL},
               {"seed", &o.seed, 0, most, NULL}};
  for (int i = 1; i < count; ++i) {
    const char *equals = strchr(words[i], '=');
    if (strncmp(words[i], "pivots=", 7) == 0) {
      pivot_file = equals + 1;
      continue;
    }
    size_t key = 0;
    while (key < sizeof kKeys / sizeof *kKeys &&
           (!equals || strlen(kKeys[key].name) != (size_t)(equals - words[i]) ||
            strncmp(kKeys[key].name, words[i], (size_t)(equals - words[i])) != 0))
      ++key;
    if (key == sizeof kKeys / sizeof *kKeys)
      wrong(words[i], "n=, nb=, p=, q=, bcast=, depth=, swap=, threshold=, nbmin=, ndiv=, columns=, chunks=, seed= or pivots=");
    *kKeys[key].value = kKeys[key].names ? choice(words[i], equals + 1, kKeys[key].names)
                                         : number(words[i], equals + 1, kKeys[key].least, kKeys[key].most);
  }
  if (o.n == 0) wrong("n", "n=N, the order of the matrix");
  if (o.nb == 0) wrong("nb", "nb=NB, the size of blocks");
  int ranks;
  LMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (o.p * o.q != ranks) wrong("p and q", "p times q equal to the number of ranks");
}

static void read_pivots(void) {
  FILE *file = fopen(pivot_file, "r");
  if (!file) wrong(pivot_file, "a file that can be read");
  pivots = malloc((size_t)o.n * sizeof *pivots);
  for (long i = 0; i < o.n; ++i)
    if (fscanf(file, "%ld", &pivots[i]) != 1 || pivots[i] < i || pivots[i] >= o.n)
      wrong(pivot_file, "n rows of pivots, none above its place");
  fclose(file);
}
