// SPDX-License-Identifier: Apache-2.0
#include "guest/stray_windows.h"

#include <gtest/gtest.h>

#include "isa/state/windows.h"

namespace psim::isa {
namespace {

constexpr std::uint64_t kWindowStack = 0x200000, kSpareFrame = 0x300000;

// Six frames of 256 bytes down from kWindowStack + two pages; locals and ins carry the depth.
struct Frames : ::testing::Test {
  Frames() {
    state.r[14] = kWindowStack + 2 * GuestMemory::kPageBytes - kStackBias;
    for (unsigned depth = 0; depth < 6; ++depth) {
      const std::uint64_t sp = state.r[14] - 256;
      if (depth != 0) enter_next_window(state), --state.cansave, ++state.canrestore;
      state.r[14] = sp;
      for (unsigned n = 16; n < 24; ++n) state.r[n] = depth * 100 + n;
    }
    memory.map(kSpareFrame, GuestMemory::kPageBytes, kMapped | kRead | kWrite);
  }
  std::uint64_t local_of(unsigned depth) {  // %l0 in the save area
    std::uint64_t value = 0;
    memory.load(kWindowStack + 2 * GuestMemory::kPageBytes - 256 * (depth + 1), value);
    return value;
  }
  void map_stack() { memory.map(kWindowStack, 2 * GuestMemory::kPageBytes, kMapped | kRead | kWrite); }
  GuestMemory memory;
  CpuState state;
};

TEST_F(Frames, AreWrittenWhereTheStackIsThere) {
  map_stack();
  const StrayWindows stray{state, memory};
  EXPECT_FALSE(stray.any());
  for (unsigned depth = 0; depth < 6; ++depth) EXPECT_EQ(local_of(depth), depth * 100 + 16) << depth;
}

TEST_F(Frames, AreKeptWhereTheStackIsMissingAndReachItLater) {
  const StrayWindows stray{state, memory};
  EXPECT_TRUE(stray.any());
  EXPECT_EQ(state.canrestore, 5u) << "the processor's windows stay";
  ASSERT_TRUE(stray.write_to(memory, kSpareFrame));
  EXPECT_FALSE(StrayWindows::put_back(memory, kSpareFrame)) << "still no stack";
  map_stack();
  ASSERT_TRUE(StrayWindows::put_back(memory, kSpareFrame));
  for (unsigned depth = 0; depth < 6; ++depth) EXPECT_EQ(local_of(depth), depth * 100 + 16) << depth;
}

TEST_F(Frames, OfAForgedCountAreRefused) {
  memory.store<std::uint32_t>(kSpareFrame + StrayWindows::kMost * 136, 1000);
  EXPECT_FALSE(StrayWindows::put_back(memory, kSpareFrame));
}

}  // namespace
}  // namespace psim::isa
