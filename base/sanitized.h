// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace psim {

/// True with AddressSanitizer and UndefinedBehaviorSanitizer. Tests then repeat random trials less often: few
/// trials show faults of memory, and the release build runs all of them.
#ifdef PSIM_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace psim
