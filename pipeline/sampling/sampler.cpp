// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/sampler.h"

#include <algorithm>

namespace psim::pipeline {

namespace {

/// Adds the counts between two times to `sum`.
void add(Totals& sum, const Totals& from, const Totals& to) {
  sum.cycles += to.cycles - from.cycles;
  sum.instructions += to.instructions - from.instructions;
  sum.flops += to.flops - from.flops;
  const CpiAccount::Stack cpi = CpiAccount::between(from.cpi, to.cpi);
  for (std::size_t part = 0; part < cpi.size(); ++part) sum.cpi[part] += cpi[part];
}

}  // namespace

Sampler::Sampler(SampledStream& stream, const SamplerConfig& config, Client& client)
    : stream_(stream), config_(config), client_(client) {}

void Sampler::attach(WiredCore& core) {
  core_ = &core;
  follow_from_ = config_.start - std::min(config_.start, kLoopWindow - kSteady), follow_to_ = config_.start;
  stream_.attach(core, *this);
  core.core.set_region_listener(this);
  call_at(config_.start);
}

isa::Pull Sampler::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  holds_back_ = holds_back_ || stream_.exhausted();
  if (holds_back_) {
    if (!oldest || !core_->core.drained()) return isa::Pull::WaitUntilOldest;
    skip(cycle);
  }
  // Transfers that were under way progress during functional execution.
  if (resume_ != 0) {
    if (cycle < resume_ && core_->core.transfers_under_way()) return isa::Pull::WaitUntilOldest;
    stream_.passed(cycle - idle_from_);
    resume_ = 0;
    if (phase_ == Phase::WarmUp && config_.warm_up == 0) begin_unit();
  }
  const isa::Pull pull = stream_.next(cycle, oldest, out);
  if (pull != isa::Pull::Record) return pull;
  const bool instruction = out.kind == isa::RecordKind::Instruction;
  pulled_ += instruction;
  if (instruction && stream_.first_run(out)) notice_new_code();
  if (out.taken) follow(out);
  bool ends = phase_ == Phase::Done;
  if (phase_ == Phase::Transfers) {
    if (out.instruction->latency == isa::LatencyClass::BlockTransfer ||
        out.instruction->latency == isa::LatencyClass::TransferSync)
      transferred_ = pulled_;
    ends = pulled_ >= transferred_ + kAfterTransfer;
  }
  if (phase_ == Phase::Loop) ends = pulled_ >= follow_to_ || pulled_ > in_loop_ + kLeftLoop;
  if (phase_ == Phase::NewCode) ends = true;
  if (has_new_code_) ends = ends && pulled_ >= new_code_ + kAfterNewCode;
  // A transfer under way when a window ends would progress for an estimated time only.
  ends = ends && !core_->core.transfers_under_way();
  holds_back_ = ends && instruction && stream_.between_instructions();
  if (holds_back_ && has_new_code_) call_at(window_from_ + pulled_);
  return pull;
}

std::uint32_t Sampler::next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                     std::uint32_t count, isa::RecordSlots out) {
  // Records for later cycles would pass the end of the unit, which is then not the same for all streams.
  const std::uint64_t needed = phase_ == Phase::Start || first_ ? config_.start + kFirstUnits * config_.unit
                                                                : config_.warm_up + config_.unit;
  if (phase_ == Phase::Done || phase_ == Phase::Transfers || phase_ == Phase::NewCode ||
      phase_ == Phase::Loop || resume_ != 0 || (pc == kAnyPc && pulled_ + count > needed))
    return 0;
  const std::uint32_t delivered = stream_.next_straight(cycle, pc, block_bytes, count, out);
  for (std::uint32_t n = 0; n < delivered; ++n) {
    ++pulled_;
    if (stream_.first_run(out[n])) notice_new_code();
  }
  if (delivered != 0 && out[delivered - 1].taken) follow(out[delivered - 1]);
  return delivered;
}

/// Measures the window from the last record on, which is at new code, until its end. It has no unit then.
void Sampler::notice_new_code() {
  if (phase_ == Phase::Start || first_) return early_code_.push_back(pulled_);
  new_code_ = pulled_;
  if (has_new_code_) return;
  has_new_code_ = true;
  measuring_ = false;
  if (phase_ != Phase::Loop) {
    phase_ = Phase::NewCode;
    loop_ = follow_to_ = 0;
    loops_.clear();
  }
  call_at(window_from_ + pulled_ - 1);
}

/// Follows loops, from the records of a window.
void Sampler::follow(const isa::InstructionRecord& record) {
  if (!LoopFinder::closes_loop(record)) return;
  last_head_ = record.target;
  const bool entered = entered_.insert(record.pc).second;
  if (phase_ == Phase::NewCode && entered) {  // the window lasts until the loop is steady
    phase_ = Phase::Loop;
    loop_ = record.target;
    follow_from_ = pulled_ + kSteady, follow_to_ = pulled_ + kLoopWindow;
  }
  if (record.target == loop_) in_loop_ = pulled_;
  if (phase_ != Phase::Start && !first_ && heads_.size() < 16 &&
      std::none_of(heads_.begin(), heads_.end(),
                   [&](const auto& known) { return known.first == last_head_; }))
    heads_.emplace_back(last_head_, pulled_);
  if (pulled_ <= follow_from_ || pulled_ >= follow_to_) return;
  loops_.follow(record, window_from_ + pulled_);
  core_->core.call_at(std::min(loops_.next(), next_step_), *this);
}

/// Changes the phase after `instructions`.
void Sampler::call_at(std::uint64_t instructions) {
  next_step_ = instructions;
  core_->core.call_at(std::min(loops_.next(), next_step_), *this);
}

/// Moves to the next window.
void Sampler::skip(std::uint64_t cycle) {
  count_waits();
  if (first_) give_up_first_units();
  if (has_new_code_) end_new_code();
  if (phase_ == Phase::Loop && pulled_ >= follow_to_)
    if (const MeasuredLoop loop = take_loop(); loop.head == loop_) client_.on_entered_loop(loop);
  holds_back_ = measuring_ = false;
  const std::uint64_t before = stream_.position();
  const SampledStream::Window window = stream_.skip();
  if (core_->core.transfers_under_way() && window.skipped != 0) {
    const auto cycles = static_cast<unsigned __int128>(window.skipped) * client_.pace(before) / 65'536;
    idle_from_ = cycle;
    resume_ = cycle + static_cast<std::uint64_t>(cycles);
  }
  weight_ = window.weight;
  pulled_ = transferred_ = 0;
  in_loop_ = follow_to_ = loop_ = 0;
  heads_.clear();
  loops_.clear();
  window_from_ = core_->core.totals().instructions;
  phase_ = Phase::WarmUp;
  if (weight_ == 0) {
    // A loop that the core has entered in the last window has been entered there.
    phase_ = window.loop == 0 || window.loop == last_head_ ? Phase::Transfers : Phase::Loop;
    if (phase_ == Phase::Transfers) return;
    loop_ = window.loop;
    follow_from_ = kSteady, follow_to_ = kLoopWindow;
    next_step_ = kNever;
    return;
  }
  unit_at_ = config_.warm_up;
  follow_from_ = unit_at_, follow_to_ = unit_at_ + config_.unit;
  call_at(window_from_ + unit_at_);
  if (config_.warm_up == 0 && resume_ == 0) begin_unit();
}

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

void Sampler::begin_unit() {
  phase_ = Phase::FirstHalf;
  begin_segments();
  unit_.weight = weight_;
  call_at(window_from_ + unit_at_ + config_.unit / 2);
}

/// Begins a measurement.
void Sampler::begin_segments() {
  unit_ = {};
  segment_ = unit_start_ = core_->core.totals();
  if (sample_) segment_activity_ = sample_();
  measuring_ = true;
}

void Sampler::end_new_code() {
  has_new_code_ = false;
  if (!measuring_) return;
  end_segment();
  measuring_ = false;
  client_.on_new_code(unit_);
}

void Sampler::on_committed() {
  const Totals now = core_->core.totals();
  loops_.committed(now);
  if (now.instructions < next_step_) {
    core_->core.call_at(std::min(loops_.next(), next_step_), *this);
    return;
  }
  switch (phase_) {
    case Phase::WarmUp:
      begin_unit();
      break;
    case Phase::FirstHalf: {
      add(unit_.first_half, unit_start_, core_->core.totals());
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
      if (has_new_code_ && !measuring_)
        begin_segments();
      else if (has_new_code_ && holds_back_)
        end_new_code();
      if (loops_.next() != LoopFinder::kNone) core_->core.call_at(loops_.next(), *this);
      break;
    case Phase::Transfers:
    case Phase::Done:
      break;
  }
}

/// Ends the start, or a unit.
void Sampler::end_unit() {
  end_segment();
  unit_.loop = take_loop();
  if (first_) return end_first_unit();
  if (phase_ == Phase::SecondHalf) {
    unit_.enters_loop = enters(unit_.loop.head);
    client_.on_unit(unit_);
    phase_ = Phase::Done;
    measuring_ = false;
    return;
  }
  client_.on_entered_loop(unit_.loop);
  count_waits();
  client_.on_start(unit_);
  first_ = true;
  unit_at_ = config_.start;
  weight_ = config_.unit;
  follow_from_ = unit_at_, follow_to_ = unit_at_ + config_.unit;
  begin_unit();
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

/// Counts all that followed the start like the start, as the first units will not be complete.
void Sampler::give_up_first_units() {
  end_segment();
  client_.on_new_code(unit_);
  for (const MeasuredUnit& unit : first_units_) client_.on_new_code(unit);
  first_units_.clear(), early_code_.clear();
  first_ = false;
}

/// Returns the loop that has most of the instructions that were followed.
MeasuredLoop Sampler::take_loop() {
  MeasuredLoop measured;
  if (const LoopFinder::Loop* loop = loops_.most(); loop != nullptr) {
    measured.head = loop->head;
    measured.instructions = loop->instructions;
    add(measured.totals, loop->first, loop->last);
  }
  loops_.clear();
  return measured;
}

/// Returns true if other code precedes the loop in the window.
bool Sampler::enters(std::uint64_t head) const {
  return std::any_of(heads_.begin(), heads_.end(),
                     [head](const auto& known) { return known.first == head && known.second > kLeftLoop; });
}

void Sampler::finish() {
  count_waits();
  if (has_new_code_) end_new_code();
  if (first_) return give_up_first_units();
  if (phase_ != Phase::Start) return;
  end_segment();
  client_.on_start(unit_);
  phase_ = Phase::Done;
}

/// Adds the counts since the last segment to the unit and to the regions that are open.
void Sampler::end_segment() {
  const Totals now = core_->core.totals();
  add(unit_.whole, segment_, now);
  Activity activity;
  if (sample_) {
    const Activity all = sample_();
    activity = all;
    activity -= segment_activity_;
    segment_activity_ = all;
    unit_.activity += activity;
  }
  for (const Open& open : open_) {
    auto part = std::find_if(unit_.regions.begin(), unit_.regions.end(),
                             [&open](const auto& known) { return known.row == open.row; });
    if (part == unit_.regions.end()) part = unit_.regions.insert(part, {open.row, {}, {}});
    add(part->totals, segment_, now);
    if (sample_) part->activity += activity;
  }
  segment_ = now;
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

}  // namespace psim::pipeline
