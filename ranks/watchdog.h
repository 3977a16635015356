// SPDX-License-Identifier: Apache-2.0
// Notices a rank that runs for long without a call of its library, such as one that waits in a loop for a
// variable to change.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace psim::net {

class Watchdog {
 public:
  /// Called on the stack of whatever was running, as signal handlers are, with the machine's state.
  using Report = void (*)(void* self, void* machine);
  /// The same; returns true if the turn is about to end by it.
  using Check = bool (*)(void* self, void* machine);

  static constexpr std::chrono::milliseconds kPeriod{10};  ///< of processor time
  /// The signal by which Check may interrupt the rank: comes when that has returned.
  static int end_turn_signal();

  /// Reports once whenever no turn() came for `patience` of processor time. 0: never, and checks nothing.
  /// Until then it checks after one or two periods without a turn(), then at twice the time, and so on. Of
  /// several objects, the one whose turn it is is served; they have one patience, that of the first.
  Watchdog(std::chrono::seconds patience, Report report, Check check, void* self);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Another rank's turn begins, or the simulator's.
  void turn() {
    if (active_) served_ = this;
    turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  std::uint64_t turns() const { return turns_.load(std::memory_order_relaxed); }

 private:
  static Watchdog* served_;
  static std::uint32_t count_;
  static void tick(void* machine);

  Report report_;
  Check check_;
  void* self_;
  std::uint64_t most_;       // ticks in one turn
  std::uint64_t ticks_ = 0;  // in this turn, after the first
  std::uint64_t next_check_ = 1;
  std::atomic<std::uint64_t> turns_ = 0;
  std::uint64_t turn_at_tick_ = ~std::uint64_t{0};
  bool active_;
};

}  // namespace psim::net
