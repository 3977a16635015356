// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load_store_unit.h"

#include <fmt/format.h>

#include "pipeline/activity_counter.h"
#include "pipeline/timeline_recorder.h"

namespace psim::pipeline {

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
      tag_(std::clamp<std::uint64_t>(latency_ + 1, stages::kExecute, stages::kTag)),
      stores_(config.load_store, window) {
  blocked_.reserve(fetch_ports_ + 1);
}

void LoadStoreUnit::enter(Sequence sequence) {
  const InFlight& e = window_[sequence];
  if (e.holds_fetch_port()) ++loads_;
  if (e.holds_store_port()) stores_.enter(sequence, e);
}

void LoadStoreUnit::dispatched(Sequence sequence, std::uint64_t now) {
  auto& turn = pipe_[now % kTurns];
  *std::find(turn.begin(), turn.end(), Sequence{0}) = sequence;
}

/// Whether an access that entered the pipe is still the one that was dispatched then.
bool LoadStoreUnit::here(Sequence s, std::uint64_t dispatched) const {
  return s && s >= window_.head && s < window_.decoded && window_[s].progress == Progress::Dispatched &&
         window_[s].dispatched == dispatched;
}

bool LoadStoreUnit::step(std::uint64_t now) {
  bool active = false;
  for (Sequence& s : pipe_[(now - tag_) % kTurns]) {
    if (s == 0) break;
    if (here(s, now - tag_) && window_[s].load) tag(s, now);
    s = 0;
    active = true;
  }
  for (const Sequence s : pipe_[(now - stages::kExecute) % kTurns]) {
    if (s == 0) break;
    if (here(s, now - stages::kExecute)) begin_access(s, now);
    active = true;
  }
  if (!blocked_.empty()) active |= try_again(now);
  if (stores_.any_committed()) active |= drain(now);
  return active;
}

void LoadStoreUnit::begin_access(Sequence sequence, std::uint64_t now) {
  InFlight& e = window_[sequence];
  if (e.wrong_path) {  // it has no address: taken to hit
    e.outcome = Outcome::Hit;
    e.retry = 0;
    if (e.load) count_access(e, Outcome::Hit, false);
  } else if (e.load) {
    const AccessKind kind = e.store ? AccessKind::Store : AccessKind::Load;
    const Access access = cache_.access(e.record.address, e.bytes, kind, now, sequence);
    e.outcome = access.outcome;
    e.retry = access.cycle;
    count_access(e, access.outcome, e.store);
  } else if (!e.store) {
    const Access access = cache_.access(e.record.address, 1, AccessKind::PrefetchRead, now, 0);
    count_access(e, access.outcome, false);
    e.done = e.dispatched + stages::kAccessDone;
  }
}

void LoadStoreUnit::count_access(const InFlight& e, Outcome outcome, bool write) {
  if (!activity_ || outcome == Outcome::Refused) return;
  Activity& counts = activity_->counts;
  ++(write ? counts.data_writes : counts.data_reads)[static_cast<std::size_t>(e.record.instruction->latency)];
}

void LoadStoreUnit::tag(Sequence load, std::uint64_t now) {
  InFlight& e = window_[load];
  if (activity_) ++activity_->counts.queue_searches;
  if (!e.wrong_path && !stores_.empty()) {
    const StoreQueue::Found found = stores_.search(load, e.record.address, e.bytes, now);
    if (found.answer == StoreQueue::Answer::Wait) return wait(load, Progress::Blocked, found.retry, now);
    if (found.answer == StoreQueue::Answer::Forward) {
      e.outcome = Outcome::Hit;
      e.retry = 0;
      if (forward_extra_) {
        const std::uint64_t result = e.result + forward_extra_;
        for (const Sequence dependent : wake_up_.retract(load)) canceller_.cancel_dispatch(dependent, now);
        return resume(load, result, e.dispatched + stages::kAccessDone + forward_extra_, now);
      }
    }
  }
  switch (e.outcome) {
    case Outcome::Hit:
      if (e.retry >
          e.dispatched + stages::kExecute + latency_) {  // joined a miss whose line has just arrived
        const std::uint64_t usable = e.retry;
        wait(load, Progress::Missed, kNever, now);
        return resume(load, usable - stages::kExecute, usable + stages::kAfterData, now);
      }
      e.progress = Progress::Finished;
      e.done = e.dispatched + stages::kAccessDone;
      return;
    case Outcome::Miss:
      return wait(load, Progress::Missed, kNever, now);
    case Outcome::Refused:
      return wait(load, Progress::Blocked, e.retry, now);
  }
}

void LoadStoreUnit::wait(Sequence load, Progress progress, std::uint64_t retry, std::uint64_t now) {
  InFlight& e = window_[load];
  for (const Sequence dependent : wake_up_.retract(load)) canceller_.cancel_dispatch(dependent, now);
  e.progress = progress;
  e.retry = retry;
  if (recorder_) recorder_->load_waits(load, progress, now);
  if (progress == Progress::Blocked) blocked_.push_back(load);
}

bool LoadStoreUnit::try_again(std::uint64_t now) {
  bool active = false;
  std::size_t kept = 0;
  for (const Sequence s : blocked_) {
    InFlight& e = window_[s];
    blocked_[kept++] = s;
    if (e.retry != kNever && e.retry > now) continue;
    if (!stores_.empty()) {
      const StoreQueue::Found found = stores_.search(s, e.record.address, e.bytes, now);
      e.retry = found.retry;
      if (found.answer == StoreQueue::Answer::Wait) continue;
      if (found.answer == StoreQueue::Answer::Forward) {
        --kept;
        active = true;
        const std::uint64_t usable = now + latency_ - 1 + forward_extra_;
        resume(s, usable - stages::kExecute, usable + stages::kAfterData, now);
        continue;
      }
    }
    const Access access =
        cache_.access(e.record.address, e.bytes, e.store ? AccessKind::Store : AccessKind::Load, now, s);
    e.retry = access.cycle;
    count_access(e, access.outcome, e.store);
    if (access.outcome == Outcome::Refused) continue;
    --kept;
    active = true;
    if (access.outcome == Outcome::Hit) {
      resume(s, access.cycle - stages::kExecute, access.cycle + stages::kAfterData, now);
    } else {
      e.progress = Progress::Missed;
      if (recorder_) recorder_->load_waits(s, Progress::Missed, now);
    }
  }
  blocked_.resize(kept);
  return active;
}

/// A load that waited goes on; dependents may be in P from `result` on.
void LoadStoreUnit::resume(Sequence load, std::uint64_t result, std::uint64_t done, std::uint64_t now) {
  InFlight& e = window_[load];
  e.progress = Progress::Finished;
  e.done = done;
  const std::uint32_t extra = load_use(*e.record.instruction) - latency_;
  wake_up_.announce(load, std::max(result + extra, now));
  if (recorder_) recorder_->load_goes_on(load, done - stages::kAfterData);
}

void LoadStoreUnit::line_arrived(const Completion& completion, std::uint64_t now) {
  if (completion.token == kStoreToken) {
    store_waits_ = false;
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
  // A load that the store queue served, or that tries again, has no need of it.
  if (e.progress != Progress::Missed) return;
  e.level = completion.level;
  resume(completion.token, completion.cycle - stages::kExecute, completion.cycle + stages::kAfterData, now);
}

bool LoadStoreUnit::drain(std::uint64_t now) {
  if (!store_waits_) {
    if (store_retry_ > now) return false;
    const StoreQueue::Store& store = stores_.oldest();
    const Access access = cache_.access(store.address, store.bytes, AccessKind::Store, now, kStoreToken);
    if (activity_ && access.outcome != Outcome::Refused)
      ++activity_->counts.data_writes[static_cast<std::size_t>(isa::LatencyClass::Store)];
    if (access.outcome == Outcome::Refused) {
      store_retry_ = access.cycle == kNever ? 0 : access.cycle;
      return false;
    }
    if (access.outcome == Outcome::Hit) {
      stores_.written();
      requested_ahead_ -= requested_ahead_ > 0;
      return true;
    }
    store_waits_ = true;
    requested_ahead_ = std::max<std::uint64_t>(requested_ahead_, 1);
    return true;
  }
  if (requested_ahead_ >= stores_.committed()) return false;
  const StoreQueue::Store& next = stores_.committed_at(requested_ahead_++);
  const Access access = cache_.access(next.address, next.bytes, AccessKind::PrefetchWrite, now, 0);
  if (activity_ && access.outcome != Outcome::Refused)
    ++activity_->counts.data_reads[static_cast<std::size_t>(isa::LatencyClass::Store)];
  return true;
}

void LoadStoreUnit::commit(const InFlight& e) {
  if (e.holds_fetch_port()) --loads_;
  if (e.holds_store_port()) stores_.commit();
}

void LoadStoreUnit::flush(Sequence first, std::uint64_t) {
  for (Sequence s = first; s < window_.decoded; ++s)
    if (window_[s].holds_fetch_port()) --loads_;
  stores_.flush(first);
  std::erase_if(blocked_, [first](Sequence s) { return s >= first; });
}

std::uint64_t LoadStoreUnit::next_event(std::uint64_t now) const {
  std::uint64_t next = kNever;
  for (const Sequence s : blocked_)
    if (window_[s].retry > now) next = std::min(next, window_[s].retry);
  if (stores_.any_committed() && !store_waits_ && store_retry_ > now) next = std::min(next, store_retry_);
  return next;
}

std::string LoadStoreUnit::describe() const {
  std::string text = fmt::format("operands: {} fetch ports of {} used; {}{}", loads_, fetch_ports_,
                                 stores_.describe(), store_waits_ ? ", the oldest waits for its line" : "");
  for (const Sequence s : blocked_) text += fmt::format("; load {} tries again", s);
  return text;
}

}  // namespace psim::pipeline
