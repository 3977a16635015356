// SPDX-License-Identifier: Apache-2.0
#include "netsim/ranks/watchdog.h"

#include <sys/time.h>

#include <csignal>

namespace psim::net {

Watchdog* Watchdog::served_ = nullptr;
std::uint32_t Watchdog::count_ = 0;

namespace {
void set_timer(std::chrono::seconds period) {
  itimerval timer{};
  timer.it_interval.tv_sec = timer.it_value.tv_sec = period.count();
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}
}  // namespace

Watchdog::Watchdog(std::chrono::seconds patience, Report report, void* self)
    : report_(report), self_(self), active_(patience.count() > 0) {
  if (!active_ || count_++ > 0) return;
  struct sigaction action {};
  action.sa_sigaction = [](int, siginfo_t*, void* machine) { tick(machine); };
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGPROF, &action, nullptr);
  set_timer(patience);
}

Watchdog::~Watchdog() {
  if (served_ == this) served_ = nullptr;
  if (!active_ || --count_ > 0) return;
  set_timer(std::chrono::seconds{0});
  ::signal(SIGPROF, SIG_DFL);
}

void Watchdog::tick(void* machine) {
  if (served_ == nullptr) return;
  Watchdog& dog = *served_;
  const std::uint64_t turns = dog.turns_;
  if (turns == dog.reported_turn_) return;
  if (turns == dog.turn_at_tick_) {
    dog.report_(dog.self_, machine);
    dog.reported_turn_ = turns;
  }
  dog.turn_at_tick_ = turns;
}

}  // namespace psim::net
