// SPDX-License-Identifier: Apache-2.0
// %fsr (V9 manual, 5.1.7) and the host's floating-point environment while guest code runs.
#pragma once

#include <cstdint>

#include "isa/exec/cpu_state.h"

namespace psim::isa {

/// Writable bits of %fsr: rd, tem, aexc, cexc, fcc0–fcc3. ns, ver, ftt and qne read as 0.
inline constexpr std::uint64_t kFsrWritable = 0x3f'cf80'0fffull;

/// %fsr complete, with the flags that host arithmetic has accumulated.
std::uint64_t read_fsr(CpuState& state);
void write_fsr(CpuState& state, std::uint64_t value);

/// Guest arithmetic needs its rounding mode on the host and leaves sticky flags there: enter before guest
/// code runs, leave before anything else does.
void enter_guest_fp(CpuState& state);
void leave_guest_fp(CpuState& state);

}  // namespace psim::isa
