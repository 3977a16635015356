// SPDX-License-Identifier: Apache-2.0
// Notices a rank that computes for long without a call of its library, such as one that waits for a variable
// to change, and which nothing could interrupt.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace psim::net {

class Watchdog {
 public:
  /// Called on the stack of whatever was running, as signal handlers are, with the machine's state.
  using Report = void (*)(void* self, void* machine);

  /// Reports once whenever no turn() came for `patience` to twice as much of processor time. 0: never.
  /// Of several objects, the one whose turn it is is served; they have one patience, that of the first.
  Watchdog(std::chrono::seconds patience, Report report, void* self);
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
  void* self_;
  std::atomic<std::uint64_t> turns_ = 0;
  std::uint64_t turn_at_tick_ = ~std::uint64_t{0};
  std::uint64_t reported_turn_ = ~std::uint64_t{0};
  bool active_;
};

}  // namespace psim::net
