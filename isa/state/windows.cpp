// SPDX-License-Identifier: Apache-2.0
#include "isa/state/windows.h"

namespace psim::isa {

namespace {
// Returns the save area at %sp. A frame pointer with bit 0 clear belongs to a 32-bit frame, which sparc64
// programs do not make on purpose.
std::uint64_t save_area(std::uint64_t sp) { return sp % 2 == 1 ? sp + kStackBias : ~std::uint64_t{0}; }

bool usable(const GuestMemory& memory, std::uint64_t address, std::uint8_t need) {
  return address % 8 == 0 && memory.accessible(address, kWindowBytes, need) == kWindowBytes;
}
}  // namespace

namespace {
void spill_to(CpuState& s, unsigned window, std::uint64_t address, GuestMemory& memory) {
  for (unsigned n = 0; n < 16; ++n) memory.store<std::uint64_t>(address + 8 * n, s.windows[window][n]);
  ++s.cansave;
  if (s.otherwin == 0)
    --s.canrestore;
  else
    --s.otherwin;
}
unsigned oldest_window(const CpuState& s) { return window_after(s.cwp, s.cansave + 2u); }
/// Returns the save area of a window. %sp is an out: %i6 of the next window, which may be the current one.
std::uint64_t area_of(const CpuState& s, unsigned window) {
  const unsigned after = window_after(window);
  return save_area(after == s.cwp ? s.r[30] : s.windows[after][14]);
}
}  // namespace

WindowTrap spill_oldest(CpuState& s, GuestMemory& memory) {
  const unsigned oldest = oldest_window(s);
  const std::uint64_t address = area_of(s, oldest);
  if (!usable(memory, address, kWrite)) return {false, address};
  spill_to(s, oldest, address, memory);
  return {true, address};
}

WindowTrap spill_plainly(CpuState& s, GuestMemory& memory) {
  const unsigned oldest = oldest_window(s);
  const std::uint64_t address = area_of(s, oldest);
  if (!usable(memory, address, kWrite)) return {false, address};
  if (((memory.permission(address) | memory.permission(address + kWindowBytes - 1)) & kCode) != 0)
    return {false, address};
  spill_to(s, oldest, address, memory);
  return {true, address};
}

WindowTrap fill_previous(CpuState& s, const GuestMemory& memory) {
  const std::uint64_t address = save_area(s.r[30]);
  if (!usable(memory, address, kRead)) return {false, address};
  auto& window = s.windows[window_before(s.cwp)];
  for (unsigned n = 0; n < 16; ++n) memory.load<std::uint64_t>(address + 8 * n, window[n]);
  ++s.canrestore;
  if (s.cansave != 0) --s.cansave;
  return {true, address};
}

}  // namespace psim::isa
