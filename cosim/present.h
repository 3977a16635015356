// SPDX-License-Identifier: Apache-2.0
// SystemC's time in ps, the unit of the network and of results, and back.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <systemc>

namespace psim::cosim {

inline std::uint64_t to_ps(const sc_core::sc_time& time) {
  return static_cast<std::uint64_t>(time / sc_core::sc_time(1, sc_core::SC_PS));
}
inline std::uint64_t present_ps() { return to_ps(sc_core::sc_time_stamp()); }
inline sc_core::sc_time from_ps(std::uint64_t ps) {
  return sc_core::sc_time(static_cast<double>(ps), sc_core::SC_PS);
}
/// Returns the time from the present to `ps`, which lies ahead.
inline sc_core::sc_time until_ps(std::uint64_t ps) { return from_ps(ps - present_ps()); }

/// The error or the exit status that ended a simulation early. No exception passes through sc_start()
/// unchanged, so the caller queries it here.
class Failure {
 public:
  /// Keeps the first error and stops SystemC.
  void set(std::exception_ptr problem) {
    if (!problem_) problem_ = problem;
    sc_core::sc_stop();
  }
  /// Stops SystemC; the run ends with the first such exit status.
  void end(int status) {
    if (!status_) status_ = status;
    sc_core::sc_stop();
  }
  const std::optional<int>& status() const { return status_; }
  /// Returns whether either has ended the simulation.
  bool failed() const { return problem_ != nullptr || status_.has_value(); }
  void check() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  std::exception_ptr problem_;
  std::optional<int> status_;
};

}  // namespace psim::cosim
