// SPDX-License-Identifier: Apache-2.0
#include "guest/live_source.h"

#include <utility>

namespace psim::isa {

Pull LiveSource::next(std::uint64_t cycle, bool oldest, InstructionRecord& out) {
  if (process_.ending()) return Pull::End;
  cycle_ = cycle;
  cycle += lead_;
  process_.set_cycle(cycle);
  if (threaded_)
    if (const Pull pull = enter_thread(cycle, oldest, out); pull != Pull::Record) return pull;
  const bool due = cycle >= due_ || HostSignals::any() || (threaded_ && process_.signals.deliverable());
  if (due) {
    if (!process_.deliver_due()) return Pull::End;
    refresh_due();
  }
  const Pull pull = process_.executor.step(out, oldest);
  // A forked copy would write into the files of its parent.
  if (process_.is_child()) process_.run_child();
  if (pull != Pull::Record) return pull;
  ++records_;
  if (due) out.signal = 1;
  const StaticInstruction& instruction = *out.instruction;
  if (instruction.timed) {  // a system call may have set a timer, slept, or created a thread
    refresh_due();
    threaded_ = process_.threaded();
  }
  if (is_marker(instruction.word) && out.kind == RecordKind::Instruction &&
      (calls_ || is_region_marker(instruction.word))) {
    out.region_marker = true;
    regions_.push_back(read_region_marker(instruction.word, process_.executor.state(), process_.memory));
    if (threaded_) {
      const Thread& thread = process_.threads.current();
      regions_.back().thread = thread.id;
      regions_.back().first_thread = &thread == &process_.threads.leader();
    }
  }
  return pull;
}

Pull LiveSource::enter_thread(std::uint64_t cycle, bool oldest, InstructionRecord& out) {
  Threads& threads = process_.threads;
  Thread* thread = threads.running(core_, cycle);
  // A thread does not stop between a branch and its delay slot.
  if (Thread* const begun = thread == nullptr ? threads.begun(core_, cycle) : nullptr) {
    process_.switch_to(*begun);
    if (!between_instructions()) thread = begun;
  }
  if (thread == nullptr) {
    Threads::Choice choice = threads.choose(core_, cycle, oldest);
    if (choice.thread == nullptr && !choice.drain && (cycle >= due_ || HostSignals::any())) {
      // A signal may end a wait.
      process_.gather_signals();
      process_.hand_out_signals();
      refresh_due();
      choice = threads.choose(core_, cycle, oldest);
    }
    const bool never =
        choice.thread == nullptr && !choice.drain && std::min(choice.retry, due_) == kNeverAgain;
    if (never && threads.placement().cores == 1) {
      if (!process_.wait_for_relatives()) {
        process_.end_in_deadlock();
        return Pull::End;
      }
      choice = threads.choose(core_, cycle, oldest);
    }
    if (choice.drain) return Pull::WaitUntilOldest;
    thread = choice.thread;
    if (thread == nullptr) {
      out.target = std::min(choice.retry, due_);
      return Pull::Idle;
    }
  }
  process_.switch_to(*thread);
  strand_ = thread->strand;
  return Pull::Record;
}

std::uint32_t LiveSource::next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                        std::uint32_t count, RecordSlots out) {
  cycle_ = cycle;
  cycle += lead_;
  if (process_.ending() || cycle >= due_ || HostSignals::any()) return 0;
  process_.set_cycle(cycle);
  if (threaded_) {
    Thread* const thread = process_.threads.running(core_, cycle);
    if (thread == nullptr) return 0;
    process_.switch_to(*thread);
    if (process_.signals.deliverable()) return 0;
  }
  if (pc == kAnyPc) {
    // A timer may be due between this instruction and the next.
    if (due_ != SimulatedClock::kNever) count = 1;
    pc = process_.executor.state().pc;
  }
  const std::uint32_t delivered = process_.executor.step_straight(pc, block_bytes, count, out);
  records_ += delivered;
  return delivered;
}

std::uint32_t LiveSource::follow(std::uint64_t cycle, std::span<const InstructionRecord> expected,
                                 RecordSlots out) {
  cycle_ = cycle;
  // A timer or a thread may take its turn between two of them.
  if (threaded_ || due_ != SimulatedClock::kNever || process_.ending() || HostSignals::any()) return 0;
  process_.set_cycle(cycle + lead_);
  const std::uint32_t delivered = process_.executor.follow(expected, out);
  records_ += delivered;
  return delivered;
}

void LiveSource::skip(std::uint64_t instructions, std::uint64_t pace) {
  process_.run_ahead(instructions, pace);
  lead_ = process_.clock.core_cycles() - cycle_;
  refresh_due();
}

RegionMarker LiveSource::take_region() {
  RegionMarker marker = std::move(regions_.front());
  regions_.pop_front();
  return marker;
}

}  // namespace psim::isa
