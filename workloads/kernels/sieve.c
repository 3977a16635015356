// SPDX-License-Identifier: Apache-2.0
// Sieve of Eratosthenes. Usage: sieve [limit = 1000000] [repetitions = 1]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sieve(unsigned char* composite, int limit) {
  memset(composite, 0, limit + 1);
  for (int i = 2; (long)i * i <= limit; ++i)
    if (!composite[i])
      for (int j = i * i; j <= limit; j += i) composite[j] = 1;
  int primes = 0;
  for (int i = 2; i <= limit; ++i) primes += !composite[i];
  return primes;
}

int main(int argc, char** argv) {
  const int limit = argc > 1 ? atoi(argv[1]) : 1000000, repetitions = argc > 2 ? atoi(argv[2]) : 1;
  unsigned char* const composite = malloc(limit + 1);
  if (!composite) return 1;
  int primes = 0;
  for (int r = 0; r < repetitions; ++r) primes = sieve(composite, limit);
  printf("sieve limit=%d primes=%d\n", limit, primes);
  return 0;
}
