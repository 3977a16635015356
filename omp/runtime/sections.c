/* SPDX-License-Identifier: Apache-2.0
 * What the program has mapped. Device memory is the program's own, so that this only says where arrays end. */
#include <stdlib.h>
#include <stdio.h>

#include "sections.h"

struct section {
  char *first, *end;
};
static struct section *sections;
static unsigned count, room;

/* GOMP_map_kind of gcc 12 (include/gomp-constants.h): alloc, to, from, tofrom, and the same with `always`. */
static int maps_memory(unsigned short kind) {
  enum { KIND = 0xff, IMPLICIT = 0x60, ALWAYS = 0x10 };
  return (((unsigned)kind & KIND & ~IMPLICIT) & ~ALWAYS) <= 3;
}

void psim_omp_enter(size_t mapped, void **addresses, size_t *sizes, unsigned short *kinds) {
  for (size_t i = 0; i < mapped; ++i) {
    if (sizes[i] == 0 || !maps_memory(kinds[i])) continue;
    if (count == room) {
      room = room ? 2 * room : 32;
      sections = realloc(sections, room * sizeof *sections);
      if (sections == 0) {
        fprintf(stderr, "psim_omp: no memory for %u mapped sections\n", room);
        exit(2);
      }
    }
    sections[count].first = addresses[i], sections[count].end = (char *)addresses[i] + sizes[i];
    ++count;
  }
}

/* The youngest section with this address, best one that begins there; -1: none. */
static long section_with(const char *address) {
  for (unsigned s = count; s-- > 0;)
    if (sections[s].first == address) return s;
  for (unsigned s = count; s-- > 0;)
    if (sections[s].first <= address && address < sections[s].end) return s;
  return -1;
}

void psim_omp_leave(size_t mapped, void **addresses) {
  for (size_t i = 0; i < mapped; ++i) {
    const long found = section_with(addresses[i]);
    if (found < 0) continue;
    --count;
    for (unsigned s = (unsigned)found; s < count; ++s) sections[s] = sections[s + 1];
  }
}

unsigned psim_omp_sections(void) { return count; }
void psim_omp_leave_to(unsigned kept) { count = kept; }

long psim_omp_beyond(const char *low, const char *high) {
  char *first, *end, *next, *next_end;
  if (!psim_omp_section(low, &first, &end) && !psim_omp_section(high - 1, &first, &end)) return 0;
  while (low < first && psim_omp_section(first - 1, &next, &next_end)) first = next;
  while (end < high && psim_omp_section(end, &next, &next_end)) end = next_end;
  return (low < first ? first - low : 0) + (end < high ? high - end : 0);
}

int psim_omp_section(const void *address, char **first, char **end) {
  for (unsigned s = count; s-- > 0;)
    if (sections[s].first <= (const char *)address && (const char *)address < sections[s].end) {
      *first = sections[s].first, *end = sections[s].end;
      return 1;
    }
  return 0;
}
