// SPDX-License-Identifier: Apache-2.0
// Physical addresses of a node whose programs have an address space each: those of program s begin at
// s * kAddressSpace. So shared caches, memory and DMA distinguish equal addresses of different programs.
#pragma once

#include <cstdint>

namespace psim::cosim {

/// The bytes of a program's address space that DMA reaches.
inline constexpr std::uint64_t kSpaceBytes = std::uint64_t{1} << 51;
/// From one space to the next. The odd 64 KiB put equal addresses of programs, such as those of their stacks,
/// into different sets of L2, as the pages of an operating system are.
inline constexpr std::uint64_t kAddressSpace = (std::uint64_t{1} << 52) + (std::uint64_t{1} << 16);

}  // namespace psim::cosim
