// SPDX-License-Identifier: Apache-2.0
// Estimates how long programs of ranks computed on this host, without a clock at turns and calls: every 10 ms
// of the process's processor time a signal looks at what it has interrupted.
#pragma once

#include <atomic>
#include <cstdint>

namespace psim::net {

class ComputeSamples {
 public:
  /// Whether the interrupted code is a program's, or a library's on its behalf. Called as signal handlers
  /// are, with the machine's state.
  using Computes = bool (*)(void* self, const void* machine);

  /// Of several objects, the one whose turn it is is asked.
  ComputeSamples(Computes computes, void* self);
  ~ComputeSamples();
  ComputeSamples(const ComputeSamples&) = delete;
  ComputeSamples& operator=(const ComputeSamples&) = delete;

  /// A rank's turn begins.
  void turn() { asked_ = this; }
  /// Of processor time that programs have taken in this process so far.
  static double seconds();

 private:
  static void take(int, void* machine);

  static std::atomic<ComputeSamples*> asked_;
  static std::atomic<std::uint64_t> computing_;
  static std::uint32_t count_;
  Computes computes_;
  void* self_;
};

}  // namespace psim::net
