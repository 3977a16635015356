// SPDX-License-Identifier: Apache-2.0
// Atomics, with and without an address space identifier (V9 manual, A.9, A.29, A.30, A.57, A.58). Action::rs3
// is rd as a source.
#include "isa/simd/alternate_space.h"
#include "isa/simd/memory.h"
#include "isa/state/access.h"
#include "isa/state/asi_access.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::atomic {
namespace {
using u64 = std::uint64_t;
using u32 = std::uint32_t;

/// ldstub, swap: memory must be readable and writable before anything changes.
template <class T>
const Action* exchange_plain(Context* c, const Action* a, u64 address, T replacement) {
  T old;
  if (!c->memory->exchange<T>(address, replacement, old)) [[unlikely]] {
    if (!may_store_slowly(c, a, address, sizeof(T), sizeof(T))) return nullptr;
    if (!c->memory->load<T>(address, old)) return bad_access(c, a, address, sizeof(T), kRead);
    c->memory->store<T>(address, replacement);
  }
  put<u64>(c, a->rd, old);
  return a + 1;
}
template <bool I>
PSIM_HANDLER(ldstub_plain) {
  const Action* const after = exchange_plain<std::uint8_t>(c, a, effective<I>(c, a), 0xff);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <bool I>
PSIM_HANDLER(swap_plain) {
  const Action* const after = exchange_plain<u32>(c, a, effective<I>(c, a), get<u32>(c, a->rs3));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

/// Does an access of plain memory. Returns false, without effect, if it is of another kind, or not simple.
template <class T>
bool exchange_plainly(Context* c, std::uint8_t asi, u64 address, bool compare, T expected, T replacement,
                      T& old) {
  const AsiMeaning meaning = meaning_of(asi);
  if (meaning.space != Space::Plain || meaning.little) return false;
  return compare ? c->memory->compare_exchange<T>(address, expected, replacement, old)
                 : c->memory->exchange<T>(address, replacement, old);
}
template <class T>
const Action* exchange(Context* c, const Action* a, std::uint8_t asi, u64 address, bool compare, T expected,
                       T replacement) {
  T old;
  if (!exchange_plainly<T>(c, asi, address, compare, expected, replacement, old)) {
    if (!may_store_slowly(c, a, address, sizeof(T), sizeof(T))) return nullptr;
    if (!load_element<T>(c, a, asi, address, old)) return nullptr;
    if (!compare || old == expected)
      if (!store_element<T>(c, a, asi, address, replacement)) return nullptr;
  }
  put<u64>(c, a->rd, old);
  return a + 1;
}
const Action* ldstub(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  return exchange<std::uint8_t>(c, a, asi, address, false, 0, 0xff);
}
const Action* swap(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  return exchange<u32>(c, a, asi, address, false, 0, get<u32>(c, a->rs3));
}
/// casa, casxa: compares [rs1] with rs2; the address has no second operand.
template <class T, bool I>
PSIM_HANDLER(compare_and_swap) {
  const Action* const after =
      exchange<T>(c, a, asi_of<I>(c, a), get(c, a->rs1), true, get<T>(c, a->rs2), get<T>(c, a->rs3));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

constexpr Execution kLdstub{{.handler = ldstub_plain<false>, .immediate = ldstub_plain<true>},
                            simd::integer_access<ldstub_plain<false>, ldstub_plain<true>, simd::refuse>};
constexpr Execution kSwap{{.handler = swap_plain<false>, .immediate = swap_plain<true>},
                          simd::integer_access<swap_plain<false>, swap_plain<true>, simd::refuse>};
constexpr Execution kLdstubAlternate{
    {.handler = alternate<ldstub, false>, .immediate = alternate<ldstub, true>},
    simd::not_in_window<alternate<ldstub, false>, alternate<ldstub, true>>};
constexpr Execution kSwapAlternate{{.handler = alternate<swap, false>, .immediate = alternate<swap, true>},
                                   simd::not_in_window<alternate<swap, false>, alternate<swap, true>>};
template <class T>
constexpr Execution kCompareAndSwap{
    {.handler = compare_and_swap<T, false>, .immediate = compare_and_swap<T, true>},
    simd::not_in_window<compare_and_swap<T, false>, compare_and_swap<T, true>, true>};

}  // namespace
}  // namespace psim::isa::atomic

namespace psim::isa::table {
using namespace atomic;

namespace {
// clang-format off
constexpr auto kAtomicRows = rows(
    pair<"11 ddddd 001101 sssss">("ldstub", kLoadR, kLoadI, kAtomic, "V9 A.29", kLdstub, 0, 1),
    pair<"11 ddddd 011101 sssss", "xxxxxxxx">("ldstuba", kLoadAsiR, kLoadAsiI, kAtomic, "V9 A.30", kLdstubAlternate, 0, 1),
    pair<"11 ddddd 001111 sssss">("swap", kLoadR, kLoadI, kAtomic, "V9 A.57", kSwap, effect::kReadRd, 4),
    pair<"11 ddddd 011111 sssss", "xxxxxxxx">("swapa", kLoadAsiR, kLoadAsiI, kAtomic, "V9 A.58", kSwapAlternate, effect::kReadRd, 4),
    row("casa", "11 ddddd 111100 sssss 0 xxxxxxxx ttttt", kCasR, kAtomic, "V9 A.9", kCompareAndSwap<u32>, effect::kReadRd, 4),
    row("casa", "11 ddddd 111100 sssss 1 -------- ttttt", kCasI, kAtomic, "V9 A.9", kCompareAndSwap<u32>, effect::kReadRd, 4),
    row("casxa", "11 ddddd 111110 sssss 0 xxxxxxxx ttttt", kCasR, kAtomic, "V9 A.9", kCompareAndSwap<u64>, effect::kReadRd, 8),
    row("casxa", "11 ddddd 111110 sssss 1 -------- ttttt", kCasI, kAtomic, "V9 A.9", kCompareAndSwap<u64>, effect::kReadRd, 8)
);
// clang-format on
static_assert(disjoint(kAtomicRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> atomic_rows() { return kAtomicRows; }

}  // namespace psim::isa::table
