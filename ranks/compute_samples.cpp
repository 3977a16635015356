// SPDX-License-Identifier: Apache-2.0
#include "ranks/compute_samples.h"

#include <time.h>

namespace psim::net {
namespace {

/// Returns the processor time of this process in nanoseconds. May be called in signal handlers.
std::uint64_t processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

std::atomic<ComputeSamples*> ComputeSamples::active_ = nullptr;
std::array<std::atomic<std::uint64_t>, ComputeSamples::kParts> ComputeSamples::computing_{};
std::atomic<std::size_t> ComputeSamples::part_ = 0;
std::atomic<std::uint64_t> ComputeSamples::sampled_ = 0;

ComputeSamples::ComputeSamples(Computes computes, void* self) : computes_(computes), self_(self) {
  sampled_ = processor_time();
}

ComputeSamples::~ComputeSamples() {
  if (active_ == this) active_ = nullptr;
}

double ComputeSamples::seconds(std::size_t part) {
  return static_cast<double>(computing_[part].load(std::memory_order_relaxed)) * 1e-9;
}

// Called by the watchdog's signal: a second one would come at the same time and interrupt its handler.
void ComputeSamples::take(const void* machine) {
  // On a busy host the kernel merges signals, so the time between two samples varies.
  const std::uint64_t now = processor_time(), before = sampled_.exchange(now, std::memory_order_relaxed);
  ComputeSamples* const samples = active_;
  if (samples != nullptr && samples->computes_(samples->self_, machine))
    computing_[part_.load(std::memory_order_relaxed)].fetch_add(now - before, std::memory_order_relaxed);
}

}  // namespace psim::net
