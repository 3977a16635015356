// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace psim::isa {

/// What the rows of the SIMD extension and the other rows in SIMD state do: the chapter of docs/isa.md.
std::string_view simd_chapter();

}  // namespace psim::isa
