// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/warming.h"

#include "isa/state/alternate_space.h"
#include "isa/state/context.h"
#include "isa/table/fields.h"

namespace psim::isa {

namespace {
// rd holds simm13 or 0, rs3 the bytes.
template <bool Register>
std::uint64_t warmed_address(const Context* c, const Action* a) {
  const std::uint64_t operand =
      Register ? get(c, a->rs2) : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(a->rd)});
  return get(c, a->rs1) + operand;
}

/// Called by a jump, like a handler, so that it saves no registers.
template <bool Register, bool Write>
[[gnu::noinline]] PSIM_HANDLER(warm_new_line) {
  c->warmer->access(warmed_address<Register>(c, a), a->rs3, Write);
  if (c->warmer->pauses_after) c->limit = 0;
  PSIM_NEXT;
}

// MaybeSbm: the access may go to SBM (in SIMD state, or by an ASI).
template <bool Register, bool Write, bool MaybeSbm>
PSIM_HANDLER(warm_access) {
  const std::uint64_t address = warmed_address<Register>(c, a);
  if constexpr (MaybeSbm)
    if (sbm_offset(*c, a->word, address) != SimdState::kNoWindow) PSIM_NEXT;
  ExecutionWarmer& warmer = *c->warmer;
  const std::uint64_t line = address >> warmer.data.shift;
  const std::uint64_t differs = warmer.data.of(line) ^ (line << 1 | Write);
  if (Write ? differs != 0 : differs > 1) [[unlikely]]
    return warm_new_line<Register, Write>(c, a, host, pages);
  PSIM_NEXT;
}

[[gnu::noinline]] PSIM_HANDLER(warm_new_code) {
  c->warmer->fetch(static_cast<std::uint64_t>(a->imm));
  if (c->warmer->pauses_after) c->limit = 0;
  PSIM_NEXT;
}
PSIM_HANDLER(warm_fetch) {
  ExecutionWarmer& warmer = *c->warmer;
  const std::uint64_t line = static_cast<std::uint64_t>(a->imm) >> warmer.code.shift;
  if (warmer.code.of(line) != line << 1) [[unlikely]]
    return warm_new_code(c, a, host, pages);
  PSIM_NEXT;
}

PSIM_HANDLER(warm_accesses) {
  c->warmer->counts.accesses += static_cast<std::uint64_t>(a->imm);
  PSIM_NEXT;
}
PSIM_HANDLER(warm_operations) {
  c->warmer->counts.operations += static_cast<std::uint64_t>(a->imm);
  PSIM_NEXT;
}

[[gnu::noinline]] PSIM_HANDLER(warm_new_always) {
  c->warmer->branch(c->warmer->site(a->word), true, c->instructions + a->index);
  PSIM_NEXT;
}
PSIM_HANDLER(warm_always) {
  if (!c->warmer->met(c->warmer->site(a->word), true, c->instructions + a->index)) [[unlikely]]
    return warm_new_always(c, a, host, pages);
  PSIM_NEXT;
}
PSIM_HANDLER(warm_decided) {
  BranchSite& site = c->warmer->site(a->word);
  if (!c->warmer->met(site, c->taken, c->instructions + a->index))
    c->warmer->branch(site, c->taken, c->instructions + a->index);
  PSIM_NEXT;
}
[[gnu::noinline]] PSIM_HANDLER(warm_new_jump) {
  c->warmer->jump(c->warmer->site(a->word), c->target, c->instructions + a->index);
  PSIM_NEXT;
}
PSIM_HANDLER(warm_jump) {
  if (!c->warmer->met_jump(c->warmer->site(a->word), c->target, c->instructions + a->index)) [[unlikely]]
    return warm_new_jump(c, a, host, pages);
  PSIM_NEXT;
}

template <bool Register, bool Write>
Handler access_handler(bool maybe_sbm) {
  return maybe_sbm ? warm_access<Register, Write, true> : warm_access<Register, Write, false>;
}
}  // namespace

Action warming_access(const Decoded& d, const StaticInstruction& instruction, bool simd) {
  const std::uint32_t word = d.action.word;
  const bool by_register = !has_immediate(word) && !d.rs1_only;
  const bool maybe_sbm = simd || is_alternate_access(word);
  Action a{.rs1 = int_offset(rs1(word)), .rs3 = instruction.access_bytes, .word = word};
  if (by_register) {
    a.handler =
        instruction.store ? access_handler<true, true>(maybe_sbm) : access_handler<true, false>(maybe_sbm);
    a.rs2 = int_offset(rs2(word));
  } else {
    a.handler =
        instruction.store ? access_handler<false, true>(maybe_sbm) : access_handler<false, false>(maybe_sbm);
    if (!d.rs1_only) a.rd = static_cast<std::uint16_t>(simm13(word));
  }
  return a;
}

std::optional<WarmingMeaning> warming_meaning(const Action& action) {
  using enum WarmingMeaning::Kind;
  if (action.handler == static_cast<Handler>(warm_fetch)) return WarmingMeaning{Fetch};
  if (action.handler == static_cast<Handler>(warm_always)) return WarmingMeaning{Always};
  if (action.handler == static_cast<Handler>(warm_accesses)) return WarmingMeaning{Accesses};
  if (action.handler == static_cast<Handler>(warm_operations)) return WarmingMeaning{Operations};
  for (const bool write : {false, true}) {
    if (action.handler == (write ? access_handler<true, true>(false) : access_handler<true, false>(false)))
      return WarmingMeaning{Access, true, write};
    if (action.handler == (write ? access_handler<false, true>(false) : access_handler<false, false>(false)))
      return WarmingMeaning{Access, false, write};
  }
  return std::nullopt;
}

std::array<Action, 2> warming_counts() {
  return {Action{.handler = warm_accesses}, Action{.handler = warm_operations}};
}

Action warming_decided(std::uint32_t site) { return {.handler = warm_decided, .word = site}; }

Action warming_fetch(std::uint64_t pc) {
  return {.handler = warm_fetch, .imm = static_cast<std::int64_t>(pc)};
}

Action warming_always(std::uint32_t site) { return {.handler = warm_always, .word = site}; }

Action warming_jump(std::uint32_t site) { return {.handler = warm_jump, .word = site}; }

}  // namespace psim::isa
