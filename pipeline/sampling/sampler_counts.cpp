// SPDX-License-Identifier: Apache-2.0
// Here a Sampler counts segments of windows by region, loops, work, waits for block transfers, the first and
// the late units, and what is measured for itself.
#include <algorithm>
#include <utility>

#include "pipeline/sampling/sampler.h"

namespace psim::pipeline {

/// Reports block transfers, and the waits for them, since the last call.
void Sampler::count_waits() {
  MeasuredWaits now{core_->core.totals().cpi[static_cast<std::size_t>(CpiPart::Transfer)], {}};
  if (sample_) now.transfers = sample_().transfers;
  const MeasuredWaits since{
      now.cycles - waits_.cycles,
      {now.transfers.begun - waits_.transfers.begun, now.transfers.requests - waits_.transfers.requests,
       now.transfers.bytes - waits_.transfers.bytes}};
  if (phase_ != Phase::Start &&
      (since.cycles != 0 || since.transfers.requests != 0 || since.transfers.begun != 0))
    client_.on_waits(since, open());
  waits_ = now;
}

/// Begins a measurement.
void Sampler::begin_segments() {
  unit_ = {};
  segment_ = unit_start_ = core_->core.totals();
  if (sample_) segment_activity_ = sample_();
  measuring_ = true;
}

/// Returns the loop that has most of the instructions that were followed.
MeasuredLoop Sampler::innermost_loop() const {
  const LoopFinder::Loop* const loop = loops_.most();
  return loop == nullptr ? MeasuredLoop{} : measured(*loop, loop->instructions, false);
}

/// Returns the outermost loop that has kInNest of them.
MeasuredLoop Sampler::nest() const {
  const auto least = static_cast<std::uint64_t>(kInNest * static_cast<double>(follow_to_ - follow_from_));
  const LoopFinder::Loop* const loop = loops_.nest(least);
  return loop == nullptr ? MeasuredLoop{}
                         : measured(*loop, loop->last.instructions - loop->first.instructions, true);
}

MeasuredLoop Sampler::measured(const LoopFinder::Loop& loop, std::uint64_t instructions, bool nest) {
  MeasuredLoop result{loop.head, nest, instructions, {}, loop.last_misses - loop.first_misses};
  result.totals.add(loop.first, loop.last);
  return result;
}

/// Returns true if other code precedes the loop in the window.
bool Sampler::enters(std::uint64_t head) const {
  return std::any_of(heads_.begin(), heads_.end(),
                     [head](const auto& known) { return known.first == head && known.second > kLeftLoop; });
}

/// Returns the part of the unit that a region has.
MeasuredUnit::Region& Sampler::part_of(std::size_t row) {
  const auto part =
      std::ranges::find_if(unit_.regions, [row](const auto& known) { return known.row == row; });
  if (part != unit_.regions.end()) return *part;
  unit_.regions.push_back({row, {}, {}});
  return unit_.regions.back();
}

/// Adds the counts since the last segment to the unit and to the regions that are open.
void Sampler::end_segment() {
  const Totals now = core_->core.totals();
  unit_.whole.add(segment_, now);
  for (const Open& open : open_) part_of(open.row).totals.add(segment_, now);
  segment_ = now;
  if (sample_) add_activity();
}

/// Likewise the activity.
void Sampler::add_activity() {
  const Activity now = sample_();
  Activity since = now;
  since -= segment_activity_;
  segment_activity_ = now;
  const auto add = [&since](std::vector<Activity>& to) {
    if (to.empty())
      to.push_back(since);
    else
      to.front() += since;
  };
  add(unit_.activity);
  for (const Open& open : open_) add(part_of(open.row).activity);
}

RegionMark Sampler::on_region_marker(const Totals& totals) {
  if (measuring_) end_segment();
  count_waits();
  const isa::RegionMarker marker = stream_.take_region();
  on_marker(marker);
  marked_ = marker.name;
  return {0, totals.cycles, marked_, marker.begin};
}

/// Opens or closes a region for the counts of units, at its W or in functional execution.
void Sampler::on_marker(const isa::RegionMarker& marker) {
  if (marker.begin) {
    if (open_.size() < RegionAccount::kMostOpen) open_.push_back({stream_.row_of(marker), marker.name});
    return;
  }
  const auto open = std::find_if(open_.rbegin(), open_.rend(),
                                 [&](const Open& candidate) { return candidate.name == marker.name; });
  if (open != open_.rend()) open_.erase(std::next(open).base());
}

void Sampler::set_open(const std::vector<std::size_t>& rows) {
  open_.clear();
  for (const std::size_t row : rows) open_.push_back({row, stream_.regions()[row].name});
}

std::vector<std::size_t> Sampler::open() const {
  std::vector<std::size_t> rows;
  for (const Open& each : open_) rows.push_back(each.row);
  return rows;
}

/// Returns the work in cycles so far; its misses and mispredictions are those of functional execution, too.
Work Sampler::work_in_cycles() const {
  if (!counts_work_) return {};
  const Core& core = core_->core;
  const BranchStats& branches = core.fetch().branch_stats();
  const LoadStoreStats& accesses = core.operands().stats();
  Work work = earlier_operations_;
  work.instructions = core.totals().instructions;
  work.loads = accesses.loads, work.stores = accesses.stores;
  work.branches = branches.branches, work.taken = branches.taken;
  work.mispredicted = core.fetch().history().mispredicted();
  work.l1d_misses = core_->data_cache.stats().misses, work.l2_misses = core_->memory.l2.stats().misses;
  work.add_operations(operations_[work.instructions - window_from_]);
  return work;
}

/// Adds the work of the window, unless the window is measured for itself.
void Sampler::end_work() {
  const Work now = work_in_cycles();
  if (!exact_ && episode_ == 0 && !first_) {
    sampled_work_ += now;
    sampled_work_ -= window_work_;
  }
  window_work_ = now;
}

void Sampler::end_exact() {
  exact_ = false;
  if (!measuring_) return;
  end_segment();
  measuring_ = false;
  unit_.burst = burst_, unit_.transfers = transferred_ != 0;
  if (tags_ != 0 && holds_back_) endless_.insert(0);
  if (burst_ && burst_start_.whole.instructions != 0) client_.on_start_of_burst(burst_start_, lost_);
  client_.on_new_code(unit_);
}

void Sampler::end_episode() {
  end_segment();
  measuring_ = false;
  unit_.new_code = new_in_episode_;
  unit_.complete = tags_ == 0 && holds_back_;
  if (!unit_.complete) endless_.insert(episode_);
  client_.on_episode(std::exchange(episode_, 0), unit_);
}

void Sampler::end_cut_unit() {
  end_segment();
  unit_.weight = weight_;
  unit_.loop = {}, unit_.first_half = {};
  if (unit_.whole.instructions >= kShortestUnit) client_.on_unit(unit_);
  measuring_ = false;
}

void Sampler::end_first_unit() {
  const bool new_code = std::ranges::any_of(early_code_, [this](std::uint64_t at) {
    return at + kAfterNewCode > unit_at_ && at <= unit_at_ + config_.unit;
  });
  if (new_code)
    client_.on_new_code(unit_);
  else
    first_units_.push_back(unit_);
  if (first_units_.size() < kFirstUnits) {
    unit_at_ += config_.unit;
    follow_from_ = unit_at_, follow_to_ = unit_at_ + config_.unit;
    begin_unit();
    return;
  }
  for (const MeasuredUnit& unit : first_units_) client_.on_unit(unit);
  first_units_.clear(), early_code_.clear();
  first_ = false;
  phase_ = Phase::Done;
  measuring_ = false;
}

/// Ends the window, or goes on to its late unit.
void Sampler::go_on_after_unit() {
  watched_ = kNever;
  measuring_ = false;
  phase_ = late_to_ == 0 ? Phase::Done : Phase::Late;
  late_from_ = {};
  next_step_ = kNever;
  if (late_to_ == 0) return;
  follow_from_ = late_to_ - config_.unit, follow_to_ = late_to_;
  call_at(window_from_ + follow_from_);
}

void Sampler::begin_or_end_late_unit() {
  const Totals now = core_->core.totals();
  if (late_from_.instructions == 0) {
    late_from_ = now, late_work_ = work_in_cycles();
    return call_at(window_from_ + late_to_);
  }
  MeasuredLateUnit late{{}, work_in_cycles(), innermost_loop(), nest()};
  late.totals.add(late_from_, now);
  late.work -= late_work_;
  loops_.clear();
  client_.on_late_unit(unit_, late);
  phase_ = Phase::Done;
  next_step_ = kNever;
}

/// Counts all that followed the start like the start, as the first units will not be complete.
void Sampler::give_up_first_units() {
  end_segment();
  client_.on_new_code(unit_);
  for (const MeasuredUnit& unit : first_units_) client_.on_new_code(unit);
  first_units_.clear(), early_code_.clear();
  first_ = false;
}

}  // namespace psim::pipeline
