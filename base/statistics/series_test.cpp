// SPDX-License-Identifier: Apache-2.0
#include "base/statistics/series.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/read_file.h"

namespace psim::statistics {
namespace {

TEST(Series, ARowForEachIntervalWithItsStatistics) {
  struct Stats : Group {
    Counter hits{*this, "hits", "accesses", "accesses that hit"};
    Counter misses{*this, "misses", "accesses", "accesses that missed"};
    Ratio miss_rate{*this, "miss_rate", "misses/access", "misses per access", {misses}, {hits, misses}};
    Distribution used{*this, "used", "entries", "entries in use", 9};
  } stats;
  Registry registry;
  registry.add("cache", "A cache", stats);
  const std::string path = ::testing::TempDir() + "psim-series-test.csv";
  {
    OutputFile file(path, "--statistics");
    Series series(registry, file, "cycle");
    stats.hits += 3;
    ++stats.misses;
    stats.used.add(2);
    stats.used.add(3);
    series.end_interval(100);
    stats.hits += 10;
    series.end_interval(200);
    series.end_interval(200);  // the run ends with an interval
    ++stats.misses;
    series.end_interval(250);
    file.commit();
  }
  EXPECT_EQ(read_file(path).bytes,
            "begin_cycle,end_cycle,cache.hits,cache.misses,cache.miss_rate,cache.used\n"
            "0,100,3,1,0.25,2.5\n"
            "100,200,10,0,0.0,0.0\n"
            "200,250,0,1,1.0,0.0\n");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace psim::statistics
