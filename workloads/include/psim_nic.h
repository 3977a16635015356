// SPDX-License-Identifier: Apache-2.0
// The network interface of a node under `psim cosim`: put and get between the memories of two nodes, for sparc64 programs.
//
//     volatile unsigned long arrived, done;
//     if (psim_nic_node() == 0) {
//       psim_nic_put(1, data, data, sizeof data, &arrived, &done);  // symmetric: the same program, the same addresses
//       psim_nic_wait(&done);                                       // data may be used again
//     } else {
//       psim_nic_wait(&arrived);                                    // data are here
//     }
//
// Programs are static and not position-independent, so that a variable has one address in all nodes. A flag is an
// unsigned long that the interface sets to 1 and the program to 0. docs/cosim.md says what costs what.
#pragma once

#include <stdlib.h>

#define PSIM_NIC_WINDOW 0xf000000000ul

enum psim_nic_register {
  PSIM_NIC_LOCAL = 0,
  PSIM_NIC_REMOTE = 8,
  PSIM_NIC_BYTES = 16,
  PSIM_NIC_PEER = 24,
  PSIM_NIC_VALUE = 32,
  PSIM_NIC_DONE = 40,
  PSIM_NIC_NOTIFY = 48,
  PSIM_NIC_DOORBELL = 56
};

static inline int psim_nic_node(void) { const char* n = getenv("PSIM_NODE"); return n ? atoi(n) : 0; }
static inline int psim_nic_nodes(void) { const char* n = getenv("PSIM_NODES"); return n ? atoi(n) : 1; }

static inline void psim_nic_write(enum psim_nic_register which, unsigned long value) {
  *(volatile unsigned long*)(PSIM_NIC_WINDOW + which) = value;
}

static inline void psim_nic_start(unsigned long kind, int peer, const volatile void* local, const volatile void* remote,
                                  unsigned long bytes, const volatile void* notify, const volatile void* done) {
  psim_nic_write(PSIM_NIC_LOCAL, (unsigned long)local);
  psim_nic_write(PSIM_NIC_REMOTE, (unsigned long)remote);
  psim_nic_write(PSIM_NIC_BYTES, bytes);
  psim_nic_write(PSIM_NIC_PEER, (unsigned long)peer);
  psim_nic_write(PSIM_NIC_VALUE, 1);
  psim_nic_write(PSIM_NIC_DONE, (unsigned long)done);
  psim_nic_write(PSIM_NIC_NOTIFY, (unsigned long)notify);
  __asm__ volatile("membar #StoreStore" ::: "memory");  // the data before the doorbell
  psim_nic_write(PSIM_NIC_DOORBELL, kind);
}

/// Copies `bytes` (1 to 2^24) at `local` here to `remote` at node `peer`. Sets the flag `notify` there when they are
/// there, and the flag `done` here when that is known here; each may be 0.
static inline void psim_nic_put(int peer, const volatile void* local, volatile void* remote, unsigned long bytes,
                                volatile unsigned long* notify, volatile unsigned long* done) {
  psim_nic_start(1, peer, local, remote, bytes, notify, done);
}
/// Copies `bytes` at `remote` at node `peer` to `local` here, without its program. Sets the flag `done`, which may be 0.
static inline void psim_nic_get(int peer, volatile void* local, const volatile void* remote, unsigned long bytes,
                                volatile unsigned long* done) {
  psim_nic_start(2, peer, local, remote, bytes, 0, done);
}
/// Waits until the flag is set.
static inline void psim_nic_wait(const volatile unsigned long* flag) {
  while (*flag == 0) {
  }
  __asm__ volatile("membar #LoadLoad | #LoadStore" ::: "memory");  // the flag before the data
}
