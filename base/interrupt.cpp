// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <csignal>

namespace psim {
namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

void on_signal(int) { flag.store(true, std::memory_order_relaxed); }

}  // namespace

struct InterruptWatch::Saved {
  struct sigaction interrupt, terminate;
};

InterruptWatch::InterruptWatch() : saved_(new Saved) {
  flag.store(false);
  struct sigaction action {};
  action.sa_handler = on_signal;
  // The second signal finds the default action: whoever cannot wait need not.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &saved_->interrupt);
  ::sigaction(SIGTERM, &action, &saved_->terminate);
}

InterruptWatch::~InterruptWatch() {
  ::sigaction(SIGINT, &saved_->interrupt, nullptr);
  ::sigaction(SIGTERM, &saved_->terminate, nullptr);
  delete saved_;
}

bool interrupted() { return flag.load(std::memory_order_relaxed); }

}  // namespace psim
