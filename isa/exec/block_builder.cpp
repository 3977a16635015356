// SPDX-License-Identifier: Apache-2.0
// Delay slots. If the delay instruction cannot change the condition of the branch, it is put before the
// branch. Trouble in it restarts at the branch (Action::index), which then runs instruction by instruction.
// Otherwise the branch first decides into Context::taken. Transfers in delay slots, and delay slots that
// cannot be fetched, run in the single-step path.
#include "isa/exec/block_builder.h"

#include "isa/exec/branches.h"
#include "isa/exec/recording.h"
#include "isa/exec/warming.h"
#include "isa/simd/lanes.h"
#include "isa/state/conditions.h"
#include "isa/state/region_marker.h"
#include "isa/table/analyse.h"
#include "isa/table/fields.h"

namespace psim::isa {

namespace {
constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

bool writes_cc(const Decoded& d) { return (d.spec->effects & effect::kWriteCc) != 0; }
/// Conditional moves read CCR as an operand, rd %ccr, addc and similar ones by effect: analyse() handles
/// both.
bool reads_cc(const Decoded& d) {
  const StaticInstruction s = analyse(d.action.word);
  for (unsigned n = 0; n < s.sources; ++n)
    if (s.source[n].first <= reg::kCcr && reg::kCcr < s.source[n].first + s.source[n].count) return true;
  return false;
}
bool moves_window(const Decoded& d) {
  return (d.spec->effects & (effect::kSaveWindow | effect::kRestoreWindow)) != 0;
}
bool writes_register(const Decoded& d, unsigned first, unsigned count) {
  const StaticInstruction s = analyse(d.action.word);
  for (unsigned n = 0; n < s.destinations; ++n)
    if (s.destination[n].first < first + count &&
        first < unsigned{s.destination[n].first} + s.destination[n].count)
      return true;
  return false;
}

/// Returns true if the delay instruction changes the branch's condition.
bool disturbs(const Decoded& delay, const Decoded& branch) {
  const std::uint32_t word = branch.action.word;
  switch (branch.spec->flow) {
    case Flow::BranchIcc:
      return writes_cc(delay);
    case Flow::BranchFcc:
      return (delay.spec->effects & effect::kWriteFsr) != 0 || writes_register(delay, reg::kFcc, 4);
    case Flow::BranchRegister:
      return moves_window(delay) || writes_register(delay, rs1(word), 1);
    default:
      return false;
  }
}

}  // namespace

std::optional<Decoded> BlockBuilder::fetch(std::uint64_t pc) const {
  std::uint32_t word;
  if ((memory_.permission(pc) & kExecute) == 0) return std::nullopt;
  // Execute permission alone lets code run but not be loaded.
  std::memcpy(&word, memory_.host_base() + pc, sizeof word);
  return decoded(big_endian(word), bindings_);
}

Action& BlockBuilder::add(const Action& action) {
  Action& a = plan_->slots.emplace_back(action);
  a.slot = static_cast<std::uint16_t>(plan_->slots.size() - 1);
  a.index = static_cast<std::uint16_t>(plan_->instructions);
  return a;
}

/// Adds an instruction that is no control transfer; `order` is the number of instructions of the block before
/// it.
void BlockBuilder::add_instruction(const Decoded& d, unsigned order) {
  if (warmer_ != nullptr) add_fetch(plan_->pc + 4 * order), count(d.action.word);
  if (d.spec->unit == Unit::None) return;  // nop, and barriers, which have no effect in one strand
  if (d.address && records()) add(address_recorder(d, recorder_->site(plan_->pc + 4 * order), order, simd_));
  if (d.address && warmer_ != nullptr) add_warming(d);
  add(d.action);
}

/// Begins a part of the block whose instructions run all or not at all, and are counted at its start.
void BlockBuilder::begin_count() {
  if (warmer_ == nullptr) return;
  counting_ = plan_->slots.size();
  for (const Action& action : warming_counts()) add(action);
}

/// Counts an instruction of this part.
void BlockBuilder::count(std::uint32_t word) {
  const StaticInstruction& instruction = analysed(word);
  Action* const counts = &plan_->slots[counting_];
  counts[0].imm += static_cast<std::int64_t>(ExecutionWarmer::Counts::accesses_of(instruction));
  counts[1].imm += static_cast<std::int64_t>(ExecutionWarmer::Counts::operations_of(instruction));
}

void BlockBuilder::add_warming(const Decoded& d) {
  const StaticInstruction& instruction = analysed(d.action.word);
  if (instruction.load || instruction.store || instruction.latency == LatencyClass::Prefetch)
    add(warming_access(d, instruction, simd_));
}

/// Adds the warming of a call, a return or an indirect jump after its delay slot.
void BlockBuilder::add_warming_jump(std::uint64_t pc, BranchKind kind) {
  add(warming_jump(warmer_->add_site(pc, kind, 0))).index -= 2;
}

/// Adds the fetch of the instruction at `pc` if it is in another line than the one before.
void BlockBuilder::add_fetch(std::uint64_t pc) {
  const std::uint64_t line = pc >> warmer_->code.shift;
  if (line == code_line_) return;
  code_line_ = line;
  warmer_->built(pc);
  add(warming_fetch(pc));
}

/// Returns true for sbmget, sbmput and sbmsync.
bool BlockBuilder::transfers(std::uint32_t word) const {
  const LatencyClass latency = analysed(word).latency;
  return latency == LatencyClass::BlockTransfer || latency == LatencyClass::TransferSync;
}

/// Returns true if a listener needs the word as a single step.
bool BlockBuilder::alone(std::uint32_t word) const {
  return (recorder_ != nullptr && recorder_->alone(word)) ||
         (warmer_ != nullptr &&
          (is_region_marker(word) || (warmer_->pauses_at_transfers && transfers(word))));
}

void BlockBuilder::add_exits(std::uint64_t fall_through, std::uint64_t target) {
  plan_->exits_slot = static_cast<unsigned>(plan_->slots.size());
  plan_->exit_pc[0] = fall_through, plan_->exit_pc[1] = target;
  plan_->slots.resize(plan_->slots.size() + kExitSlots);
}

void BlockBuilder::add_go(unsigned side, unsigned retired) {
  Action go{.handler = go_handler,
            .rd = static_cast<std::uint16_t>(side),
            .rs3 = static_cast<std::uint16_t>(retired)};
  plan_->gos.push_back(static_cast<unsigned>(plan_->slots.size()));
  add(go);
}

void BlockBuilder::end_alone() { add({.handler = alone_handler}); }

/// Fuses cmp with the branch directly after it, if the delay instruction may run before both.
bool BlockBuilder::fuse_compare(const Decoded& d, const Decoded& delay) {
  if (!last_ || d.spec->flow != Flow::BranchIcc || last_->cc != CcKind::Sub || rd(last_->action.word) != 0)
    return false;
  const std::uint32_t word = last_->action.word;
  if (writes_cc(delay) || reads_cc(delay) || moves_window(delay) || delay.spec->flow != Flow::Straight)
    return false;
  if (rs1(word) != 0 && writes_register(delay, rs1(word), 1)) return false;
  return has_immediate(word) || rs2(word) == 0 || !writes_register(delay, rs2(word), 1);
}

void BlockBuilder::conditional(const Decoded& d, const Decoded& delay, std::uint64_t target, bool annul) {
  const std::uint64_t pc = plan_->pc + 4 * plan_->instructions;
  Condition k = condition_of(d, cc_);
  Action branch = condition_operands(d);
  const auto retired = [&](unsigned n) { return static_cast<std::uint16_t>(plan_->instructions + n); };
  if (warmer_ != nullptr) count(d.action.word);
  const std::uint32_t site = warmer_ == nullptr ? 0 : warmer_->add_site(pc, BranchKind::Conditional, target);
  // In SIMD state a branch on an fcc may fail: it decides before its delay slot.
  const bool agreed = simd_ && d.spec->flow == Flow::BranchFcc;
  if (agreed) {
    branch.handler = simd::decide_agreed;
    add(branch);
    branch = {};
    k = {.kind = Condition::Kind::Taken};
  }
  if (annul) {
    if (records()) {
      if (!agreed) {
        branch.handler = decide_handler(k);
        add(branch);
      }
      branch = {.handler = recording_annulling_branch_handler, .rs3 = retired(1)};
    } else if (warmer_ != nullptr) {
      if (!agreed) {
        branch.handler = decide_handler(k);
        add(branch);
      }
      branch = {.handler = warming_annulling_branch_handler, .rs3 = retired(1), .word = site};
    } else {
      branch.handler = annulling_branch_handler(k), branch.rs3 = retired(1);
    }
    add(branch);
    add_exits(pc + 8, target);
    begin_count();
    add_instruction(delay, plan_->instructions + 1);
    if (warmer_ != nullptr) add(warming_always(site));
    add_go(1, plan_->instructions + 2);
    if (records()) plan_->slots.back().handler = recording_go_handler;
    plan_->instructions += 2;
    return;
  }
  if (agreed) {
    add_instruction(delay, plan_->instructions + 1);
  } else if (disturbs(delay, d)) {
    branch.handler = decide_handler(k);
    add(branch);
    add_instruction(delay, plan_->instructions + 1);
    branch = {};
    k = {.kind = Condition::Kind::Taken};
  } else {
    unsigned back = 0;  // instructions of the fused compare
    if (fuse_compare(d, delay)) {
      const Action compare = plan_->slots.back();
      plan_->slots.pop_back();
      back = 1;
      k.kind = Condition::Kind::Compare, k.immediate = has_immediate(compare.word);
      branch.rs1 = compare.rs1, branch.rs2 = compare.rs2, branch.imm = compare.imm;
    }
    plan_->instructions -= back;  // trouble in the delay slot restarts at the compare
    add_instruction(delay, plan_->instructions + back + 1);
    plan_->instructions += back;
  }
  add_branch(branch, k, retired(2), site);
  add_exits(pc + 8, target);
  plan_->instructions += 2;
}

/// Adds a branch whose delay slot, if it has one, is done.
void BlockBuilder::add_branch(Action branch, const Condition& k, std::uint16_t retired, std::uint32_t site) {
  if (warmer_ != nullptr) branch.word = site;
  branch.handler = records()            ? recording_branch_handler(k)
                   : warmer_ != nullptr ? warming_branch_handler(k)
                                        : branch_handler(k);
  branch.rs3 = retired;
  add(branch);
}

void BlockBuilder::transfer(const Decoded& d) {
  const std::uint32_t word = d.action.word;
  const std::uint64_t pc = plan_->pc + 4 * plan_->instructions;
  const std::uint64_t target = pc + static_cast<std::uint64_t>(displacement(*d.spec, word));
  if (d.spec->flow == Flow::CompareBranch) {
    std::uint32_t site = 0;
    if (warmer_ != nullptr)
      count(word), add_fetch(pc), site = warmer_->add_site(pc, BranchKind::Conditional, target);
    add_branch(condition_operands(d), condition_of(d, cc_),
               static_cast<std::uint16_t>(plan_->instructions + 1), site);
    add_exits(pc + 4, target);
    plan_->instructions += 1;
    return;
  }
  const bool conditional_branch = d.spec->flow == Flow::BranchIcc || d.spec->flow == Flow::BranchFcc;
  const bool always = conditional_branch && cond(word) == 8, never = conditional_branch && cond(word) == 0;
  const bool annulled = isa::annul(word) && d.spec->flow != Flow::Call && d.spec->flow != Flow::Jump &&
                        d.spec->flow != Flow::Return;
  if ((always || never) && annulled) {
    if (warmer_ != nullptr) count(word);
    if (warmer_ != nullptr && always) add(warming_always(warmer_->add_site(pc, BranchKind::Always, target)));
    add_go(always, plan_->instructions + 1);
    add_exits(pc + 8, target);
    plan_->instructions += 1;
    return;
  }
  const std::optional<Decoded> delay = fetch(pc + 4);
  if (!delay || is_transfer(delay->spec->flow)) return end_alone();
  if (alone(delay->action.word)) return end_alone();
  if (conditional_branch && !always && !never) return conditional(d, *delay, target, annulled);
  if (d.spec->flow == Flow::BranchRegister) return conditional(d, *delay, target, annulled);
  if (warmer_ != nullptr) count(word);
  if (d.spec->flow == Flow::Jump || d.spec->flow == Flow::Return) {
    const bool immediate = has_immediate(word);
    Action jump{.rd = int_sink_offset(rd(word)), .rs1 = int_offset(rs1(word)), .rs2 = int_offset(rs2(word))};
    jump.word = word, jump.imm = static_cast<std::int64_t>(pc);
    jump.handler = d.spec->flow == Flow::Jump ? jump_handler(immediate) : return_handler(immediate);
    add(jump);
    if (records()) add(target_recorder(recorder_->site(pc), plan_->instructions));
    plan_->instructions += 1;
    plan_->jump_delay = static_cast<std::uint16_t>(plan_->instructions);
    add_instruction(*delay, plan_->instructions);
    plan_->instructions += 1;
    if (warmer_ != nullptr) add_warming_jump(pc, analysed(word).branch);
    add({.handler = go_indirect_handler(simd_), .rs3 = static_cast<std::uint16_t>(plan_->instructions)});
    return;
  }
  // call, ba, bn: the successor is known.
  const bool call = d.spec->flow == Flow::Call;
  if (call) {
    add({.handler = link_handler, .imm = static_cast<std::int64_t>(pc), .word = word});
    plan_->jump_delay = static_cast<std::uint16_t>(plan_->instructions + 1);
  }
  plan_->instructions += call;
  add_instruction(*delay, plan_->instructions + 1 - call);
  plan_->instructions += 2 - call;
  // The index of a warming action is that of its branch.
  if (warmer_ != nullptr && call) add_warming_jump(pc, BranchKind::Call);
  if (warmer_ != nullptr && always)
    add(warming_always(warmer_->add_site(pc, BranchKind::Always, target))).index -= 2;
  add_go(!never, plan_->instructions);
  add_exits(pc + 8, target);
}

bool BlockBuilder::build(std::uint64_t pc, BlockPlan& plan) {
  plan_ = &plan;
  plan.pc = pc, plan.instructions = 0, plan.jump_delay = kNoJump;
  plan.slots.clear(), plan.gos.clear(), plan.exits_slot.reset();
  last_.reset(), cc_.reset();
  code_line_ = kNoLine;
  if (entry_ && !records()) add(*entry_);
  begin_count();
  for (;;) {
    const std::uint64_t at = pc + 4 * plan.instructions;
    const bool crosses = plan.instructions != 0 && at % GuestMemory::kPageBytes == 0;
    std::optional<Decoded> d;
    if (!crosses && plan.instructions < kBlockInstructions) d = fetch(at);
    if (!d) {
      if (plan.instructions == 0) return false;
      add_go(0, plan.instructions);
      add_exits(at, at);
      return true;
    }
    // A delay slot in the next page runs by single steps, so that a block lies in one page.
    const bool last_in_page = (at + 4) % GuestMemory::kPageBytes == 0;
    if (is_transfer(d->spec->flow)) {
      if (warmer_ != nullptr && plan.instructions == 0) add_fetch(at);
      if (last_in_page && d->spec->flow != Flow::CompareBranch) {
        end_alone();
      } else {
        transfer(*d);
      }
      return true;
    }
    if (alone(d->action.word)) {
      end_alone();
      return true;
    }
    add_instruction(*d, plan.instructions);
    plan.instructions += 1;
    last_ = d;
    if (writes_cc(*d)) cc_ = d->cc;
    const bool unconditional_trap = d->spec->flow == Flow::Trap && cond(d->action.word) == 8;
    if (unconditional_trap) return true;
    // The next instruction is not reached, or may belong to a block of the other state.
    if ((d->spec->effects & (effect::kTraps | effect::kSwitchesState)) != 0) return true;
  }
}

}  // namespace psim::isa
