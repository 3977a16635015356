// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/fp_environment.h"

#include <cfenv>

namespace psim::isa {

namespace {
constexpr int kHostRounding[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
}

std::uint64_t read_fsr(CpuState& state) { return state.fsr & kFsrWritable; }

void write_fsr(CpuState& state, std::uint64_t value) {
  state.fsr = value & kFsrWritable;
  std::fesetround(kHostRounding[state.fsr >> 30 & 3]);
}

void enter_guest_fp(CpuState& state) { std::fesetround(kHostRounding[state.fsr >> 30 & 3]); }
void leave_guest_fp(CpuState&) { std::fesetround(FE_TONEAREST); }

}  // namespace psim::isa
