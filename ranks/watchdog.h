// SPDX-License-Identifier: Apache-2.0
// Detection of ranks that run for long without a call of their library, for example in a loop that waits for
// a variable to change.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace psim::net {

class Watchdog {
 public:
  /// Called on the interrupted stack, in a signal handler, with the machine's state.
  using Report = void (*)(void* self, void* machine);
  /// Called likewise; returns true if the turn is about to end by it.
  using Check = bool (*)(void* self, void* machine);

  static constexpr std::chrono::milliseconds kPeriod{10};  ///< of processor time
  /// Returns the signal by which Check may interrupt the rank; it arrives after Check has returned.
  static int end_turn_signal();

  /// Reports once after `patience` of processor time without turn(). 0: never reports or checks. Before that
  /// it checks after one or two periods without a turn(), then at twice that time, and so on. Of several
  /// objects, the one whose turn it is acts. All have the first object's patience.
  Watchdog(std::chrono::seconds patience, Report report, Check check, void* self);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Starts the turn of another rank, or of the simulator.
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
  std::uint64_t most_;       // ticks allowed in one turn
  std::uint64_t ticks_ = 0;  // ticks of this turn after the first
  std::uint64_t next_check_ = 1;
  std::atomic<std::uint64_t> turns_ = 0;
  std::uint64_t turn_at_tick_ = ~std::uint64_t{0};
  bool active_;
};

}  // namespace psim::net
