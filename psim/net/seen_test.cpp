// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "psim/net/net_progress.h"
#include "report/timeline/timeline_file.h"

namespace psim {
namespace {

TEST(NetProgress, GivesNoEstimateForPrograms) {
  EXPECT_EQ(program_line(10, {.packet_hops = 20'000'000, .time = 450'000'000, .ended = 0}, 64, 0),
            "10 s, time left unknown: 0.45 ms simulated, 20.0 M packet-hops, 2.00 M/s");
  EXPECT_THAT(program_line(10, {.packet_hops = 1, .time = 1, .ended = 17}, 64, 0),
              ::testing::HasSubstr("17 of 64 ranks ended"));
}

TEST(NetProgress, EstimatesAReplayByItsOperations) {
  EXPECT_THAT(program_line(10, {.packet_hops = 1, .time = 1, .ended = 0}, 64, 0.25),
              ::testing::StartsWith("10 s, 30 s left: "));
}

TEST(NetProgress, EstimatesPointsByTheirLoads) {
  EXPECT_EQ(traffic_line(6, {0.1, 0.2, 0.3}, 2, 0.0), "6 s, 6 s left: point 3 of 3, load 0.3");
  EXPECT_EQ(traffic_line(6, {0.1, 0.2, 0.3}, 0, 0.0), "6 s, time left unknown: point 1 of 3, load 0.1");
}

TEST(NetProgress, ShowsTheStepsOfASearch) {
  EXPECT_EQ(saturation_line(6, 0.75, 2, 8, 0.0), "6 s, at most 18 s left: search step 3 of 8, load 0.75");
  EXPECT_EQ(saturation_line(6, 1, 0, 8, 0.0), "6 s, time left unknown: search step 1 of 8, load 1");
}

TEST(TimelineFile, TakesRanksAndRangesOfThem) {
  using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(parse_numbers("--observe-ranks", "0:7,12", "rank", 13), (Ranges{{0, 7}, {12, 12}}));
  for (const char* wrong : {"", "13", "3:2", "1,", "1:", "a", "-1", "1 2"})
    EXPECT_THROW(parse_numbers("--observe-ranks", wrong, "rank", 13), UserError) << wrong;
}

}  // namespace
}  // namespace psim
