// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/stream_prefetcher.h"

#include <gtest/gtest.h>

namespace psim::pipeline {
namespace {

/// Takes all requests that are due now.
std::vector<std::uint64_t> take_all(StreamPrefetcher& streams) {
  std::vector<std::uint64_t> lines;
  while (streams.has_request()) {
    lines.push_back(streams.next().line);
    streams.requested();
  }
  return lines;
}
using Lines = std::vector<std::uint64_t>;

TEST(StreamPrefetcher, TwoNeighbouringTouchesBeginAStream) {
  StreamPrefetcher streams(4, 3);
  streams.touched(100, false);
  EXPECT_FALSE(streams.has_request());
  streams.touched(101, false);
  EXPECT_EQ(take_all(streams), (Lines{102, 103, 104}));
}

TEST(StreamPrefetcher, StreamsRunDownToo) {
  StreamPrefetcher streams(4, 3);
  streams.touched(100, false);
  streams.touched(99, false);
  EXPECT_EQ(take_all(streams), (Lines{98, 97, 96}));
}

TEST(StreamPrefetcher, TouchesFurtherApartBeginNothing) {
  StreamPrefetcher streams(4, 3);
  for (const std::uint64_t line : {100u, 102u, 98u, 90u, 200u}) streams.touched(line, false);
  EXPECT_FALSE(streams.has_request());
}

TEST(StreamPrefetcher, EachTouchLetsItGoOneLineFurther) {
  StreamPrefetcher streams(4, 3);
  streams.touched(100, false), streams.touched(101, false);
  take_all(streams);
  streams.touched(102, false);
  EXPECT_EQ(take_all(streams), Lines{105});
  streams.touched(104, false);  // 103 is skipped
  EXPECT_EQ(take_all(streams), (Lines{106, 107}));
  streams.touched(103, false);  // late: nothing new
  EXPECT_FALSE(streams.has_request());
  streams.touched(105, false);
  EXPECT_EQ(take_all(streams), Lines{108});
}

TEST(StreamPrefetcher, StreamsAreServedInTurn) {
  StreamPrefetcher streams(4, 2);
  streams.touched(100, false), streams.touched(101, false);
  streams.touched(200, true), streams.touched(201, true);
  EXPECT_EQ(take_all(streams), (Lines{202, 102, 203, 103}));
}

TEST(StreamPrefetcher, StoresPrefetchForWriting) {
  StreamPrefetcher streams(4, 2);
  streams.touched(100, true), streams.touched(101, true);
  EXPECT_EQ(streams.next().kind, AccessKind::PrefetchWrite);
  streams.touched(102, false);
  EXPECT_EQ(streams.next().kind, AccessKind::PrefetchRead);
}

TEST(StreamPrefetcher, AStoppedStreamWaitsForItsNextTouch) {
  StreamPrefetcher streams(4, 2);
  streams.touched(126, false), streams.touched(127, false);
  streams.stop();
  EXPECT_FALSE(streams.has_request());
  streams.touched(128, false);
  EXPECT_EQ(take_all(streams), (Lines{129, 130}));
}

// Two streams; a third one replaces the one touched longest ago.
TEST(StreamPrefetcher, TheStreamTouchedLongestAgoMakesRoom) {
  StreamPrefetcher streams(2, 2);
  streams.touched(100, false), streams.touched(101, false);
  streams.touched(200, false), streams.touched(201, false);
  take_all(streams);
  streams.touched(300, false);
  streams.touched(102, false);  // its stream is gone: 102 begins one, which replaces that of 200
  EXPECT_FALSE(streams.has_request());
  streams.touched(301, false);
  EXPECT_EQ(take_all(streams), (Lines{302, 303}));
}

// Reading the next request changes nothing: a cycle without a free miss register may be skipped.
TEST(StreamPrefetcher, LookingAtTheNextRequestDoesNotTakeIt) {
  StreamPrefetcher streams(4, 2);
  streams.touched(100, false), streams.touched(101, false);
  streams.touched(200, false), streams.touched(201, false);
  const std::uint64_t first = streams.next().line;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(streams.next().line, first);
}

}  // namespace
}  // namespace psim::pipeline
