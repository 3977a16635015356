// SPDX-License-Identifier: Apache-2.0
#include "netsim/ranks/compute_samples.h"

#include <csignal>
#include <ctime>

namespace psim::net {

std::atomic<ComputeSamples*> ComputeSamples::asked_ = nullptr;
std::atomic<std::uint64_t> ComputeSamples::computing_ = 0;
std::uint32_t ComputeSamples::count_ = 0;

namespace {

constexpr long kPeriod = 10'000'000;  // ns
timer_t samples_timer;

// Neither that of interruptions (SIGRTMAX - 1) nor one that programs are likely to take.
int sample_signal() { return SIGRTMAX - 3; }

}  // namespace

ComputeSamples::ComputeSamples(Computes computes, void* self) : computes_(computes), self_(self) {
  if (count_++ > 0) return;
  struct sigaction action {};
  action.sa_sigaction = [](int signal, siginfo_t*, void* machine) { take(signal, machine); };
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(sample_signal(), &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = sample_signal();
  if (::timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &samples_timer) != 0) {
    --count_;  // then nothing is known
    return;
  }
  const itimerspec period{{0, kPeriod}, {0, kPeriod}};
  ::timer_settime(samples_timer, 0, &period, nullptr);
}

ComputeSamples::~ComputeSamples() {
  if (asked_ == this) asked_ = nullptr;
  if (count_ == 0 || --count_ > 0) return;
  ::timer_delete(samples_timer);
  ::signal(sample_signal(), SIG_IGN);  // one may be on its way
}

double ComputeSamples::seconds() {
  return static_cast<double>(computing_.load(std::memory_order_relaxed)) * kPeriod * 1e-9;
}

void ComputeSamples::take(int, void* machine) {
  ComputeSamples* const samples = asked_;
  if (samples != nullptr && samples->computes_(samples->self_, machine))
    computing_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace psim::net
