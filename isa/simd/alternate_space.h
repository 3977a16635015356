// SPDX-License-Identifier: Apache-2.0
// Accesses by an ASI in SIMD state. In a window the primary spaces and block accesses go to SBM; elsewhere
// loads of floating-point registers are broadcast, whatever the ASI.
#pragma once

#include "isa/simd/as_scalar.h"
#include "isa/simd/memory.h"
#include "isa/state/access.h"
#include "isa/state/asi_access.h"
#include "isa/table/fields.h"

namespace psim::isa::simd {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

/// Returns the bytes of a load or store of PE registers in a window; 0: no such access.
inline unsigned window_bytes(std::uint8_t asi, std::uint32_t word, unsigned bytes) {
  if (is_plain_asi(asi)) return bytes;
  return is_block_asi(asi) && bytes == 8 && rd_double(word) % 16 == 0 ? 64 : 0;
}

/// Loads into borrowed scalar registers, then copies to every enabled PE.
template <Handler Scalar, unsigned Bytes, bool I>
[[gnu::noinline]] const Action* load(Context* c, const Action* a, std::byte* host,
                                     const std::uint8_t* pages) {
  const std::uint8_t asi = asi_of<I>(c, a);
  const u64 address = effective<I>(c, a);
  if (asi != kAsiSbm && c->simd.window_offset(address) != SimdState::kNoWindow) {
    const unsigned bytes = window_bytes(asi, a->word, Bytes);
    return bytes == 0 ? trouble(c, a, FaultKind::PeAccess, address) : load_slowly(c, a, address, bytes);
  }
  const std::array<u64, 32> kept = c->f;
  const unsigned number = Bytes == 4 ? rd(a->word) : Bytes == 16 ? rd_quad(a->word) : rd_double(a->word);
  const std::uint16_t scalar = Bytes == 4 ? single_offset(number) : double_offset(number);
  const bool done = as_scalar(c, a, Scalar, scalar, host, pages);
  const std::array<u64, 32> loaded = c->f;
  c->f = kept;
  if (!done) return nullptr;
  const unsigned rows = Bytes == 16                              ? 2
                        : Bytes == 8 && is_block_asi(asi & 0xf7) ? 8
                                                                 : 1;  // in either byte order
  for (u32 left = c->simd.mask; left != 0; left &= left - 1) {
    const auto pe = static_cast<unsigned>(__builtin_ctz(left));
    for (unsigned n = 0; n < rows; ++n) {
      u64& to = c->simd.f[number / 2 + n][pe];
      const u64 half = Bytes != 4 ? ~u64{0} : number % 2 == 0 ? ~u64{0} << 32 : 0xffffffff;
      to = (to & ~half) | (loaded[number / 2 + n] & half);
    }
  }
  return a + 1;
}
template <unsigned Bytes, bool I>
const Action* store(Context* c, const Action* a) {
  const std::uint8_t asi = asi_of<I>(c, a);
  const u64 address = effective<I>(c, a);
  if (asi != kAsiSbm && c->simd.window_offset(address) != SimdState::kNoWindow) {
    const unsigned bytes = window_bytes(asi, a->word, Bytes);
    return bytes == 0 ? trouble(c, a, FaultKind::PeAccess, address)
                      : simd::store_slowly(c, a, address, bytes);
  }
  return trouble(c, a, FaultKind::PeStore, address);
}
template <Handler Scalar, unsigned Bytes, bool I>
PSIM_HANDLER(load_pes) {
  const Action* const after = load<Scalar, Bytes, I>(c, a, host, pages);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <unsigned Bytes, bool I>
PSIM_HANDLER(store_pes) {
  const Action* const after = store<Bytes, I>(c, a);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

template <class T>
[[gnu::noinline]] const Action* load_integer(Context* c, const Action* a, u64 offset) {
  u64 value = 0;
  if (!load_agreed(c, a, offset, sizeof(T), value)) return nullptr;
  put(c, a->rd, static_cast<u64>(static_cast<std::int64_t>(static_cast<T>(value))));
  return a + 1;
}
/// Integer registers in a window: the primary spaces; elsewhere as in scalar state.
template <Handler Scalar, class T, bool Store, bool I>
PSIM_HANDLER(in_primary_space) {
  const std::uint8_t asi = asi_of<I>(c, a);
  const u64 address = effective<I>(c, a), offset = c->simd.window_offset(address);
  if (asi == kAsiSbm || offset == SimdState::kNoWindow) [[likely]]
    return Scalar(c, a, host, pages);
  if (!is_plain_asi(asi)) PSIM_TROUBLE(FaultKind::PeAccess, address);
  if constexpr (Store) {
    if (!may_access(c, a, offset, sizeof(T), sizeof(T), true)) return nullptr;
    for (u32 left = c->simd.mask; left != 0; left &= left - 1)
      write_sbm(c->simd, static_cast<unsigned>(__builtin_ctz(left)), offset, sizeof(T), get(c, a->rd));
  } else {
    const Action* const after = load_integer<T>(c, a, offset);
    if (after == nullptr) return nullptr;
    PSIM_GO(after);
  }
  PSIM_NEXT;
}
/// Pairs and atomics: not in a window.
template <Handler Scalar, bool Rs1Only, bool I>
PSIM_HANDLER(elsewhere) {
  const u64 address = Rs1Only ? get(c, a->rs1) : effective<I>(c, a);
  if (asi_of<I>(c, a) != kAsiSbm && c->simd.window_offset(address) != SimdState::kNoWindow)
    PSIM_TROUBLE(FaultKind::PeAccess, address);
  return Scalar(c, a, host, pages);
}

template <Handler ByRegister, Handler ByImmediate, unsigned Bytes>
Binding loads_alternate(FmaRounding) {
  return {.handler = load_pes<ByRegister, Bytes, false>, .immediate = load_pes<ByImmediate, Bytes, true>};
}
template <unsigned Bytes>
Binding stores_alternate(FmaRounding) {
  return {.handler = store_pes<Bytes, false>, .immediate = store_pes<Bytes, true>};
}
template <Handler ByRegister, Handler ByImmediate, class T, bool Store>
Binding integer_alternate(FmaRounding) {
  return {.handler = in_primary_space<ByRegister, T, Store, false>,
          .immediate = in_primary_space<ByImmediate, T, Store, true>};
}
template <Handler ByRegister, Handler ByImmediate, bool Rs1Only = false, void (*Prepare)(Action&) = nullptr>
Binding not_in_window(FmaRounding) {
  return {.handler = elsewhere<ByRegister, Rs1Only, false>,
          .immediate = elsewhere<ByImmediate, Rs1Only, true>,
          .prepare = Prepare};
}

}  // namespace psim::isa::simd
