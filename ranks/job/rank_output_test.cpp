// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/rank_output.h"

#include <gtest/gtest.h>

namespace psim::net {
namespace {

struct RankOutputTest : ::testing::Test {
  RankOutputTest() { output.start(engine, ahead, true); }
  std::string all() {
    output.print_before(~std::uint64_t{0} >> 1);
    return printed;
  }
  std::string printed;
  RankOutput output{[this](RankId, Stream, std::string_view text) { printed += text; }};
  Engine engine{Partition(8), 0, 100};
  std::uint64_t ahead = 0;
};

TEST_F(RankOutputTest, LinesOfRanksThatWriteThemInPartsStayTogether) {
  for (const char* part : {"one ", "line", "\n"})
    for (const std::uint32_t rank : {0u, 1u}) {
      output.write(rank, Stream::Out, std::to_string(rank) + part);
      ++ahead;
    }
  EXPECT_EQ(all(), "0one 0line0\n1one 1line1\n");
}

TEST_F(RankOutputTest, AnUnfinishedLineComesWithTheEndOfItsRankOrOfTheRun) {
  output.write(0, Stream::Out, "a\nb");
  output.write(1, Stream::Out, "c");
  ahead = 5;
  output.end(1);
  ahead = 6;
  output.write(2, Stream::Out, "d\n");
  output.end_all();
  EXPECT_EQ(all(), "a\ncd\nb");
}

TEST_F(RankOutputTest, ErrorsAndLongLinesDoNotWait) {
  output.write(0, Stream::Out, "a");
  ahead = 1;
  output.write(0, Stream::Error, "error");
  ahead = 2;
  output.write(0, Stream::Out, std::string(RankOutput::kMostHeld, 'b'));
  EXPECT_EQ(all(), "errora" + std::string(RankOutput::kMostHeld, 'b'));
}

}  // namespace
}  // namespace psim::net
