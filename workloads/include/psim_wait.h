// SPDX-License-Identifier: Apache-2.0
// Waits for a write to a line of memory, in which the core sleeps, for sparc64 programs:
//
//     while (psim_load_monitored(&flag) == 0) psim_wait_for_write(PSIM_FOR_EVER);
//
// The load begins to monitor the line, so a write between the load and the wait ends the wait at once. A wait may also
// end early; the program looks again. On nodes of `psim cosim` the core sleeps; in every other run of psim the wait ends
// at once, and the loop polls. docs/nodes.md has the details.
#pragma once

#define PSIM_FOR_EVER (~0ul)

/// Loads the value and begins to monitor its line, in place of the one before.
static inline unsigned long psim_load_monitored(const volatile unsigned long* address) {
  unsigned long value;
  __asm__ volatile("ldxa [%1] 0x84, %0" : "=r"(value) : "r"(address) : "memory");
  return value;
}

/// Waits until the monitored line is written, at most `cycles`. The line is monitored no longer.
static inline void psim_wait_for_write(unsigned long cycles) {
  __asm__ volatile("wr %0, 0, %%asr28" : : "r"(cycles) : "memory");
}
