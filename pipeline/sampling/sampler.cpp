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

Sampler::Sampler(isa::Process& process, const SamplerConfig& config, Client& client)
    : process_(process), config_(config), client_(client), live_(process), regions_([this] {
        return marker_;
      }) {}

Sampler::~Sampler() { process_.executor.set_warmer(nullptr); }

void Sampler::attach(WiredCore& core) {
  core_ = &core;
  warmer_ = std::make_unique<Warmer>(core, [this](std::uint32_t word, const isa::CpuState& state) {
    const isa::RegionMarker marker = isa::read_region_marker(word, state, process_.memory);
    count(marker, state.instructions);
    move(marker);
  });
  process_.executor.set_warmer(warmer_.get());
  core.core.set_region_listener(this);
  core.core.call_at(config_.start, *this);
}

std::uint64_t Sampler::detailed_instructions() const { return core_->core.totals().instructions; }

isa::Pull Sampler::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  if (holds_back_) {
    if (!oldest || !core_->core.drained()) return isa::Pull::WaitUntilOldest;
    skip();
  }
  if (process_.instructions() >= config_.limit) return isa::Pull::End;
  const isa::Pull pull = live_.next(cycle, oldest, out);
  if (pull != isa::Pull::Record) return pull;
  if (out.region_marker) count(live_.last_region(), process_.instructions());
  holds_back_ =
      phase_ == Phase::Done && out.kind == isa::RecordKind::Instruction && live_.between_instructions();
  return pull;
}

std::uint32_t Sampler::next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                     std::uint32_t count, isa::RecordSlots out) {
  const std::uint64_t done = process_.instructions();
  if (phase_ == Phase::Done || done >= config_.limit) return 0;
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, config_.limit - done));
  return live_.next_straight(cycle, pc, block_bytes, most, out);
}

/// Executes functionally up to the next window.
void Sampler::skip() {
  holds_back_ = false;
  const std::uint64_t now = process_.instructions();
  const std::uint64_t to = std::min(client_.next_window(now), config_.limit);
  warmer_->begin();
  if (to > now) live_.skip(to, client_.pace());
  phase_ = Phase::WarmUp;
  window_from_ = core_->core.totals().instructions;
  core_->core.call_at(window_from_ + config_.warm_up, *this);
  if (config_.warm_up == 0) begin_unit();
}

void Sampler::begin_unit() {
  phase_ = Phase::FirstHalf;
  unit_ = {};
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
  const isa::RegionMarker marker = live_.take_region();
  move(marker);
  marked_ = marker.name;
  return {0, totals.cycles, marked_, marker.begin};
}

/// Counts executions and instructions of regions, in program order.
void Sampler::count(const isa::RegionMarker& marker, std::uint64_t instructions) {
  marker_ = marker;
  regions_.on_region_marker({.instructions = instructions});
}

/// Opens or closes a region for the counts of units, at its W or in functional execution.
void Sampler::move(const isa::RegionMarker& marker) {
  if (marker.begin) {
    if (open_.size() < RegionAccount::kMostOpen) open_.push_back({regions_.region_of(marker), marker.name});
    return;
  }
  const auto open = std::find_if(open_.rbegin(), open_.rend(),
                                 [&](const Open& candidate) { return candidate.name == marker.name; });
  if (open != open_.rend()) open_.erase(std::next(open).base());
}

}  // namespace psim::pipeline
