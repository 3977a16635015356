// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/state/handler.h"

namespace psim::isa {

/// Returns the bindings of all rows in scalar or SIMD state, rounding multiply-adds as `fma` says.
const Bindings& bindings(FmaRounding fma, bool simd = false);

}  // namespace psim::isa
