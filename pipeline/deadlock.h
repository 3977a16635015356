// SPDX-License-Identifier: Apache-2.0
// How a core that stands still ends the simulation.
#pragma once

#include <stdexcept>

namespace psim::pipeline {

/// No instruction has committed for `watchdog` cycles. what() describes what each part waits for. An error of
/// the simulator, or of a configuration that lets nothing move; never of the simulated program.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace psim::pipeline
