// SPDX-License-Identifier: Apache-2.0
// Times of operations on the queues, in cycles of all nodes' common clock: stamps send|put BYTES. Node 0 sends (or puts) to node 1,
// which answers with the same. Each prints the stamps of each round: after its doorbell's store has committed, and after a poll
// has seen a completion.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_nic.h"

enum { kEntries = 64, kRounds = 6, kSlotBytes = 2048 };
static struct psim_nic_descriptor ring[kEntries];
static volatile struct psim_nic_completion completions[2 * kEntries] __attribute__((aligned(64)));
static unsigned char slots[kEntries][kSlotBytes] __attribute__((aligned(64)));
static unsigned char data[1 << 18] __attribute__((aligned(64))), there[1 << 18] __attribute__((aligned(64)));
static unsigned long submitted, completed, messages, rung[kRounds], seen[kRounds], done[kRounds];

/// Returns the cycle in which all instructions before have committed.
static inline unsigned long stamp(void) {
  unsigned long cycle;
  __asm__ volatile("rd %%tick, %0" : "=r"(cycle)::"memory");
  return cycle;
}

/// Returns the cycle in which the next completion has been seen.
static __attribute__((noinline)) unsigned long next(void) {
  volatile struct psim_nic_completion* entry = &completions[completed % (2 * kEntries)];
  const unsigned long number = completed + 1;
  while (entry->number != number) {
  }
  const unsigned long cycle = stamp();
  completed = number;
  if (entry->event == 2) psim_nic_write(PSIM_NIC_SLOT_HEAD, ++messages);
  psim_nic_write(PSIM_NIC_COMPLETION_HEAD, completed);
  return cycle;
}

/// Returns the cycle in which the doorbell's store has committed. The descriptor has left the store queue before.
static __attribute__((noinline)) unsigned long ring_doorbell(int put, unsigned long bytes) {
  struct psim_nic_descriptor* d = &ring[submitted % kEntries];
  memset(d, 0, sizeof *d);
  d->opcode = put ? PSIM_NIC_PUT : PSIM_NIC_SEND;
  d->flags = put ? PSIM_NIC_NOTIFY_PEER : 0;
  d->peer = !psim_nic_node();
  d->local = (unsigned long)data;
  d->remote = (unsigned long)there;
  d->bytes = bytes;
  d->header[0] = d->header[63] = 1;  // in both lines
  for (volatile int i = 0; i < 400; ++i) {  // the store queue and the interface come to rest
  }
  __asm__ volatile("membar #Sync" ::: "memory");
  stamp();
  psim_nic_write(PSIM_NIC_SUBMISSION_TAIL, ++submitted);
  return stamp();
}

int main(int argc, char** argv) {
  const int node = psim_nic_node(), put = argc > 1 && strcmp(argv[1], "put") == 0;
  const unsigned long bytes = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
  psim_nic_write(PSIM_NIC_VERSION, PSIM_NIC_QUEUES);
  psim_nic_write(PSIM_NIC_SUBMISSIONS, (unsigned long)ring);
  psim_nic_write(PSIM_NIC_SUBMISSION_ENTRIES, kEntries);
  psim_nic_write(PSIM_NIC_COMPLETIONS, (unsigned long)completions);
  psim_nic_write(PSIM_NIC_COMPLETION_ENTRIES, 2 * kEntries);
  psim_nic_write(PSIM_NIC_SLOTS, (unsigned long)slots);
  psim_nic_write(PSIM_NIC_SLOT_BYTES, kSlotBytes);
  psim_nic_write(PSIM_NIC_SLOT_ENTRIES, kEntries);
  for (int round = 0; round < kRounds; ++round) {
    if (node == 1) seen[round] = next();
    rung[round] = ring_doorbell(put, bytes);
    done[round] = next();  // this node's own operation has ended
    if (node == 0) seen[round] = next();
  }
  for (int round = 0; round < kRounds; ++round)
    printf("%d %d %lu %lu %lu\n", node, round, rung[round], done[round], seen[round]);
  return 0;
}
