// SPDX-License-Identifier: Apache-2.0
#include "mpi/posted_queue.h"

#include <gtest/gtest.h>

#include <deque>

#include "base/random.h"

namespace psim::net::mpi {
namespace {

TEST(PostedQueue, TakesTheEarliestMatchingEntry) {
  PostedQueue queue;
  EXPECT_TRUE(queue.empty());
  for (const std::uint32_t request : {7, 3, 9})
    queue.append({request, 0, 0, static_cast<std::int32_t>(request % 2)});
  EXPECT_EQ(queue.take([](const auto& e) { return e.tag == 1; }), 7u);
  EXPECT_EQ(queue.take([](const auto& e) { return e.tag == 0; }), 0u);
  EXPECT_EQ(queue.take([](const auto& e) { return e.request == 9; }), 9u);
  EXPECT_EQ(queue.entries().front().request, 3u);
}

TEST(PostedQueue, KeepsItsOrderAfterRemovalsAnywhere) {
  PostedQueue queue;
  std::deque<std::uint32_t> expected;
  for (std::uint32_t i = 1; i <= 20'000; ++i) {
    const std::uint64_t bits = random_bits(1, 2, i);
    // The queue grows and shrinks repeatedly.
    if (expected.empty() || (bits & 7) < (i / 500 % 2 != 0 ? 3u : 5u)) {
      queue.append({i, 0, 0, 0});
      expected.push_back(i);
    } else {
      const std::size_t at = (bits >> 8) % expected.size();
      const std::uint32_t request = expected[at];
      expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
      ASSERT_EQ(queue.take([=](const auto& e) { return e.request == request; }), request);
    }
    ASSERT_EQ(queue.entries().size(), expected.size());
    ASSERT_EQ(queue.empty(), expected.empty());
  }
  for (const std::uint32_t request : expected)
    ASSERT_EQ(queue.take([](const auto&) { return true; }), request);
}

}  // namespace
}  // namespace psim::net::mpi
