// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/sampler.h"

#include <algorithm>
#include <utility>

namespace psim::pipeline {

Sampler::Sampler(SampledStream& stream, const SamplerConfig& config, Client& client)
    : SourceBefore(stream), stream_(stream), config_(config), client_(client), bursts_(config.wait) {}

void Sampler::attach(WiredCore& core) {
  core_ = &core;
  follow_from_ = config_.start - std::min(config_.start, kLoopWindow - kSteady), follow_to_ = config_.start;
  code_line_bytes_ = core.instruction_cache.config().line_bytes;
  stream_.attach(core, *this);
  core.core.set_region_listener(this);
  call_at(config_.start);
}

isa::Pull Sampler::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  holds_back_ = holds_back_ || stream_.exhausted() || stops_before_episode();
  if (holds_back_) {
    if (!oldest || !core_->core.drained()) return isa::Pull::WaitUntilOldest;
    skip(cycle);
  }
  // Transfers that were under way progress during functional execution.
  if (resume_ != 0) {
    if (cycle < resume_ && core_->core.transfers_under_way()) return isa::Pull::WaitUntilOldest;
    stream_.passed(cycle - idle_from_);
    resume_ = 0;
    if (measuring_) begin_segments();
    if (phase_ == Phase::WarmUp && config_.warm_up == 0) begin_unit();
  }
  const isa::Pull pull = stream_.next(cycle, oldest, out);
  if (pull != isa::Pull::Record) return pull;
  const bool instruction = out.kind == isa::RecordKind::Instruction;
  pulled_ += instruction;
  if (instruction) count_operations(*out.instruction);
  if (instruction && stream_.first_run(out)) notice_new_code();
  if (out.taken) note_branch(out);
  if (instruction) note_transfer(out);
  bool ends = phase_ == Phase::Done || phase_ == Phase::Transfers || phase_ == Phase::NewCode;
  if (phase_ == Phase::Loop) ends = pulled_ >= follow_to_ || pulled_ > in_loop_ + kLeftLoop;
  if (phase_ == Phase::Transfers || transferred_ != 0)
    ends = ends && pulled_ >= transferred_ + after_transfer();
  if (exact_) ends = ends && pulled_ >= measure_to_;
  // A transfer under way when a window ends would progress for an estimated time only.
  ends = ends && !core_->core.transfers_under_way();
  holds_back_ = ends && instruction && stream_.between_instructions();
  if (holds_back_ && (exact_ || episode_ != 0)) call_at(window_from_ + pulled_);
  return pull;
}

std::uint32_t Sampler::next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                     std::uint32_t count, isa::RecordSlots out) {
  // Records for later cycles would pass the end of the unit, which is then not the same for all streams.
  const bool in_unit = phase_ != Phase::Done && phase_ != Phase::Transfers && phase_ != Phase::NewCode &&
                       phase_ != Phase::Loop;
  if (holds_back_ || resume_ != 0 || ((pc == kAnyPc || !in_unit) && pulled_ + count >= least_window()))
    return 0;
  const std::uint32_t delivered = stream_.next_straight(cycle, pc, block_bytes, count, out);
  for (std::uint32_t n = 0; n < delivered; ++n) {
    ++pulled_;
    count_operations(*out[n].instruction);
    const bool in_new_line =
        n == 0 || out[n].pc % code_line_bytes_ == 0 || out[n].instruction->branch != isa::BranchKind::None;
    if (in_new_line && stream_.first_run(out[n])) notice_new_code();
  }
  if (delivered != 0 && out[delivered - 1].taken) note_branch(out[delivered - 1]);
  return delivered;
}

/// Returns the number of instructions before which the window does not end.
std::uint64_t Sampler::least_window() const {
  switch (phase_) {
    case Phase::Done:
    case Phase::Transfers:
      return 0;
    case Phase::NewCode:
      return exact_ ? measure_to_ : 0;
    case Phase::Loop:
      return std::max(exact_ ? measure_to_ : 0, std::min(follow_to_, in_loop_ + kLeftLoop));
    case Phase::Late:
      return late_to_ + 1;
    default:
      return (phase_ == Phase::Start || first_ ? config_.start + kFirstUnits * config_.unit
                                               : config_.warm_up + config_.unit) +
             1;
  }
}

/// Measures the window from the last record on, which is at new code.
void Sampler::notice_new_code() {
  if (phase_ == Phase::Start || first_) return early_code_.push_back(pulled_);
  if (episode_ != 0) {
    new_in_episode_ = true;
    return;
  }
  measure_until(pulled_ + kAfterNewCode);
}

/// Measures the window from the last record on, and at least `to` instructions of it. It has no unit then.
void Sampler::measure_until(std::uint64_t to) {
  measure_to_ = std::max(measure_to_, to);
  if (exact_) return;
  exact_ = true;
  measuring_ = cut_;
  leave_unit();
  call_at(window_from_ + pulled_ - 1);
}

/// Follows the block transfers for which the program has not waited. An episode of them that begins in the
/// window of a unit, of new code or of a burst is measured with that window.
void Sampler::note_transfer(const isa::InstructionRecord& record) {
  const isa::LatencyClass latency = record.instruction->latency;
  const bool begins = latency == isa::LatencyClass::BlockTransfer;
  if (!begins && latency != isa::LatencyClass::TransferSync) return;
  const bool alone = !begins && tags_ == 0;  // such a wait takes no time
  if (begins)
    tags_ |= 1u << stream_.transfer(record).tag;
  else
    tags_ &= ~static_cast<std::uint32_t>(record.target);
  if (phase_ == Phase::Start || first_ || (alone && episode_ == 0)) return;
  transferred_ = pulled_;
  if (episode_ != 0) return;
  // The instructions before it are a unit, too, or nothing would stand for code between episodes.
  cut_ = phase_ == Phase::WarmUp || phase_ == Phase::FirstHalf || phase_ == Phase::SecondHalf;
  measure_until(pulled_ + kAfterTransfer);
}

/// Returns true if the window has a unit and ends here, before the first transfer of an episode. The
/// instructions before it are a unit, too, or nothing would stand for code between episodes.
bool Sampler::stops_before_episode() {
  const bool unit = phase_ == Phase::WarmUp || phase_ == Phase::FirstHalf || phase_ == Phase::SecondHalf;
  if ((!unit && phase_ != Phase::Done && phase_ != Phase::Late) || first_ || tags_ != 0 || resume_ != 0 ||
      !stream_.at_transfer() || core_->core.transfers_under_way())
    return false;
  if (!unit || pulled_ >= unit_at_ + config_.unit) return true;
  cut_ = true;
  leave_unit();
  call_at(window_from_ + pulled_);
  return true;
}

/// Returns the instructions of a window that follow its last transfer, or the wait for it.
std::uint64_t Sampler::after_transfer() const {
  const bool endless = episode_ != 0 ? endless_.contains(episode_) : !endless_.empty();
  return tags_ == 0 || endless ? kAfterTransfer : kLongTransfer;
}

/// The window has no unit from here on.
void Sampler::leave_unit() {
  next_step_ = kNever;
  if (phase_ == Phase::Loop) return;
  phase_ = Phase::NewCode;
  loop_ = follow_to_ = 0;
  loops_.clear();
}

/// Looks whether a burst is under way. The window is measured until its end then, and has no unit.
void Sampler::watch_burst(const Totals& now) {
  const std::uint64_t committed = now.instructions - window_from_, misses = l2_misses() - misses_;
  misses_ += misses;
  watched_ = now.instructions + kWatch;
  const bool under_way = bursts_.add(committed, misses);
  if (lost_ != 0 && burst_start_.whole.instructions == 0 && committed >= kBurstStart) {
    end_segment();
    burst_start_ = unit_;
  }
  if (!under_way || committed >= kMostBurst) return;
  measure_to_ = std::max(measure_to_, committed + kAfterNewCode);
  if (exact_) return;
  burst_ = exact_ = true;
  // The instructions before the unit are measured, too: the burst may have begun there.
  before_unit_.burst = true;
  if (phase_ == Phase::FirstHalf || phase_ == Phase::SecondHalf) client_.on_new_code(before_unit_);
  leave_unit();
}

/// Follows loops, from the records of a window.
void Sampler::note_branch(const isa::InstructionRecord& record) {
  if (!LoopFinder::closes_loop(record)) return;
  last_head_ = record.target;
  const bool entered = entered_.insert(record.pc);
  if (phase_ == Phase::NewCode && entered) {  // the window lasts until the loop is steady
    phase_ = Phase::Loop;
    loop_ = record.target;
    follow_from_ = pulled_ + kSteady, follow_to_ = pulled_ + kLoopWindow;
  }
  if (phase_ == Phase::Loop && entered) outer_loop_ = record.target;
  // A loop that runs once in each iteration of another one never closes: the other one has been entered.
  if (phase_ == Phase::Loop && record.target == outer_loop_ && pulled_ > in_loop_ + kLeftLoop / 2)
    loop_ = outer_loop_;
  if (record.target == loop_) in_loop_ = pulled_;
  if (phase_ != Phase::Start && !first_ && heads_.size() < 16 &&
      std::none_of(heads_.begin(), heads_.end(),
                   [&](const auto& known) { return known.first == last_head_; }))
    heads_.emplace_back(last_head_, pulled_);
  if (pulled_ <= follow_from_ || pulled_ >= follow_to_) return;
  loops_.follow(record, window_from_ + pulled_);
  schedule();
}

/// Changes the phase after `instructions`.
void Sampler::call_at(std::uint64_t instructions) {
  next_step_ = instructions;
  schedule();
}

/// Requests the next call of on_committed().
void Sampler::schedule() { core_->core.call_at(std::min({loops_.next(), next_step_, watched_}), *this); }

/// Moves to the next window.
void Sampler::skip(std::uint64_t cycle) {
  count_waits();
  end_work();
  if (first_) give_up_first_units();
  if (std::exchange(cut_, false)) end_cut_unit();  // its last instruction had committed before the cut
  if (exact_) end_exact();
  if (episode_ != 0) end_episode();
  if (phase_ == Phase::Loop && pulled_ >= follow_to_) {
    if (const MeasuredLoop loop = innermost_loop(); loop.head == loop_) client_.on_entered_loop(loop);
    loops_.clear();
  }
  holds_back_ = measuring_ = false;
  const std::uint64_t before = stream_.position();
  const SampledStream::Window window = stream_.skip(burst_ || transferred_ != 0, late_to_ != 0);
  if (core_->core.transfers_under_way() && window.skipped != 0) {
    const auto cycles = static_cast<unsigned __int128>(window.skipped) * client_.pace(before) / 65'536;
    idle_from_ = cycle;
    resume_ = cycle + static_cast<std::uint64_t>(cycles);
  }
  if (!window.passed.empty()) client_.on_passed(window.passed);
  weight_ = window.weight;
  episode_ = window.episode, tags_ = 0, new_in_episode_ = false;
  pulled_ = transferred_ = measure_to_ = late_to_ = 0;
  // A loop that the core has entered in the last window has been entered there.
  const bool new_loop = weight_ == 0 && episode_ == 0 && window.loop != 0 && window.loop != last_head_;
  burst_ = window.burst, lost_ = window.lost;
  burst_start_ = before_unit_ = {};
  in_loop_ = follow_to_ = loop_ = outer_loop_ = 0;
  heads_.clear();
  loops_.clear();
  window_from_ = core_->core.totals().instructions;
  earlier_operations_.add_operations(operations_.back());
  operations_.resize(1);
  window_work_ = work_in_cycles();
  sampled_work_ += window.work;
  next_step_ = watched_ = kNever, cut_ = false;
  if (window.watch) {
    bursts_ = BurstFinder(config_.wait);
    bursts_.go_on(0, client_.pace(before));
    misses_ = l2_misses();
    watched_ = window_from_ + kWatch;
  }
  if (window.watch || weight_ != 0 || episode_ != 0) begin_segments();
  schedule();
  if (weight_ == 0) {
    phase_ = Phase::Transfers;
    if (new_loop) {
      phase_ = Phase::Loop;
      loop_ = window.loop;
      follow_from_ = kSteady, follow_to_ = kLoopWindow;
    }
    if (burst_) {
      phase_ = Phase::NewCode;
      exact_ = true;
      measure_to_ = kAfterNewCode;
    }
    return;
  }
  phase_ = Phase::WarmUp;
  unit_at_ = config_.warm_up;
  if (const std::uint64_t late = client_.late_unit(stream_.position()); late != 0)
    late_to_ = unit_at_ + config_.unit + late;
  follow_from_ = unit_at_, follow_to_ = unit_at_ + config_.unit;
  call_at(window_from_ + unit_at_);
  if (config_.warm_up == 0 && resume_ == 0) begin_unit();
}

void Sampler::begin_unit() {
  phase_ = Phase::FirstHalf;
  if (watched_ != kNever) {
    end_segment();
    before_unit_ = unit_;
  }
  begin_segments();
  unit_work_ = work_in_cycles();
  unit_.weight = weight_;
  call_at(window_from_ + unit_at_ + config_.unit / 2);
}

void Sampler::on_committed() {
  const Totals now = core_->core.totals();
  loops_.committed(now, core_->data_cache.stats().misses);
  if (now.instructions >= watched_ ||
      (watched_ != kNever && phase_ == Phase::SecondHalf && now.instructions >= next_step_))
    watch_burst(now);
  if (now.instructions < next_step_) {
    schedule();
    return;
  }
  switch (phase_) {
    case Phase::WarmUp:
      begin_unit();
      break;
    case Phase::FirstHalf: {
      unit_.first_half.add(unit_start_, core_->core.totals());
      phase_ = Phase::SecondHalf;
      call_at(window_from_ + unit_at_ + config_.unit);
      break;
    }
    case Phase::Start:
    case Phase::SecondHalf:
      end_unit();
      break;
    case Phase::NewCode:
    case Phase::Loop:
      next_step_ = kNever;
      if (std::exchange(cut_, false)) end_cut_unit();
      if (exact_ && !measuring_)
        begin_segments();
      else if (exact_ && holds_back_)
        end_exact();
      schedule();
      break;
    case Phase::Transfers:
      next_step_ = kNever;
      if (episode_ != 0 && holds_back_) end_episode();
      schedule();
      break;
    case Phase::Late:
      begin_or_end_late_unit();
      break;
    case Phase::Done:
      break;
  }
}

/// Ends the start, or a unit.
void Sampler::end_unit() {
  end_segment();
  unit_.work = work_in_cycles();
  unit_.work -= unit_work_;
  unit_.loop = innermost_loop(), unit_.nest = nest();
  loops_.clear();
  if (first_) return end_first_unit();
  if (phase_ == Phase::SecondHalf) {
    unit_.enters_loop = enters(unit_.loop.head);
    unit_.in_one_loop = heads_.size() == 1 && unit_.loop.instructions == unit_.loop.totals.instructions;
    client_.on_unit(unit_);
    return go_on_after_unit();
  }
  client_.on_entered_loop(unit_.loop);
  count_waits();
  client_.on_start(unit_);
  window_work_ = work_in_cycles();
  first_ = true;
  unit_at_ = config_.start;
  weight_ = config_.unit;
  follow_from_ = unit_at_, follow_to_ = unit_at_ + config_.unit;
  begin_unit();
}

void Sampler::finish() {
  count_waits();
  end_work();
  if (exact_) end_exact();
  if (episode_ != 0) end_episode();
  if (first_) return give_up_first_units();
  if (phase_ != Phase::Start) return;
  end_segment();
  client_.on_start(unit_);
  phase_ = Phase::Done;
}

}  // namespace psim::pipeline
