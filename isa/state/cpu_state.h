// SPDX-License-Identifier: Apache-2.0
// The architectural state of one SPARC-V9 strand in user mode (V9 manual, chapter 5).
// The current window is kept flat in `r`; save and restore copy (see isa/state/windows.h).
#pragma once

#include <array>
#include <cstdint>

namespace psim::isa {

inline constexpr unsigned kWindows = 8;  ///< NWINDOWS of SPARC64 V

/// Integer condition codes, one nibble NZVC each.
struct Ccr {
  std::uint8_t icc = 0, xcc = 0;
  std::uint8_t byte() const { return static_cast<std::uint8_t>(xcc << 4 | icc); }
};

/// How the last cc-setting instruction defines CCR; flags are computed only when read.
enum class CcKind : std::uint8_t {
  Flags,  ///< cc_flags
  Add,    ///< of cc_a + cc_b
  Sub,    ///< of cc_a - cc_b
  Logic,  ///< of the result cc_a; carry and overflow are 0
};

struct CpuState {
  // r0–r31 of the current window; r[32] takes writes to %g0 and is never read.
  alignas(64) std::array<std::uint64_t, 40> r{};
  // %d0–%d62 as numbers; single %f(2n) is the high half of element n, %f(2n+1) the low half (n < 16).
  alignas(64) std::array<std::uint64_t, 32> f{};
  std::uint64_t pc = 0, npc = 4;

  // Lazy condition codes: see cc() and set_cc().
  std::uint64_t cc_a = 0, cc_b = 0;
  CcKind cc_kind = CcKind::Flags;
  Ccr cc_flags{};

  std::uint64_t y = 0, gsr = 0;
  std::uint8_t asi = 0x80, fprs = 4;
  std::uint8_t cwp = kWindows - 1, cansave = kWindows - 2, canrestore = 0, otherwin = 0,
               cleanwin = kWindows - 2;
  // Locals and ins of every window but the current one, whose copy lives in r with its outs.
  std::array<std::array<std::uint64_t, 16>, kWindows> windows{};
  // %fsr without the lazily derived parts: rd, tem, ftt, fcc0–3, and aexc/cexc as last folded
  // (isa/fp/environment.h).
  std::uint64_t fsr = 0;
  // The last floating-point operation (fp::Operation) and its operands, from which cexc is computed when
  // read.
  std::uint64_t fp_a = 0, fp_b = 0, fp_c = 0;
  std::uint8_t fp_last = 0;
  bool fp_on_host = false;  ///< the host runs in the guest's floating-point environment
  bool fp_traps = false;    ///< %fsr.tem enables a trap: every operation is computed exactly

  std::uint64_t instructions = 0;  ///< retired so far

  std::uint64_t& g(unsigned n) { return r[n]; }
  std::uint64_t& o(unsigned n) { return r[8 + n]; }
  std::uint64_t& l(unsigned n) { return r[16 + n]; }
  std::uint64_t& i(unsigned n) { return r[24 + n]; }
  /// Returns CCR as the manual defines it, however it was set.
  [[gnu::hot]] Ccr cc() const;
  void set_cc(Ccr flags) { cc_kind = CcKind::Flags, cc_flags = flags; }
};

}  // namespace psim::isa
