// SPDX-License-Identifier: Apache-2.0
#include "pipeline/fetch_unit.h"

#include <array>

#include "isa/state/cpu_state.h"
#include "pipeline/activity_counter.h"
#include "pipeline/memo/outcome_tape.h"
#include "pipeline/timeline_recorder.h"

namespace psim::pipeline {

namespace {
/// Returns the parts that the records of a wrong path have in common. Not inlined: one copy then fills a
/// record.
[[gnu::noinline, gnu::hot]] isa::InstructionRecord common_record(std::uint8_t window, bool simd,
                                                                 std::uint8_t pes) {
  isa::InstructionRecord record;
  record.window = window;
  record.simd = simd;
  record.pes = pes;
  return record;
}
}  // namespace

FetchUnit::FetchUnit(const CoreConfig& config, InFlightRing& window, isa::InstructionSource& source,
                     L1Cache& cache)
    : config_(config.fetch),
      taken_bubble_(config.branch.taken_bubble),
      redirect_cycles_(config.branch.redirect_cycles),
      block_mask_(~std::uint64_t{config.fetch.width * 4 - 1}),
      trap_entry_(config.window_trap.entry),
      trap_leave_(config.window_trap.leave),
      window_(window),
      source_(source),
      cache_(cache),
      history_(config.branch),
      returns_(config.branch.return_stack),
      prefetcher_(history_, returns_, cache, config.fetch.width * 4) {}

bool FetchUnit::step(std::uint64_t now) {
  accessed_ = false;
  const bool active = fetch(now);
  return (!accessed_ && prefetch(now)) || active;
}

/// Prefetches in a cycle of IA that fetch leaves free.
bool FetchUnit::prefetch(std::uint64_t now) {
  if (ended_ || !prefetcher_.step(now)) return false;
  if (activity_) ++activity_->counts.prefetch_steps;
  return true;
}

bool FetchUnit::fetch(std::uint64_t now) {
  if (now < resume_) return false;
  if (window_.in_instruction_buffer() + config_.width > config_.instruction_buffer) return false;
  return on_wrong_path_ ? wrong_path(now) : right_path(now);
}

bool FetchUnit::peek(std::uint64_t now) {
  if (pulled_ != 0) return true;
  if (ended_) return false;
  if (pull_straight(isa::InstructionSource::kAnyPc, after_slot_ == AfterSlot::Nothing ? config_.width : 1,
                    now))
    return true;
  const bool oldest = window_.head == window_.fetched;
  if (waiting_ == Waiting::Empty && !oldest) return false;
  InFlight& entry = window_[window_.fetched];
  const isa::Pull pull = tape_ == nullptr ? source_.next(now, oldest, entry.record)
                                          : tape_->next(source_, now, oldest, entry.record);
  switch (pull) {
    case isa::Pull::Record:
      waiting_ = Waiting::Nothing;
      parked_ = false;
      pulled_ = 1;
      return true;
    case isa::Pull::WaitUntilOldest:
      waiting_ = Waiting::Empty;
      blame_ = CpiPart::Serial;
      return false;
    case isa::Pull::Idle:
      waiting_ = Waiting::Nothing;
      parked_ = true;
      resume_ = entry.record.target;
      return false;
    case isa::Pull::End:
      parked_ = false;
      ended_ = true;
      resume_ = kNever;
      return false;
  }
  return false;
}

/// Returns whether the block of `pc` can be read.
bool FetchUnit::block_ready(std::uint64_t pc, std::uint64_t now) {
  const std::uint64_t block = pc & block_mask_;
  accessed_ = true;
  prefetcher_.follow(pc);
  if (line_ready_ && block == block_) return true;
  line_ready_ = false;
  if (block != block_ || !refused_) block_at_ = now, translated_ = kNever;
  block_ = block;
  const Access access =
      cache_.access(block, config_.width * 4, AccessKind::Fetch, now, ++access_, translated_ <= now);
  usable_ = access.cycle;
  refused_ = access.outcome == Outcome::Refused;
  if (activity_ && !refused_) ++activity_->counts.fetch_blocks;
  if (access.outcome == Outcome::Hit) return true;
  if (refused_) {
    resume_ = access.cycle == kNever ? now : access.cycle;  // now: when the next event occurs
    if (access.refusal == Refusal::Tlb) translated_ = access.cycle;
    if (access.refusal == Refusal::MissRegister) translated_ = std::min(translated_, now);
  } else {
    waiting_ = Waiting::Line;
    resume_ = kNever;
  }
  return false;
}

void FetchUnit::line_arrived(const Completion& completion, std::uint64_t now) {
  if (waiting_ != Waiting::Line || completion.token != access_) return;  // for a path that fetch has left
  waiting_ = Waiting::Nothing;
  line_ready_ = true;
  usable_ = completion.cycle;
  resume_ = now;
}

inline void FetchUnit::start(InFlight& e, bool wrong_path) {
  e.fetched = block_at_;
  e.decodable = usable_ - 1 + window_.stages.to_decode;  // the cycle before `usable` is the first of IB
  e.progress = Progress::Fetched;
  e.wrong_path = wrong_path;
  e.mispredicted = e.predicted_hit = e.fetch_missed = e.starved = false;
  e.level = Level::L1;
  if (recorder_) recorder_->fetched(window_.fetched);
  ++window_.fetched;
}

bool FetchUnit::trap_step(std::uint64_t now) {
  const isa::InstructionRecord& record = window_[window_.fetched].record;
  const bool handler = record.kind != isa::RecordKind::Instruction;
  if (trap_ == Trap::None && !handler) return true;
  if (trap_ == Trap::Inside && handler && !record.first_of_trap) return true;
  if (trap_ == Trap::Entering || trap_ == Trap::Leaving) {  // the cycles of entry or return have passed
    trap_ = trap_ == Trap::Entering ? Trap::Inside : Trap::None;
    return true;
  }
  // A trap is entered and left with no instruction in flight.
  blame_ = CpiPart::WindowTrap;
  if (window_.head != window_.fetched) return false;
  trap_ = handler ? Trap::Entering : Trap::Leaving;
  resume_ = now + (handler ? trap_entry_ : trap_leave_);
  return now >= resume_ && trap_step(now);
}

bool FetchUnit::right_path(std::uint64_t now) {
  if (!peek(now)) return false;
  if (!trap_step(now)) return resume_ > now && resume_ != kNever;
  if (trap_ == Trap::Inside) return fetch_handler(now);
  const std::uint64_t pc = window_[window_.fetched].record.pc, block = pc & block_mask_;
  if (!block_ready(pc, now)) return resume_ > now;
  if (activity_) ++activity_->counts.fetch_groups;
  for (std::uint32_t left = config_.width;;) {
    // The next record is in this block: the first is, and all records of one pull are in one block.
    const Sequence sequence = window_.fetched;
    InFlight& e = window_[sequence];
    const isa::InstructionRecord& record = e.record;
    start(e, false);
    --pulled_;
    if (line_ready_) e.fetch_missed = true, line_ready_ = false;
    if (after_slot_ != AfterSlot::Nothing) {
      if (after_slot_ == AfterSlot::WrongPath) enter_wrong_path(after_slot_pc_);
      after_slot_ = AfterSlot::Nothing;
      resume_ = std::max(now + 1, after_slot_resume_);
      break;
    }
    if (record.instruction->branch != isa::BranchKind::None && branch(sequence, now)) break;
    if (--left == 0) break;
    if (pulled_ != 0) continue;
    // After a branch that was predicted taken only its slot follows in this cycle.
    const std::uint32_t most = after_slot_ == AfterSlot::Nothing ? left : 1;
    const std::uint64_t least_pc = record.pc + 4;
    if ((least_pc & ~block_mask_) != 0 && pull_straight(least_pc, most, now)) continue;
    if (!peek(now)) break;
    const isa::InstructionRecord& next = window_[window_.fetched].record;
    if ((next.pc & block_mask_) != block || next.kind != isa::RecordKind::Instruction || next.pc < least_pc)
      break;
  }
  line_ready_ = false;
  return true;
}

/// Pulls the records of up to `count` instructions of one block, from `pc` on if that is an address.
inline bool FetchUnit::pull_straight(std::uint64_t pc, std::uint32_t count, std::uint64_t now) {
  if (waiting_ != Waiting::Nothing) return false;
  const std::uint64_t block_bytes = config_.width * 4;
  const auto pull = [&](std::uint32_t most, isa::RecordSlots slots) {
    return tape_ == nullptr ? source_.next_straight(now, pc, block_bytes, most, slots)
                            : tape_->next_straight(source_, now, pc, block_bytes, most, count, slots);
  };
  const isa::RecordSlots slots{&window_[window_.fetched].record, sizeof(InFlight)};
  const auto room = static_cast<std::uint32_t>(window_.capacity() - window_.index(window_.fetched));
  if (count <= room || source_.has_threads()) {
    pulled_ = pull(std::min(count, room), slots);
  } else {
    // The ring ends within the block. The number of records must not depend on that, or stretches would not
    // come back.
    if (across_.empty()) across_.resize(config_.width);
    pulled_ = pull(count, {across_.data(), sizeof across_[0]});
    for (std::uint32_t n = 0; n < pulled_; ++n) window_[window_.fetched + n].record = across_[n];
  }
  if (pulled_ != 0) parked_ = false;
  return pulled_ != 0;
}

/// Fetches from the handler of a window trap, which is assumed to be in the cache.
bool FetchUnit::fetch_handler(std::uint64_t now) {
  if (activity_) ++activity_->counts.fetch_blocks, ++activity_->counts.fetch_groups;
  accessed_ = true;
  block_at_ = now;
  usable_ = now + cache_.config().latency;
  for (std::uint32_t n = 0; n < config_.width && (n == 0 || peek(now)); ++n) {
    InFlight& e = window_[window_.fetched];
    if (e.record.kind == isa::RecordKind::Instruction || (n && e.record.first_of_trap)) break;
    start(e, false);
    --pulled_;
  }
  line_ready_ = false;
  return true;
}

FetchUnit::Prediction FetchUnit::predict(std::uint64_t pc, const isa::StaticInstruction& si) {
  using isa::BranchKind;
  const std::uint64_t behind = pc + (si.no_delay_slot ? 4 : 8);
  Prediction p{false, false, !si.no_delay_slot, behind};
  const BranchHistory::Answer answer = history_.search(pc);
  p.hit = answer.hit;
  if (answer.hit && answer.taken) {
    p.taken = true;
    p.next = answer.target;
    if (answer.kind == BranchKind::Return) p.next = returns_.pop();
    if (answer.kind == BranchKind::Call) returns_.push(behind);
  }
  if (si.annul && (si.branch == BranchKind::Conditional ? !p.taken : p.taken)) p.slot = false;
  return p;
}

// Returns true if the fetch block ends after this branch.
bool FetchUnit::branch(Sequence sequence, std::uint64_t now) {
  InFlight& e = window_[sequence];
  const isa::InstructionRecord& record = e.record;
  const Prediction p = predict(record.pc, *record.instruction);
  e.predicted_hit = p.hit;
  const std::uint64_t resume = now + 1 + (p.taken ? taken_bubble_ : 0);
  const bool slot = !record.annulled_slot && !record.instruction->no_delay_slot;
  if (p.next == record.target && p.slot == slot) {
    if (!p.taken) return false;
    if (slot) {
      after_slot_ = AfterSlot::Taken;
      after_slot_resume_ = resume;
      return false;
    }
    resume_ = resume;
    return true;
  }
  e.mispredicted = true;
  mispredicted_ = sequence;
  resolve_at_ = kNever;
  wrong_window_ = record.window;
  wrong_simd_ = record.simd;
  wrong_pes_ = record.pes;
  // A return that was not recognised has popped nothing: the mark is taken after the prediction.
  returns_mark_ = returns_.mark();
  if (p.slot && slot) {
    after_slot_ = AfterSlot::WrongPath;
    after_slot_resume_ = resume;
    after_slot_pc_ = p.next;
    return false;
  }
  resume_ = resume;
  enter_wrong_path(p.slot ? record.pc + 4 : p.next);
  if (p.slot) wrong_next_ = p.next;
  return true;
}

void FetchUnit::enter_wrong_path(std::uint64_t pc) {
  on_wrong_path_ = true;
  wrong_first_ = window_.fetched;
  wrong_pc_ = pc;
  wrong_next_ = pc + 4;
}

/// Puts the instructions from `pc` on of a wrong path into `out`. Returns their number; 0: there is no text.
inline std::uint32_t FetchUnit::texts(std::uint64_t pc, std::span<const isa::StaticInstruction*> out) {
  if (tape_ == nullptr) return source_.texts(pc, wrong_simd_, out);
  out[0] = tape_->text(source_, pc, wrong_simd_);
  return out[0] != nullptr;
}

bool FetchUnit::wrong_path(std::uint64_t now) {
  std::uint64_t pc = wrong_pc_, next = wrong_next_, known_pc = pc;
  const std::uint64_t block = pc & block_mask_;
  std::array<const isa::StaticInstruction*, 8> text;  // at known_pc and after
  std::uint32_t known = texts(pc, text);
  if (known == 0) {  // prediction left the text: nothing to fetch until the branch resolves
    resume_ = kNever;
    return false;
  }
  if (!block_ready(pc, now)) return resume_ > now;
  if (activity_) ++activity_->counts.fetch_groups;
  isa::InstructionRecord record = common_record(wrong_window_, wrong_simd_, wrong_pes_);
  for (std::uint32_t n = 0; n < config_.width && (pc & block_mask_) == block; ++n) {
    if (pc - known_pc >= 4 * std::uint64_t{known}) {
      known_pc = pc;
      known = texts(pc, text);
      if (known == 0) break;
    }
    const isa::StaticInstruction* const si = text[(pc - known_pc) / 4];
    InFlight& e = window_[window_.fetched];
    e.record = record;
    e.record.pc = pc;
    e.record.instruction = si;
    if (si->window_save || si->window_restore) [[unlikely]]
      record.window =
          static_cast<std::uint8_t>(record.window + si->window_save - si->window_restore) % isa::kWindows;
    start(e, true);
    const std::uint64_t here = pc;
    pc = next;
    next += 4;
    if (si->branch != isa::BranchKind::None) {
      const Prediction p = predict(here, *si);
      if (p.slot) {
        next = p.next;
      } else {
        pc = p.next;
        next = p.next + 4;
      }
    }
    if (pc != here + 4 && pc != here + 8) {  // here + 8: an annulled delay slot is skipped
      resume_ = now + 1 + taken_bubble_;
      break;
    }
  }
  wrong_pc_ = pc, wrong_next_ = next, wrong_window_ = record.window;
  line_ready_ = false;
  return true;
}

void FetchUnit::resolve_at(Sequence branch, std::uint64_t cycle) {
  if (branch == mispredicted_) resolve_at_ = cycle;
}

Sequence FetchUnit::redirect(std::uint64_t now) {
  resolve_at_ = kNever;
  mispredicted_ = 0;
  returns_.restore(returns_mark_);
  prefetcher_.leave();
  blame_ = CpiPart::Branch;
  if (after_slot_ ==
      AfterSlot::WrongPath) {  // the delay slot is still to come, so the wrong path was never entered
    after_slot_ = AfterSlot::Taken;
    after_slot_resume_ = now + redirect_cycles_;
    return flush_end_ = window_.fetched;
  }
  on_wrong_path_ = false;
  line_ready_ = false;
  waiting_ = Waiting::Nothing;
  resume_ = now + redirect_cycles_;
  flush_end_ = window_.fetched;
  branch_stats_.wrong_path_instructions += flush_end_ - wrong_first_;
  window_.fetched = wrong_first_;
  return wrong_first_;
}

}  // namespace psim::pipeline
