/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/fortran/connections.h"

#include <stdio.h>
#include <stdlib.h>

struct connection {
  int unit;
  dev_t device;
  ino_t inode;
};

static struct connection* all;
static int count, room;
static char busy; /* threads of OpenMP may write, too */

static void lock(void) {
  while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(void) { __atomic_clear(&busy, __ATOMIC_RELEASE); }

/* From the end, as what was opened last is used most. */
static struct connection* find(int unit) {
  for (int place = count - 1; place >= 0; --place)
    if (all[place].unit == unit) return &all[place];
  return NULL;
}

static struct connection* append(void) {
  if (count == room) {
    room = room ? 2 * room : 8;
    all = realloc(all, (size_t)room * sizeof *all);
    if (all == NULL) {
      fputs("psim: no memory is left for units\n", stderr);
      abort();
    }
  }
  return &all[count++];
}

void psim_connected(int unit, dev_t device, ino_t inode) {
  lock();
  struct connection* at = find(unit);
  if (at == NULL) at = append();
  *at = (struct connection){unit, device, inode};
  unlock();
}

void psim_disconnected(int unit) {
  lock();
  struct connection* at = find(unit);
  if (at != NULL) *at = all[--count];
  unlock();
}

int psim_is_connected(int unit) {
  lock();
  const int found = find(unit) != NULL;
  unlock();
  return found;
}

int psim_unit_of_file(dev_t device, ino_t inode, int* unit) {
  int found = 0;
  lock();
  for (int place = 0; place < count && !found; ++place) {
    found = all[place].device == device && all[place].inode == inode;
    if (found) *unit = all[place].unit;
  }
  unlock();
  return found;
}

int psim_connection(int place, int* unit) {
  lock();
  const int there = place < count;
  if (there) *unit = all[place].unit;
  unlock();
  return there;
}
