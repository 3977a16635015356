// SPDX-License-Identifier: Apache-2.0
// Interval timers (setitimer, alarm, timer_create, timerfd_create) in simulated time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "guest/signal_state.h"
#include "guest/simulated_clock.h"

namespace psim::isa {

struct Timer {
  bool computing = false;                      ///< counts computed time only (ITIMER_VIRTUAL, CPU clocks)
  std::uint64_t clock = 0;                     ///< number of a clock that timer_create was given
  std::uint64_t due = SimulatedClock::kNever;  ///< nanoseconds, as Timers::now() returns them
  std::uint64_t interval = 0;                  ///< nanoseconds, 0: once
  SignalInfo signal{};                         ///< number 0: none (SIGEV_NONE)
  int overrun = 0;
  int counter = -1;  ///< the host's eventfd to which expirations are added; -1: none

  bool armed() const { return due != SimulatedClock::kNever; }
};

class Timers {
 public:
  explicit Timers(SimulatedClock& clock);

  /// Returns ITIMER_REAL, ITIMER_VIRTUAL or ITIMER_PROF.
  Timer& interval_timer(unsigned which) { return interval_[which]; }
  /// timer_create: returns a new id.
  int create(const Timer& timer);
  Timer* find(int id);
  bool remove(int id) { return created_.erase(id) != 0; }

  /// timerfd_create: returns a timer that exists until its owner drops it.
  std::shared_ptr<Timer> create_counting(std::uint64_t clock, int counter);

  /// Returns the current time of a timer's clock.
  std::uint64_t now(const Timer& timer) const { return timer.computing ? clock_.computed() : clock_.now(); }
  /// Raises the signals of due timers and re-arms those. Returns true if a signal was raised.
  bool fire(SignalState& signals);
  /// Returns the core cycle at which the next timer is due, kNever if none is armed.
  std::uint64_t next_core_cycle() const;
  /// Returns the now() at which the next timer of real time is due.
  std::uint64_t next_real() const;
  /// Removes all timers: a child process starts with none. Timers of its parent's descriptors are disarmed.
  void clear();
  /// Removes the timers of timer_create.
  void clear_created() { created_.clear(); }

 private:
  template <class Visit>
  void each(Visit visit) const;

  SimulatedClock& clock_;
  std::array<Timer, 3> interval_;
  std::map<int, Timer> created_;
  std::vector<std::weak_ptr<Timer>> counting_;
};

}  // namespace psim::isa
