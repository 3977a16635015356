// SPDX-License-Identifier: Apache-2.0
#include "ranks/watchdog.h"

#include <sys/time.h>

#include <csignal>

#include "ranks/compute_samples.h"

namespace psim::net {

Watchdog* Watchdog::served_ = nullptr;
std::uint32_t Watchdog::count_ = 0;

namespace {
void set_timer(std::chrono::microseconds period) {
  itimerval timer{};
  timer.it_interval.tv_usec = timer.it_value.tv_usec = period.count();
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}
}  // namespace

// Libraries and tools use the first real-time signals.
int Watchdog::end_turn_signal() { return SIGRTMAX - 2; }

Watchdog::Watchdog(std::chrono::seconds patience, Report report, Check check, void* self)
    : report_(report),
      check_(check),
      self_(self),
      most_(static_cast<std::uint64_t>(patience / kPeriod)),
      active_(patience.count() > 0) {
  if (!active_ || count_++ > 0) return;
  struct sigaction action {};
  action.sa_sigaction = [](int, siginfo_t*, void* machine) { tick(machine); };
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaddset(&action.sa_mask, end_turn_signal());
  ::sigaction(SIGPROF, &action, nullptr);
  set_timer(kPeriod);
}

Watchdog::~Watchdog() {
  if (served_ == this) served_ = nullptr;
  if (!active_ || --count_ > 0) return;
  set_timer(std::chrono::microseconds{0});
  ::signal(SIGPROF, SIG_DFL);
}

void Watchdog::tick(void* machine) {
  ComputeSamples::take(machine);
  if (served_ == nullptr) return;
  Watchdog& dog = *served_;
  const std::uint64_t turns = dog.turns_;
  if (turns != dog.turn_at_tick_) {
    dog.turn_at_tick_ = turns;
    dog.ticks_ = 0;
    dog.next_check_ = 1;
    return;
  }
  if (++dog.ticks_ == dog.next_check_) {
    dog.next_check_ *= 2;
    if (dog.check_(dog.self_, machine)) return;
  }
  if (dog.ticks_ == dog.most_) dog.report_(dog.self_, machine);
}

}  // namespace psim::net
