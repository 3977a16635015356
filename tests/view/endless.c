// SPDX-License-Identifier: Apache-2.0
// Says that it runs, and runs.
#include <unistd.h>

int main(void) {
  if (write(1, ".", 1) != 1) return 1;
  for (volatile long i = 0;; i++) {
  }
}
