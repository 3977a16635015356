// SPDX-License-Identifier: Apache-2.0
// Control-C, taken as a wish to end well: the run stops at its next check and its result is marked partial.
#pragma once

#include <atomic>

namespace psim {

/// While alive, SIGINT and SIGTERM set interrupted(); a second one ends the program at once, as ever.
/// One at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  struct Saved;
  Saved* saved_;
};

/// True after the first signal. Cheap enough for once in a thousand cycles.
bool interrupted();

}  // namespace psim
