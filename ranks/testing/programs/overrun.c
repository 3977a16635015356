/* SPDX-License-Identifier: Apache-2.0
   A rank writes to the first page after its variables. */
#include <stdint.h>
#include <stdlib.h>

#include "rank_library.h"

extern char _end; /* end of the variables, defined by the linker */

static void run_over(void) {
  const uintptr_t page = 4096;
  volatile char* behind = (volatile char*)(((uintptr_t)&_end + page - 1) / page * page);
  *behind = 1;
}

int main(int argc, char** argv) {
  rank_sleep(1000);
  if (argc > 1 && atoi(argv[1]) == rank_number()) run_over();
  return 0;
}
