// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of the implicit address space (V9 manual, A.9, A.20, A.25–A.29, A.43–A.58).
// Forms with an ASI are in alternate_space.cpp.
#include <type_traits>

#include "isa/exec/access.h"
#include "isa/exec/context.h"
#include "isa/exec/handler.h"
#include "isa/fields.h"
#include "isa/fp/environment.h"

namespace psim::isa {

namespace {
using u64 = std::uint64_t;
using u32 = std::uint32_t;

/// rd = memory, sign- or zero-extended as T is signed or not.
template <class T, bool I>
PSIM_HANDLER(load) {
  using U = std::make_unsigned_t<T>;
  const u64 address = effective<I>(c, a);
  if (!readable<U>(pages, address)) [[unlikely]]
    return bad_access(c, a, address, sizeof(T), kRead);
  put(c, a->rd, static_cast<u64>(static_cast<std::int64_t>(static_cast<T>(load_raw<U>(host, address)))));
  PSIM_NEXT;
}
template <class T, bool I>
PSIM_HANDLER(store) {
  const u64 address = effective<I>(c, a);
  const T value = get<T>(c, a->rd);
  PSIM_STORE(T, address, value);
}

// Floating-point registers of `Words` words. Parts trap when a double or quad is only word-aligned, and Linux
// then does the access (V9 A.25, lddf_mem_address_not_aligned), so programs see word alignment suffice.
template <unsigned Words>
[[gnu::noinline]] const Action* load_by_words(Context* c, const Action* a, u64 address) {
  u32 word[Words];
  for (unsigned n = 0; n < Words; ++n)
    if (!c->memory->load<u32>(address + 4 * n, word[n])) return bad_access(c, a, address + 4 * n, 4, kRead);
  for (unsigned n = 0; n < Words; n += 2)
    put<u64>(c, static_cast<std::uint16_t>(a->rd + 4 * n), u64{word[n]} << 32 | word[n + 1]);
  return a + 1;
}
template <unsigned Words>
[[gnu::noinline]] const Action* store_by_words(Context* c, const Action* a, u64 address) {
  for (unsigned n = 0; n < Words; ++n)
    if (!may_store_slowly(c, a, address + 4 * n, 4, 4)) return nullptr;
  for (unsigned n = 0; n < Words; ++n)
    c->memory->store<u32>(address + 4 * n, get<u32>(c, static_cast<std::uint16_t>(a->rd + 4 * (n ^ 1))));
  return a + 1;
}
template <bool I>
PSIM_HANDLER(load_single) {
  const u64 address = effective<I>(c, a);
  if (!readable<u32>(pages, address)) [[unlikely]]
    return bad_access(c, a, address, 4, kRead);
  put<u32>(c, a->rd, load_raw<u32>(host, address));
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(load_double) {
  const u64 address = effective<I>(c, a);
  if (readable<u64>(pages, address)) [[likely]] {
    put<u64>(c, a->rd, load_raw<u64>(host, address));
    PSIM_NEXT;
  }
  const Action* const after = load_by_words<2>(c, a, address);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <bool I>
PSIM_HANDLER(store_fp_double) {
  const u64 address = effective<I>(c, a);
  if (plainly_writable<u64>(pages, address)) [[likely]] {
    store_raw<u64>(host, address, get(c, a->rd));
    PSIM_NEXT;
  }
  const Action* const after = store_by_words<2>(c, a, address);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <bool I>
PSIM_HANDLER(load_quad) {
  const Action* const after = load_by_words<4>(c, a, effective<I>(c, a));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <bool I>
PSIM_HANDLER(store_quad) {
  const Action* const after = store_by_words<4>(c, a, effective<I>(c, a));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

/// ldtw (ldd of V8): an even-odd pair of 32-bit halves; an odd rd is illegal.
template <bool I>
PSIM_HANDLER(load_twin) {
  const u64 address = effective<I>(c, a);
  if (!readable<u64>(pages, address)) [[unlikely]]
    return bad_access(c, a, address, 8, kRead);
  const u64 both = load_raw<u64>(host, address);
  put<u64>(c, a->rd, both >> 32);
  put<u64>(c, a->rs3, static_cast<u32>(both));
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(store_twin) {
  const u64 address = effective<I>(c, a);
  const u64 both = get<u64>(c, a->rd) << 32 | static_cast<u32>(get<u64>(c, a->rs3));
  PSIM_STORE(u64, address, both);
}

PSIM_HANDLER(illegal_pair) { PSIM_TROUBLE(FaultKind::IllegalInstruction); }

/// ldstub, swap, cas: memory must be readable and writable before anything changes.
template <class T, class Next>
const Action* exchange(Context* c, const Action* a, u64 address, Next next) {
  T old;
  if (!may_store_slowly(c, a, address, sizeof(T), sizeof(T))) return nullptr;
  if (!c->memory->load<T>(address, old)) return bad_access(c, a, address, sizeof(T), kRead);
  T replacement = old;
  if (next(old, replacement)) c->memory->store<T>(address, replacement);
  put<u64>(c, a->rd, old);
  return a + 1;
}
template <bool I>
PSIM_HANDLER(ldstub) {
  const Action* const after =
      exchange<std::uint8_t>(c, a, effective<I>(c, a), [](std::uint8_t, std::uint8_t& replacement) {
        replacement = 0xff;
        return true;
      });
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <bool I>
PSIM_HANDLER(swap) {
  const u32 value = get<u32>(c, a->rs3);
  const Action* const after = exchange<u32>(c, a, effective<I>(c, a), [value](u32, u32& replacement) {
    replacement = value;
    return true;
  });
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

/// ldfsr, ldxfsr, stfsr, stxfsr go through the executor's view of %fsr.
template <class T, bool I>
PSIM_HANDLER(load_fsr) {
  const u64 address = effective<I>(c, a);
  if (!readable<T>(pages, address)) [[unlikely]]
    return bad_access(c, a, address, sizeof(T), kRead);
  fp::write_fsr(*c, load_raw<T>(host, address), sizeof(T) == 8 ? fp::kLdxfsr : fp::kLdfsr);
  PSIM_NEXT;
}
template <class T, bool I>
PSIM_HANDLER(store_fsr) {
  const u64 address = effective<I>(c, a);
  const T value = static_cast<T>(fp::read_fsr(*c));
  if (!plainly_writable<T>(pages, address) && !may_store_slowly(c, a, address, sizeof(T), sizeof(T)))
    return nullptr;
  c->memory->store<T>(address, value);
  fp::clear_ftt(*c);
  PSIM_NEXT;
}

PSIM_HANDLER(order_nothing) { PSIM_NEXT; }

constexpr Binding access(Handler by_register, Handler by_immediate, Bank rd) {
  return {.handler = by_register, .immediate = by_immediate, .rd = rd, .rs1 = Bank::Int, .rs2 = Bank::Int};
}
template <class T>
constexpr Binding kLoad = access(load<T, false>, load<T, true>, Bank::Int);

/// A stored %g0 is 0, not the sink.
void stored_register(Action& a) { a.rd = int_offset(rd(a.word)); }
template <class T>
Binding store_binding() {
  Binding binding = access(store<T, false>, store<T, true>, Bank::Int);
  binding.prepare = stored_register;
  return binding;
}
void pair(Action& a) {
  const unsigned first = rd(a.word);
  if (first % 2 != 0) a.handler = illegal_pair;
  a.rs3 = int_offset(first + 1);
}
void stored_pair(Action& a) { pair(a), stored_register(a); }
void swapped(Action& a) { a.rs3 = int_offset(rd(a.word)); }

Binding prepared(Binding binding, void (*prepare)(Action&)) {
  binding.prepare = prepare;
  return binding;
}
}  // namespace

void bind_memory(Bindings& b) {
  b[Op::Ldub] = kLoad<std::uint8_t>, b[Op::Lduh] = kLoad<std::uint16_t>, b[Op::Lduw] = kLoad<u32>;
  b[Op::Ldsb] = kLoad<std::int8_t>, b[Op::Ldsh] = kLoad<std::int16_t>, b[Op::Ldsw] = kLoad<std::int32_t>;
  b[Op::Ldx] = kLoad<u64>;
  b[Op::Stb] = store_binding<std::uint8_t>(), b[Op::Sth] = store_binding<std::uint16_t>();
  b[Op::Stw] = store_binding<u32>(), b[Op::Stx] = store_binding<u64>();
  b[Op::Ldtw] = prepared(access(load_twin<false>, load_twin<true>, Bank::Int), pair);
  b[Op::Sttw] = prepared(access(store_twin<false>, store_twin<true>, Bank::Int), stored_pair);
  b[Op::Ldf] = access(load_single<false>, load_single<true>, Bank::Single);
  b[Op::Lddf] = access(load_double<false>, load_double<true>, Bank::Double);
  b[Op::Ldqf] = access(load_quad<false>, load_quad<true>, Bank::Quad);
  b[Op::Stf] = access(store<u32, false>, store<u32, true>, Bank::Single);
  b[Op::Stdf] = access(store_fp_double<false>, store_fp_double<true>, Bank::Double);
  b[Op::Stqf] = access(store_quad<false>, store_quad<true>, Bank::Quad);
  b[Op::Ldfsr] = access(load_fsr<u32, false>, load_fsr<u32, true>, Bank::None);
  b[Op::Ldxfsr] = access(load_fsr<u64, false>, load_fsr<u64, true>, Bank::None);
  b[Op::Stfsr] = access(store_fsr<u32, false>, store_fsr<u32, true>, Bank::None);
  b[Op::Stxfsr] = access(store_fsr<u64, false>, store_fsr<u64, true>, Bank::None);
  for (const Op op : {Op::Ldfsr, Op::Ldxfsr, Op::Stfsr, Op::Stxfsr}) b[op].floating = true;
  b[Op::Ldstub] = access(ldstub<false>, ldstub<true>, Bank::Int);
  b[Op::Swap] = prepared(access(swap<false>, swap<true>, Bank::Int), swapped);
  // One strand, in order: barriers and prefetches order nothing; FLUSH has nothing to do, because every store
  // to decoded code has already dropped it.
  for (const Op op : {Op::Prefetch, Op::Prefetcha, Op::Membar, Op::Stbar, Op::Flush})
    b[op] = {.handler = order_nothing, .immediate = order_nothing};
}

}  // namespace psim::isa
