// SPDX-License-Identifier: Apache-2.0
// Kinds of address space identifiers, for code that treats some of them specially.
#pragma once

#include <cstdint>

namespace psim::isa {

struct Context;

/// The SBMs, in either state: address bits 19–0 are the offset, the bits above them the number of the PE.
inline constexpr std::uint8_t kAsiSbm = 0xb8;
inline constexpr unsigned kSbmAddressBits = 20;

/// Returns true for big-endian accesses of ordinary size: primary, secondary, no-fault, block-init.
bool is_plain_asi(std::uint8_t asi);
/// Returns true for 64-byte blocks.
bool is_block_asi(std::uint8_t asi);

/// Returns true for a load, store or atomic that names an address space (V9 manual A.26 …: op 3, op3 bit 4).
constexpr bool is_alternate_access(std::uint32_t word) {
  return (word >> 30 & 3) == 3 && (word >> 23 & 1) != 0;
}
/// Returns the byte offset in SBM that the memory access `word` reaches at `address`, or
/// SimdState::kNoWindow.
std::uint64_t sbm_offset(const Context& c, std::uint32_t word, std::uint64_t address);

}  // namespace psim::isa
