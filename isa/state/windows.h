// SPDX-License-Identifier: Apache-2.0
// Register windows (V9 manual, 5.1.2 and 6.4; spill and fill as Linux does them in user mode: one window per
// trap, 128 bytes of locals and ins at the window's %sp + 2047).
//
// Window w owns its locals and ins; its outs are the ins of window w + 1. CpuState::r holds outs, locals and
// ins of the current window, CpuState::windows locals and ins of all others.
#pragma once

#include <cstdint>

#include "isa/memory/guest_memory.h"
#include "isa/state/cpu_state.h"
#include "isa/state/instruction_source.h"

namespace psim::isa {

inline constexpr std::uint64_t kStackBias = 2047;
inline constexpr unsigned kWindowBytes = 128;

constexpr unsigned window_after(unsigned w, unsigned n = 1) { return (w + n) % kWindows; }
constexpr unsigned window_before(unsigned w, unsigned n = 1) { return (w + kWindows - n) % kWindows; }

/// Returns the instruction by which a spill or fill handler moves the nth register of a window: stx or ldx
/// %rN, [%sp + 2047 + 8 n].
constexpr std::uint32_t window_trap_word(RecordKind kind, unsigned n) {
  const std::uint32_t op3 = kind == RecordKind::SpillStore ? 0x0e : 0x0b;
  return 3u << 30 | (16 + n) << 25 | op3 << 19 | 14u << 14 | 1u << 13 |
         static_cast<std::uint32_t>(kStackBias + 8 * n);
}

/// Sets CWP + 1 and moves the registers, without checking CANSAVE and CANRESTORE.
inline void enter_next_window(CpuState& s) {
  auto& old_window = s.windows[s.cwp];
  s.cwp = static_cast<std::uint8_t>(window_after(s.cwp));
  auto& new_window = s.windows[s.cwp];
  const auto& after = s.windows[window_after(s.cwp)];
  std::memcpy(old_window.data(), &s.r[16], 16 * 8);
  std::memcpy(&s.r[24], &s.r[8], 8 * 8);
  std::memcpy(&s.r[16], new_window.data(), 8 * 8);
  std::memcpy(&s.r[8], after.data() + 8, 8 * 8);
}
/// Sets CWP - 1 and moves the registers.
inline void enter_previous_window(CpuState& s) {
  auto& old_window = s.windows[s.cwp];
  auto& after = s.windows[window_after(s.cwp)];
  s.cwp = static_cast<std::uint8_t>(window_before(s.cwp));
  const auto& new_window = s.windows[s.cwp];
  std::memcpy(after.data() + 8, &s.r[8], 8 * 8);
  std::memcpy(old_window.data(), &s.r[16], 8 * 8);
  std::memcpy(&s.r[8], &s.r[24], 8 * 8);
  std::memcpy(&s.r[16], new_window.data(), 16 * 8);
}

/// A spill or fill trap, as its records need it.
struct WindowTrap {
  bool done = false;          ///< false: the save area is not accessible; nothing has changed
  std::uint64_t address = 0;  ///< of the save area
};
/// On overflow: writes the oldest restorable window (CWP + CANSAVE + 2) to its save area.
WindowTrap spill_oldest(CpuState& s, GuestMemory& memory);
/// Does the same if the save area is ordinary writable memory without decoded code; otherwise has no effect.
WindowTrap spill_plainly(CpuState& s, GuestMemory& memory);
/// On underflow: reads window CWP - 1 from its save area, which is at the current %fp.
WindowTrap fill_previous(CpuState& s, const GuestMemory& memory);

}  // namespace psim::isa
