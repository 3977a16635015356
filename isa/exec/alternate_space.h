// SPDX-License-Identifier: Apache-2.0
// Kinds of address space identifiers, for those who treat some of them in their own way.
#pragma once

#include <cstdint>

namespace psim::isa {

/// The SBMs, in either state: address bits 19–0 are the offset, the bits above them the number of the PE.
inline constexpr std::uint8_t kAsiSbm = 0xb8;
inline constexpr unsigned kSbmAddressBits = 20;

/// Big-endian accesses of ordinary size: primary, secondary, no-fault, block-init.
bool is_plain_asi(std::uint8_t asi);
/// 64-byte blocks.
bool is_block_asi(std::uint8_t asi);

}  // namespace psim::isa
