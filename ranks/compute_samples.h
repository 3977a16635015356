// SPDX-License-Identifier: Apache-2.0
// Estimates how long programs of ranks computed on this host, without a clock at turns and calls: the
// watchdog's signal, every 10 ms of the process's processor time, looks at what it has interrupted.
#pragma once

#include <atomic>
#include <cstdint>

namespace psim::net {

class ComputeSamples {
 public:
  /// Whether the interrupted code is a program's, or a library's on its behalf. Called as signal handlers
  /// are, with the machine's state.
  using Computes = bool (*)(void* self, const void* machine);

  ComputeSamples(Computes computes, void* self);
  ~ComputeSamples();
  ComputeSamples(const ComputeSamples&) = delete;
  ComputeSamples& operator=(const ComputeSamples&) = delete;

  /// A rank's turn begins: of several objects, the one whose turn it is is asked.
  void turn() { asked_ = this; }
  /// Called by the watchdog's signal, with the machine's state.
  static void take(const void* machine);
  /// Returns the seconds of processor time that programs have taken in this process so far. A sample stands
  /// for the processor time since the sample before it.
  static double seconds();

 private:
  static std::atomic<ComputeSamples*> asked_;
  static std::atomic<std::uint64_t> computing_;  ///< nanoseconds
  static std::atomic<std::uint64_t> sampled_;    ///< the processor time of the last sample, in nanoseconds
  Computes computes_;
  void* self_;
};

}  // namespace psim::net
