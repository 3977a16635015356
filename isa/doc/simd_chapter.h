// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace psim::isa {

/// Returns the chapter of docs/isa.md on the rows of the SIMD extension, and on the other rows in SIMD state.
std::string_view simd_chapter();

}  // namespace psim::isa
