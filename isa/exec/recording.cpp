// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/recording.h"

#include "isa/exec/alternate_space.h"
#include "isa/exec/context.h"
#include "isa/fields.h"

namespace psim::isa {

namespace {
AddressSite& site_of(const Action* a) { return *reinterpret_cast<AddressSite*>(a->imm); }

template <bool IsAddress>
[[gnu::noinline]] const Action* surprised(Context* c, const Action* a, std::uint64_t value) {
  c->recorder->surprise(c->instructions + a->rs3, site_of(a), value, IsAddress);
  return a + 1;
}

[[gnu::noinline]] void tell_space(Context* c, const Action* a, std::uint64_t sbm_base) {
  c->recorder->space(c->instructions + a->rs3, site_of(a), sbm_base);
}

// rd holds simm13 or 0. MaybeSbm: in SIMD state, or by an ASI.
template <bool Register, bool MaybeSbm>
PSIM_HANDLER(record_address) {
  const std::uint64_t operand =
      Register ? get(c, a->rs2) : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(a->rd)});
  const std::uint64_t address = get(c, a->rs1) + operand;
  if constexpr (MaybeSbm) {
    const std::uint64_t offset = sbm_offset(*c, a->word, address);
    const std::uint64_t base = offset == SimdState::kNoWindow ? AddressSite::kNotSbm : address - offset;
    if (base != site_of(a).sbm_base) [[unlikely]]
      tell_space(c, a, base);
  }
  if (!site_of(a).met(address, c->recorder->recent)) [[unlikely]] {
    const Action* const after = surprised<true>(c, a, address);
    PSIM_GO(after);
  }
  PSIM_NEXT;
}
PSIM_HANDLER(record_target) {
  const std::uint64_t target = c->target;
  if (!site_of(a).met(target, 0)) [[unlikely]] {
    const Action* const after = surprised<false>(c, a, target);
    PSIM_GO(after);
  }
  PSIM_NEXT;
}

Action recorder(Handler handler, AddressSite& site, unsigned order) {
  return {.handler = handler,
          .rs3 = static_cast<std::uint16_t>(order),
          .imm = reinterpret_cast<std::int64_t>(&site)};
}
}  // namespace

Action address_recorder(const Decoded& d, AddressSite& site, unsigned order, bool simd) {
  const std::uint32_t word = d.action.word;
  const bool by_register = !has_immediate(word) && !d.rs1_only;
  const bool maybe_sbm = simd || is_alternate_access(word);
  Action a = recorder(maybe_sbm ? by_register ? record_address<true, true> : record_address<false, true>
                                : (by_register ? record_address<true, false> : record_address<false, false>),
                      site, order);
  a.word = word;
  a.rs1 = int_offset(rs1(word));
  if (by_register) a.rs2 = int_offset(rs2(word));
  if (has_immediate(word) && !d.rs1_only) a.rd = static_cast<std::uint16_t>(simm13(word));
  return a;
}

Action target_recorder(AddressSite& site, unsigned order) { return recorder(record_target, site, order); }

AddressSite* recorded_site(const Action* action) {
  for (const Handler handler : {record_address<true, true>, record_address<true, false>,
                                record_address<false, true>, record_address<false, false>})
    if (action->handler == handler) return &site_of(action);
  return nullptr;
}

}  // namespace psim::isa
