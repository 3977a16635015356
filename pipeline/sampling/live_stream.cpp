// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/live_stream.h"

#include <algorithm>

#include "pipeline/sampling/warm_state.h"

namespace psim::pipeline {

namespace {
/// Windows of new code and of loops hold at most this number of instructions, and this part of the program so
/// far: a program may have thousands of loops of few iterations.
constexpr std::uint64_t kFoundInstructions = 300'000, kFoundShare = 200;
}  // namespace

LiveStream::LiveStream(isa::Process& process, Plan& plan, std::uint64_t limit)
    : process_(process), plan_(plan), limit_(limit), live_(process), regions_([this] { return marker_; }) {}

LiveStream::~LiveStream() { process_.executor.set_warmer(nullptr); }

void LiveStream::attach(WiredCore& core, RegionFollower& regions) {
  core_ = &core;
  follower_ = &regions;
  warmer_ = std::make_unique<Warmer>(core, [this](std::uint32_t word, const isa::CpuState& state) {
    const isa::RegionMarker marker = isa::read_region_marker(word, state, process_.memory);
    count(marker, state.instructions);
    follower_->on_marker(marker);
  });
  warmer_->pauses_at_transfers = true;
  regions_.measure_statistics([this] {
    return statistics::Snapshot{{core_->data_cache.stats().misses}, {}};
  });
  process_.executor.set_warmer(warmer_.get());
}

void LiveStream::save(WarmFileWriter& file, const isa::trace::Properties& properties) {
  file_ = &file;
  recorded_.emplace(live_, process_, file.trace(), properties);
}

isa::Pull LiveStream::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  if (process_.instructions() >= limit_) return isa::Pull::End;
  const isa::Pull pull = recorded_ ? recorded_->next(cycle, oldest, out) : live_.next(cycle, oldest, out);
  if (pull == isa::Pull::Record && out.region_marker) count(live_.last_region(), process_.instructions());
  return pull;
}

std::uint32_t LiveStream::next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                        std::uint32_t count, isa::RecordSlots out) {
  const std::uint64_t done = process_.instructions();
  if (recorded_ || done >= limit_) return 0;
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, limit_ - done));
  return live_.next_straight(cycle, pc, block_bytes, most, out);
}

/// Executes functionally up to the next window: the planned one, or one for a block transfer before it.
SampledStream::Window LiveStream::skip() {
  const std::uint64_t now = process_.instructions();
  if (!planned_) planned_ = plan_.next_window(now);
  const std::uint64_t to = std::min(planned_->at, limit_);
  if (found_from_ != 0) found_instructions_ += now - found_from_;
  finds_ = found_instructions_ < most_found();
  in_start_ = false;
  warmer_->begin();
  warmer_->find_new(false);
  if (recorded_) {
    warmer_->listen([this](const auto& record, const auto& state) { save_step(record, state); },
                    now + kAfterWindow);
    // A program that continues right here has the records in its next window.
    if (now + kAfterWindow > to) warmer_->listen(nullptr, 0);
  }
  // The instructions that a saved window may hold, too, run as single steps then, which build no blocks.
  const std::uint64_t first = std::min(to, now + kAfterWindow);
  if (first > now) live_.skip(first, plan_.pace(now));
  if (to > first && process_.instructions() >= first && !process_.ending()) {
    warmer_->find_new(finds_);
    live_.skip(to, plan_.pace(now));
  }
  const std::uint64_t at = process_.instructions();
  const bool ends = process_.ending() || at >= limit_;
  const Window window{at - now, at < to ? 0 : planned_->weight, at < to ? warmer_->loop() : 0};
  found_from_ = at < to && warmer_->paused() ? at : 0;
  if (at >= to) planned_.reset();
  if (recorded_) {
    recorded_->refresh();
    skipped_to_end_ = ends;
    if (!ends) {
      copy_warm_state(*core_, state_);
      file_->point(
          {at, window.skipped, window.weight, recorded_->instructions(), follower_->open(), window.loop},
          state_);
    }
  }
  return window;
}

/// Returns the instructions that windows of new code and of loops may hold by now.
std::uint64_t LiveStream::most_found() const {
  return kFoundInstructions + process_.instructions() / kFoundShare;
}

bool LiveStream::first_run(const isa::InstructionRecord& record) {
  if (!warmer_->first_run(record) || !finds_) return false;
  if (!in_start_) {
    const std::uint64_t now = process_.instructions();
    if (found_from_ == 0) found_from_ = now;  // in the window of a unit
    finds_ = found_instructions_ + (now - found_from_) < most_found();
    if (!finds_) return false;
  }
  if (recorded_) new_code_.push_back(recorded_->instructions());
  return true;
}

/// Records an instruction after a window, which runs functionally.
void LiveStream::save_step(const isa::InstructionRecord& record, const isa::CpuState& state) {
  if (!isa::is_region_marker(record.instruction->word) || record.kind != isa::RecordKind::Instruction) {
    recorded_->add(record, nullptr);
    return;
  }
  const isa::RegionMarker marker = isa::read_region_marker(record.instruction->word, state, process_.memory);
  isa::InstructionRecord marked = record;
  marked.region_marker = true;
  recorded_->add(marked, &marker);
}

WarmSummary LiveStream::finish_saving(const isa::trace::Properties& ending) {
  recorded_->finish(ending);
  return {instructions(), !skipped_to_end_, limit_reached(), regions(), notes(), l2(), new_code_};
}

SampledStream::L2Counts LiveStream::l2() const {
  const L2Stats& stats = core_->memory.l2.stats();
  return {stats.misses, stats.evictions};
}

/// Counts executions and instructions of regions, in program order.
void LiveStream::count(const isa::RegionMarker& marker, std::uint64_t instructions) {
  marker_ = marker;
  regions_.on_region_marker({.instructions = instructions});
}

}  // namespace psim::pipeline
