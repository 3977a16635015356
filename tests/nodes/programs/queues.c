// SPDX-License-Identifier: Apache-2.0
// Node 0 writes descriptors by hand: a put, a get, atomic operations and a message, then wrong ones. The argument
// names a mistake in the queues themselves.
#include <stdio.h>
#include <string.h>

#include "psim_nic.h"

static struct psim_nic_descriptor ring[16];
static volatile struct psim_nic_completion completions[16] __attribute__((aligned(64)));
static unsigned char slots[2][128] __attribute__((aligned(64)));
static volatile long word __attribute__((aligned(64))), result __attribute__((aligned(64)));
static unsigned long submitted, completed;

static volatile struct psim_nic_completion* next(void) {
  volatile struct psim_nic_completion* entry = &completions[completed % 16];
  while (entry->number != completed + 1) psim_nic_pause(1000000);
  ++completed;
  psim_nic_write(PSIM_NIC_COMPLETION_HEAD, completed);
  return entry;
}

static int perform(unsigned opcode, unsigned peer, volatile void* local, unsigned long remote, unsigned long bytes,
                   unsigned long operand, unsigned long expected) {
  struct psim_nic_descriptor* d = &ring[submitted % 16];
  memset(d, 0, sizeof *d);
  d->opcode = opcode;
  d->flags = opcode == PSIM_NIC_PUT ? PSIM_NIC_WHEN_THERE : 0;
  d->peer = peer;
  d->local = (unsigned long)local;
  d->remote = remote;
  d->bytes = bytes;
  d->operand = operand;
  d->expected = expected;
  d->cookie = ++submitted;
  d->header[0] = 42;
  __asm__ volatile("membar #StoreStore" ::: "memory");
  psim_nic_write(PSIM_NIC_SUBMISSION_TAIL, submitted);
  volatile struct psim_nic_completion* done = next();
  return done->value == submitted ? (int)done->status : -1;
}

int main(int argc, char** argv) {
  const char* wrong = argc > 1 ? argv[1] : "";
  const int node = psim_nic_node();
  psim_nic_write(PSIM_NIC_VERSION, strcmp(wrong, "version") == 0 ? 99 : PSIM_NIC_QUEUES);
  psim_nic_write(PSIM_NIC_SUBMISSIONS, strcmp(wrong, "ring") == 0 ? 16 : (unsigned long)ring);
  psim_nic_write(PSIM_NIC_SUBMISSION_ENTRIES, strcmp(wrong, "entries") == 0 ? 3 : 16);
  psim_nic_write(PSIM_NIC_COMPLETIONS, strcmp(wrong, "completions") == 0 ? 16 : (unsigned long)completions);
  psim_nic_write(PSIM_NIC_COMPLETION_ENTRIES, 16);
  psim_nic_write(PSIM_NIC_SLOTS, (unsigned long)slots);
  psim_nic_write(PSIM_NIC_SLOT_BYTES, 128);
  psim_nic_write(PSIM_NIC_SLOT_ENTRIES, 2);
  if (node == 1) {
    volatile struct psim_nic_completion* message = next();
    printf("message of %lu bytes, header %d\n", message->bytes, slots[message->value % 2][0]);
    fflush(stdout);
    psim_nic_write(PSIM_NIC_SLOT_HEAD, 1);
    next();  // the second message: node 0 is done
    return 0;
  }
  const unsigned long at = (unsigned long)&word;
  word = 1234;
  int status = perform(PSIM_NIC_PUT, 1, &word, at, 8, 0, 0);
  status |= perform(PSIM_NIC_GET, 1, &result, at, 8, 0, 0);
  printf("put %d, got %ld back\n", status, result);
  perform(PSIM_NIC_FETCH_ADD, 1, &result, at, 8, 6, 0);
  printf("old %ld, ", result);
  perform(PSIM_NIC_SWAP, 1, &result, at, 8, 77, 0);
  printf("%ld, ", result);
  perform(PSIM_NIC_COMPARE_SWAP, 1, &result, at, 8, 99, 77);
  printf("%ld; ", result);
  perform(PSIM_NIC_GET, 1, &result, at, 8, 0, 0);
  printf("now %ld\n", result);
  fflush(stdout);
  perform(PSIM_NIC_SEND, 1, "12345", 0, 5, 0, 0);
  for (volatile int i = 0; i < 3000; ++i) {  // until node 1 has printed
  }
  printf("status %d", perform(9, 1, 0, 0, 8, 0, 0));
  printf(" %d", perform(PSIM_NIC_PUT, 2, &word, at, 8, 0, 0));
  printf(" %d", perform(PSIM_NIC_PUT, 0, &word, at, 8, 0, 0));
  printf(" %d", perform(PSIM_NIC_PUT, 1, &word, at, 1ul << 41, 0, 0));
  printf(" %d", perform(PSIM_NIC_PUT, 1, (void*)16, at, 8, 0, 0));
  printf(" %d", perform(PSIM_NIC_PUT, 1, &word, 16, 8, 0, 0));
  printf(" %d", perform(PSIM_NIC_FETCH_ADD, 1, &result, at + 4, 8, 1, 0));
  printf(" %d\n", perform(PSIM_NIC_GET, 1, &result, 16, 8, 0, 0));
  perform(PSIM_NIC_SEND, 1, 0, 0, 0, 0, 0);
  return 0;
}
