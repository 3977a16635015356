// SPDX-License-Identifier: Apache-2.0
// A part that steps its cycles in a plain loop, without a clock, until another event of the simulation is
// due: a core, or the cores of a chip. It has a process of its own, or takes turns with others in a
// StepSchedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <systemc>

namespace psim::pipeline {

class StepSchedule;

/// Returns the time of the next event of the simulation, in units of the time resolution; kNever: there is
/// none. Processes that run at the present time are not events.
std::uint64_t next_event_time();

class SelfTimed : public sc_core::sc_module {
 public:
  /// Throws the error that ended the run early. Call it after sc_start(), through which no exception passes
  /// unchanged.
  void check() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 protected:
  /// `period`: a cycle, in units of the time resolution.
  SelfTimed(const sc_core::sc_module_name& name, std::uint64_t period) : sc_module(name), period_(period) {}

  /// Steps cycles up to last_free_cycle(), which other modules' answers may bring nearer. Returns the next
  /// cycle to step; kNever: none, or none before wake_up() if `asleep_` is set.
  virtual std::uint64_t step_cycles() = 0;
  /// Returns the last cycle that can be stepped before another process runs. An action at time t is visible
  /// here from the cycle after t on, so the cycles up to t do not depend on it.
  std::uint64_t last_free_cycle() const;
  /// Returns true if the schedule's other parts end the free cycles, and no event does.
  bool turn_ends_first() const { return horizon_ < next_event_time(); }
  /// The process of a part without a schedule.
  void activate();
  /// Makes a part that is asleep run at the present time.
  void wake_up();

  bool asleep_ = false;  ///< the next step may come earlier, by wake_up()
  const std::uint64_t period_;

 private:
  friend StepSchedule;
  /// Wakes parts that are asleep.
  class Waker {
   public:
    virtual void wake(std::size_t part) = 0;

   protected:
    ~Waker() = default;
  };
  std::uint64_t run(std::uint64_t horizon);

  std::uint64_t horizon_ = ~std::uint64_t{0};  ///< time up to which the schedule lets it run
  Waker* schedule_ = nullptr;
  std::size_t number_ = 0;  ///< in the schedule
  sc_core::sc_event wake_;
  std::exception_ptr failure_;
};

}  // namespace psim::pipeline
