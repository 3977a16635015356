// SPDX-License-Identifier: Apache-2.0
// Loads and stores of %fsr in SIMD state: its fccs are those of the PEs, the rest is the scalar part's.
#pragma once

#include "isa/simd/as_scalar.h"
#include "isa/state/access.h"

namespace psim::isa::simd {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

inline constexpr u64 kFccs = 3u << 10 | u64{0x3f} << 32;
constexpr unsigned shift_of(unsigned n) { return n == 0 ? 10 : 30 + 2 * n; }

template <Handler Scalar, unsigned Fccs, bool I>
[[gnu::noinline]] const Action* load_fsr(Context* c, const Action* a, std::byte* host,
                                         const std::uint8_t* pages) {
  const u64 address = effective<I>(c, a), kept = c->fsr & kFccs;
  if (c->simd.window_offset(address) != SimdState::kNoWindow)
    return trouble(c, a, FaultKind::PeAccess, address);
  const bool done = as_scalar(c, a, Scalar, a->rd, host, pages);
  const u64 loaded = c->fsr;
  c->fsr = (c->fsr & ~kFccs) | kept;
  if (!done) return nullptr;
  for (unsigned n = 0; n < Fccs; ++n)
    for (u32 left = c->simd.mask; left != 0; left &= left - 1)
      c->simd.fcc[n][static_cast<unsigned>(__builtin_ctz(left))] = loaded >> shift_of(n) & 3;
  return a + 1;
}
template <Handler Scalar, unsigned Fccs, bool I>
[[gnu::noinline]] const Action* store_fsr(Context* c, const Action* a, std::byte* host,
                                          const std::uint8_t* pages) {
  const u64 address = effective<I>(c, a), kept = c->fsr & kFccs;
  if (c->simd.window_offset(address) != SimdState::kNoWindow)
    return trouble(c, a, FaultKind::PeAccess, address);
  u64 shown = 0;
  for (unsigned n = 0; n < Fccs; ++n) {
    const int fcc = agreed_fcc(c, a, n);
    if (fcc < 0) return nullptr;
    shown |= static_cast<u64>(fcc) << shift_of(n);
  }
  c->fsr = (c->fsr & ~kFccs) | shown;
  const bool done = as_scalar(c, a, Scalar, a->rd, host, pages);
  c->fsr = (c->fsr & ~kFccs) | kept;
  return done ? a + 1 : nullptr;
}
using FsrAccess = const Action* (*)(Context*, const Action*, std::byte*, const std::uint8_t*);
template <FsrAccess F>
PSIM_HANDLER(fsr_access) {
  const Action* const after = F(c, a, host, pages);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

template <Handler ByRegister, Handler ByImmediate, unsigned Fccs>
Binding loads_fsr(FmaRounding) {
  return {.handler = fsr_access<load_fsr<ByRegister, Fccs, false>>,
          .immediate = fsr_access<load_fsr<ByImmediate, Fccs, true>>,
          .floating = true};
}
template <Handler ByRegister, Handler ByImmediate, unsigned Fccs>
Binding stores_fsr(FmaRounding) {
  return {.handler = fsr_access<store_fsr<ByRegister, Fccs, false>>,
          .immediate = fsr_access<store_fsr<ByImmediate, Fccs, true>>,
          .floating = true};
}

}  // namespace psim::isa::simd
