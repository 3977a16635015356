// SPDX-License-Identifier: Apache-2.0
// Estimates how long programs of ranks computed on this host, without reading a clock at each turn and call.
// The watchdog's signal, every 10 ms of the process's processor time, samples the interrupted code.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace psim::net {

class ComputeSamples {
 public:
  /// Returns true if the interrupted code is a program's, or a library's called by it. Called in a signal
  /// handler, with the machine's state.
  using Computes = bool (*)(void* self, const void* machine);

  ComputeSamples(Computes computes, void* self);
  ~ComputeSamples();
  ComputeSamples(const ComputeSamples&) = delete;
  ComputeSamples& operator=(const ComputeSamples&) = delete;

  /// Starts a rank's turn: its object takes the following samples.
  void turn() { active_ = this; }
  /// Makes the following samples count for this part of the programs (0 … kParts - 1).
  static constexpr std::size_t kParts = 3;
  static void part(std::size_t number) { part_.store(number, std::memory_order_relaxed); }
  /// Called by the watchdog's signal, with the machine's state.
  static void take(const void* machine);
  /// Returns the seconds of processor time that this part of the programs has taken in this process so far. A
  /// sample stands for the processor time since the sample before it.
  static double seconds(std::size_t part);

 private:
  static std::atomic<ComputeSamples*> active_;
  static std::array<std::atomic<std::uint64_t>, kParts> computing_;  ///< nanoseconds, by part
  static std::atomic<std::size_t> part_;
  static std::atomic<std::uint64_t> sampled_;  ///< the processor time of the last sample, in nanoseconds
  Computes computes_;
  void* self_;
};

}  // namespace psim::net
