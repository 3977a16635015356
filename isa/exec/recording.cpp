// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/recording.h"

#include "isa/state/alternate_space.h"
#include "isa/state/context.h"
#include "isa/table/fields.h"

namespace psim::isa {

namespace {
AddressSite& site_of(const Action* a) { return *reinterpret_cast<AddressSite*>(a->imm); }

// rd holds simm13 or 0.
template <bool Register>
std::uint64_t address_of(const Context* c, const Action* a) {
  const std::uint64_t operand =
      Register ? get(c, a->rs2) : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(a->rd)});
  return get(c, a->rs1) + operand;
}

template <bool IsAddress, bool Register>
PSIM_HANDLER(surprised);

template <bool IsAddress, bool Register>
[[gnu::noinline, gnu::cold]] PSIM_HANDLER(surprised_without_room) {
  c->recorder->take_surprises();
  return surprised<IsAddress, Register>(c, a, host, pages);
}

/// Called by a jump, like a handler, so that it saves no registers.
template <bool IsAddress, bool Register>
[[gnu::noinline]] PSIM_HANDLER(surprised) {
  ExecutionRecorder& recorder = *c->recorder;
  if (recorder.surprises == recorder.surprises_end) [[unlikely]]
    return surprised_without_room<IsAddress, Register>(c, a, host, pages);
  AddressSite& site = site_of(a);
  const std::uint64_t value = IsAddress ? address_of<Register>(c, a) : c->target, recent = recorder.recent;
  const std::uint64_t instruction = c->instructions + a->rs3;
  const std::uint64_t follower = site.follows != 0 ? recorder.followers->after(recent) : 0;
  *recorder.surprises++ = {value - site.prediction(recent), instruction};
  recorder.undo = {&site, instruction, recent, follower, true, site};
  if constexpr (IsAddress)
    site.learn_address(value, recorder.recent, *recorder.followers);
  else
    site.learn(value, recent, false);
  PSIM_NEXT;
}

/// Handles a site that follows, or is surprised.
template <bool Register>
[[gnu::noinline]] PSIM_HANDLER(not_by_itself) {
  AddressSite& site = site_of(a);
  if (site.follows == 0) return surprised<true, Register>(c, a, host, pages);
  ExecutionRecorder& recorder = *c->recorder;
  const std::uint64_t address = address_of<Register>(c, a), recent = recorder.recent;
  if (recorder.followers->after(recent) != address) [[unlikely]]
    return surprised<true, Register>(c, a, host, pages);
  recorder.undo.site = &site, recorder.undo.instruction = c->instructions + a->rs3;
  recorder.undo.recent = recent, recorder.undo.surprised = false, recorder.undo.guess.failed = site.failed;
  site.failed = 0;
  recorder.recent = address;
  PSIM_NEXT;
}

[[gnu::noinline]] void record_space(Context* c, const Action* a, std::uint64_t sbm_base) {
  c->recorder->space(c->instructions + a->rs3, site_of(a), sbm_base);
}

// MaybeSbm: the access may go to SBM (in SIMD state, or by an ASI).
template <bool Register, bool MaybeSbm>
PSIM_HANDLER(record_address) {
  const std::uint64_t address = address_of<Register>(c, a);
  if constexpr (MaybeSbm) {
    const std::uint64_t offset = sbm_offset(*c, a->word, address);
    const std::uint64_t base = offset == SimdState::kNoWindow ? AddressSite::kNotSbm : address - offset;
    if (base != site_of(a).sbm_base) [[unlikely]]
      record_space(c, a, base);
  }
  if (!site_of(a).met(address, c->recorder->recent)) [[unlikely]]
    return not_by_itself<Register>(c, a, host, pages);
  PSIM_NEXT;
}
PSIM_HANDLER(record_target) {
  if (!site_of(a).met(c->target, 0)) [[unlikely]]
    return surprised<false, false>(c, a, host, pages);
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
