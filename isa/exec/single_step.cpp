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

/// Returns the effective address of an access, or the target of a jump.
u64 address_of(const Context& c, const StepEntry& entry) {
  return c.r[entry.base] + c.r[entry.index] + static_cast<u64>(std::int64_t{entry.offset});
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

/// Puts the outcome of a control transfer into its record. The state does not change.
inline void Executor::Impl::decide(const StepEntry& entry, InstructionRecord& record) {
  const std::uint32_t word = entry.action.word;
  const u64 relative = c.pc + static_cast<u64>(entry.instruction->displacement);
  switch (entry.flow) {
    case Flow::Call:
      record.taken = true, record.target = relative;
      return;
    case Flow::Jump:
    case Flow::Return:
      record.taken = true, record.target = address_of(c, entry);
      return;
    case Flow::CompareBranch:
      run_action(entry);
      record.taken = c.taken, record.target = c.taken ? relative : c.npc;
      return;
    default: {
      run_action(entry);
      const bool always = entry.flow != Flow::BranchRegister && cond(word) == 8;
      record.taken = c.taken, record.target = c.taken ? relative : c.npc + 4;
      record.annulled_slot = annul(word) && (!c.taken || always);
    }
  }
}

/// Performs a control transfer with this outcome.
inline void Executor::Impl::transfer(const StepEntry& entry, const InstructionRecord& record) {
  if (entry.flow == Flow::Call) {
    c.r[15] = c.pc;
  } else if (entry.flow == Flow::Jump) {
    if (const unsigned link = rd(entry.action.word); link != 0) c.r[link] = c.pc;
  } else if (entry.flow == Flow::Return) {
    ++c.cansave, --c.canrestore;
    enter_previous_window(c);
  }
  const bool slot = !record.annulled_slot && entry.flow != Flow::CompareBranch;
  c.pc = slot ? c.npc : record.target;
  c.npc = slot ? record.target : record.target + 4;
}

/// Puts the decision of the enabled PEs into c.taken; returns false if they do not agree.
bool Executor::Impl::decide_agreed(const StepEntry& entry) {
  const std::uint32_t word = entry.action.word;
  c.taken = cond(word) == 8;
  if ((cond(word) & 7) == 0) return true;  // always or never
  const int fcc = simd::agreed_fcc(&c, &entry.action, entry.action.rs2);
  c.taken = fcc >= 0 && (entry.action.imm >> fcc & 1) != 0;
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
      if (const u64 target = address_of(c, entry); target % 4 != 0)
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
      decide(entry, record);
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
      if (entry.address) record.address = address_of(c, entry);
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

/// Executes up to `count` instructions that need no step(): at consecutive addresses up to a control transfer
/// or, with kFollows, those `expected`.
template <bool kFollows>
inline std::uint32_t Executor::Impl::run_straight(std::uint32_t count, RecordSlots out,
                                                  const InstructionRecord* expected) {
  if (!queued_.empty() || ended || redirected_ || c.pc % 4 != 0) return 0;
  const InstructionRecord common = common_record(c);
  StepCache& cache = steps();
  std::uint32_t host_fp = 0, done = 0;
  bool in_guest_fp = false;
  const StepEntry* found = nullptr;
  std::uint64_t pc = c.pc,
                next = kNever;  // next: the address of the word after `found`, if it follows in its chunk
  for (bool last = false; !last && done < count && c.instructions < deadline; ++done) {
    if (kFollows ? (pc = c.pc) != expected[done].pc : pc != c.pc) break;
    if (pc != next || (++found)->instruction == nullptr) {
      bool decoded;
      found = cache.at(pc, decoded);
      if (decoded) mark(pc, 4);
      if (found == nullptr) break;
    }
    next = StepCache::in_chunk(pc) > 1 ? pc + 4 : kNever;
    const StepEntry& entry = *found;
    if (entry.straight != Straight::Plain &&
        (entry.straight == Straight::No || (entry.straight == Straight::Save && c.cansave == 0) ||
         (entry.straight == Straight::Restore && c.canrestore == 0)))
      break;
    InstructionRecord& record = out[done];
    record = common;
    record.pc = pc, record.instruction = entry.instruction, record.window = c.cwp;
    if (entry.straight == Straight::Transfer) {
      decide(entry, record);
      if (record.target % 4 != 0) break;
      if (kFollows && !same_path(record, expected[done])) break;
      transfer(entry, record);
      last = !kFollows;
    } else {
      if (entry.address) {
        record.address = address_of(c, entry);
        if (device.holds(record.address)) break;
        if (c.simd.pes != 0) note_sbm(record);
      }
      if (kFollows && !same_path(record, expected[done])) break;
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

std::uint32_t Executor::Impl::step_straight(std::uint64_t pc, std::uint32_t count, RecordSlots out) {
  return c.pc == pc ? run_straight<false>(count, out, nullptr) : 0;
}

std::uint32_t Executor::Impl::follow(std::span<const InstructionRecord> expected, RecordSlots out) {
  return run_straight<true>(static_cast<std::uint32_t>(expected.size()), out, expected.data());
}

}  // namespace psim::isa
