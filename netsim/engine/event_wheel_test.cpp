// SPDX-License-Identifier: Apache-2.0
#include "netsim/engine/event_wheel.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace psim::net {
namespace {

void push(EventWheel& wheel, std::uint64_t time) { wheel.grow(time, EventKind::Timer).time = time; }

TEST(EventWheel, GivesWindowsInOrderAndNoneTwice) {
  EventWheel wheel(1000);
  for (const std::uint64_t time : {5'500u, 100u, 999u, 1'000u, 5'000u}) push(wheel, time);
  std::vector<std::pair<std::uint64_t, std::size_t>> got;
  while (wheel.next() != EventWheel::kNever) {
    const std::uint64_t number = wheel.next();
    std::size_t count = 0;
    wheel.open(number).rest.each([&](const Event&) { ++count; });
    got.emplace_back(number, count);
    wheel.close();
  }
  EXPECT_EQ(got, (std::vector<std::pair<std::uint64_t, std::size_t>>{{0, 2}, {1, 1}, {5, 2}}));
}

TEST(EventWheel, KeepsFarEventsUntilTheirWindowIsNear) {
  EventWheel wheel(7);
  constexpr std::uint64_t kFar = 1'000'000'000'000'000;
  push(wheel, kFar);
  push(wheel, 3);
  EXPECT_EQ(wheel.next(), 0u);
  wheel.open(0);
  wheel.close();
  EXPECT_EQ(wheel.next(), kFar / 7);
  std::size_t count = 0;
  wheel.open(kFar / 7).rest.each([&](const Event& event) { count += event.time == kFar; });
  EXPECT_EQ(count, 1u);
}

TEST(EventWheel, EveryEventComesOutInItsWindow) {
  // Windows that are no power of two, times from near to beyond the wheel, pushed while others are served.
  for (const std::uint64_t window : {1u, 3u, 100'000u, 123'457u}) {
    EventWheel wheel(window);
    std::uint64_t pushed = 0, served = 0, present = 0;
    const auto push_later = [&](std::uint64_t from) {
      const std::uint64_t bits = random_bits(window, 1, pushed);
      push(wheel, from + bits % (window << (bits >> 60)));
      ++pushed;
    };
    for (int i = 0; i < 500; ++i) push_later(0);
    while (wheel.next() != EventWheel::kNever) {
      const std::uint64_t number = wheel.next();
      ASSERT_GE(number, present);
      present = number;
      std::vector<std::uint64_t> times;
      wheel.open(number).rest.each([&](const Event& event) { times.push_back(event.time); });
      for (const std::uint64_t time : times) {
        ASSERT_EQ(time / window, number);
        ++served;
        if (pushed < 5'000) push_later((number + 1) * window), push_later((number + 1) * window);
      }
      wheel.close();
    }
    EXPECT_EQ(served, pushed);
  }
}

TEST(EventWheel, TheEdgesOfWindowsMatchADivision) {
  for (const std::uint64_t window :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4'096}, std::uint64_t{123'457},
        EventWheel::kLongest - 1, EventWheel::kLongest}) {
    EventWheel wheel(window);
    std::map<std::uint64_t, std::size_t> expected, got;
    for (const std::uint64_t number : {1, 2, 3, 100, 4'094, 4'095, 4'096, 4'097, 9'999})
      for (const std::uint64_t time : {number * window - 1, number * window}) {
        push(wheel, time);
        ++expected[time / window];
      }
    while (wheel.next() != EventWheel::kNever) {
      const std::uint64_t number = wheel.next();
      wheel.open(number).rest.each([&](const Event&) { ++got[number]; });
      wheel.close();
    }
    EXPECT_EQ(got, expected) << window;
  }
}

}  // namespace
}  // namespace psim::net
