// SPDX-License-Identifier: Apache-2.0
// A program with a function for each kind of hot spot, for tests of profiles.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace hot {

struct Node {
  Node* next;
  char pad[4096 - sizeof(Node*)];
};

// Each load misses L1: 256 lines of the same few sets, in turn.
__attribute__((noinline)) std::uint64_t chase(Node* at, int steps) {
  for (int i = 0; i < steps; ++i) at = at->next;
  return reinterpret_cast<std::uintptr_t>(at) & 1;
}

// A branch that nothing can predict.
template <typename Number>
__attribute__((noinline)) Number flip(Number state, int steps) {
  Number heads = 0;
  for (int i = 0; i < steps; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    if (state >> 63)
      __asm__ volatile("" : "+r"(heads));
    else
      ++heads;
  }
  return heads;
}

__attribute__((noinline)) int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

}  // namespace hot

int main() {
  static hot::Node nodes[256];
  for (int i = 0; i < 256; ++i) nodes[i].next = &nodes[(i + 1) % 256];
  const std::uint64_t odd = hot::chase(nodes, 20'000);
  const std::uint64_t heads = hot::flip<std::uint64_t>(1, 20'000);
  std::printf("%d %d %d\n", static_cast<int>(odd), heads > 9'000 && heads < 11'000, hot::fibonacci(12));
  return 0;
}
