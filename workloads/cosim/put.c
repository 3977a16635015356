// SPDX-License-Identifier: Apache-2.0
// Node 0 puts bytes into node 1's memory, or gets them from there. Usage: put [put | get] [bytes = 4096]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_nic.h"

static unsigned char data[1 << 20] __attribute__((aligned(64)));
static volatile unsigned long arrived __attribute__((aligned(64))), done __attribute__((aligned(64)));

static int check(int node, unsigned long bytes, int from) {
  for (unsigned long i = 0; i < bytes; ++i)
    if (data[i] != (unsigned char)(i * 7 + from)) {
      printf("node %d: byte %lu is wrong\n", node, i);
      return 1;
    }
  printf("node %d: %lu bytes of node %d are here\n", node, bytes, from);
  return 0;
}

int main(int argc, char** argv) {
  const int node = psim_nic_node(), get = argc > 1 && strcmp(argv[1], "get") == 0;
  const unsigned long bytes = argc > 2 ? strtoul(argv[2], 0, 0) : 4096;
  if (bytes == 0 || bytes > sizeof data) return 2;
  if (node == (get ? 1 : 0))
    for (unsigned long i = 0; i < bytes; ++i) data[i] = (unsigned char)(i * 7 + node);
  if (node > 1 || (get && node == 1)) return 0;
  if (get) {
    for (volatile long i = 0; i < 200000; ++i) {  // until node 1 has written what is got
    }
    psim_nic_get(1, data, data, bytes, &done);
    psim_nic_wait(&done);
    return check(node, bytes, 1);
  }
  if (node == 0) {
    psim_nic_put(1, data, data, bytes, &arrived, &done);
    psim_nic_wait(&done);
    return 0;
  }
  psim_nic_wait(&arrived);
  return check(node, bytes, 0);
}
