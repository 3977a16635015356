/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PSIM_OMP_SECTIONS_H
#define PSIM_OMP_SECTIONS_H

#include <stddef.h>

/* Adds what target regions, `target data` and `target enter data` map. */
void psim_omp_enter(size_t mapped, void** addresses, size_t* sizes, unsigned short* kinds);
/* Takes away what `target exit data` names. */
void psim_omp_leave(size_t mapped, void** addresses);
/* The number of sections; and removal of all younger ones where a region ends. */
unsigned psim_omp_sections(void);
void psim_omp_leave_to(unsigned kept);
/* Finds the youngest section that holds the address: its first byte and the one behind its last; false if
 * there is none. */
int psim_omp_section(const void* address, char** first, char** end);
/* The bytes of [low, high) before and behind what is mapped there; 0 if nothing of it is. Sections may
 * adjoin. */
long psim_omp_beyond(const char* low, const char* high);

#endif
