// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/executor_impl.h"
#include "isa/fp/environment.h"
#include "isa/simd/lanes.h"
#include "isa/simd/transfer.h"
#include "isa/state/alternate_space.h"
#include "isa/state/conditions.h"
#include "isa/state/windows.h"
#include "isa/table/fields.h"

namespace psim::isa {

PSIM_HANDLER(step_end) {
  c->exit = Exit::Done;
  return nullptr;
}

namespace {
using u64 = std::uint64_t;

u64 operand2(const Context& c, std::uint32_t word) {
  return has_immediate(word) ? static_cast<u64>(simm13(word)) : c.r[rs2(word)];
}
bool compare_holds(const Context& c, std::uint32_t word, unsigned codes) {
  const u64 x = c.r[rs1(word)];
  const u64 y = has_immediate(word) ? static_cast<u64>(simm5(word)) : c.r[rs2(word)];
  CpuState difference;
  difference.cc_kind = CcKind::Sub, difference.cc_a = x, difference.cc_b = y;
  return icc_mask(compare_branch_cond(word)) >> nzvc(difference, codes) & 1;
}

/// Returns the parts that the records of a step_straight() have in common. Not inlined: one copy then fills a
/// record.
[[gnu::noinline]] InstructionRecord common_record(const Context& c) {
  InstructionRecord record;
  record.simd = c.simd.on, record.pes = static_cast<std::uint8_t>(c.simd.enabled());
  return record;
}
}  // namespace

const StepEntry* Executor::Impl::fetch(std::uint64_t pc, bool simd) {
  bool decoded;
  const StepEntry* const entry = step_caches[simd].at(pc, decoded);
  if (decoded) mark(pc, 4);
  return entry;
}

Executor::Impl::Outcome Executor::Impl::deliver(Fault fault) {
  fault.pc = c.pc;
  if (!environment.fault(c, fault)) ended = true;
  redirected_ = true;
  return Outcome::NotRetired;
}

bool Executor::Impl::perform(const StepEntry& entry) {
  const std::uint32_t host_fp = entry.floating ? fp::enter(c) : 0;
  const bool done = run_action(entry);
  if (entry.floating) fp::leave(c, host_fp);
  return done;
}

bool Executor::Impl::run_action(const StepEntry& entry) {
  const Action* a = &entry.action;
#if PSIM_THREADED
  a->handler(&c, a, memory.host_base(), memory.page_table());
#else
  while (a != nullptr) a = a->handler(&c, a, memory.host_base(), memory.page_table());
#endif
  return c.exit == Exit::Done;
}

void Executor::Impl::queue_window_records(RecordKind kind, std::uint64_t area, std::uint64_t window) {
  for (unsigned n = 0; n < trap_records_; ++n) {
    InstructionRecord& r = queued_.emplace_back();
    r.pc = c.pc, r.address = area + 8 * n, r.target = c.pc;
    r.instruction = steps().analysed(window_trap_word(kind, n));
    r.kind = kind, r.window = static_cast<std::uint8_t>(window);
    r.first_of_trap = n == 0;
    r.simd = c.simd.on, r.pes = static_cast<std::uint8_t>(c.simd.enabled());
  }
}

/// Spills or fills if the instruction needs it. Returns false if a save area was not accessible, and the
/// fault is delivered.
bool Executor::Impl::window_trap(const StepEntry& entry) {
  const bool overflow = (entry.flow == Flow::Save && c.cansave == 0);
  const bool underflow = (entry.flow == Flow::Restore || entry.flow == Flow::Return) && c.canrestore == 0;
  WindowTrap trap{true, 0};
  if (underflow) {
    trap = fill_previous(c, memory);
    if (trap.done) queue_window_records(RecordKind::FillLoad, trap.address, window_before(c.cwp));
  }
  while (trap.done &&
         ((overflow && c.cansave == 0) || (entry.flow == Flow::FlushWindows && c.canrestore != 0))) {
    const unsigned window = window_after(c.cwp, c.cansave + 2u);
    trap = spill_oldest(c, memory);
    if (trap.done) queue_window_records(RecordKind::SpillStore, trap.address, window);
  }
  if (!trap.done)
    deliver({.kind = FaultKind::WindowMemory, .address = trap.address, .word = entry.action.word});
  return trap.done;
}

bool Executor::Impl::condition_holds(const StepEntry& entry) const {
  const std::uint32_t word = entry.action.word;
  switch (entry.flow) {
    case Flow::BranchIcc:
      return icc_mask(cond(word)) >> nzvc(c, entry.codes) & 1;
    case Flow::BranchFcc:
      if (c.simd.on) return c.taken;
      return fcc_mask(cond(word)) >> fcc(c, entry.codes) & 1;
    case Flow::BranchRegister:
      return register_condition(branch_rcond(word), static_cast<std::int64_t>(c.r[rs1(word)]));
    default:
      return compare_holds(c, word, entry.codes);
  }
}

void Executor::Impl::transfer(const StepEntry& entry, InstructionRecord& record) {
  const std::uint32_t word = entry.action.word;
  const u64 pc = c.pc, npc = c.npc;
  const u64 relative = pc + static_cast<u64>(entry.instruction->displacement);
  switch (entry.flow) {
    case Flow::Call:
      c.r[15] = pc;
      record.taken = true, record.target = relative;
      break;
    case Flow::Jump:
      record.taken = true, record.target = c.r[rs1(word)] + operand2(c, word);
      if (rd(word) != 0) c.r[rd(word)] = pc;
      break;
    case Flow::Return:
      record.taken = true, record.target = c.r[rs1(word)] + operand2(c, word);
      ++c.cansave, --c.canrestore;
      enter_previous_window(c);
      break;
    case Flow::CompareBranch:
      record.taken = condition_holds(entry);
      record.target = record.taken ? relative : npc;
      c.pc = record.target, c.npc = record.target + 4;
      return;
    default: {
      record.taken = condition_holds(entry);
      const bool always = entry.flow != Flow::BranchRegister && cond(word) == 8;
      record.annulled_slot = annul(word) && (!record.taken || always);
      record.target = record.taken ? relative : npc + 4;
      if (record.annulled_slot) {
        c.pc = record.target, c.npc = record.target + 4;
        return;
      }
    }
  }
  c.pc = npc, c.npc = record.target;
}

/// Puts the decision of the enabled PEs into c.taken; returns false if they do not agree.
bool Executor::Impl::decide_agreed(const StepEntry& entry) {
  const std::uint32_t word = entry.action.word;
  c.taken = cond(word) == 8;
  if ((cond(word) & 7) == 0) return true;  // always or never
  const int fcc = simd::agreed_fcc(&c, &entry.action, entry.codes);
  c.taken = fcc >= 0 && (fcc_mask(cond(word)) >> fcc & 1) != 0;
  return fcc >= 0;
}

void Executor::Impl::note_sbm(InstructionRecord& record) const {
  const u64 offset = sbm_offset(c, record.instruction->word, record.address);
  if (offset == SimdState::kNoWindow) return;
  record.sbm = 1, record.target = offset;
}

Executor::Impl::Outcome Executor::Impl::step_one(InstructionRecord& record) {
  const StepEntry* const found = c.pc % 4 == 0 ? fetch(c.pc) : nullptr;
  if (found == nullptr) {
    const bool mapped = (memory.permission(c.pc) & kMapped) != 0;
    const FaultKind kind = c.pc % 4 != 0 ? FaultKind::Misaligned
                           : mapped      ? FaultKind::NotExecutable
                                         : FaultKind::NotMapped;
    return deliver({.kind = kind, .address = c.pc});
  }
  const StepEntry& entry = *found;
  const std::uint32_t word = entry.action.word;
  record = {
      .pc = c.pc, .target = 0, .instruction = entry.instruction, .window = c.cwp, .signal = redirected_};
  record.simd = c.simd.on, record.pes = static_cast<std::uint8_t>(c.simd.enabled());
  redirected_ = false;
  switch (entry.flow) {
    case Flow::Jump:
    case Flow::Return:
      if (const u64 target = c.r[rs1(word)] + operand2(c, word); target % 4 != 0)
        return deliver({.kind = FaultKind::Misaligned, .address = target, .word = word});
      if (entry.flow == Flow::Return && !window_trap(entry)) return Outcome::NotRetired;
      [[fallthrough]];
    case Flow::BranchFcc:
      if (entry.flow == Flow::BranchFcc && c.simd.on && !decide_agreed(entry)) return deliver(c.fault);
      [[fallthrough]];
    case Flow::Call:
    case Flow::BranchIcc:
    case Flow::BranchRegister:
    case Flow::CompareBranch:
      transfer(entry, record);
      ++c.instructions;
      return Outcome::Retired;
    case Flow::Trap: {
      const bool holds = icc_mask(cond(word)) >> nzvc(c, move_cc(word)) & 1;
      const u64 sum = c.r[rs1(word)] + (has_immediate(word) ? bits(word, 0, 8) : c.r[rs2(word)]);
      const u64 after = c.npc;
      c.pc = after, c.npc = after + 4;
      ++c.instructions;
      if (!holds) return Outcome::Retired;
      record.taken = true;
      if (!environment.software_trap(c, static_cast<unsigned>(sum & 127))) ended = true;
      redirected_ = c.pc != after;
      return Outcome::Retired;
    }
    case Flow::Save:
    case Flow::Restore:
    case Flow::FlushWindows:
      if (!window_trap(entry)) return Outcome::NotRetired;
      break;
    case Flow::Straight:
      if (entry.address) record.address = c.r[rs1(word)] + (entry.rs1_only ? 0 : operand2(c, word));
      if (entry.address && c.simd.pes != 0) note_sbm(record);
      break;
  }
  if (!perform(entry)) return deliver(c.fault);
  if (record.instruction->latency == LatencyClass::BlockTransfer) record.target = simd::last_transfer(c.simd);
  if (record.instruction->latency == LatencyClass::TransferSync) record.target = simd::tags_of(c, word);
  c.pc = c.npc, c.npc += 4;
  ++c.instructions;
  return Outcome::Retired;
}

Pull Executor::Impl::step(InstructionRecord& record, bool allow_timed) {
  trap_records_ = 16;
  for (;;) {
    if (!queued_.empty()) {
      record = queued_.front();
      queued_.pop_front();
      return Pull::Record;
    }
    if (ended || !check_deadline()) return Pull::End;
    if (!allow_timed)
      if (const StepEntry* const entry = c.pc % 4 == 0 ? fetch(c.pc) : nullptr;
          entry != nullptr && entry->waits)
        return Pull::WaitUntilOldest;
    if (step_one(record) == Outcome::NotRetired) continue;
    if (queued_.empty()) return Pull::Record;
    queued_.push_back(record);
  }
}

std::uint32_t Executor::Impl::step_straight(std::uint64_t pc, std::uint32_t count, RecordSlots out) {
  if (!queued_.empty() || ended || redirected_ || pc % 4 != 0) return 0;
  const InstructionRecord common = common_record(c);
  std::uint32_t host_fp = 0, done = 0;
  bool in_guest_fp = false;
  for (bool last = false; !last && done < count && c.pc == pc && c.instructions < deadline; ++done) {
    const StepEntry* const found = fetch(pc);
    if (found == nullptr) break;
    const StepEntry& entry = *found;
    if (entry.straight == Straight::No || (entry.straight == Straight::Save && c.cansave == 0) ||
        (entry.straight == Straight::Restore && c.canrestore == 0))
      break;
    const std::uint32_t word = entry.action.word;
    if (entry.straight == Straight::Jump && (c.r[rs1(word)] + operand2(c, word)) % 4 != 0) break;
    InstructionRecord& record = out[done];
    record = common;
    record.pc = pc, record.instruction = entry.instruction, record.window = c.cwp;
    if (entry.straight >= Straight::Transfer) {
      transfer(entry, record);
      last = true;
    } else {
      if (entry.address) {
        record.address = c.r[rs1(word)] + (entry.rs1_only ? 0 : operand2(c, word));
        if (device.holds(record.address)) break;
        if (c.simd.pes != 0) note_sbm(record);
      }
      if (entry.floating && !in_guest_fp) in_guest_fp = true, host_fp = fp::enter(c);
      if (!run_action(entry)) break;  // nothing has changed: step() runs it again and delivers the fault
      pc += 4;
      c.pc = c.npc, c.npc += 4;
    }
    ++c.instructions;
  }
  if (in_guest_fp) fp::leave(c, host_fp);
  return done;
}

}  // namespace psim::isa
