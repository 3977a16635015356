// SPDX-License-Identifier: Apache-2.0
// Copies of values whose alignment is known. Where a misaligned access traps, gcc calls memcpy for each copy
// of a value at an unknown address.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

namespace psim::net::mpi {

#ifdef __sparc__
inline constexpr bool kMustAlign = true;  // a misaligned access traps
#else
inline constexpr bool kMustAlign = false;
#endif

/// Copies `kBytes` between addresses that are multiples of `kUnit` if the processor requires that of an
/// access of `kUnit` bytes.
template <std::size_t kBytes, std::size_t kUnit>
void copy_aligned(void* to, const void* from) {
  constexpr std::size_t kAligned = kMustAlign ? kUnit : 1;
  std::memcpy(std::assume_aligned<kAligned>(static_cast<std::byte*>(to)),
              std::assume_aligned<kAligned>(static_cast<const std::byte*>(from)), kBytes);
}

}  // namespace psim::net::mpi
