// SPDX-License-Identifier: Apache-2.0
// Steps the cores of a chip cycle by cycle: in each cycle in the order of their numbers, and only those in
// which something can change. So the threads of a program execute in the order of fetch cycles, ties by core
// number, and shared caches receive requests in that order, independently of SystemC's order of processes.
//
// It is self-timed, as a single core is. A core without a thread is not stepped until unpark(). A group in
// which no core has one, and in which nothing is under way, sleeps until then, or until the first time that a
// source has named.
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "base/statistics/statistic.h"
#include "pipeline/core.h"
#include "pipeline/self_timed.h"

namespace psim::pipeline {

struct ChipStats : statistics::Group {
  Counter cycles{*this, "cycles", "cycles", "cycles from the start until the last core has finished"};
  Counter idle{*this, "idle", "cycles", "cycles without a thread to run, summed over the cores"};
};

class CoreGroup : public SelfTimed {
 public:
  /// `period` is one core cycle. `cores` are made with RunOptions::grouped and outlive the group.
  CoreGroup(const sc_core::sc_module_name& name, std::vector<Core*> cores, sc_core::sc_time period);

  /// Makes core `core`, which has no thread to run, fetch from cycle `from` on, or the next that it steps.
  void unpark(std::uint32_t core, std::uint64_t from);
  /// Makes core `core` continue after an event of another module at the present.
  void wake(std::uint32_t core) { unpark(core, sc_core::sc_time_stamp().value() / period_ + 1); }
  /// Is called when no core can change and nothing is pending. It must end the program or make a core run, or
  /// the run ends with Deadlock. Without it a group whose cores have no threads sleeps.
  std::function<void()> on_stuck;
  /// Returns true once all cores have finished.
  bool finished() const;
  /// Makes the clocks of all cores equal: those that finished early have been idle since.
  void align();
  /// Returns the statistics of the whole; call it after align().
  const ChipStats& stats() const { return stats_; }

 private:
  [[gnu::hot]] std::uint64_t step_cycles() override;
  std::uint64_t first() const;
  bool can_sleep() const;

  const std::vector<Core*> cores_;
  std::vector<std::uint64_t> next_;  ///< cycle to step, by core; kNever: not before an event
  std::uint64_t now_ = 0;            ///< the cycle being stepped, or the next
  ChipStats stats_;
};

}  // namespace psim::pipeline
