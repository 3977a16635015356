// SPDX-License-Identifier: Apache-2.0
// What a signal frame holds of the PEs, behind what Linux defines: a handler begins in scalar state with
// every PE enabled and no stack window, may use the PEs, and changes nothing that the interrupted program
// sees of them but the rest of SBM and outstanding transfers, which are memory.
#pragma once

#include <cstdint>

#include "isa/memory/guest_memory.h"
#include "isa/simd/state.h"

namespace psim::isa::simd_frame {

/// Some register of the PEs, the mask or the stack window is not as at the start of the program. Without that
/// a frame holds nothing of them.
bool needed(const SimdState& state);
/// Bytes at its place in the frame, a multiple of 16: 4,144 for 16 PEs, and in a function that psim_simd_call
/// has entered 128 KiB more, as a handler's functions have their stack window on the same bytes of SBM.
///
///   bytes      what
///   8          bit 0 the state bit, bits 63–32 the mask of enabled PEs
///   8          %simdstack
///   32         %fcc0 … %fcc3, two bits a PE
///   256 × PEs  %d0 … %d62, of each all PEs
///   …          what backs the stack window, doubleword by doubleword, of each all PEs
std::uint64_t bytes(const SimdState& state);
/// False if it is not writable.
bool write_to(GuestMemory& memory, std::uint64_t address, const SimdState& state);
/// As a handler begins.
void begin_handler(SimdState& state);
/// False, and nothing done, if it is not readable or makes no sense.
bool put_back(const GuestMemory& memory, std::uint64_t address, SimdState& state);

}  // namespace psim::isa::simd_frame
