// SPDX-License-Identifier: Apache-2.0
#include "ranks/fibers/stacks.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"

namespace psim::net {

namespace {
constexpr std::size_t kStackPage = 4'096;
constexpr int kCanary = 0xC5;
}  // namespace

Stacks::Stacks(std::uint32_t count, Bytes size)
    : count_(count),
      size_((std::max<std::size_t>(size.count, 4 * kStackPage) + kStackPage - 1) / kStackPage * kStackPage),
      guard_(count <= kMostGuarded ? kStackPage : 0) {
  void* base = ::mmap(nullptr, kStackPage + size_ * count_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    throw UserError("cannot reserve " + std::to_string(count_) + " stacks of " + std::to_string(size_) +
                    " bytes of address space; expected a smaller stack size");
  // A huge page would commit 2 MiB where a rank touches only a few KiB.
  ::madvise(base, kStackPage + size_ * count_, MADV_NOHUGEPAGE);
  base_ = static_cast<std::byte*>(base) + kStackPage;
}

Stacks::~Stacks() { ::munmap(base_ - kStackPage, kStackPage + size_ * count_); }

std::uint32_t Stacks::take() {
  if (!used_.empty()) {
    const std::uint32_t stack = used_.back();
    used_.pop_back();
    return stack;
  }
  const std::uint32_t stack = fresh_++;
  if (guarded())
    ::mprotect(low(stack), kStackPage, PROT_NONE);
  else
    std::memset(low(stack) - kCanaryBytes, kCanary, kCanaryBytes);
  return stack;
}

void Stacks::give_back(std::uint32_t stack) { used_.push_back(stack); }

bool Stacks::in_guard(std::uint32_t stack, const void* address) const {
  return guarded() && address >= low(stack) && address < bottom(stack);
}

std::uint64_t Stacks::resident() const {
  constexpr std::size_t kMost = 16;
  std::uint64_t pages = 0;
  for (std::uint32_t stack = 0; stack < fresh_; ++stack) {
    const std::size_t count = std::min(kMost, size_ / kStackPage);
    std::array<unsigned char, kMost> present{};
    if (::mincore(low(stack) + size_ - count * kStackPage, count * kStackPage, present.data()) != 0) return 0;
    for (const unsigned char page : present) pages += page & 1;
  }
  return pages * kStackPage;
}

bool Stacks::canary_intact(std::uint32_t stack) const {
  const std::byte* canary = low(stack) - kCanaryBytes;
  return std::all_of(canary, canary + kCanaryBytes, [](std::byte b) { return b == std::byte{kCanary}; });
}

}  // namespace psim::net
