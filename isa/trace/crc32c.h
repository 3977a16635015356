// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli; reflected, 0x82F63B78), which detects every error within 32 adjacent bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace psim::isa::trace {

/// Returns the CRC of the bytes whose CRC is `seed`, followed by `bytes`. "123456789" alone gives 0xE3069283.
std::uint32_t crc32c(const void* bytes, std::size_t count, std::uint32_t seed = 0);

}  // namespace psim::isa::trace
