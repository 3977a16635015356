// SPDX-License-Identifier: Apache-2.0
// A program with a function for each kind of hot spot, for tests of profiles.
#include <cstdint>
#include <cstdio>

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

// Each store misses L1 and L2: its line is used here for the first time.
__attribute__((noinline)) void sweep(char* to, long bytes) {
  for (long i = 0; i < bytes; i += 64) to[i] = 1;
}

// middle() jumps to last(), which returns for it.
extern "C" {
__attribute__((noinline, used)) int last(int n) { return n; }
int middle(int n);
}
__asm__(
    ".text\n"
    ".type middle, @function\n"
    "middle: ba,pt %xcc, last\n"
    "        nop\n"
    ".size middle, .-middle\n");

}  // namespace hot

int main() {
  static hot::Node nodes[256];
  for (int i = 0; i < 256; ++i) nodes[i].next = &nodes[(i + 1) % 256];
  const std::uint64_t odd = hot::chase(nodes, 20'000);
  const std::uint64_t heads = hot::flip<std::uint64_t>(1, 20'000);
  static char lines[4096 * 64];
  hot::sweep(lines, sizeof lines);
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += hot::middle(i);
  std::printf("%d %d %d %d\n", static_cast<int>(odd), heads > 9'000 && heads < 11'000, hot::fibonacci(12),
              sum);
  return 0;
}
