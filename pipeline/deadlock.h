// SPDX-License-Identifier: Apache-2.0
// How a core that stands still ends the simulation.
#pragma once

#include <stdexcept>

namespace psim::pipeline {

/// No instruction commits any more: nothing is under way, or `watchdog` busy cycles have passed without a
/// commit. what() describes what each part waits for. An error of the simulator, never of the simulated
/// program or of the configuration.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace psim::pipeline
