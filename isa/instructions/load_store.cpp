// SPDX-License-Identifier: Apache-2.0
// Loads, stores, prefetches and barriers of the implicit address space (V9 manual, A.20, A.25–A.28, A.32,
// A.42, A.51–A.54). Forms with an ASI are in alternate_space.cpp, atomics in atomic.cpp.
#include <type_traits>

#include "isa/fp/environment.h"
#include "isa/simd/fsr.h"
#include "isa/simd/memory.h"
#include "isa/state/access.h"
#include "isa/state/traps.h"
#include "isa/table/fields.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::load_store {
namespace {
using u64 = std::uint64_t;
using u32 = std::uint32_t;

/// Loads rd, sign- or zero-extended by the signedness of T.
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

// Loads floating-point registers of `Words` words. Processors trap when a double or quad is only
// word-aligned, and Linux then does the access (V9 A.25, lddf_mem_address_not_aligned), so word alignment
// suffices for programs.
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

/// Loads an even-odd pair of 32-bit halves: ldtw (ldd of V8); an odd rd is illegal.
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

/// Prepares a pair: rd and rd + 1.
void pair(Action& a) {
  const unsigned first = rd(a.word);
  if (first % 2 != 0) a.handler = illegal_instruction;
  a.rs3 = int_offset(first + 1);
}

/// ldfsr, ldxfsr, stfsr, stxfsr use the executor's view of %fsr.
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

/// Does nothing. With one strand, in order, barriers and prefetches have no effect; for FLUSH, every store to
/// decoded code has already dropped it.
PSIM_HANDLER(order_nothing) { PSIM_NEXT; }

template <class T>
constexpr Execution kLoads{{.handler = load<T, false>,
                            .immediate = load<T, true>,
                            .meaning = std::is_signed_v<T> ? Meaning::LoadSigned : Meaning::Load},
                           simd::integer_access<load<T, false>, load<T, true>, simd::load_window<T>>};
template <class T>
constexpr Execution kStores{
    {.handler = store<T, false>, .immediate = store<T, true>, .meaning = Meaning::Store},
    simd::integer_access<store<T, false>, store<T, true>, simd::store_window<T>>};
constexpr Execution kLoadsTwin{
    {.handler = load_twin<false>, .immediate = load_twin<true>, .prepare = pair},
    simd::integer_access<load_twin<false>, load_twin<true>, simd::load_twin, pair>};
constexpr Execution kStoresTwin{
    {.handler = store_twin<false>, .immediate = store_twin<true>, .prepare = pair},
    simd::integer_access<store_twin<false>, store_twin<true>, simd::store_twin, pair>};
constexpr Execution kLoadsSingle{
    {.handler = load_single<false>, .immediate = load_single<true>, .meaning = Meaning::LoadSingle},
    simd::loads_pes<u32>};
constexpr Execution kLoadsDouble{
    {.handler = load_double<false>, .immediate = load_double<true>, .meaning = Meaning::Load},
    simd::loads_pes<u64>};
constexpr Execution kLoadsQuad{{.handler = load_quad<false>, .immediate = load_quad<true>}, simd::loads<16>};
constexpr Execution kStoresSingle{
    {.handler = store<u32, false>, .immediate = store<u32, true>, .meaning = Meaning::Store},
    simd::stores_pes<u32>};
constexpr Execution kStoresDouble{
    {.handler = store_fp_double<false>, .immediate = store_fp_double<true>, .meaning = Meaning::Store},
    simd::stores_pes<u64>};
constexpr Execution kStoresQuad{{.handler = store_quad<false>, .immediate = store_quad<true>},
                                simd::stores<16>};
/// The 32-bit forms access fcc0 only.
template <class T>
constexpr Execution kLoadsFsr{
    {.handler = load_fsr<T, false>, .immediate = load_fsr<T, true>, .floating = true},
    simd::loads_fsr<load_fsr<T, false>, load_fsr<T, true>, sizeof(T) == 4 ? 1 : 4>};
template <class T>
constexpr Execution kStoresFsr{
    {.handler = store_fsr<T, false>, .immediate = store_fsr<T, true>, .floating = true},
    simd::stores_fsr<store_fsr<T, false>, store_fsr<T, true>, sizeof(T) == 4 ? 1 : 4>};
constexpr Execution kOrdersNothing{
    {.handler = order_nothing, .immediate = order_nothing, .meaning = Meaning::Nothing}};

}  // namespace
}  // namespace psim::isa::load_store

namespace psim::isa::table {
using namespace load_store;

namespace {
// clang-format off
constexpr auto kLoadStoreRows = rows(
    // Loads of integer registers.
    pair<"11 ddddd 001001 sssss">("ldsb", kLoadR, kLoadI, kLoad, "V9 A.27", kLoads<std::int8_t>, 0, 1),
    pair<"11 ddddd 001010 sssss">("ldsh", kLoadR, kLoadI, kLoad, "V9 A.27", kLoads<std::int16_t>, 0, 2),
    pair<"11 ddddd 001000 sssss">("ldsw", kLoadR, kLoadI, kLoad, "V9 A.27", kLoads<std::int32_t>, 0, 4),
    pair<"11 ddddd 000001 sssss">("ldub", kLoadR, kLoadI, kLoad, "V9 A.27", kLoads<std::uint8_t>, 0, 1),
    pair<"11 ddddd 000010 sssss">("lduh", kLoadR, kLoadI, kLoad, "V9 A.27", kLoads<std::uint16_t>, 0, 2),
    pair<"11 ddddd 000000 sssss", "--------">("ld", kLoadR, kLoadI, kLoad, "V9 A.27", kLoads<u32>, 0, 4),
    pair<"11 ddddd 001011 sssss">("ldx", kLoadR, kLoadI, kLoad, "V9 A.27", kLoads<u64>, 0, 8),
    pair<"11 ddddd 000011 sssss">("ldtw", kLoadPairR, kLoadPairI, kLoad, "V9 A.27", kLoadsTwin, 0, 8),
    // Stores of integer registers.
    pair<"11 ddddd 000101 sssss">("stb", kStoreR, kStoreI, kStore, "V9 A.54", kStores<std::uint8_t>, 0, 1),
    pair<"11 ddddd 000110 sssss">("sth", kStoreR, kStoreI, kStore, "V9 A.54", kStores<std::uint16_t>, 0, 2),
    pair<"11 ddddd 000100 sssss">("st", kStoreR, kStoreI, kStore, "V9 A.54", kStores<u32>, 0, 4),
    pair<"11 ddddd 001110 sssss">("stx", kStoreR, kStoreI, kStore, "V9 A.54", kStores<u64>, 0, 8),
    pair<"11 ddddd 000111 sssss">("sttw", kStorePairR, kStorePairI, kStore, "V9 A.54", kStoresTwin, 0, 8),
    // Loads and stores of floating-point registers.
    pair<"11 ddddd 100000 sssss", "--------">("ld", kLoadFsR, kLoadFsI, kLoad, "V9 A.25", kLoadsSingle, 0, 4),
    pair<"11 ddddd 100011 sssss">("ldd", kLoadFdR, kLoadFdI, kLoad, "V9 A.25", kLoadsDouble, 0, 8),
    pair<"11 ddddd 100010 sssss">("ldq", kLoadFqR, kLoadFqI, kLoad, "V9 A.25", kLoadsQuad, 0, 16),
    pair<"11 ddddd 100100 sssss">("st", kStoreFsR, kStoreFsI, kStore, "V9 A.52", kStoresSingle, 0, 4),
    pair<"11 ddddd 100111 sssss">("std", kStoreFdR, kStoreFdI, kStore, "V9 A.52", kStoresDouble, 0, 8),
    pair<"11 ddddd 100110 sssss">("stq", kStoreFqR, kStoreFqI, kStore, "V9 A.52", kStoresQuad, 0, 16),
    pair<"11 00000 100001 sssss", "--------">("ld", kLoadFsrR, kLoadFsrI, kSerialMemory, "V9 A.25", kLoadsFsr<u32>, effect::kLoad | effect::kWriteFsr | effect::kReadFsr, 4),
    pair<"11 00001 100001 sssss", "--------">("ldx", kLoadFsrR, kLoadFsrI, kSerialMemory, "V9 A.25", kLoadsFsr<u64>, effect::kLoad | effect::kWriteFsr, 8),
    pair<"11 00000 100101 sssss">("st", kStoreFsrR, kStoreFsrI, kSerialMemory, "V9 A.52", kStoresFsr<u32>, effect::kStore | effect::kReadFsr, 4),
    pair<"11 00001 100101 sssss">("stx", kStoreFsrR, kStoreFsrI, kSerialMemory, "V9 A.52", kStoresFsr<u64>, effect::kStore | effect::kReadFsr, 8)
);
// clang-format on
static_assert(disjoint(kLoadStoreRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> load_store_rows() { return kLoadStoreRows; }

namespace {
// clang-format off
constexpr auto kOrderingRows = rows(
    pair<"11 ddddd 101101 sssss", "--------">("prefetch", kPrefetchR, kPrefetchI, kPrefetch, "V9 A.42", kOrdersNothing),
    pair<"11 ddddd 111101 sssss", "xxxxxxxx">("prefetcha", kPrefetchAsiR, kPrefetchAsiI, kPrefetch, "V9 A.42", kOrdersNothing),
    row("membar", "10 00000 101000 01111 1 000000 mmmmmmm", kMembar, kNothing, "V9 A.32", kOrdersNothing),
    row("stbar", "10 00000 101000 01111 0 0000000000000", kNoOperands, kNothing, "V9 A.51", kOrdersNothing),
    pair<"10 ----- 111011 sssss">("flush", kFlushR, kFlushI, kSerialMemory, "V9 A.20", kOrdersNothing)
);
// clang-format on
static_assert(disjoint(kOrderingRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> ordering_rows() { return kOrderingRows; }

}  // namespace psim::isa::table
