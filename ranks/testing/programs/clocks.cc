// SPDX-License-Identifier: Apache-2.0
// All clocks and all functions that sleep use simulated time, and waiting for a time ends.
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

#include "rank_library.h"

static int wrong;
static void check(bool right, const char* what) {
  if (right) return;
  ++wrong;
  std::fprintf(stderr, "rank %d: %s\n", rank_number(), what);
}
static bool near(double value, double expected) { return value >= expected && value < expected + 1e-5; }

int main() {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  ::sleep(2);
  ::usleep(1'000);
  const timespec pause{0, 250'000'000};
  ::nanosleep(&pause, nullptr);
  timespec until;
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += 1;
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  check(near(std::chrono::duration<double>(Clock::now() - begin).count(), 3.751), "steady_clock");
  check(near(static_cast<double>(rank_time()) * 1e-12, 3.751), "simulated time");
  timeval day;
  ::gettimeofday(&day, nullptr);
  check(day.tv_sec == 946'684'803 && near(static_cast<double>(day.tv_usec) * 1e-6, 0.751), "gettimeofday");
  check(std::time(nullptr) == day.tv_sec, "time");
  check(near(static_cast<double>(std::clock()) / CLOCKS_PER_SEC, 3.751), "clock");
  tms ticks;
  check(::times(&ticks) == 3751 * ::sysconf(_SC_CLK_TCK) / 1000, "times");
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  check(usage.ru_utime.tv_sec == 3 && usage.ru_stime.tv_sec == 0, "getrusage");
  const timespec nonsense{0, -1};
  check(::nanosleep(&nonsense, nullptr) == -1, "nanosleep of nonsense");
  const auto start = Clock::now();
  while (Clock::now() - start < std::chrono::microseconds(10)) {
  }
  std::thread([] { check(std::time(nullptr) == 946'684'803, "a thread of its own"); }).join();
  return wrong;
}
