// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/live_stream.h"

#include <algorithm>
#include <utility>

#include "isa/table/fields.h"
#include "pipeline/sampling/sampler.h"
#include "pipeline/sampling/warm_state.h"

namespace psim::pipeline {

namespace {
/// Windows of new code and of loops hold at most this number of instructions, and this part of the program so
/// far: a program may have thousands of loops of few iterations.
constexpr std::uint64_t kFoundInstructions = 300'000, kFoundShare = 200;
/// The same for bursts: what is not rare needs no windows of its own.
constexpr std::uint64_t kBurstInstructions = 200'000, kBurstShare = 100;
/// After this number of windows of bursts that follow each other within kBetweenBursts instructions, a unit
/// comes first: a part of the program that is all bursts would have no unit otherwise.
constexpr unsigned kBurstsInTurn = 4;
constexpr std::uint64_t kBetweenBursts = 4'096;
/// Instructions after the last wait of an episode that belong to it.
constexpr std::uint64_t kAfterEpisode = Sampler::kAfterTransfer;
/// Instructions of functional execution whose work the plan sees at once.
constexpr std::uint64_t kPart = 16'384;
static_assert(kPart <= Warmer::kMostWork);
}  // namespace

LiveStream::LiveStream(isa::Process& process, Plan& plan, std::uint64_t limit, std::uint64_t wait)
    : process_(process),
      plan_(plan),
      limit_(limit),
      live_(process),
      regions_([this] { return marker_; }),
      bursts_(wait) {}

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

/// Executes functionally up to the next window: the planned one, or one for other reasons before it.
SampledStream::Window LiveStream::skip(bool counted, bool late) {
  const std::uint64_t now = process_.instructions(), pace = plan_.pace(now);
  const Work before = work();
  if (!planned_) planned_ = plan_.next_window(now);
  // A unit right after a burst or an episode would stand for what is measured.
  while ((counted || late) && planned_->at <= now) planned_ = plan_.next_window(now);
  if (found_from_ != 0) found_instructions_ += now - found_from_;
  if (burst_from_ != 0) burst_instructions_ += now - burst_from_;
  if (unit_next_) bursts_in_turn_ = counted ? bursts_in_turn_ + 1 : 0;
  finds_ = found_instructions_ < most_found();
  in_start_ = false;
  warmer_->begin();
  warmer_->find_new(false);
  warmer_->find_bursts(nullptr, nullptr);
  // The instructions that a saved window may hold, too, run as single steps then, which build no blocks.
  detect_from_ = now + kAfterWindow;
  if (recorded_) {
    warmer_->listen([this](const auto& record, const auto& state) { save_step(record, state); },
                    detect_from_);
    // A program that continues right here has the records in its next window.
    if (detect_from_ > std::min(planned_->at, limit_)) warmer_->listen(nullptr, 0);
  }
  Window window;
  std::uint64_t at;
  for (;;) {
    execute(std::min(planned_->at, limit_), pace);
    at = process_.instructions();
    const bool ends = process_.ending() || at >= limit_;
    if (episode_ != 0 && (ends || (episode_to_ != 0 && at >= episode_to_)))
      close_episode(episode_to_ == 0 ? at : std::min(at, episode_to_));
    if (ends) break;
    if (at >= std::min(planned_->at, limit_)) {
      // A unit in an episode that runs functionally would lack its transfers.
      if (episode_ == 0) break;
      planned_ = plan_.next_window(at);
      continue;
    }
    if (episode_ == 0 && (warmer_->paused() || warmer_->in_burst())) break;
    if (pass_transfer(pace)) continue;
    window.episode = kind_of_episode(*process_.executor.next_transfer());
    break;
  }
  warmer_->end(at);
  const std::uint64_t to = std::min(planned_->at, limit_);
  window.skipped = at - now;
  window.weight = at < to ? 0 : planned_->weight;
  window.loop = at < to ? warmer_->loop() : 0;
  window.burst = at < to && warmer_->in_burst();
  if (window.burst) window.lost = at - bursts_.from();
  bursts_.add(std::max(at, detect_from_), 0);  // the last one may have ended without a further miss
  window.watch = window.burst || (window.episode == 0 && may_find_bursts() && bursts_.ended());
  window.passed = std::exchange(passed_, {});
  window.work = work();
  window.work -= before;
  burst_from_ = window.burst ? at : 0;
  if (window.burst) bursts_in_turn_ = window.skipped < kBetweenBursts ? bursts_in_turn_ + 1 : 1;
  unit_next_ = window.weight != 0;
  if (window.burst) bursts_.forget_end();
  found_from_ = at < to && warmer_->paused() ? at : 0;
  if (at >= to) planned_.reset();
  if (recorded_) {
    const bool ends = process_.ending() || at >= limit_;
    recorded_->refresh();
    skipped_to_end_ = ends;
    if (ends) {
      passed_ = window.passed, last_work_ = window.work;
    } else {
      copy_warm_state(*core_, state_);
      file_->point(
          {at, window.skipped, window.weight, recorded_->instructions(), follower_->open(), window.loop,
           window.burst, window.lost, window.watch, window.episode, window.passed, window.work},
          state_);
    }
  }
  return window;
}

/// Executes up to an instruction, or to the first one for which the execution pauses.
void LiveStream::execute(std::uint64_t to, std::uint64_t pace) {
  const std::uint64_t first = std::min(to, detect_from_);
  if (process_.instructions() < first && !go(first, pace)) return;
  if (process_.instructions() < first || to <= first || process_.ending()) return;
  warmer_->find_new(finds_ && episode_ == 0);
  warmer_->find_bursts(nullptr, nullptr);
  if (may_find_bursts() && episode_ == 0) {
    bursts_.go_on(process_.instructions(), pace);
    warmer_->find_bursts(&bursts_, &process_.executor.state().instructions);
  }
  go(to, pace);
}

/// Returns the work of functional execution; its misses and the mispredictions in the history are those of
/// windows, too.
Work LiveStream::work() {
  Work work = warmer_->take_work();
  work.instructions = process_.instructions();
  work.mispredicted += core_->core.fetch().history().mispredicted();
  work.l1d_misses = core_->data_cache.stats().misses, work.l2_misses = core_->memory.l2.stats().misses;
  return work;
}

/// Executes up to an instruction, or less far. Returns false if the next window has moved.
bool LiveStream::go(std::uint64_t to, std::uint64_t pace) {
  while (process_.instructions() < to) {
    const Work before = work();
    const std::uint64_t part = std::min(to, before.instructions + kPart);
    live_.skip(part, pace);
    Work done = work();
    done -= before;
    part_ += done;
    const std::uint64_t now = process_.instructions(), at = planned_->at;
    // No window moves to where the records after the last one are saved.
    if (part_.instructions >= kPart && now >= detect_from_)
      planned_ = plan_.on_part(std::exchange(part_, {}), now, *planned_);
    if (planned_->at != at) return false;
    if (now < part || warmer_->paused() || warmer_->in_burst()) break;
  }
  return true;
}

/// Executes the block transfer, or the wait, that is next. Returns false if it begins an episode that is
/// measured.
bool LiveStream::pass_transfer(std::uint64_t pace) {
  const std::uint64_t at = process_.instructions();
  isa::Executor& executor = process_.executor;
  const isa::StaticInstruction* const next = executor.next_transfer();
  if (next == nullptr) return true;
  // A wait without a transfer takes no time.
  if (episode_ == 0 &&
      (next->latency == isa::LatencyClass::BlockTransfer || executor.transfers_outstanding())) {
    const std::uint64_t kind = kind_of_episode(*next);
    if (!plan_.passes(kind)) return false;
    episode_ = kind, episode_from_ = at;
  }
  warmer_->pauses_at_transfers = false;
  live_.skip(at + 1, pace);
  warmer_->pauses_at_transfers = true;
  if (episode_ != 0)
    episode_to_ = executor.transfers_outstanding() ? 0 : process_.instructions() + kAfterEpisode;
  return true;
}

void LiveStream::close_episode(std::uint64_t to) {
  const auto same =
      std::find_if(passed_.begin(), passed_.end(), [&](const Passed& p) { return p.kind == episode_; });
  if (same == passed_.end())
    passed_.push_back({episode_, to - episode_from_});
  else
    same->instructions += to - episode_from_;
  episode_ = 0;
}

/// Episodes of one kind begin in one region, at one instruction, with a transfer of the same shape.
std::uint64_t LiveStream::kind_of_episode(const isa::StaticInstruction& first) const {
  const isa::CpuState& state = process_.executor.state();
  std::uint64_t kind = 0;
  const auto add = [&kind](std::uint64_t value) {
    kind = (kind ^ value) * 0x9E3779B97F4A7C15;
    kind ^= kind >> 29;
  };
  add(state.pc);
  if (const std::vector<std::size_t> open = follower_->open(); !open.empty()) add(open.back() + 1);
  if (first.latency == isa::LatencyClass::BlockTransfer) {
    const std::uint32_t word = first.word;
    const std::uint64_t descriptor =
        state.r[isa::rs1(word)] +
        (isa::has_immediate(word) ? static_cast<std::uint64_t>(isa::simm13(word)) : state.r[isa::rs2(word)]);
    // Strides, pitch, bytes of a row, rows and PEs.
    for (const unsigned offset : {8u, 16u, 24u, 32u, 40u}) {
      std::uint64_t value = 0;
      process_.memory.load(descriptor + offset, value);
      add(offset == 24 ? value & 0xFFFFFFFF : offset == 40 ? value >> 32 : value);
    }
  }
  return kind | 1;
}

bool LiveStream::may_find_bursts() const {
  return bursts_in_turn_ < kBurstsInTurn &&
         burst_instructions_ < kBurstInstructions + process_.instructions() / kBurstShare;
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
  return {instructions(), !skipped_to_end_, limit_reached(), regions(), notes(),
          l2(),           passed_,          last_work_,      new_code_};
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
