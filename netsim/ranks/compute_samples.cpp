// SPDX-License-Identifier: Apache-2.0
#include "netsim/ranks/compute_samples.h"

#include <chrono>

#include "netsim/ranks/watchdog.h"

namespace psim::net {

std::atomic<ComputeSamples*> ComputeSamples::asked_ = nullptr;
std::atomic<std::uint64_t> ComputeSamples::computing_ = 0;

ComputeSamples::~ComputeSamples() {
  if (asked_ == this) asked_ = nullptr;
}

double ComputeSamples::seconds() {
  return static_cast<double>(computing_.load(std::memory_order_relaxed)) *
         std::chrono::duration<double>(Watchdog::kPeriod).count();
}

// A signal of its own would come at the same instant, and find the watchdog's handler interrupted.
void ComputeSamples::take(const void* machine) {
  ComputeSamples* const samples = asked_;
  if (samples != nullptr && samples->computes_(samples->self_, machine))
    computing_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace psim::net
