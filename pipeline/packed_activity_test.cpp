// SPDX-License-Identifier: Apache-2.0
#include "pipeline/packed_activity.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>

namespace psim::pipeline {
namespace {
using SomeCounts = std::array<std::uint64_t, sizeof(Activity) / sizeof(std::uint64_t)>;

/// Returns counts of which one in `one_in` is nonzero: small, large and largest values, the first and the
/// last included.
Activity some_counts(unsigned seed, unsigned one_in) {
  std::mt19937_64 random(seed);
  SomeCounts counts{};
  for (std::uint64_t& count : counts)
    if (random() % one_in == 0) count = random() >> (random() % 64);
  counts.front() = ~std::uint64_t{0};
  counts.back() = 1;
  return std::bit_cast<Activity>(counts);
}

bool same(const Activity& a, const Activity& b) {
  return std::bit_cast<SomeCounts>(a) == std::bit_cast<SomeCounts>(b);
}

TEST(PackedActivity, UnpacksThePackedCounts) {
  EXPECT_TRUE(same(PackedActivity().unpack(), Activity{}));
  for (const unsigned one_in : {1u, 2u, 10u, 100u, 5000u})
    for (unsigned seed = 0; seed < 10; ++seed) {
      const Activity activity = some_counts(seed, one_in);
      EXPECT_TRUE(same(PackedActivity(activity).unpack(), activity));
    }
}

TEST(PackedActivity, AddsAsActivitiesDo) {
  PackedActivity packed;
  Activity sum;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Activity more = some_counts(seed, 7);
    packed += more;
    sum += more;
  }
  EXPECT_TRUE(same(packed.unpack(), sum));
}

// A region of a few instructions has some hundred nonzero counts, each below 2^14: four bytes at most.
TEST(PackedActivity, AShortRegionTakesSomeHundredBytes) {
  SomeCounts counts{};
  for (std::size_t i = 0; i < 100; ++i) counts[i * 20 % counts.size()] = 1 + i;
  const PackedActivity packed(std::bit_cast<Activity>(counts));
  EXPECT_LE(packed.bytes(), 400u);
  EXPECT_EQ(PackedActivity().bytes(), 0u);
}

}  // namespace
}  // namespace psim::pipeline
