// SPDX-License-Identifier: Apache-2.0
#include "energy/meter.h"

#include <gtest/gtest.h>

namespace psim::energy {
namespace {

/// Activity that grows unevenly, and a meter on it.
struct Bench {
  explicit Bench(std::size_t most = 256)
      : model({}, {}),
        meter(
            model, [this] { return now; }, most) {}
  void run(std::uint64_t cycles) {
    now.cycles += cycles;
    now.fetch_blocks += cycles % 7;
    now.committed[3].operations += 2 * cycles % 11;
    now.memory.bytes += cycles * 3;
  }
  void interval(std::uint64_t cycles) {
    run(cycles);
    meter.on_interval({});
  }
  Breakdown sum() const {
    Breakdown all;
    for (const Slice& slice : meter.slices()) all += slice.energy;
    return all;
  }
  pipeline::Activity now;
  Model model;
  Meter meter;
};

TEST(Meter, SlicesSumToTheTotalExactlyAndLeaveNoGap) {
  for (const std::size_t most : {256u, 8u, 2u}) {
    Bench bench(most);
    for (std::uint64_t i = 1; i < 100; ++i) bench.interval(1000 + 13 * i);
    bench.run(77);
    const Breakdown whole = bench.model.energy_of(bench.meter.finish());
    EXPECT_LE(bench.meter.slices().size(), most);
    EXPECT_EQ(bench.sum().total, whole.total);
    EXPECT_EQ(bench.sum().components, whole.components);
    EXPECT_EQ(bench.sum().owners, whole.owners);
    std::uint64_t at = 0;
    for (const Slice& slice : bench.meter.slices()) {
      EXPECT_EQ(slice.begin_cycle, at);
      at = slice.end_cycle;
    }
    EXPECT_EQ(at, bench.now.cycles);
  }
}

TEST(Meter, ARunShorterThanAnIntervalIsOneSlice) {
  Bench bench;
  bench.run(500);
  bench.meter.finish();
  ASSERT_EQ(bench.meter.slices().size(), 1U);
  EXPECT_EQ(bench.meter.slices()[0].end_cycle, 500U);
}

TEST(Meter, NeedsNoTimelines) { EXPECT_FALSE(Bench().meter.needs_timelines()); }

}  // namespace
}  // namespace psim::energy
