// SPDX-License-Identifier: Apache-2.0
#include "guest/timers.h"

#include <unistd.h>

#include <algorithm>

namespace psim::isa {

Timers::Timers(SimulatedClock& clock) : clock_(clock) { clear(); }

void Timers::clear() {
  interval_ = {};
  interval_[0].signal = {.number = sig::kAlrm, .code = sig::code::kKernel};
  interval_[1].computing = interval_[2].computing = true;
  interval_[1].signal = {.number = sig::kVtalrm, .code = sig::code::kKernel};
  interval_[2].signal = {.number = sig::kProf, .code = sig::code::kKernel};
  created_.clear();
  for (const auto& entry : counting_)
    if (const auto timer = entry.lock()) timer->due = SimulatedClock::kNever;
}

int Timers::create(const Timer& timer) {
  int id = 0;
  while (created_.contains(id)) ++id;
  created_[id] = timer;
  created_[id].signal.timer = id;
  return id;
}

std::shared_ptr<Timer> Timers::create_counting(std::uint64_t clock, int counter) {
  std::erase_if(counting_, [](const auto& entry) { return entry.expired(); });
  auto timer = std::make_shared<Timer>();
  timer->clock = clock, timer->counter = counter;
  counting_.push_back(timer);
  return timer;
}

Timer* Timers::find(int id) {
  const auto found = created_.find(id);
  return found == created_.end() ? nullptr : &found->second;
}

template <class Visit>
void Timers::each(Visit visit) const {
  for (const Timer& timer : interval_) visit(timer);
  for (const auto& [id, timer] : created_) visit(timer);
  for (const auto& entry : counting_)
    if (const auto timer = entry.lock()) visit(*timer);
}

bool Timers::fire(SignalState& signals) {
  bool raised = false;
  const auto check = [&](Timer& timer) {
    const std::uint64_t now = this->now(timer);
    if (timer.due > now) return;
    std::uint64_t periods = 1;
    if (timer.interval != 0) periods += (now - timer.due) / timer.interval;
    timer.due = timer.interval == 0 ? SimulatedClock::kNever : timer.due + periods * timer.interval;
    if (timer.counter >= 0) {
      [[maybe_unused]] const ssize_t written = ::write(timer.counter, &periods, sizeof periods);
      return;
    }
    // An expiration whose signal is still pending is an overrun.
    SignalInfo* const pending =
        timer.signal.code == sig::code::kTimer ? signals.pending_of_timer(timer.signal.timer) : nullptr;
    const std::uint64_t overruns =
        pending == nullptr ? periods - 1 : static_cast<std::uint64_t>(pending->overrun) + periods;
    timer.overrun = static_cast<int>(std::min<std::uint64_t>(overruns, 0x7FFFFFFF));
    if (pending != nullptr) pending->overrun = timer.overrun;
    if (timer.signal.number == 0 || pending != nullptr) return;
    timer.signal.overrun = timer.overrun;
    signals.raise(timer.signal);
    raised = true;
  };
  for (Timer& timer : interval_) check(timer);
  for (auto& [id, timer] : created_) check(timer);
  for (const auto& entry : counting_)
    if (const auto timer = entry.lock()) check(*timer);
  return raised;
}

std::uint64_t Timers::next_core_cycle() const {
  std::uint64_t next = SimulatedClock::kNever;
  each([&](const Timer& timer) {
    if (!timer.armed()) return;
    next = std::min(
        next, timer.computing ? clock_.core_cycles_computing(timer.due) : clock_.core_cycles_at(timer.due));
  });
  return next;
}

std::uint64_t Timers::next_real() const {
  std::uint64_t next = SimulatedClock::kNever;
  each([&](const Timer& timer) {
    if (!timer.computing) next = std::min(next, timer.due);
  });
  return next;
}

}  // namespace psim::isa
