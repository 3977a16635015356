// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/compute_meter.h"

#include <time.h>

#include <algorithm>

namespace psim::net {

std::uint64_t ComputeMeter::processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

ComputeMeter::ComputeMeter(bool on, Clock clock) : on_(on), clock_(clock) {
  if (!on) return;
  look_ = ~std::uint64_t{0};
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t first = clock_();
    look_ = std::min(look_, clock_() - first);
  }
}

std::uint64_t ComputeMeter::read() const {
  const std::uint64_t took = clock_() - begin_;
  return took <= look_ ? 0 : took - look_;
}

}  // namespace psim::net
