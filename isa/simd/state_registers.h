// SPDX-License-Identifier: Apache-2.0
// The registers of the extension as programs see them (docs/isa.md).
#pragma once

#include <cstdint>

#include "isa/state/simd_state.h"

namespace psim::isa {

/// Returns %simd: bit 0 the state bit, bits 13–8 the number of PEs.
std::uint64_t read_simd(const SimdState& state);
/// Returns %simdstack: bits 47–0 the address of the stack window, bits 63–48 its size in units of 64 bytes.
std::uint64_t read_simdstack(const SimdState& state);
/// Writes %simdstack. Returns false, without effect, if the address is no multiple of 64 or the size exceeds
/// an SBM.
bool write_simdstack(SimdState& state, std::uint64_t value);

}  // namespace psim::isa
