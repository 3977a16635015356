// SPDX-License-Identifier: Apache-2.0
#include "pipeline/simd/line_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace psim::pipeline {
namespace {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint64_t> lines(const isa::BlockTransfer& transfer) {
  std::vector<std::uint64_t> all;
  for (LineWalk walk(transfer, 64); !walk.done();) all.push_back(walk.take());
  return all;
}
isa::BlockTransfer transfer(std::uint32_t pes, std::uint64_t memory, std::int64_t pe_stride,
                            std::uint32_t bytes, std::uint32_t rows = 1, std::int64_t row_stride = 0) {
  isa::BlockTransfer t;
  t.pes = pes, t.memory = memory, t.pe_stride = pe_stride, t.row_bytes = bytes, t.rows = rows,
  t.row_stride = row_stride;
  return t;
}

TEST(LineWalk, NeighbouringPiecesShareALine) {
  EXPECT_THAT(lines(transfer(0xFFFF, 0x1000, 8, 8)), ElementsAre(0x1000, 0x1040));
}
TEST(LineWalk, PieceAcrossALineBoundaryTouchesBoth) {
  EXPECT_THAT(lines(transfer(1, 0x103C, 0, 8)), ElementsAre(0x1000, 0x1040));
}
TEST(LineWalk, ALineForAllPesIsReadOnce) {
  EXPECT_THAT(lines(transfer(0xFFFFFFFF, 0x1000, 0, 128)), ElementsAre(0x1000, 0x1040));
}
TEST(LineWalk, ShorterStrideIsInside) {
  // Rows of 16 pieces of 8 bytes each, a page apart: along the PEs first.
  EXPECT_THAT(lines(transfer(0xFF, 0x1000, 8, 8, 2, 0x1000)), ElementsAre(0x1000, 0x2000));
  // Each PE's rows lie together, the PEs a page apart: along the rows first.
  EXPECT_THAT(lines(transfer(0b11, 0x1000, 0x1000, 8, 8, 8)), ElementsAre(0x1000, 0x2000));
}
TEST(LineWalk, MaskedPesAreLeftOut) {
  EXPECT_THAT(lines(transfer(0b1010, 0x1000, 64, 64)), ElementsAre(0x1040, 0x10C0));
}
TEST(LineWalk, StridesMayBeNegative) {
  EXPECT_THAT(lines(transfer(0b111, 0x1080, -64, 64)), ElementsAre(0x1080, 0x1040, 0x1000));
}
TEST(LineWalk, NothingToMoveIsNoLine) {
  EXPECT_THAT(lines(transfer(0, 0x1000, 8, 8)), IsEmpty());
  EXPECT_THAT(lines(transfer(1, 0x1000, 8, 0)), IsEmpty());
  EXPECT_THAT(lines(transfer(1, 0x1000, 8, 8, 0)), IsEmpty());
}

}  // namespace
}  // namespace psim::pipeline
