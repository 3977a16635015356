// SPDX-License-Identifier: Apache-2.0
#include "isa/fp/registers.h"

namespace psim::isa::fp {

PSIM_HANDLER(invalid_register) {
  CpuState& state = *c;
  read_fsr(state);
  state.fsr = (state.fsr & ~kFtt) | 6u << 14;  // invalid_fp_register
  PSIM_TROUBLE(FaultKind::FpUnimplemented);
}

}  // namespace psim::isa::fp
