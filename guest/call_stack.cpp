// SPDX-License-Identifier: Apache-2.0
#include "guest/call_stack.h"

#include "isa/state/windows.h"

namespace psim::isa {

CallSite call_site(const CpuState& state, const GuestMemory& memory, std::uint64_t pc, unsigned most) {
  constexpr std::uint64_t kSavedI6 = 14 * 8, kSavedI7 = 15 * 8;
  CallSite site{.pc = pc};
  std::uint64_t frame = state.r[30], call = state.r[31];
  unsigned window = state.cwp, resident = state.canrestore;
  while (call != 0 && site.calls.size() < most) {
    site.calls.push_back(call);
    if (resident != 0) {  // the caller's window is still in registers
      --resident;
      window = window_before(window);
      frame = state.windows[window][14];
      call = state.windows[window][15];
      continue;
    }
    const std::uint64_t save_area = frame + kStackBias;
    if (!memory.load(save_area + kSavedI7, call) || !memory.load(save_area + kSavedI6, frame)) break;
  }
  return site;
}

}  // namespace psim::isa
