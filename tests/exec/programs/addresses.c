// SPDX-License-Identifier: Apache-2.0
// Where stack, heap and mappings lie is alike, so that programs that print addresses can be compared.
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int count, char** arguments) {
  int local;
  printf("%p %p %p\n", (void*)arguments, (void*)arguments[0], (void*)&local);
  printf("%lx %lx\n", getauxval(AT_EXECFN), getauxval(AT_RANDOM));
  printf("%p %p %p\n", sbrk(0), malloc(10), malloc(1 << 20));
  for (int i = 0; i < 3; ++i)
    printf("%p\n", mmap(0, 20000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  return 0;
}
