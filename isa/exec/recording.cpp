// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/recording.h"

#include "isa/exec/context.h"
#include "isa/fields.h"

namespace psim::isa {

namespace {
AddressSite& site_of(const Action* a) { return *reinterpret_cast<AddressSite*>(a->imm); }

[[gnu::noinline]] const Action* surprised(Context* c, const Action* a, std::uint64_t value) {
  c->recorder->surprise(c->instructions + a->rs3, site_of(a), value);
  return a + 1;
}

// rd holds simm13 or 0.
template <bool Register>
PSIM_HANDLER(record_address) {
  const std::uint64_t operand =
      Register ? get(c, a->rs2) : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(a->rd)});
  const std::uint64_t address = get(c, a->rs1) + operand;
  if (!site_of(a).met(address)) [[unlikely]] {
    const Action* const after = surprised(c, a, address);
    PSIM_GO(after);
  }
  PSIM_NEXT;
}
PSIM_HANDLER(record_target) {
  const std::uint64_t target = c->target;
  if (!site_of(a).met(target)) [[unlikely]] {
    const Action* const after = surprised(c, a, target);
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

Action address_recorder(const Decoded& d, AddressSite& site, unsigned order) {
  const std::uint32_t word = d.action.word;
  const bool by_register = !has_immediate(word) && !d.rs1_only;
  Action a = recorder(by_register ? record_address<true> : record_address<false>, site, order);
  a.rs1 = int_offset(rs1(word));
  if (by_register) a.rs2 = int_offset(rs2(word));
  if (has_immediate(word) && !d.rs1_only) a.rd = static_cast<std::uint16_t>(simm13(word));
  return a;
}

Action target_recorder(AddressSite& site, unsigned order) { return recorder(record_target, site, order); }

AddressSite* recorded_site(const Action* action) {
  const bool records = action->handler == static_cast<Handler>(record_address<true>) ||
                       action->handler == static_cast<Handler>(record_address<false>);
  return records ? &site_of(action) : nullptr;
}

}  // namespace psim::isa
