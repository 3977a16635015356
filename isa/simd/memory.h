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

/// Returns true if the quick path is possible for the offset in a window: aligned, and no outstanding
/// transfer moves it. That for singles is for all PEs.
inline bool quick(const SimdState& s, u64 offset, unsigned bytes, bool store) {
  return offset % bytes == 0 && (bytes == 8 || !s.partial) && !s.outstanding.moves(offset, store);
}
/// Copies lanes, `words` apart, of all PEs or of the enabled ones. F(pe) returns the value.
template <class Word, class F>
[[gnu::always_inline]] inline void put_lanes(const SimdState& s, Word* to, F value) {
  constexpr unsigned kWords = 8 / sizeof(Word);
  if (sizeof(Word) == 8 && s.partial) [[unlikely]] {
    for (unsigned pe = 0; pe < s.pes; ++pe)
      to[pe] ^= (to[pe] ^ value(pe)) & static_cast<Word>(s.enabled_lanes[pe]);
    return;
  }
  const unsigned n = s.pes;
  for (unsigned pe = 0; pe < n; ++pe) to[kWords * pe] = value(kWords * pe);
}

// T: std::uint64_t for a double register, std::uint32_t for a single, which is every other word of its row
// and of that of SBM.
template <class T>
inline T* sbm_words(const SimdState& s, u64 offset) {
  return reinterpret_cast<T*>(s.sbm_row(offset)) + (sizeof(T) == 8 || offset % 8 != 0 ? 0 : 1);
}
template <class T, bool I>
struct LoadPes {
  [[gnu::always_inline]] static inline const Action* run(Context* c, const Action* a, std::byte* host,
                                                         const std::uint8_t* pages) {
    typedef T Word __attribute__((may_alias));
    const u64 address = effective<I>(c, a);
    const u64 offset = c->simd.window_offset(address);
    auto* const to = reinterpret_cast<Word*>(row_at(c, a->rd));
    if (offset != SimdState::kNoWindow && quick(c->simd, offset, sizeof(T), false)) [[likely]] {
      const auto* const from = sbm_words<Word>(c->simd, offset);
      put_lanes(c->simd, to, [from](unsigned n) { return from[n]; });
      PSIM_NEXT;
    }
    if (offset == SimdState::kNoWindow && readable<T>(pages, address) &&
        (sizeof(T) == 8 || !c->simd.partial)) {
      const T value = load_raw<T>(host, address);
      put_lanes(c->simd, to, [value](unsigned) { return value; });
      PSIM_NEXT;
    }
    const Action* const after = load_slowly(c, a, address, sizeof(T));
    if (after == nullptr) return nullptr;
    PSIM_GO(after);
  }
};
template <class T, bool I>
struct StorePes {
  [[gnu::always_inline]] static inline const Action* run(Context* c, const Action* a,
                                                         [[maybe_unused]] std::byte* host,
                                                         [[maybe_unused]] const std::uint8_t* pages) {
    typedef T Word __attribute__((may_alias));
    const u64 address = effective<I>(c, a);
    const u64 offset = c->simd.window_offset(address);
    if (offset != SimdState::kNoWindow && quick(c->simd, offset, sizeof(T), true)) [[likely]] {
      const auto* const from = reinterpret_cast<const Word*>(row_at(c, a->rd));
      put_lanes(c->simd, sbm_words<Word>(c->simd, offset), [from](unsigned n) { return from[n]; });
      PSIM_NEXT;
    }
    const Action* const after = simd::store_slowly(c, a, address, sizeof(T));
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

template <class T>
Binding loads_pes(FmaRounding) {
  return {.handler = pe_handler<LoadPes<T, false>>(), .immediate = pe_handler<LoadPes<T, true>>()};
}
template <class T>
Binding stores_pes(FmaRounding) {
  return {.handler = pe_handler<StorePes<T, false>>(), .immediate = pe_handler<StorePes<T, true>>()};
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
