// SPDX-License-Identifier: Apache-2.0
#include "predict/roofline.h"

#include <gtest/gtest.h>

namespace psim::predict {
namespace {

/// NEC SX-9 of paper 004: 1676.8 GFlop/s and 128 GB/s each way.
Roofline sx9(Counting counting) {
  return {"sx9", counting, {{"peak", Limit::Flops, 1676.8e9}, {"IXS", Limit::Messages, 128e9}}};
}

TEST(Roofline, HasThePapersRidgeIfBothDirectionsCount) {
  const Roofline both = sx9(Counting::Both), one = sx9(Counting::OneWay);
  EXPECT_NEAR(both.ridge(both.lines[1]), 6.55, 1e-12);
  EXPECT_NEAR(one.ridge(one.lines[1]), 13.1, 1e-12);
}

TEST(Roofline, AllowsASymmetricExchangeTheSameRateInBothCountings) {
  const NodeWork work{.seconds = 1, .flops = 1e9, .sent_bytes = 1e8, .received_bytes = 1e8};
  EXPECT_NEAR(assess(sx9(Counting::Both), work).attainable, 1280e9, 1);
  EXPECT_NEAR(assess(sx9(Counting::OneWay), work).attainable, 1280e9, 1);
}

TEST(Roofline, NamesTheLowestLineAboveThePoint) {
  Roofline machine{"m",
                   Counting::OneWay,
                   {{"peak", Limit::Flops, 100},
                    {"memory", Limit::Memory, 10},
                    {"near", Limit::Messages, 4},
                    {"far", Limit::Messages, 1},
                    {"one node", Limit::Flops, 60, true}}};
  const auto remedy = [&](double rate, double memory, double messages) {
    return assess(machine, {.seconds = 1,
                            .flops = rate,
                            .memory_bytes = memory,
                            .sent_bytes = messages,
                            .received_bytes = messages})
        .remedy;
  };
  EXPECT_EQ(remedy(95, 1, 0.1), Remedy::FasterUnits);
  EXPECT_EQ(remedy(58, 1, 0.1), Remedy::Condition);
  EXPECT_EQ(remedy(30, 9, 0.1), Remedy::Reuse);            // 33.3
  EXPECT_EQ(remedy(20, 0.1, 3.9), Remedy::FewerMessages);  // 4 B/s allow 20.5
  EXPECT_EQ(remedy(20, 0.1, 0.95), Remedy::Placement);     // 1 B/s allows 21.05, 4 B/s 84
  EXPECT_EQ(remedy(20, 0.1, 0.1), Remedy::Overlap);
  EXPECT_EQ(remedy(20, 0.1, 8), Remedy::Check);  // 4 B/s allow only 10
  EXPECT_EQ(remedy(101, 0, 0), Remedy::Check);
}

TEST(Roofline, HasNoIntensityWithoutBytes) {
  const Assessment point =
      assess(sx9(Counting::Both),
             {.seconds = 2, .flops = 10, .memory_bytes = 0, .sent_bytes = 0, .received_bytes = 0});
  EXPECT_FALSE(point.memory_intensity || point.message_intensity);
  EXPECT_EQ(point.rate, 5);
  EXPECT_EQ(point.attainable, 1676.8e9);
}

}  // namespace
}  // namespace psim::predict
