// SPDX-License-Identifier: Apache-2.0
// The exception by which a core without progress ends the simulation.
#pragma once

#include <stdexcept>

namespace psim::pipeline {

/// Thrown if no instruction commits any more: no event is pending, or `watchdog` busy cycles have passed
/// without a commit. what() describes the event for which each part waits. It is an error of the simulator,
/// never of the simulated program or of the configuration.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace psim::pipeline
