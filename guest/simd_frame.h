// SPDX-License-Identifier: Apache-2.0
// The part of a signal frame that holds the PEs, after the part that Linux defines. A handler begins in
// scalar state with every PE enabled and no stack window, and may use the PEs. On return the interrupted
// program finds the PEs unchanged, except for the rest of SBM and outstanding transfers, which are memory.
#pragma once

#include <cstdint>

#include "isa/memory/guest_memory.h"
#include "isa/state/simd_state.h"

namespace psim::isa::simd_frame {

/// Returns true if a register of the PEs, the mask or the stack window differs from the program's start.
/// Otherwise a frame holds no PE state.
bool needed(const SimdState& state);
/// Returns its bytes in the frame, a multiple of 16: 4,144 for 16 PEs. In a function that psim_simd_call has
/// entered there are 128 KiB more, as a handler's functions use the same bytes of SBM for their stack window.
///
///   bytes      what
///   8          bit 0 the state bit, bits 63–32 the mask of enabled PEs
///   8          %simdstack
///   32         %fcc0 … %fcc3, two bits per PE
///   256 × PEs  %d0 … %d62, each for all PEs
///   …          the memory of the stack window, doubleword by doubleword, each for all PEs
std::uint64_t bytes(const SimdState& state);
/// Writes the part. Returns false if the memory is not writable.
bool write_to(GuestMemory& memory, std::uint64_t address, const SimdState& state);
/// Sets the PE state with which a handler begins.
void begin_handler(SimdState& state);
/// Restores the state. Returns false, with nothing changed, if the memory is not readable or the contents are
/// invalid.
bool put_back(const GuestMemory& memory, std::uint64_t address, SimdState& state);

}  // namespace psim::isa::simd_frame
