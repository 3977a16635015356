// SPDX-License-Identifier: Apache-2.0
// Makes a text of words, counts them in a hash table, searches it, and formats and parses numbers: bytes, calls of the C library.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim.h"

enum { WORDS = 1500, SLOTS = 256, LENGTH = 8 };
static char text[WORDS * LENGTH + 1];
static struct {
  char word[LENGTH];
  int count;
} table[SLOTS];

static int slot_of(const char* word) {
  unsigned hash = 2166136261u;
  for (const char* c = word; *c; ++c) hash = (hash ^ (unsigned char)*c) * 16777619u;
  int slot = (int)(hash % SLOTS);
  while (table[slot].count && strcmp(table[slot].word, word) != 0) slot = (slot + 1) % SLOTS;
  return slot;
}

int main(void) {
  static const char* const syllables[] = {"ka", "to", "mi", "ne", "su", "ri"};
  unsigned state = 7;
  char* end = text;
  PSIM_REGION_BEGIN("make", WORDS);
  for (int i = 0; i < WORDS; ++i) {
    state = state * 1103515245 + 12345;
    for (unsigned n = 0; n <= (state >> 16) % 3; ++n) end = stpcpy(end, syllables[(state >> (18 + 4 * n)) % 6]);
    *end++ = ' ';
  }
  *end = 0;
  PSIM_REGION_END("make");
  const long length = end - text;

  PSIM_REGION_BEGIN("count", WORDS);
  int different = 0, counted = 0, spaces = 0;
  for (const char* at = text; *at;) {
    const char* const space = strchr(at, ' ');
    char word[LENGTH] = "";
    memcpy(word, at, (size_t)(space - at));
    const int slot = slot_of(word);
    if (!table[slot].count++) {
      strcpy(table[slot].word, word);
      ++different;
    }
    at = space + 1;
  }
  for (int i = 0; i < SLOTS; ++i) counted += table[i].count;
  for (const char* c = text; *c; ++c) spaces += *c == ' ';
  PSIM_REGION_END("count");

  PSIM_REGION_BEGIN("search", 1);
  int found = 0;
  for (const char* at = text; (at = strstr(at, "katomi")); ++at) ++found;
  PSIM_REGION_END("search");

  PSIM_REGION_BEGIN("numbers", 100);
  long sum = 0;
  for (int i = 0; i < 100; ++i) {
    char number[32];
    snprintf(number, sizeof number, "%d/%05x", i * i, (unsigned)i);
    char* slash;
    sum += strtol(number, &slash, 10) - strtol(slash + 1, NULL, 16);
  }
  PSIM_REGION_END("numbers");

  const int wrong = (counted != WORDS) + (spaces != WORDS) + (sum != 328350 - 4950);
  printf("text: %ld characters, %d words, katomi %d times, wrong=%d\n", length, different, found, wrong);
  return wrong != 0;
}
