// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/branches.h"

#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "isa/state/access.h"
#include "isa/state/block_windows.h"
#include "isa/state/conditions.h"
#include "isa/state/execution_warmer.h"
#include "isa/state/windows.h"
#include "isa/table/fields.h"

namespace psim::isa {

namespace {
using u64 = std::uint64_t;
using u32 = std::uint32_t;
using Kind = Condition::Kind;

/// Out of line: the executor finds the next block, or stops.
[[gnu::noinline, gnu::cold]] const Action* leave(Context* c, const Action* next) {
  c->exit = Exit::Next, c->exit_action = next;
  return nullptr;
}
[[gnu::noinline]] const Action* leave_to_target(Context* c) {
  c->exit = Exit::Jump;
  return nullptr;
}

template <Kind kind, unsigned cond, bool wide, bool immediate>
bool decide(Context* c, const Action* a) {
  using T = std::conditional_t<wide, u64, u32>;
  if constexpr (kind == Kind::Icc) {
    if (c->cc_kind == CcKind::Sub)
      return holds_after_sub<cond, T>(static_cast<T>(c->cc_a), static_cast<T>(c->cc_b));
    if (c->cc_kind == CcKind::Logic) return holds_after_logic<cond, T>(static_cast<T>(c->cc_a));
    return icc_mask(cond) >> nzvc(*c, wide ? 2 : 0) & 1;
  } else if constexpr (kind == Kind::Add) {
    return holds_after_add<cond, T>(static_cast<T>(c->cc_a), static_cast<T>(c->cc_b));
  } else if constexpr (kind == Kind::Sub) {
    return holds_after_sub<cond, T>(static_cast<T>(c->cc_a), static_cast<T>(c->cc_b));
  } else if constexpr (kind == Kind::Logic) {
    return holds_after_logic<cond, T>(static_cast<T>(c->cc_a));
  } else if constexpr (kind == Kind::Compare || kind == Kind::CompareOnly) {
    const u64 x = get(c, a->rs1), y = immediate ? static_cast<u64>(a->imm) : get(c, a->rs2);
    if constexpr (kind == Kind::Compare) c->cc_kind = CcKind::Sub, c->cc_a = x, c->cc_b = y;
    return holds_after_sub<cond, T>(static_cast<T>(x), static_cast<T>(y));
  } else if constexpr (kind == Kind::Fcc) {
    return a->imm >> fcc(*c, a->rs2) & 1;
  } else if constexpr (kind == Kind::Register) {
    return register_condition(cond, static_cast<std::int64_t>(get(c, a->rs1)));
  } else {
    return c->taken;
  }
}

/// A listener besides the execution itself.
enum class Listener : std::uint8_t { None, Recorder, Warmer };

/// Leaves by the side that c->taken names, after the warmer has updated its history.
[[gnu::noinline]] PSIM_HANDLER(warm_new_branch) {
  const bool taken = c->taken;
  c->warmer->branch(c->warmer->site(a->word), taken, c->instructions + a->index);
  c->instructions += a->rs3;
  const Action* const next = reinterpret_cast<const Exits*>(a + 1)->next[taken];
  if (c->instructions >= c->limit) [[unlikely]]
    return leave(c, next);
  PSIM_GO(next);
}

template <Kind kind, unsigned cond, bool wide, bool immediate, Listener listener = Listener::None>
PSIM_HANDLER(branch) {
  const bool taken = decide<kind, cond, wide, immediate>(c, a);
  if constexpr (listener == Listener::Recorder) *c->outcomes++ = taken;
  if constexpr (listener == Listener::Warmer)
    if (!c->warmer->met(c->warmer->site(a->word), taken, c->instructions + a->index)) [[unlikely]] {
      c->taken = taken;
      return warm_new_branch(c, a, host, pages);
    }
  c->instructions += a->rs3;
  const Action* const next = reinterpret_cast<const Exits*>(a + 1)->next[taken];
  if (c->instructions >= c->limit) [[unlikely]]
    return leave(c, next);
  PSIM_GO(next);
}
template <Kind kind, unsigned cond, bool wide, bool immediate>
PSIM_HANDLER(annulling_branch) {
  if (decide<kind, cond, wide, immediate>(c, a)) PSIM_GO(a + 1 + kExitSlots);
  c->instructions += a->rs3;
  const Action* const next = reinterpret_cast<const Exits*>(a + 1)->next[0];
  if (c->instructions >= c->limit) [[unlikely]]
    return leave(c, next);
  PSIM_GO(next);
}
template <Kind kind, unsigned cond, bool wide, bool immediate>
PSIM_HANDLER(decide_now) {
  c->taken = decide<kind, cond, wide, immediate>(c, a);
  PSIM_NEXT;
}

template <Kind kind, bool wide, bool immediate>
struct Handlers {
  template <template <unsigned> class Shape, std::size_t... cond>
  static constexpr std::array<Handler, 16> all(std::index_sequence<cond...>) {
    return {Shape<cond>::handler...};
  }
  template <unsigned cond>
  struct Branch {
    static constexpr Handler handler = branch<kind, cond, wide, immediate>;
  };
  template <unsigned cond>
  struct Recorded {
    static constexpr Handler handler = branch<kind, cond, wide, immediate, Listener::Recorder>;
  };
  template <unsigned cond>
  struct Warmed {
    static constexpr Handler handler = branch<kind, cond, wide, immediate, Listener::Warmer>;
  };
  template <unsigned cond>
  struct Annulling {
    static constexpr Handler handler = annulling_branch<kind, cond, wide, immediate>;
  };
  template <unsigned cond>
  struct Decide {
    static constexpr Handler handler = decide_now<kind, cond, wide, immediate>;
  };
  static Handler branches(unsigned cond) {
    static constexpr auto kTable = all<Branch>(std::make_index_sequence<16>{});
    return kTable[cond];
  }
  static Handler recorded(unsigned cond) {
    static constexpr auto kTable = all<Recorded>(std::make_index_sequence<16>{});
    return kTable[cond];
  }
  static Handler warmed(unsigned cond) {
    static constexpr auto kTable = all<Warmed>(std::make_index_sequence<16>{});
    return kTable[cond];
  }
  static Handler annulling(unsigned cond) {
    static constexpr auto kTable = all<Annulling>(std::make_index_sequence<16>{});
    return kTable[cond];
  }
  static Handler decides(unsigned cond) {
    static constexpr auto kTable = all<Decide>(std::make_index_sequence<16>{});
    return kTable[cond];
  }
};
/// Handlers of a kind without condition, width or immediate share one instance.
template <class Pick>
Handler pick(const Condition& k, Pick choose) {
  switch (k.kind) {
    case Kind::Icc:
      return k.wide ? choose(Handlers<Kind::Icc, true, false>{})
                    : choose(Handlers<Kind::Icc, false, false>{});
    case Kind::Add:
      return k.wide ? choose(Handlers<Kind::Add, true, false>{})
                    : choose(Handlers<Kind::Add, false, false>{});
    case Kind::Sub:
      return k.wide ? choose(Handlers<Kind::Sub, true, false>{})
                    : choose(Handlers<Kind::Sub, false, false>{});
    case Kind::Logic:
      return k.wide ? choose(Handlers<Kind::Logic, true, false>{})
                    : choose(Handlers<Kind::Logic, false, false>{});
    case Kind::Compare:
      if (k.immediate)
        return k.wide ? choose(Handlers<Kind::Compare, true, true>{})
                      : choose(Handlers<Kind::Compare, false, true>{});
      return k.wide ? choose(Handlers<Kind::Compare, true, false>{})
                    : choose(Handlers<Kind::Compare, false, false>{});
    case Kind::CompareOnly:
      if (k.immediate)
        return k.wide ? choose(Handlers<Kind::CompareOnly, true, true>{})
                      : choose(Handlers<Kind::CompareOnly, false, true>{});
      return k.wide ? choose(Handlers<Kind::CompareOnly, true, false>{})
                    : choose(Handlers<Kind::CompareOnly, false, false>{});
    case Kind::Register:
      return choose(Handlers<Kind::Register, true, false>{});
    case Kind::Fcc:
      break;
    case Kind::Taken:
      return branch<Kind::Taken, 0, true, false>;
  }
  return nullptr;
}

template <bool I>
PSIM_HANDLER(jump) {
  // If the sum is not a multiple of 4, the jump does not happen (mem_address_not_aligned).
  const u64 target = get(c, a->rs1) + (I ? static_cast<u64>(simm13(a->word)) : get(c, a->rs2));
  if (target % 4 != 0) [[unlikely]]
    PSIM_TROUBLE(FaultKind::Misaligned, target);
  c->target = target;
  put(c, a->rd, static_cast<u64>(a->imm));
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(return_from) {
  const u64 target = get(c, a->rs1) + (I ? static_cast<u64>(simm13(a->word)) : get(c, a->rs2));
  if (target % 4 != 0) [[unlikely]]
    return do_alone(c, a);
  if (c->canrestore == 0 && !fill_in_block(*c)) [[unlikely]]
    return do_alone(c, a);
  c->target = target;
  ++c->cansave, --c->canrestore;
  enter_previous_window(*c);
  PSIM_NEXT;
}
}  // namespace

Condition condition_of(const Decoded& d, const std::optional<CcKind>& cc) {
  const u32 word = d.action.word;
  Condition k;
  switch (d.spec->flow) {
    case Flow::BranchIcc:
      k.cond = cond(word), k.wide = d.codes == 2;
      if (cc == CcKind::Add) k.kind = Kind::Add;
      if (cc == CcKind::Sub) k.kind = Kind::Sub;
      if (cc == CcKind::Logic) k.kind = Kind::Logic;
      break;
    case Flow::BranchFcc:
      k.kind = Kind::Fcc;
      break;
    case Flow::BranchRegister:
      k.kind = Kind::Register, k.cond = branch_rcond(word);
      break;
    case Flow::CompareBranch:
      k.kind = Kind::CompareOnly, k.cond = compare_branch_cond(word), k.wide = d.codes == 2;
      k.immediate = has_immediate(word);
      break;
    default:
      break;
  }
  return k;
}

Action condition_operands(const Decoded& d) {
  const u32 word = d.action.word;
  Action a;
  a.word = word;
  switch (d.spec->flow) {
    case Flow::BranchFcc:
      a.imm = fcc_mask(cond(word)), a.rs2 = d.codes;
      break;
    case Flow::BranchRegister:
      a.rs1 = int_offset(rs1(word));
      break;
    case Flow::CompareBranch:
      a.rs1 = int_offset(rs1(word)), a.rs2 = int_offset(rs2(word)), a.imm = simm5(word);
      break;
    default:
      break;
  }
  return a;
}

Handler branch_handler(const Condition& k) {
  if (k.kind == Kind::Fcc) return branch<Kind::Fcc, 0, true, false>;
  return pick(k, [&](auto handlers) { return handlers.branches(k.cond); });
}
Handler recording_branch_handler(const Condition& k) {
  if (k.kind == Kind::Fcc) return branch<Kind::Fcc, 0, true, false, Listener::Recorder>;
  if (k.kind == Kind::Taken) return branch<Kind::Taken, 0, true, false, Listener::Recorder>;
  return pick(k, [&](auto handlers) { return handlers.recorded(k.cond); });
}
Handler warming_branch_handler(const Condition& k) {
  if (k.kind == Kind::Fcc) return branch<Kind::Fcc, 0, true, false, Listener::Warmer>;
  if (k.kind == Kind::Taken) return branch<Kind::Taken, 0, true, false, Listener::Warmer>;
  return pick(k, [&](auto handlers) { return handlers.warmed(k.cond); });
}
Handler annulling_branch_handler(const Condition& k) {
  if (k.kind == Kind::Fcc) return annulling_branch<Kind::Fcc, 0, true, false>;
  if (k.kind == Kind::Taken) return annulling_branch<Kind::Taken, 0, true, false>;
  return pick(k, [&](auto handlers) { return handlers.annulling(k.cond); });
}
Handler decide_handler(const Condition& k) {
  if (k.kind == Kind::Fcc) return decide_now<Kind::Fcc, 0, true, false>;
  return pick(k, [&](auto handlers) { return handlers.decides(k.cond); });
}

const BranchMeaning* branch_meaning(Handler handler) {
  // Handlers with one address do the same, whatever their conditions.
  static const std::unordered_map<Handler, BranchMeaning> kMeanings = [] {
    std::unordered_map<Handler, BranchMeaning> meanings;
    using Role = BranchMeaning::Role;
    for (Kind kind = Kind::Icc; kind <= Kind::Taken; kind = static_cast<Kind>(static_cast<int>(kind) + 1))
      for (unsigned n = 0; n < 64; ++n) {
        const Condition k{.kind = kind, .cond = n & 15, .wide = (n & 16) != 0, .immediate = (n & 32) != 0};
        if (kind == Kind::Register && register_condition(k.cond, 0) == register_condition(k.cond, 1) &&
            register_condition(k.cond, 0) == register_condition(k.cond, -1))
          continue;  // reserved
        meanings.insert({branch_handler(k), {Role::Branch, k}});
        meanings.insert({warming_branch_handler(k), {Role::WarmingBranch, k}});
        meanings.insert({annulling_branch_handler(k), {Role::Annulling, k}});
        if (kind != Kind::Taken) meanings.insert({decide_handler(k), {Role::Decide, k}});
      }
    meanings.insert({warming_annulling_branch_handler, {Role::WarmingAnnulling, {.kind = Kind::Taken}}});
    return meanings;
  }();
  const auto found = kMeanings.find(handler);
  return found == kMeanings.end() ? nullptr : &found->second;
}

Handler jump_handler(bool immediate) { return immediate ? jump<true> : jump<false>; }
Handler return_handler(bool immediate) { return immediate ? return_from<true> : return_from<false>; }

PSIM_HANDLER(recording_annulling_branch_handler) {
  if (c->taken) PSIM_GO(a + 1 + kExitSlots);
  *c->outcomes++ = 0;
  c->instructions += a->rs3;
  const Action* const next = reinterpret_cast<const Exits*>(a + 1)->next[0];
  if (c->instructions >= c->limit) [[unlikely]]
    return leave(c, next);
  PSIM_GO(next);
}

PSIM_HANDLER(warming_annulling_branch_handler) {
  if (c->taken) PSIM_GO(a + 1 + kExitSlots);
  return warm_new_branch(c, a, host, pages);
}

PSIM_HANDLER(stub_handler) { return leave(c, a); }

PSIM_HANDLER(go_handler) {
  c->instructions += a->rs3;
  const Action* const next = reinterpret_cast<const Exits*>(a->imm)->next[a->rd];
  if (c->instructions >= c->limit) [[unlikely]]
    return leave(c, next);
  PSIM_GO(next);
}

PSIM_HANDLER(recording_go_handler) {
  *c->outcomes++ = 1;
  return go_handler(c, a, host, pages);
}

template <bool Simd>
PSIM_HANDLER(go_indirect) {
  c->instructions += a->rs3;
  const u64 target = c->target;
  const JumpCacheEntry& entry = c->jump_entry(target, Simd);
  if (entry.pc != target || c->instructions >= c->limit) [[unlikely]]
    return leave_to_target(c);
  PSIM_GO(entry.block);
}
Handler go_indirect_handler(bool simd) { return simd ? go_indirect<true> : go_indirect<false>; }

PSIM_HANDLER(link_handler) {
  c->r[15] = static_cast<u64>(a->imm);
  c->target = static_cast<u64>(a->imm + disp30(a->word));
  PSIM_NEXT;
}
PSIM_HANDLER(alone_handler) { return do_alone(c, a); }

}  // namespace psim::isa
