// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load_store_unit.h"

#include <fmt/format.h>

#include "pipeline/activity_counter.h"
#include "pipeline/memo/timing_state.h"
#include "pipeline/timeline_recorder.h"

namespace psim::pipeline {

namespace {
/// Returns the cycles by which a load that was read once for all PEs ends later: C and W1.
std::uint64_t broadcast_delay(const InFlight& e, const Stages& stages) {
  return e.record.instruction->pe_data && !e.record.sbm ? stages.to_scalar : 0;
}
}  // namespace

LoadStoreStats::LoadStoreStats(const LoadStoreConfig& config)
    : fetch_ports(*this, "fetch_ports", "ports",
                  "fetch ports in use: loads, atomics and prefetches from D to W; sampled",
                  config.fetch_ports),
      store_queue(*this, "store_queue", "stores", "stores from D until they are written; sampled",
                  config.store_ports + config.write_buffer) {}

LoadStoreUnit::LoadStoreUnit(const CoreConfig& config, InFlightRing& window, WakeUp& wake_up, L1Cache& cache,
                             Canceller& canceller)
    : window_(window),
      wake_up_(wake_up),
      cache_(cache),
      canceller_(canceller),
      fetch_ports_(config.load_store.fetch_ports),
      latency_(cache.config().latency),
      fp_load_extra_(config.load_store.fp_load_extra),
      forward_extra_(config.load_store.forward_extra),
      sbm_latency_(config.simd.sbm_latency),
      sbm_loads_(config.simd.load_pipes),
      sbm_stores_(config.simd.store_pipes),
      tag_(std::clamp<std::uint64_t>(latency_ + window.stages.execute - 1, window.stages.execute,
                                     window.stages.tag)),
      stores_(config.load_store, window),
      stats_(config.load_store) {
  blocked_.reserve(fetch_ports_ + 1);
  prefetches_.reserve(fetch_ports_ + 1);
}

void LoadStoreUnit::Retry::refused(const Access& access, std::uint64_t now) {
  cycle = access.cycle == kNever ? 0 : access.cycle;  // 0: when the next event occurs
  // An access that L1 refused for lack of a miss register has its translation, whatever else it waits for.
  if (access.refusal == Refusal::Tlb) translated = std::min(translated, access.cycle);
  if (access.refusal == Refusal::MissRegister) translated = std::min(translated, now);
}

/// Returns whether an access that entered the pipe is still the one that was dispatched then.
bool LoadStoreUnit::here(Sequence s, std::uint64_t dispatched) const {
  return s && s >= window_.head && s < window_.decoded && window_[s].progress == Progress::Dispatched &&
         window_[s].dispatched == dispatched;
}

/// Does the accesses that are due, first tries and others.
bool LoadStoreUnit::advance(std::uint64_t now) {
  bool active = false;
  // This comes first: if L1 takes one cycle, the outcome of an access takes effect in the cycle in which it
  // begins.
  for (const Sequence s : pipe_[(now - window_.stages.execute) % kTurns]) {
    if (s == 0) break;
    if (here(s, now - window_.stages.execute)) begin_access(s, now);
    active = true;
  }
  for (Sequence& s : pipe_[(now - tag_) % kTurns]) {
    if (s == 0) break;
    if (here(s, now - tag_) && window_[s].load) tag(s, now);
    s = 0;
    active = true;
  }
  if (!blocked_.empty()) active |= try_again(now);
  if (!prefetches_.empty()) active |= prefetch_again(now);
  if (stores_.any_committed()) active |= drain(now);
  return active;
}

void LoadStoreUnit::begin_access(Sequence sequence, std::uint64_t now) {
  InFlight& e = window_[sequence];
  if (e.wrong_path) {  // it has no address and is assumed to hit
    e.outcome = Outcome::Hit;
    e.retry = 0;
    if (e.load) count_access(e, Outcome::Hit, false);
  } else if (e.load) {
    e.translated = kNever;
    const Access access = this->access(e, sequence, now);
    e.outcome = access.outcome;
    e.retry = access.cycle;
    count_access(e, access.outcome, e.store);
  } else if (!e.store) {
    if (e.record.instruction->latency == isa::LatencyClass::Prefetch) prefetch(sequence, e, now);
    e.done = window_.stages.end_of_u(e.dispatched + window_.stages.access_done);
  }
}

/// Sends a prefetch to L1. If L1 refuses it, it keeps its fetch port until L1 accepts it. Without a
/// translation in the main TLB it is dropped, as it may not trap (UltraSPARC I & II User's Manual 5.3.5.1; V9
/// A.42).
void LoadStoreUnit::prefetch(Sequence sequence, const InFlight& e, std::uint64_t now) {
  const Access access = to_cache(sequence, e.record.address, 1, AccessKind::PrefetchRead, now, 0);
  count_access(e, access.outcome, false);
  if (access.outcome != Outcome::Refused) return;
  if (access.refusal == Refusal::Tlb && access.cycle == kNever) {
    ++stats_.prefetches_dropped;
    return;
  }
  prefetches_.push_back({sequence, e.record.address, {}});
  prefetches_.back().retry.refused(access, now);
}

/// Sends waiting prefetches to L1, in order; the oldest may be past W.
bool LoadStoreUnit::prefetch_again(std::uint64_t now) {
  bool active = false;
  std::size_t gone = 0;
  for (WaitingPrefetch& p : prefetches_) {
    if (p.retry.cycle > now) break;
    ++stats_.prefetch_replays;
    const Access access =
        to_cache(p.sequence, p.address, 1, AccessKind::PrefetchRead, now, 0, p.retry.translated <= now);
    if (access.outcome == Outcome::Refused && !(access.refusal == Refusal::Tlb && access.cycle == kNever)) {
      p.retry.refused(access, now);
      break;
    }
    if (access.outcome == Outcome::Refused) ++stats_.prefetches_dropped;
    if (activity_ && access.outcome != Outcome::Refused)
      ++activity_->counts.data_reads[static_cast<std::size_t>(isa::LatencyClass::Prefetch)];
    if (p.sequence < window_.head) --loads_;
    ++gone;
    active = true;
  }
  prefetches_.erase(prefetches_.begin(), prefetches_.begin() + static_cast<std::ptrdiff_t>(gone));
  return active;
}

bool LoadStoreUnit::prefetch_waits(Sequence sequence) const {
  return std::any_of(prefetches_.begin(), prefetches_.end(),
                     [sequence](const WaitingPrefetch& p) { return p.sequence == sequence; });
}

void LoadStoreUnit::count_access(const InFlight& e, Outcome outcome, bool write) {
  if (!activity_ || outcome == Outcome::Refused || e.record.sbm) return;
  Activity& counts = activity_->counts;
  ++(write ? counts.data_writes : counts.data_reads)[static_cast<std::size_t>(e.record.instruction->latency)];
}

/// Accesses L1, or SBM, where only the number of load pipes can cause a refusal.
Access LoadStoreUnit::access(InFlight& e, Sequence sequence, std::uint64_t now) {
  if (!e.record.sbm) {
    const Access access =
        to_cache(sequence, e.record.address, e.bytes, e.store ? AccessKind::Store : AccessKind::Load, now,
                 sequence, e.translated <= now);
    if (access.outcome == Outcome::Refused) {
      Retry retry;
      retry.translated = e.translated;
      retry.refused(access, now);
      e.translated = retry.translated;
    }
    return access;
  }
  if (sbm_cycle_ != now) sbm_cycle_ = now, sbm_ports_used_ = 0;
  if (sbm_ports_used_ == sbm_loads_) return {Outcome::Refused, Refusal::Port, false, now + 1};
  ++sbm_ports_used_;
  return {Outcome::Hit, Refusal::None, false, now};
}

/// Returns the end of a load from SBM that had its address in X at `begin`: C, SBM, then U and W1, or W1 and
/// U.
std::uint64_t LoadStoreUnit::sbm_done(std::uint64_t begin) const {
  const Stages& stages = window_.stages;
  return stages.end_of_u(begin + (stages.sbm_access - stages.execute) + sbm_latency_) + stages.depth.w1;
}

void LoadStoreUnit::tag(Sequence load, std::uint64_t now) {
  InFlight& e = window_[load];
  const Stages& stages = window_.stages;
  if (activity_) ++activity_->counts.queue_searches;
  if (!e.wrong_path && !stores_.empty()) {
    const StoreQueue::Found found = stores_.search(load, e.record.address, e.bytes, now);
    if (found.answer == StoreQueue::Answer::Wait) {
      ++stats_.store_waits;
      return wait(load, Progress::Blocked, found.cycle, now, found.end);
    }
    if (found.answer == StoreQueue::Answer::Forward) {
      ++stats_.forwardings;
      e.outcome = Outcome::Hit;
      e.retry = 0;
      const std::uint64_t began = e.dispatched + stages.execute;
      const std::uint64_t begin = std::max(began, found.cycle) + forward_extra_;
      if (begin != began) {
        take_back(load, Progress::Blocked, now);
        return go_on(load, begin, now);
      }
    }
  }
  switch (e.outcome) {
    case Outcome::Hit:
      if (!e.record.sbm &&
          e.retry > e.dispatched + stages.execute + latency_) {  // joined a miss whose line has just arrived
        const std::uint64_t usable = e.retry;
        take_back(load, Progress::Missed, now);
        return resume(load, usable - stages.execute, stages.end_of_u(usable + after_data(e)), now);
      }
      e.progress = Progress::Finished;
      e.done = hit_done(e, e.dispatched + stages.execute) + broadcast_delay(e, stages);
      return;
    case Outcome::Miss:
      return wait(load, Progress::Missed, kNever, now);
    case Outcome::Refused:
      return wait(load, Progress::Blocked, e.retry, now);
  }
}

/// Retracts the announcement of a load's data, which lack the event that `progress` names.
void LoadStoreUnit::take_back(Sequence load, Progress progress, std::uint64_t now) {
  ++stats_.taken_back;
  for (const Sequence dependent : wake_up_.retract(load)) canceller_.cancel_dispatch(dependent, now);
  window_[load].progress = progress;
  if (recorder_) recorder_->load_waits(load, progress, now);
}

void LoadStoreUnit::wait(Sequence load, Progress progress, std::uint64_t retry, std::uint64_t now,
                         std::uint64_t end) {
  take_back(load, progress, now);
  window_[load].retry = retry;
  if (progress == Progress::Blocked) blocked_.push_back({load, end});
}

/// Tries the blocked loads again. Returns false if all stay blocked.
bool LoadStoreUnit::try_again(std::uint64_t now) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < blocked_.size(); ++i) {
    if (try_again(blocked_[i], now)) continue;
    if (kept != i) blocked_[kept] = blocked_[i];
    ++kept;
  }
  if (kept == blocked_.size()) return false;
  blocked_.resize(kept);
  return true;
}

/// Tries a blocked load again. Returns false if it stays blocked.
inline bool LoadStoreUnit::try_again(Blocked& blocked, std::uint64_t now) {
  const Sequence s = blocked.load;
  InFlight& e = window_[s];
  if (e.retry != kNever ? e.retry > now : stores_.still_waits(e.record.address, e.bytes, blocked.end))
    return false;
  if (!stores_.empty()) {
    const StoreQueue::Found found = stores_.search(s, e.record.address, e.bytes, now, blocked.end);
    e.retry = found.cycle;
    if (found.answer == StoreQueue::Answer::Wait) {
      blocked.end = found.end;
      return false;
    }
    if (found.answer == StoreQueue::Answer::Forward) {
      ++stats_.forwardings;
      go_on(s, std::max(now, found.cycle) + forward_extra_, now);
      return true;
    }
  }
  ++stats_.replays;
  const Access access = this->access(e, s, now);
  e.retry = access.cycle;
  count_access(e, access.outcome, e.store);
  if (access.outcome == Outcome::Refused) return false;
  if (access.outcome == Outcome::Hit) {
    go_on(s, e.record.sbm ? now : access.cycle - latency_, now);
  } else {
    e.progress = Progress::Missed;
    if (recorder_) recorder_->load_waits(s, Progress::Missed, now);
  }
  return true;
}

/// Returns the cycles from usable data of a load to its U: Rs, or the path to a floating-point register.
std::uint64_t LoadStoreUnit::after_data(const InFlight& e) const {
  return std::max<std::uint64_t>(window_.stages.after_data, load_use(e.record) - latency_ + 1);
}

/// Returns U of a load that hits and has its X at `begin`: it has passed the cache pipeline, and its data
/// have arrived.
std::uint64_t LoadStoreUnit::hit_done(const InFlight& e, std::uint64_t begin) const {
  if (e.record.sbm) return sbm_done(begin);
  const Stages& stages = window_.stages;
  return stages.end_of_u(begin + std::max(stages.access_done - stages.execute, latency_ + after_data(e)));
}

/// Resumes a waiting load as one that hits and has its X at `begin`.
void LoadStoreUnit::go_on(Sequence load, std::uint64_t begin, std::uint64_t now) {
  resume(load, begin + latency_ - window_.stages.execute, hit_done(window_[load], begin), now);
}

/// Resumes a waiting load; dependents may be in P from `result` on.
void LoadStoreUnit::resume(Sequence load, std::uint64_t result, std::uint64_t done, std::uint64_t now) {
  InFlight& e = window_[load];
  e.progress = Progress::Finished;
  if (!e.record.sbm)  // no stage is skipped
    done = std::max(done, window_.stages.end_of_u(e.dispatched + window_.stages.access_done));
  e.done = done + broadcast_delay(e, window_.stages);
  wake_up_.announce(e, load, std::max(result + load_use(e.record) - latency_, now));
  // An access to SBM begins with C: then its cycles, U and W1, or W1 and U.
  const Stages& stages = window_.stages;
  const std::uint64_t after =
      stages.depth.u - 1 + (e.record.sbm ? sbm_latency_ + stages.to_scalar : stages.after_data);
  if (recorder_) recorder_->load_goes_on(load, done - after);
}

void LoadStoreUnit::line_arrived(const Completion& completion, std::uint64_t now) {
  if (completion.token == kStoreToken) {
    store_waits_ = false;
    store_arrived_ = true;
    return;
  }
  if (completion.token < window_.head || completion.token >= window_.decoded) return;
  InFlight& e = window_[completion.token];
  if (e.progress == Progress::Dispatched && e.outcome == Outcome::Miss) {  // before it was in Ms
    e.outcome = Outcome::Hit;
    e.level = completion.level;
    e.retry = completion.cycle;
    return;
  }
  // A load served by the store queue, or to be retried, does not need the line.
  if (e.progress != Progress::Missed) return;
  e.level = completion.level;
  const Stages& stages = window_.stages;
  resume(completion.token, completion.cycle - stages.execute,
         stages.end_of_u(completion.cycle + after_data(e)), now);
}

void LoadStoreUnit::flush(Sequence first) {
  stores_.flush(first);
  std::erase_if(blocked_, [first](const Blocked& blocked) { return blocked.load >= first; });
}

std::uint64_t LoadStoreUnit::next_event(std::uint64_t now) const {
  std::uint64_t next = kNever;
  for (const Blocked& blocked : blocked_)
    if (window_[blocked.load].retry > now) next = std::min(next, window_[blocked.load].retry);
  const auto later = [&](const Retry& retry) {
    if (retry.cycle > now) next = std::min(next, retry.cycle);
  };
  if (!prefetches_.empty()) later(prefetches_.front().retry);
  if (stores_.any_committed()) later(store_waits_ ? ahead_retry_ : store_retry_);
  return next;
}

void LoadStoreUnit::timing_state(TimingState& state) {
  state.value(loads_);
  if (!state.writes())
    for (auto& turn : pipe_) turn.fill(0);
  for (std::uint64_t back = 1; back < kTurns; ++back)
    for (Sequence& s : pipe_[(state.now() - back) % kTurns]) {
      bool taken = s != 0;
      state.value(taken);
      if (!taken) break;
      state.in_flight(s);
      if (s == 0) s = 1;  // a committed instruction
    }
  std::size_t blocked = blocked_.size(), prefetches = prefetches_.size();
  state.value(blocked), state.value(prefetches);
  blocked_.resize(blocked), prefetches_.resize(prefetches);
  for (Blocked& blocked : blocked_) {
    state.in_flight(blocked.load);
    if (!state.writes()) blocked.end = kNever;
  }
  const auto copy = [&state](Retry& retry) {
    state.cycle(retry.cycle);
    state.cycle(retry.translated);
  };
  for (WaitingPrefetch& p : prefetches_) {
    state.near(p.sequence, state.head());
    copy(p.retry);
  }
  copy(store_retry_);
  state.value(store_waits_), state.value(store_arrived_), state.value(requested_ahead_);
  copy(ahead_retry_);
  stores_.timing_state(state);
}

std::string LoadStoreUnit::describe() const {
  std::string text = fmt::format("operands: {} fetch ports of {} used; {}{}", loads_, fetch_ports_,
                                 stores_.describe(), store_waits_ ? ", the oldest waits for its line" : "");
  for (const Blocked& blocked : blocked_) text += fmt::format("; load {} tries again", blocked.load);
  if (!prefetches_.empty()) text += fmt::format("; {} prefetches try again", prefetches_.size());
  return text;
}

}  // namespace psim::pipeline
