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
  stream_.attach(core, *this);
  core.core.set_region_listener(this);
  core.core.call_at(config_.start, *this);
}

isa::Pull Sampler::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  holds_back_ = holds_back_ || stream_.exhausted();
  if (holds_back_) {
    if (!oldest || !core_->core.drained()) return isa::Pull::WaitUntilOldest;
    skip();
  }
  const isa::Pull pull = stream_.next(cycle, oldest, out);
  if (pull != isa::Pull::Record) return pull;
  const bool instruction = out.kind == isa::RecordKind::Instruction;
  pulled_ += instruction;
  holds_back_ = phase_ == Phase::Done && instruction && stream_.between_instructions();
  return pull;
}

std::uint32_t Sampler::next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                     std::uint32_t count, isa::RecordSlots out) {
  // Records for later cycles would pass the end of the unit, which is then not the same for all streams.
  const std::uint64_t needed = phase_ == Phase::Start ? config_.start : config_.warm_up + config_.unit;
  if (phase_ == Phase::Done || (pc == kAnyPc && pulled_ + count > needed)) return 0;
  const std::uint32_t delivered = stream_.next_straight(cycle, pc, block_bytes, count, out);
  pulled_ += delivered;
  return delivered;
}

/// Moves to the next window.
void Sampler::skip() {
  holds_back_ = measuring_ = false;
  weight_ = stream_.skip();
  phase_ = Phase::WarmUp;
  pulled_ = 0;
  window_from_ = core_->core.totals().instructions;
  core_->core.call_at(window_from_ + config_.warm_up, *this);
  if (config_.warm_up == 0) begin_unit();
}

void Sampler::begin_unit() {
  phase_ = Phase::FirstHalf;
  unit_ = {};
  unit_.weight = weight_;
  segment_ = unit_start_ = core_->core.totals();
  measuring_ = true;
  core_->core.call_at(window_from_ + config_.warm_up + config_.unit / 2, *this);
}

void Sampler::on_committed() {
  switch (phase_) {
    case Phase::WarmUp:
      begin_unit();
      break;
    case Phase::FirstHalf: {
      add(unit_.first_half, unit_start_, core_->core.totals());
      phase_ = Phase::SecondHalf;
      core_->core.call_at(window_from_ + config_.warm_up + config_.unit, *this);
      break;
    }
    case Phase::Start:
    case Phase::SecondHalf:
      end_segment();
      phase_ == Phase::Start ? client_.on_start(unit_) : client_.on_unit(unit_);
      phase_ = Phase::Done;
      measuring_ = false;
      break;
    case Phase::Done:
      break;
  }
}

void Sampler::finish() {
  if (phase_ != Phase::Start) return;
  end_segment();
  client_.on_start(unit_);
  phase_ = Phase::Done;
}

/// Adds the counts since the last segment to the unit and to the regions that are open.
void Sampler::end_segment() {
  const Totals now = core_->core.totals();
  add(unit_.whole, segment_, now);
  for (const Open& open : open_) {
    auto part = std::find_if(unit_.regions.begin(), unit_.regions.end(),
                             [&open](const auto& known) { return known.first == open.row; });
    if (part == unit_.regions.end()) part = unit_.regions.insert(part, {open.row, {}});
    add(part->second, segment_, now);
  }
  segment_ = now;
}

RegionMark Sampler::on_region_marker(const Totals& totals) {
  if (measuring_) end_segment();
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
