// SPDX-License-Identifier: Apache-2.0
// The ends of blocks.
#include <cstddef>

#include "isa/jit/emitter.h"
#include "isa/table/fields.h"

namespace psim::isa::jit {

using namespace asmjit;
using namespace asmjit::x86;

/// Emits the decision of a branch; returns the host's condition for "taken".
CondCode Emitter::flags(const Condition& k, const Action* a) {
  using Kind = Condition::Kind;
  switch (k.kind) {
    case Kind::Icc:
      return any_cc_flags(k.wide, k.cond);
    case Kind::Add:
      return cc_flags(CcKind::Add, k.wide, k.cond);
    case Kind::Sub:
      return cc_flags(CcKind::Sub, k.wide, k.cond);
    case Kind::Logic:
      return cc_flags(CcKind::Logic, k.wide, k.cond);
    case Kind::Compare:
      note_operands(CcKind::Sub, a->rs1 / 8u, second(a, k.immediate));
      return cc_flags(CcKind::Sub, k.wide, k.cond);
    case Kind::CompareOnly: {
      const LastCc before = cc_;
      cc_ = {.kind = CcKind::Sub, .operands = true, .a = a->rs1 / 8u, .b = second(a, k.immediate)};
      const CondCode taken = cc_flags(CcKind::Sub, k.wide, k.cond);
      cc_ = before;
      return taken;
    }
    case Kind::Fcc:
      as_.mov(rax, state(&CpuState::fsr));
      as_.shr(rax, a->rs2 == 0 ? 10 : 30 + 2 * a->rs2);
      as_.and_(eax, 3);
      as_.mov(ecx, static_cast<std::int32_t>(a->imm));
      as_.bt(ecx, eax);
      return CondCode::kC;
    case Kind::Register:
      return register_flags(k.cond, a->rs1 / 8u);
    case Kind::Taken:
      break;
  }
  as_.cmp(state(&Context::taken), 0);
  return CondCode::kNZ;
}

/// Emits a branch, or its decision. Returns true if the block ends; an annulling branch goes on after its
/// Exits if it is taken.
bool Emitter::branch(Block& block, const Action* a, const BranchMeaning& meaning) {
  const CondCode taken = flags(meaning.condition, a);
  if (meaning.role == BranchMeaning::Role::Decide) {
    as_.emit(x86::Inst::setccFromCond(taken), state(&Context::taken));
    return false;
  }
  using Role = BranchMeaning::Role;
  const bool ends = meaning.role == Role::Branch || meaning.role == Role::WarmingBranch;
  const bool warms = meaning.role == Role::WarmingBranch || meaning.role == Role::WarmingAnnulling;
  const Label other = as_.newLabel();
  as_.emit(x86::Inst::jccFromCond(taken), other);
  const Residence before = now_;
  if (warms) warm_branch(a, false);
  edge(block, 0, a->rs3);
  now_ = before;
  as_.bind(other);
  if (!ends) return false;
  if (warms) warm_branch(a, true);
  edge(block, 1, a->rs3);
  return true;
}

/// Jumps to the block at Context::target, if the jump cache has it.
void Emitter::indirect(const Action* a) {
  static_assert(sizeof(JumpCacheEntry) == 16 && offsetof(JumpCacheEntry, block) == 8);
  write_back();
  as_.add(r14, a->rs3);
  as_.mov(rax, state(&Context::target));
  as_.mov(ecx, eax);
  as_.shl(ecx, 2);
  as_.and_(ecx, static_cast<std::int32_t>((kJumpCacheEntries - 1) * sizeof(JumpCacheEntry)));
  const std::int32_t entries = place(&Context::jump_cache);
  as_.cmp(rax, Mem(rbx, rcx, 0, entries));
  as_.jne(reinterpret_cast<std::uint64_t>(common_.leave_target));
  as_.mov(rsi, Mem(rbx, rcx, 0, entries + 8));
  as_.cmp(r14, state(&Context::limit));
  as_.jae(reinterpret_cast<std::uint64_t>(common_.leave_target));
  as_.jmp(qword_ptr(rsi, offsetof(Action, imm)));
}

Emitter::End Emitter::control(Block& block, const Action* a, const std::function<void()>& before) {
  if (a->handler == static_cast<Handler>(go_handler)) {
    before();
    edge(block, a->rd, a->rs3);
    return End::Block;
  }
  if (a->handler == go_indirect_handler(false)) {
    before();
    indirect(a);
    return End::Block;
  }
  if (a->handler == static_cast<Handler>(link_handler)) {
    before();
    constant(rax, a->imm + disp30(a->word));
    as_.mov(state(&Context::target), rax);
    const Gp link = out(15, rax);
    constant(link, a->imm);
    done(15, link);
    return End::Action;
  }
  if (const bool immediate = a->handler == jump_handler(true);
      immediate || a->handler == jump_handler(false)) {
    before();
    const Second y = immediate ? Second{true, simm13(a->word), 0} : second(a, false);
    load(rax, a->rs1 / 8u);
    if (!y.constant || y.value != 0) operate(Inst::kIdAdd, rax, y);
    const Label after = as_.newLabel();
    as_.test(al, 3);
    as_.jnz(to_handler(a, after));
    as_.mov(state(&Context::target), rax);
    if (a->rd != 8 * 32) {
      const Gp link = out(a->rd / 8u, rax);
      constant(link, a->imm);
      done(a->rd / 8u, link);
    }
    as_.bind(after);
    return End::Action;
  }
  const BranchMeaning* const meaning = branch_meaning(a->handler);
  if (meaning == nullptr) return End::None;
  before();
  return branch(block, a, *meaning) ? End::Block : End::Action;
}

}  // namespace psim::isa::jit
