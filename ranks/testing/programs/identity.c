/* SPDX-License-Identifier: Apache-2.0
   Each rank is a separate process, here on a separate node. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "rank_library.h"

int main(void) {
  char name[16], expected[16], little[3];
  struct utsname names;
  snprintf(expected, sizeof expected, "node%d", rank_number());
  if (gethostname(name, sizeof name) != 0 || strcmp(name, expected) != 0) return 1;
  if (uname(&names) != 0 || strcmp(names.nodename, expected) != 0 || !names.sysname[0]) return 2;
  if (gethostname(little, sizeof little) == 0) return 3;
  return getpid() == 8388608 + rank_number() ? 0 : 4;
}
