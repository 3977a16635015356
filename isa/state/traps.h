// SPDX-License-Identifier: Apache-2.0
// Instructions that always raise an exception.
#pragma once

#include "isa/state/handler.h"

namespace psim::isa {

inline PSIM_HANDLER(illegal_instruction) { PSIM_TROUBLE(FaultKind::IllegalInstruction); }
inline PSIM_HANDLER(privileged_instruction) { PSIM_TROUBLE(FaultKind::PrivilegedInstruction); }

inline constexpr Execution kIllegal{{.handler = illegal_instruction, .immediate = illegal_instruction}};
inline constexpr Execution kPrivileged{
    {.handler = privileged_instruction, .immediate = privileged_instruction}};

}  // namespace psim::isa
