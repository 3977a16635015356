// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace psim {

/// Whether this build has AddressSanitizer and UndefinedBehaviorSanitizer. Tests repeat random trials less
/// often there: sanitizers look for faults of memory, which few trials show, and the release build runs all
/// trials.
#ifdef PSIM_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace psim
