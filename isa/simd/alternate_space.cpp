// SPDX-License-Identifier: Apache-2.0
// Accesses by an ASI in SIMD state, and loads and stores of %fsr. In a window the primary spaces and block
// accesses go to SBM; elsewhere loads of floating-point registers are broadcast, whatever the ASI.
#include "isa/exec/alternate_space.h"
#include "isa/exec/access.h"
#include "isa/exec/conditions.h"
#include "isa/fields.h"
#include "isa/simd/lanes.h"
#include "isa/simd/sbm.h"

namespace psim::isa::simd {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

template <Op op>
inline Binding scalar_binding;
template <Op op, bool I>
Handler scalar_handler() {
  return I ? scalar_binding<op>.immediate : scalar_binding<op>.handler;
}

PSIM_HANDLER(access_end) {
  c->exit = Exit::Done;
  return nullptr;
}
/// Does the instruction as scalar state would, on registers at other offsets; false if the block has been
/// left.
bool as_scalar(Context* c, const Action* a, Handler handler, std::uint16_t rd, std::byte* host,
               const std::uint8_t* pages) {
  Action pair[2] = {*a, {}};
  pair[0].handler = handler, pair[0].rd = rd;
  pair[1].handler = access_end;
#if PSIM_THREADED
  handler(c, pair, host, pages);
#else
  for (const Action* at = pair; at != nullptr;) at = at->handler(c, at, host, pages);
#endif
  if (c->exit == Exit::Done) return true;
  c->exit_action = a;
  return false;
}

template <bool I>
std::uint8_t asi_of(const Context* c, const Action* a) {
  return I ? c->asi : imm_asi(a->word);
}

/// Bytes of a load or store of PE registers in a window, 0: there is none of this kind.
unsigned window_bytes(std::uint8_t asi, std::uint32_t word, unsigned bytes) {
  if (is_plain_asi(asi)) return bytes;
  return is_block_asi(asi) && bytes == 8 && rd_double(word) % 16 == 0 ? 64 : 0;
}

/// Into borrowed scalar registers, then to every enabled PE.
template <Op op, unsigned Bytes, bool I>
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
  const bool done = as_scalar(c, a, scalar_handler<op, I>(), scalar, host, pages);
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
template <Op op, unsigned Bytes, bool I>
PSIM_HANDLER(load_pes) {
  const Action* const after = load<op, Bytes, I>(c, a, host, pages);
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
template <Op op, class T, bool Store, bool I>
PSIM_HANDLER(integer_access) {
  const std::uint8_t asi = asi_of<I>(c, a);
  const u64 address = effective<I>(c, a), offset = c->simd.window_offset(address);
  if (asi == kAsiSbm || offset == SimdState::kNoWindow) [[likely]]
    return scalar_handler<op, I>()(c, a, host, pages);
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
template <Op op, bool Rs1Only, bool I>
PSIM_HANDLER(elsewhere) {
  const u64 address = Rs1Only ? get(c, a->rs1) : effective<I>(c, a);
  if (asi_of<I>(c, a) != kAsiSbm && c->simd.window_offset(address) != SimdState::kNoWindow)
    PSIM_TROUBLE(FaultKind::PeAccess, address);
  return scalar_handler<op, I>()(c, a, host, pages);
}

// %fsr: its fccs are those of the PEs, the rest is the scalar part's.
constexpr u64 kFccs = 3u << 10 | u64{0x3f} << 32;
constexpr unsigned shift_of(unsigned n) { return n == 0 ? 10 : 30 + 2 * n; }

template <Op op, bool I>
[[gnu::noinline]] const Action* load_fsr(Context* c, const Action* a, std::byte* host,
                                         const std::uint8_t* pages) {
  const u64 address = effective<I>(c, a), kept = c->fsr & kFccs;
  if (c->simd.window_offset(address) != SimdState::kNoWindow)
    return trouble(c, a, FaultKind::PeAccess, address);
  const bool done = as_scalar(c, a, scalar_handler<op, I>(), a->rd, host, pages);
  const u64 loaded = c->fsr;
  c->fsr = (c->fsr & ~kFccs) | kept;
  if (!done) return nullptr;
  for (unsigned n = 0; n < (op == Op::Ldfsr ? 1u : 4u); ++n)
    for (u32 left = c->simd.mask; left != 0; left &= left - 1)
      c->simd.fcc[n][static_cast<unsigned>(__builtin_ctz(left))] = loaded >> shift_of(n) & 3;
  return a + 1;
}
template <Op op, bool I>
[[gnu::noinline]] const Action* store_fsr(Context* c, const Action* a, std::byte* host,
                                          const std::uint8_t* pages) {
  const u64 address = effective<I>(c, a), kept = c->fsr & kFccs;
  if (c->simd.window_offset(address) != SimdState::kNoWindow)
    return trouble(c, a, FaultKind::PeAccess, address);
  u64 shown = 0;
  for (unsigned n = 0; n < (op == Op::Stfsr ? 1u : 4u); ++n) {
    const int fcc = agreed_fcc(c, a, n);
    if (fcc < 0) return nullptr;
    shown |= static_cast<u64>(fcc) << shift_of(n);
  }
  c->fsr = (c->fsr & ~kFccs) | shown;
  const bool done = as_scalar(c, a, scalar_handler<op, I>(), a->rd, host, pages);
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

template <Op op, unsigned Bytes>
void bind_load(Bindings& b, Bank bank) {
  scalar_binding<op> = b[op];
  b[op].handler = load_pes<op, Bytes, false>, b[op].immediate = load_pes<op, Bytes, true>, b[op].rd = bank;
}
template <Op op, unsigned Bytes>
void bind_store(Bindings& b, Bank bank) {
  b[op] = {.handler = store_pes<Bytes, false>,
           .immediate = store_pes<Bytes, true>,
           .rd = bank,
           .rs1 = Bank::Int,
           .rs2 = Bank::Int};
}
template <Op op, class T, bool Store>
void bind_integer(Bindings& b) {
  scalar_binding<op> = b[op];
  b[op].handler = integer_access<op, T, Store, false>, b[op].immediate = integer_access<op, T, Store, true>;
}
template <Op op, bool Rs1Only>
void bind_elsewhere(Bindings& b) {
  scalar_binding<op> = b[op];
  b[op].handler = elsewhere<op, Rs1Only, false>, b[op].immediate = elsewhere<op, Rs1Only, true>;
}
template <Op op>
void bind_load_fsr(Bindings& b) {
  scalar_binding<op> = b[op];
  b[op].handler = fsr_access<load_fsr<op, false>>, b[op].immediate = fsr_access<load_fsr<op, true>>;
}
template <Op op>
void bind_store_fsr(Bindings& b) {
  scalar_binding<op> = b[op];
  b[op].handler = fsr_access<store_fsr<op, false>>, b[op].immediate = fsr_access<store_fsr<op, true>>;
}

}  // namespace

void bind_alternate_space(Bindings& b) {
  bind_load<Op::Ldfa, 4>(b, Bank::PeSingle), bind_load<Op::Lddfa, 8>(b, Bank::PeDouble);
  bind_load<Op::Ldqfa, 16>(b, Bank::PeQuad);
  bind_store<Op::Stfa, 4>(b, Bank::PeSingle), bind_store<Op::Stdfa, 8>(b, Bank::PeDouble);
  bind_store<Op::Stqfa, 16>(b, Bank::PeQuad);
  bind_integer<Op::Lduba, std::uint8_t, false>(b), bind_integer<Op::Lduha, std::uint16_t, false>(b);
  bind_integer<Op::Lduwa, u32, false>(b), bind_integer<Op::Ldxa, u64, false>(b);
  bind_integer<Op::Ldsba, std::int8_t, false>(b), bind_integer<Op::Ldsha, std::int16_t, false>(b);
  bind_integer<Op::Ldswa, std::int32_t, false>(b);
  bind_integer<Op::Stba, std::uint8_t, true>(b), bind_integer<Op::Stha, std::uint16_t, true>(b);
  bind_integer<Op::Stwa, u32, true>(b), bind_integer<Op::Stxa, u64, true>(b);
  bind_elsewhere<Op::Ldtwa, false>(b), bind_elsewhere<Op::Sttwa, false>(b);
  bind_elsewhere<Op::Ldstuba, false>(b), bind_elsewhere<Op::Swapa, false>(b);
  bind_elsewhere<Op::Casa, true>(b), bind_elsewhere<Op::Casxa, true>(b);
  bind_load_fsr<Op::Ldfsr>(b), bind_load_fsr<Op::Ldxfsr>(b);
  bind_store_fsr<Op::Stfsr>(b), bind_store_fsr<Op::Stxfsr>(b);
}

}  // namespace psim::isa::simd
