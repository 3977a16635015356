// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/simd/lanes.h"

namespace psim::isa::simd {

/// Executes the instruction as in scalar state, on registers at other offsets; returns false if the block has
/// been left.
bool as_scalar(Context* c, const Action* a, Handler handler, std::uint16_t rd, std::byte* host,
               const std::uint8_t* pages);

}  // namespace psim::isa::simd
