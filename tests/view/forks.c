// SPDX-License-Identifier: Apache-2.0
// Parent and child compute beside each other.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  volatile double sum = 0;
  for (int i = 0; i < 20000; i++) sum += i;
  if (child == 0) _exit(3);
  int status = 0;
  wait(&status);
  printf("parent of %d\n", WEXITSTATUS(status));
  return 5;
}
