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
// unsigned long that the interface sets to 1 and the program to 0. docs/nodes.md says what costs what.
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
  PSIM_NIC_DOORBELL = 56,
  // Of the queues below. Entries of rings are powers of two; a tail or head is a count that only grows.
  PSIM_NIC_VERSION = 64,             // PSIM_NIC_QUEUES, first
  PSIM_NIC_SUBMISSIONS = 72,         // address of the ring of descriptors
  PSIM_NIC_SUBMISSION_ENTRIES = 80,
  PSIM_NIC_SUBMISSION_TAIL = 88,     // doorbell: descriptors written so far
  PSIM_NIC_COMPLETIONS = 96,         // address of the ring of completions
  PSIM_NIC_COMPLETION_ENTRIES = 104,
  PSIM_NIC_COMPLETION_HEAD = 112,    // completions read so far
  PSIM_NIC_SLOTS = 120,              // address of the ring of slots for messages
  PSIM_NIC_SLOT_ENTRIES = 128,       // last of the three
  PSIM_NIC_SLOT_BYTES = 136,         // with a header of 64 bytes; a multiple of 64
  PSIM_NIC_SLOT_HEAD = 144,          // slots returned so far
  PSIM_NIC_ABORT = 152               // ends the run of all nodes with this exit status
};
#define PSIM_NIC_QUEUES 1

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
/// An operation, in the ring of submissions.
struct psim_nic_descriptor {
  unsigned opcode;  // PSIM_NIC_SEND, …
  unsigned flags;   // PSIM_NIC_NOTIFY_PEER, …
  unsigned peer, spare;
  unsigned long local, remote;  // addresses here and at the peer
  unsigned long bytes;
  unsigned long operand, expected;  // of an atomic operation
  unsigned long cookie;             // returned in the completion
  unsigned char header[64];         // of a message
} __attribute__((aligned(128)));
enum psim_nic_opcode {
  PSIM_NIC_SEND = 1,          // header and `bytes` at `local` go to a slot of the peer
  PSIM_NIC_PUT = 2,           // `bytes` at `local` go to `remote`
  PSIM_NIC_GET = 3,           // `bytes` at `remote` come to `local`
  PSIM_NIC_FETCH_ADD = 4,     // the 8 bytes at `remote` grow by `operand`; the old value comes to `local`
  PSIM_NIC_SWAP = 5,          // … become `operand`
  PSIM_NIC_COMPARE_SWAP = 6   // … become `operand` if they are `expected`
};
enum psim_nic_flag {
  PSIM_NIC_NOTIFY_PEER = 1,  // after a put: the header goes to a slot of the peer
  PSIM_NIC_WHEN_THERE = 2    // a put is complete when the data are in the peer's memory, else when they have left
};
/// Written by the interface when an operation has ended or a message has come.
struct psim_nic_completion {
  unsigned long number;  // 1 for the first, …
  unsigned event;        // 1: the operation `value` has ended; 2: slot `value` holds a message; 3: deadlock
  unsigned status;       // 0: good; docs/nodes.md
  unsigned long value, bytes;
};
/// Lets the core sleep for `cycles`, or until the interface has written a completion or a flag.
static inline void psim_nic_pause(unsigned long cycles) { __asm__ volatile("wr %0, 0, %%asr27" : : "r"(cycles) : "memory"); }

/// Waits until the flag is set.
static inline void psim_nic_wait(const volatile unsigned long* flag) {
  while (*flag == 0) {
  }
  __asm__ volatile("membar #LoadLoad | #LoadStore" ::: "memory");  // the flag before the data
}
