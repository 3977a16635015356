// SPDX-License-Identifier: Apache-2.0
#include "psim/statistics_manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "pipeline/testing/systemc_test.h"

namespace psim {
namespace {

class StatisticsManual : public pipeline::testing::SystemCTest {};

TEST_F(StatisticsManual, IsCurrent) {
  // To renew the page: psim statistics --markdown > docs/statistics.md
  std::ifstream file(PSIM_SOURCE_DIR "/docs/statistics.md");
  const std::string committed((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(committed, statistics_manual());
}

TEST_F(StatisticsManual, HasTheNamesThatOtherToolsRead) {
  std::vector<std::string> names;
  for (const statistics::Reading& reading : all_statistics())
    names.push_back(reading.component + "." + reading.statistic.name);
  for (const char* name : {"l1d.misses", "branch.mispredictions", "memory.bytes_read", "links.bytes"})
    EXPECT_THAT(names, ::testing::Contains(name));
}

}  // namespace
}  // namespace psim
