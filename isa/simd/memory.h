// SPDX-License-Identifier: Apache-2.0
// Loads and stores of SIMD state (docs/isa.md). In a window every PE accesses its own SBM; elsewhere loads of
// floating-point registers read memory once for all PEs, and their stores are an exception. Integer stores
// into a window write every SBM; integer loads require the same value in all.
#pragma once

#include "isa/simd/lanes.h"
#include "isa/state/access.h"
#include "isa/state/sbm.h"

namespace psim::isa::simd {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

/// Loads the value of an integer register from a window: `bytes` of SBM on which the enabled PEs agree, see
/// may_differ().
bool load_agreed(Context* c, const Action* a, std::uint64_t offset, unsigned bytes, std::uint64_t& value);

/// Loads or stores PE registers of 4, 8, 16 or 64 bytes beginning at Action::rd, of the enabled PEs, in SBM
/// or memory by `address`. Returns null if the block has been left.
const Action* load_slowly(Context* c, const Action* a, std::uint64_t address, unsigned bytes);
const Action* store_slowly(Context* c, const Action* a, std::uint64_t address, unsigned bytes);

/// Returns true if the quick path is possible for the offset in a window: aligned, all PEs enabled, nothing
/// outstanding.
inline bool quick(const SimdState& s, u64 offset, unsigned bytes) {
  return offset % bytes == 0 && !s.careful;
}

template <bool I>
struct LoadDouble {
  [[gnu::always_inline]] static inline const Action* run(Context* c, const Action* a, std::byte* host,
                                                         const std::uint8_t* pages) {
    const u64 address = effective<I>(c, a);
    const u64 offset = c->simd.window_offset(address);
    const unsigned n = c->simd.pes;
    if (offset != SimdState::kNoWindow && quick(c->simd, offset, 8)) [[likely]] {
      const u64* const from = c->simd.sbm_row(offset);
      for (unsigned pe = 0; pe < n; ++pe) lane_at(c, a->rd, pe) = from[pe];
      PSIM_NEXT;
    }
    if (offset == SimdState::kNoWindow && readable<u64>(pages, address) && !c->simd.partial) {
      const u64 value = load_raw<u64>(host, address);
      for (unsigned pe = 0; pe < n; ++pe) lane_at(c, a->rd, pe) = value;
      PSIM_NEXT;
    }
    const Action* const after = load_slowly(c, a, address, 8);
    if (after == nullptr) return nullptr;
    PSIM_GO(after);
  }
};
template <bool I>
struct StoreDouble {
  [[gnu::always_inline]] static inline const Action* run(Context* c, const Action* a,
                                                         [[maybe_unused]] std::byte* host,
                                                         [[maybe_unused]] const std::uint8_t* pages) {
    const u64 address = effective<I>(c, a);
    const u64 offset = c->simd.window_offset(address);
    if (offset != SimdState::kNoWindow && quick(c->simd, offset, 8)) [[likely]] {
      const unsigned n = c->simd.pes;
      u64* const to = c->simd.sbm_row(offset);
      for (unsigned pe = 0; pe < n; ++pe) to[pe] = lane_at(c, a->rd, pe);
      PSIM_NEXT;
    }
    const Action* const after = simd::store_slowly(c, a, address, 8);
    if (after == nullptr) return nullptr;
    PSIM_GO(after);
  }
};
template <unsigned Bytes, bool I>
PSIM_HANDLER(load_any) {
  const Action* const after = load_slowly(c, a, effective<I>(c, a), Bytes);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <unsigned Bytes, bool I>
PSIM_HANDLER(store_any) {
  const Action* const after = simd::store_slowly(c, a, effective<I>(c, a), Bytes);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

inline Binding loads_double(FmaRounding) {
  return {.handler = pe_handler<LoadDouble<false>>(), .immediate = pe_handler<LoadDouble<true>>()};
}
inline Binding stores_double(FmaRounding) {
  return {.handler = pe_handler<StoreDouble<false>>(), .immediate = pe_handler<StoreDouble<true>>()};
}
template <unsigned Bytes>
Binding loads(FmaRounding) {
  return {.handler = load_any<Bytes, false>, .immediate = load_any<Bytes, true>};
}
template <unsigned Bytes>
Binding stores(FmaRounding) {
  return {.handler = store_any<Bytes, false>, .immediate = store_any<Bytes, true>};
}

// Integer registers: outside the windows as in scalar state.

template <class T>
const Action* load_window(Context* c, const Action* a, u64 offset) {
  u64 value = 0;
  if (!load_agreed(c, a, offset, sizeof(T), value)) return nullptr;
  put(c, a->rd, static_cast<u64>(static_cast<std::int64_t>(static_cast<T>(value))));
  return a + 1;
}
template <class T>
const Action* store_window(Context* c, const Action* a, u64 offset) {
  if (!may_access(c, a, offset, sizeof(T), sizeof(T), true)) return nullptr;
  const u64 value = get(c, a->rd);
  for (u32 left = c->simd.mask; left != 0; left &= left - 1)
    write_sbm(c->simd, static_cast<unsigned>(__builtin_ctz(left)), offset, sizeof(T), value);
  return a + 1;
}
inline const Action* load_twin(Context* c, const Action* a, u64 offset) {
  u64 both = 0;
  if (!load_agreed(c, a, offset, 8, both)) return nullptr;
  put<u64>(c, a->rd, both >> 32);
  put<u64>(c, a->rs3, static_cast<u32>(both));
  return a + 1;
}
inline const Action* store_twin(Context* c, const Action* a, u64 offset) {
  if (!may_access(c, a, offset, 8, 8, true)) return nullptr;
  const u64 both = get<u64>(c, a->rd) << 32 | static_cast<u32>(get<u64>(c, a->rs3));
  for (u32 left = c->simd.mask; left != 0; left &= left - 1)
    write_sbm(c->simd, static_cast<unsigned>(__builtin_ctz(left)), offset, 8, both);
  return a + 1;
}
/// Refuses an access that is not possible in a window.
inline const Action* refuse(Context* c, const Action* a, u64 offset) {
  return trouble(c, a, FaultKind::PeAccess, offset);
}

using WindowAccess = const Action* (*)(Context*, const Action*, u64 offset);
/// Does F in a window, Scalar elsewhere.
template <Handler Scalar, WindowAccess F, bool I>
PSIM_HANDLER(in_window) {
  const u64 offset = c->simd.window_offset(effective<I>(c, a));
  if (offset == SimdState::kNoWindow) [[likely]]
    return Scalar(c, a, host, pages);
  const Action* const after = F(c, a, offset);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <Handler ByRegister, Handler ByImmediate, WindowAccess F, void (*Prepare)(Action&) = nullptr>
Binding integer_access(FmaRounding) {
  return {.handler = in_window<ByRegister, F, false>,
          .immediate = in_window<ByImmediate, F, true>,
          .prepare = Prepare};
}

}  // namespace psim::isa::simd
