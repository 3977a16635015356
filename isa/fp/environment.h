// SPDX-License-Identifier: Apache-2.0
// %fsr and the host's floating-point environment (V9 5.1.7).
//
// Guest arithmetic runs on the host's unit with the guest's rounding mode and all host traps masked.
// Operations do not compute %fsr: their flags stay in the host's sticky flags, and the last operation and its
// operands are recorded. complete() turns both into aexc and cexc. Where %fsr.tem enables a trap, or a result
// is a NaN or the least normal number, operations go through exact arithmetic instead.
//
// - Underflow is signalled for tiny inexact results, tiny before rounding; with UFM set for exact ones too.
// - FSR.ns has no effect: subnormals are always computed. FSR.ver is 0, FSR.qne is 0.
// - GSR.im (VIS 2, siam) replaces FSR.rd by GSR.irnd.
#pragma once

#include <cstdint>

#include "isa/fp/operation.h"
#include "isa/state/cpu_state.h"

namespace psim::isa::fp {

// Fields of %fsr.
inline constexpr std::uint64_t kCexc = 0x1f, kAexc = 0x1f << 5, kFtt = 7u << 14, kTem = 0x1fu << 23;
/// The fields that ldxfsr and ldfsr write: rd, tem, ns, aexc, cexc, fcc0; ldxfsr also writes fcc1–fcc3.
inline constexpr std::uint64_t kLdxfsr = 0x3f'cfc0'0fff, kLdfsr = 0xcfc0'0fff;

/// Returns the rounding mode in force: FSR.rd, or GSR.irnd if GSR.im is set.
Rounding rounding(const CpuState& state);

/// Sets the guest's environment on the host; returns the value that leave() restores.
[[nodiscard]] std::uint32_t enter(CpuState& state);
/// Collects the host's flags into %fsr and restores the host's own environment, with no flag set.
void leave(CpuState& state, std::uint32_t host);

/// Sets the guest's environment during the lifetime of an object.
class Guest {
 public:
  explicit Guest(CpuState& state) : state_{state}, host_{enter(state)} {}
  ~Guest() { leave(state_, host_); }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

 private:
  CpuState& state_;
  std::uint32_t host_;
};

/// Returns %fsr with aexc, cexc and ftt complete, and stores it so in `state`.
std::uint64_t read_fsr(CpuState& state);
/// Replaces the fields in `mask` (kLdxfsr, kLdfsr) and the state derived from them: rounding, traps.
void write_fsr(CpuState& state, std::uint64_t value, std::uint64_t mask = kLdxfsr);
/// Stores of %fsr set ftt to 0 afterwards (V9 5.1.7.6).
inline void clear_ftt(CpuState& state) { state.fsr &= ~kFtt; }
/// Replaces %gsr, and possibly the rounding mode.
void write_gsr(CpuState& state, std::uint64_t value);

/// Ends an operation computed exactly: sets cexc and aexc. Returns true if %fsr.tem enables one of `flags`;
/// ftt and cexc then record it, aexc is unchanged, and the caller must not write the destination.
bool settle(CpuState& state, std::uint8_t flags);

}  // namespace psim::isa::fp
