// SPDX-License-Identifier: Apache-2.0
// Loads and stores with an address space identifier (V9 manual, 6.3.1.3, A.26, A.28, A.53, A.55; the VIS
// and UltraSPARC ASIs of the JPS1 manual, appendix L; Niagara's twin loads and block-init stores).
#include <type_traits>

#include "isa/simd/alternate_space.h"
#include "isa/state/asi_access.h"
#include "isa/state/traps.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa {

namespace alternate_space {
namespace {
using u64 = std::uint64_t;
using u32 = std::uint32_t;

template <class T>
const Action* load_register(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  using U = std::make_unsigned_t<T>;
  U value;
  if (!load_element<U>(c, a, asi, address, value)) return nullptr;
  put(c, a->rd, static_cast<u64>(static_cast<std::int64_t>(static_cast<T>(value))));
  return a + 1;
}
/// glibc's string functions read through ASI 0x82.
template <class T, bool I>
PSIM_HANDLER(load_alternate) {
  using U = std::make_unsigned_t<T>;
  const u64 address = effective<I>(c, a);
  if ((asi_of<I>(c, a) & 0xfd) == 0x80 && readable<U>(pages, address)) [[likely]] {
    put(c, a->rd, static_cast<u64>(static_cast<std::int64_t>(static_cast<T>(load_raw<U>(host, address)))));
    PSIM_NEXT;
  }
  const Action* const after = load_register<T>(c, a, asi_of<I>(c, a), address);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <class T>
const Action* store_register(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  return store_element<T>(c, a, asi, address, get<T>(c, a->rd)) ? a + 1 : nullptr;
}

/// ldtwa; with a block-init ASI it is ldtxa, a load of two aligned doublewords.
const Action* load_twin(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  u64 first, second;
  if (meaning_of(asi).space == Space::BlockInit) {
    if (address % 16 != 0) return bad_access(c, a, address, 16, kRead);
    if (!load_element<u64>(c, a, asi, address, first) || !load_element<u64>(c, a, asi, address + 8, second))
      return nullptr;
  } else {
    u32 high, low;
    if (address % 8 != 0) return bad_access(c, a, address, 8, kRead);
    if (!load_element<u32>(c, a, asi, address, high) || !load_element<u32>(c, a, asi, address + 4, low))
      return nullptr;
    first = high, second = low;
  }
  put(c, a->rd, first);
  put(c, a->rs3, second);
  return a + 1;
}
const Action* store_twin(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  if (address % 8 != 0) return bad_access(c, a, address, 8, kWrite);
  const u32 high = get<u32>(c, a->rd), low = get<u32>(c, a->rs3);
  const bool done =
      store_element<u32>(c, a, asi, address, high) && store_element<u32>(c, a, asi, address + 4, low);
  return done ? a + 1 : nullptr;
}

const Action* load_single(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  u32 value;
  if (!load_element<u32>(c, a, asi, address, value)) return nullptr;
  put<u32>(c, a->rd, value);
  return a + 1;
}
const Action* load_quad(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  u64 high, low;
  if (!load_element<u64>(c, a, asi, address, high) || !load_element<u64>(c, a, asi, address + 8, low))
    return nullptr;
  put(c, a->rd, high);
  put(c, static_cast<std::uint16_t>(a->rd + 8), low);
  return a + 1;
}
const Action* store_quad(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  if (asi != kAsiSbm &&
      (!may_store_slowly(c, a, address, 8, 8) || !may_store_slowly(c, a, address + 8, 8, 8)))
    return nullptr;
  const bool done = store_element<u64>(c, a, asi, address, get(c, a->rd)) &&
                    store_element<u64>(c, a, asi, address + 8, get(c, static_cast<std::uint16_t>(a->rd + 8)));
  return done ? a + 1 : nullptr;
}

constexpr unsigned kBlockBytes = 64;
/// Returns true if the register is the first of eight double registers: %f0, %f16, %f32 or %f48.
bool block_register(std::uint32_t word) { return rd_double(word) % 16 == 0; }

const Action* load_double(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  const AsiMeaning meaning = meaning_of(asi);
  if (meaning.space == Space::Block) {
    if (!block_register(a->word)) return trouble(c, a, FaultKind::IllegalInstruction);
    if (address % kBlockBytes != 0 || (c->memory->permission(address) & kRead) == 0)
      return bad_access(c, a, address, kBlockBytes, kRead);
    for (unsigned n = 0; n < kBlockBytes; n += 8) {
      u64 value = 0;
      c->memory->load<u64>(address + n, value);
      put(c, static_cast<std::uint16_t>(a->rd + n), swapped_if(meaning.little, value));
    }
    return a + 1;
  }
  if (meaning.space == Space::Short) {
    u64 value = 0;
    if (meaning.bytes == 1) {
      std::uint8_t byte;
      if (!c->memory->load(address, byte)) return bad_access(c, a, address, 1, kRead);
      value = byte;
    } else {
      std::uint16_t half;
      if (!c->memory->load(address, half)) return bad_access(c, a, address, 2, kRead);
      value = swapped_if(meaning.little, half);
    }
    put(c, a->rd, value);
    return a + 1;
  }
  u64 value;
  if (!load_element<u64>(c, a, asi, address, value)) return nullptr;
  put(c, a->rd, value);
  return a + 1;
}

/// Widens each bit of `mask` to `bytes` bytes of ones; bit 0 is the least significant element.
u64 widened(unsigned mask, unsigned bytes) {
  u64 result = 0;
  const u64 ones = (u64{1} << (8 * bytes)) - 1;
  for (unsigned n = 0; n < 8 / bytes; ++n)
    if ((mask >> n & 1) != 0) result |= ones << (8 * bytes * n);
  return result;
}

template <bool I>
PSIM_HANDLER(store_double) {
  struct Operations {
    [[gnu::noinline]] static const Action* run(Context* c, const Action* a, std::uint8_t asi) {
      const AsiMeaning meaning = meaning_of(asi);
      const u64 value = get(c, a->rd);
      if (meaning.space == Space::Partial) {
        // The address is rs1 alone: rs2 holds the mask (JPS1 A.42).
        const u64 address = get(c, a->rs1);
        if (!may_store_slowly(c, a, address, 8, 8)) return nullptr;
        u64 old = 0;
        if (!c->memory->load<u64>(address, old)) return bad_access(c, a, address, 8, kRead);
        const u64 mask = swapped_if(meaning.little, widened(get<u32>(c, a->rs2), meaning.bytes));
        c->memory->store<u64>(address, (swapped_if(meaning.little, value) & mask) | (old & ~mask));
        return a + 1;
      }
      const u64 address = effective<I>(c, a);
      if (meaning.space == Space::Block) {
        if (!block_register(a->word)) return trouble(c, a, FaultKind::IllegalInstruction);
        if (!may_store_slowly(c, a, address, kBlockBytes, kBlockBytes)) return nullptr;
        for (unsigned n = 0; n < kBlockBytes; n += 8)
          c->memory->store<u64>(address + n,
                                swapped_if(meaning.little, get(c, static_cast<std::uint16_t>(a->rd + n))));
        return a + 1;
      }
      if (meaning.space == Space::Short) {
        if (!may_store_slowly(c, a, address, meaning.bytes, meaning.bytes)) return nullptr;
        if (meaning.bytes == 1)
          c->memory->store(address, static_cast<std::uint8_t>(value));
        else
          c->memory->store(address, swapped_if(meaning.little, static_cast<std::uint16_t>(value)));
        return a + 1;
      }
      return store_element<u64>(c, a, asi, address, value) ? a + 1 : nullptr;
    }
  };
  const Action* const after = Operations::run(c, a, asi_of<I>(c, a));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

/// Prepares a pair: rd and rd + 1.
void pair(Action& a) {
  if (rd(a.word) % 2 != 0) a.handler = illegal_instruction;
  a.rs3 = int_offset(rd(a.word) + 1u);
}

template <class T>
constexpr Execution kLoadsAlternate{
    {.handler = load_alternate<T, false>, .immediate = load_alternate<T, true>},
    simd::integer_alternate<load_alternate<T, false>, load_alternate<T, true>, T, false>};
template <class T>
constexpr Execution kStoresAlternate{
    {.handler = alternate<store_register<T>, false>, .immediate = alternate<store_register<T>, true>},
    simd::integer_alternate<alternate<store_register<T>, false>, alternate<store_register<T>, true>, T,
                            true>};
constexpr Execution kLoadsTwinAlternate{
    {.handler = alternate<load_twin, false>, .immediate = alternate<load_twin, true>, .prepare = pair},
    simd::not_in_window<alternate<load_twin, false>, alternate<load_twin, true>, false, pair>};
constexpr Execution kStoresTwinAlternate{
    {.handler = alternate<store_twin, false>, .immediate = alternate<store_twin, true>, .prepare = pair},
    simd::not_in_window<alternate<store_twin, false>, alternate<store_twin, true>, false, pair>};
constexpr Execution kLoadsSingleAlternate{
    {.handler = alternate<load_single, false>, .immediate = alternate<load_single, true>},
    simd::loads_alternate<alternate<load_single, false>, alternate<load_single, true>, 4>};
constexpr Execution kLoadsDoubleAlternate{
    {.handler = alternate<load_double, false>, .immediate = alternate<load_double, true>},
    simd::loads_alternate<alternate<load_double, false>, alternate<load_double, true>, 8>};
constexpr Execution kLoadsQuadAlternate{
    {.handler = alternate<load_quad, false>, .immediate = alternate<load_quad, true>},
    simd::loads_alternate<alternate<load_quad, false>, alternate<load_quad, true>, 16>};
constexpr Execution kStoresSingleAlternate{
    {.handler = alternate<store_register<u32>, false>, .immediate = alternate<store_register<u32>, true>},
    simd::stores_alternate<4>};
constexpr Execution kStoresDoubleAlternate{{.handler = store_double<false>, .immediate = store_double<true>},
                                           simd::stores_alternate<8>};
constexpr Execution kStoresQuadAlternate{
    {.handler = alternate<store_quad, false>, .immediate = alternate<store_quad, true>},
    simd::stores_alternate<16>};

}  // namespace
}  // namespace alternate_space

namespace table {
using namespace alternate_space;

namespace {
// clang-format off
constexpr auto kAlternateSpaceRows = rows(
    // Integer registers.
    pair<"11 ddddd 011001 sssss", "xxxxxxxx">("ldsba", kLoadAsiR, kLoadAsiI, kLoad, "V9 A.28", kLoadsAlternate<std::int8_t>, 0, 1),
    pair<"11 ddddd 011010 sssss", "xxxxxxxx">("ldsha", kLoadAsiR, kLoadAsiI, kLoad, "V9 A.28", kLoadsAlternate<std::int16_t>, 0, 2),
    pair<"11 ddddd 011000 sssss", "xxxxxxxx">("ldswa", kLoadAsiR, kLoadAsiI, kLoad, "V9 A.28", kLoadsAlternate<std::int32_t>, 0, 4),
    pair<"11 ddddd 010001 sssss", "xxxxxxxx">("lduba", kLoadAsiR, kLoadAsiI, kLoad, "V9 A.28", kLoadsAlternate<std::uint8_t>, 0, 1),
    pair<"11 ddddd 010010 sssss", "xxxxxxxx">("lduha", kLoadAsiR, kLoadAsiI, kLoad, "V9 A.28", kLoadsAlternate<std::uint16_t>, 0, 2),
    pair<"11 ddddd 010000 sssss", "xxxxxxxx">("lda", kLoadAsiR, kLoadAsiI, kLoad, "V9 A.28", kLoadsAlternate<u32>, 0, 4),
    pair<"11 ddddd 011011 sssss", "xxxxxxxx">("ldxa", kLoadAsiR, kLoadAsiI, kLoad, "V9 A.28", kLoadsAlternate<u64>, 0, 8),
    pair<"11 ddddd 010011 sssss", "xxxxxxxx">("ldtwa", kLoadPairAsiR, kLoadPairAsiI, kLoad, "V9 A.28", kLoadsTwinAlternate, 0, 8),
    pair<"11 ddddd 010101 sssss", "xxxxxxxx">("stba", kStoreAsiR, kStoreAsiI, kStore, "V9 A.55", kStoresAlternate<std::uint8_t>, 0, 1),
    pair<"11 ddddd 010110 sssss", "xxxxxxxx">("stha", kStoreAsiR, kStoreAsiI, kStore, "V9 A.55", kStoresAlternate<std::uint16_t>, 0, 2),
    pair<"11 ddddd 010100 sssss", "xxxxxxxx">("sta", kStoreAsiR, kStoreAsiI, kStore, "V9 A.55", kStoresAlternate<u32>, 0, 4),
    pair<"11 ddddd 011110 sssss", "xxxxxxxx">("stxa", kStoreAsiR, kStoreAsiI, kStore, "V9 A.55", kStoresAlternate<u64>, 0, 8),
    pair<"11 ddddd 010111 sssss", "xxxxxxxx">("sttwa", kStorePairAsiR, kStorePairAsiI, kStore, "V9 A.55", kStoresTwinAlternate, 0, 8),
    // Floating-point registers; block and short accesses are ASIs of ldda and stda.
    pair<"11 ddddd 110000 sssss", "xxxxxxxx">("lda", kLoadFsAsiR, kLoadFsAsiI, kLoad, "V9 A.26", kLoadsSingleAlternate, 0, 4),
    pair<"11 ddddd 110011 sssss", "xxxxxxxx">("ldda", kLoadFdAsiR, kLoadFdAsiI, kLoad, "V9 A.26", kLoadsDoubleAlternate, effect::kSizeByAsi, 8),
    pair<"11 ddddd 110010 sssss", "xxxxxxxx">("ldqa", kLoadFqAsiR, kLoadFqAsiI, kLoad, "V9 A.26", kLoadsQuadAlternate, 0, 16),
    pair<"11 ddddd 110100 sssss", "xxxxxxxx">("sta", kStoreFsAsiR, kStoreFsAsiI, kStore, "V9 A.53", kStoresSingleAlternate, 0, 4),
    pair<"11 ddddd 110111 sssss", "xxxxxxxx">("stda", kStoreFdAsiR, kStoreFdAsiI, kStore, "V9 A.53", kStoresDoubleAlternate, effect::kSizeByAsi, 8),
    pair<"11 ddddd 110110 sssss", "xxxxxxxx">("stqa", kStoreFqAsiR, kStoreFqAsiI, kStore, "V9 A.53", kStoresQuadAlternate, 0, 16)
);
// clang-format on
static_assert(disjoint(kAlternateSpaceRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> alternate_space_rows() { return kAlternateSpaceRows; }

}  // namespace table
}  // namespace psim::isa
