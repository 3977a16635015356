// SPDX-License-Identifier: Apache-2.0
// Memory for tables and pools with random access. Blocks start at cache lines; large blocks lie in huge pages
// where the system has them, because with thousands of routers address translation dominates a miss.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace psim::net {

/// An allocator. Blocks of 2 MiB and more are multiples of 2 MiB, aligned, and request huge pages; smaller
/// ones are aligned to cache lines.
template <class T>
struct HugePages {
  using value_type = T;
  static constexpr std::size_t kHuge = std::size_t{2} << 20, kLine = 64;

  HugePages() = default;
  template <class Other>
  HugePages(const HugePages<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T), grain = bytes < kHuge ? kLine : kHuge;
    const std::size_t whole = (bytes + grain - 1) / grain * grain;
    void* block = std::aligned_alloc(grain, whole);
    if (block == nullptr) throw std::bad_alloc();
    if (grain == kHuge) ::madvise(block, whole, MADV_HUGEPAGE);  // optional: a failure only costs speed
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t) { std::free(block); }
  bool operator==(const HugePages&) const = default;
};

template <class T>
using HugeVector = std::vector<T, HugePages<T>>;

}  // namespace psim::net
