// SPDX-License-Identifier: Apache-2.0
#include "isa/fp/environment.h"

#include "isa/fp/host.h"

namespace psim::isa::fp {
namespace {

constexpr std::uint64_t kGsrIm = 1u << 27;

std::uint8_t enabled(const CpuState& state) { return static_cast<std::uint8_t>(state.fsr >> 23 & 0x1f); }

std::uint32_t guest_mxcsr(const CpuState& state) {
  constexpr std::uint32_t of[] = {0, 3, 2, 1};  // nearest, zero, up, down
  return host::kMasks | of[static_cast<unsigned>(rounding(state))] << 13;
}

/// Converts MXCSR's sticky flags (invalid, denormal, zero, overflow, underflow, precision) to ours.
std::uint8_t flags_of(std::uint32_t mxcsr) {
  return static_cast<std::uint8_t>((mxcsr & 1 ? kInvalid : 0) | (mxcsr & 4 ? kDivisionByZero : 0) |
                                   (mxcsr & 8 ? kOverflow : 0) | (mxcsr & 16 ? kUnderflow : 0) |
                                   (mxcsr & 32 ? kInexact : 0));
}

void complete(CpuState& state) {
  if (state.fp_on_host) {
    const std::uint32_t mxcsr = host::read_mxcsr();
    if ((mxcsr & host::kFlags) != 0) {
      state.fsr |= std::uint64_t{flags_of(mxcsr)} << 5;
      host::write_mxcsr(mxcsr & ~host::kFlags);
    }
  }
  const auto last = static_cast<Operation>(state.fp_last);
  if (last == Operation::None) return;
  const Result result = exact(last, state.fp_a, state.fp_b, state.fp_c, rounding(state));
  state.fsr = (state.fsr & ~(kCexc | kFtt)) | (result.flags & kCexc);
  state.fp_last = static_cast<std::uint8_t>(Operation::None);
}

/// Applies a change of %fsr or %gsr to the environment.
void apply(CpuState& state) {
  state.fp_traps = enabled(state) != 0;
  if (state.fp_on_host) host::write_mxcsr(guest_mxcsr(state) | (host::read_mxcsr() & host::kFlags));
}

}  // namespace

Rounding rounding(const CpuState& state) {
  return static_cast<Rounding>(state.gsr & kGsrIm ? state.gsr >> 25 & 3 : state.fsr >> 30 & 3);
}

std::uint32_t enter(CpuState& state) {
  const std::uint32_t host = host::read_mxcsr();
  // Writing MXCSR takes longer than a few operations.
  const std::uint32_t guest = guest_mxcsr(state);
  if (host != guest) host::write_mxcsr(guest);
  state.fp_on_host = true;
  state.fp_traps = enabled(state) != 0;
  return host;
}

void leave(CpuState& state, std::uint32_t host) {
  const std::uint32_t guest = host::read_mxcsr(), restored = host & ~host::kFlags;
  if ((guest & host::kFlags) != 0) state.fsr |= std::uint64_t{flags_of(guest)} << 5;
  state.fp_on_host = false;
  if (guest != restored) host::write_mxcsr(restored);
}

std::uint64_t read_fsr(CpuState& state) {
  complete(state);
  return state.fsr;
}

void write_fsr(CpuState& state, std::uint64_t value, std::uint64_t mask) {
  complete(state);
  state.fsr = (state.fsr & ~mask) | (value & mask);
  apply(state);
}

void write_gsr(CpuState& state, std::uint64_t value) {
  if (((state.gsr ^ value) & (kGsrIm | 3u << 25)) == 0) {
    state.gsr = value;
    return;
  }
  complete(state);  // the flags of the last operation belong to its rounding mode
  state.gsr = value;
  apply(state);
}

bool settle(CpuState& state, std::uint8_t flags) {
  const std::uint8_t tem = enabled(state);
  if ((flags & kTiny) != 0 && (tem & kUnderflow) != 0) flags |= kUnderflow;
  const std::uint8_t trapping = flags & tem & kCexc;
  state.fp_last = static_cast<std::uint8_t>(Operation::None);
  state.fsr &= ~(kCexc | kFtt);
  if (trapping == 0) {
    state.fsr |= (flags & kCexc) | std::uint64_t{flags & kCexc} << 5;
    return false;
  }
  // Exactly one bit of cexc, and overflow or underflow before inexact (V9 table 26).
  const std::uint8_t cause = trapping & (kInvalid | kDivisionByZero | kOverflow | kUnderflow);
  state.fsr |= (cause != 0 ? cause : trapping) | 1u << 14;
  return true;
}

}  // namespace psim::isa::fp
