// SPDX-License-Identifier: Apache-2.0
// Follows pointers: a list in random order through 256 KiB (more than the first-level cache holds), a binary tree, a hash table
// with chains. Loads wait for loads.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim.h"

enum { ENTRIES = 2048, KEYS = 600, CHAINS = 64 };
static struct entry {
  struct entry* next;
  long value;
  char filler[112];
} entries[ENTRIES];
struct node {
  struct node *left, *right;
  uint32_t key;
};
struct link {
  struct link* next;
  uint32_t key;
};

static uint32_t state = 12345;
static uint32_t draw(void) { return state = state * 1664525 + 1013904223; }

int main(void) {
  static int order[ENTRIES];
  for (int i = 0; i < ENTRIES; ++i) order[i] = i;
  for (int i = ENTRIES - 1; i > 0; --i) {
    const int j = (int)(draw() >> 8) % (i + 1);
    const int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  for (int i = 0; i < ENTRIES; ++i) {
    entries[order[i]].next = &entries[order[(i + 1) % ENTRIES]];
    entries[order[i]].value = i;
  }
  PSIM_REGION_BEGIN("chase", ENTRIES);
  long sum = 0;
  struct entry* at = &entries[order[0]];
  for (int i = 0; i < 3 * ENTRIES; ++i, at = at->next) sum += at->value;
  PSIM_REGION_END("chase");

  static uint32_t keys[KEYS];
  for (int i = 0; i < KEYS; ++i) keys[i] = draw();
  PSIM_REGION_BEGIN("tree", KEYS);
  struct node* root = NULL;
  for (int i = 0; i < KEYS; ++i) {
    struct node** place = &root;
    while (*place) place = keys[i] < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = calloc(1, sizeof **place);
    (*place)->key = keys[i];
  }
  long found = 0;
  for (int i = 0; i < 2 * KEYS; ++i) {
    const uint32_t key = i < KEYS ? keys[i] : keys[i - KEYS] ^ 1;
    const struct node* node = root;
    while (node && node->key != key) node = key < node->key ? node->left : node->right;
    found += node != NULL;
  }
  PSIM_REGION_END("tree");

  PSIM_REGION_BEGIN("chains", KEYS);
  static struct link* heads[CHAINS];
  for (int i = 0; i < KEYS; ++i) {
    struct link* const made = malloc(sizeof *made);
    struct link** const head = &heads[keys[i] >> 26];
    made->key = keys[i];
    made->next = *head;
    *head = made;
  }
  long chained = 0;
  for (int i = 0; i < KEYS; ++i)
    for (const struct link* l = heads[keys[i] >> 26]; l; l = l->next) chained += l->key == keys[i];
  PSIM_REGION_END("chains");

  const int wrong = (sum != 3L * ENTRIES * (ENTRIES - 1) / 2) + (found < KEYS) + (chained != KEYS);
  printf("pointers: %ld found, %ld chained, wrong=%d\n", found, chained, wrong);
  return wrong != 0;
}
