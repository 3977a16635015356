// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/timing_state.h"

#include <gtest/gtest.h>

#include <array>

namespace psim::pipeline {
namespace {

constexpr Sequence kHead = 1000;

template <class Copy>
std::uint64_t copied(std::uint64_t value, std::uint64_t later, Copy copy) {
  std::array<std::uint8_t, 64> bytes{};
  TimingState out(bytes.data(), 5000, kHead);
  copy(out, value);
  TimingState in(std::span<const std::uint8_t>(bytes), 5000 + later, kHead + later);
  std::uint64_t back = 0;
  copy(in, back);
  return back;
}

TEST(TimingState, CyclesMoveWithThePresentOne) {
  const auto copy = [](TimingState& state, std::uint64_t& cycle) { state.cycle(cycle, 10); };
  EXPECT_EQ(copied(5003, 100, copy), 5103u);
  EXPECT_EQ(copied(5000, 100, copy), 5100u);
  EXPECT_EQ(copied(4991, 100, copy), 5091u);
  EXPECT_EQ(copied(kNever, 100, copy), kNever);
}

TEST(TimingState, CyclesThatNoLongerMatterAreAlike) {
  const auto copy = [](TimingState& state, std::uint64_t& cycle) { state.cycle(cycle, 10); };
  EXPECT_EQ(copied(4990, 100, copy), 5090u);
  EXPECT_EQ(copied(4989, 100, copy), 5090u);
  EXPECT_EQ(copied(0, 100, copy), 5090u);
}

TEST(TimingState, InstructionsMoveWithTheOldest) {
  const auto copy = [](TimingState& state, std::uint64_t& s) { state.in_flight(s); };
  EXPECT_EQ(copied(kHead, 7, copy), kHead + 7);
  EXPECT_EQ(copied(kHead + 63, 7, copy), kHead + 70);
  EXPECT_EQ(copied(kHead - 1, 7, copy), 0u);
}

TEST(TimingState, NumbersNearABaseKeepTheirSign) {
  const auto copy = [](TimingState& state, std::uint64_t& value) { state.near(value, 1 << 20); };
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{(1 << 20) - 4}, std::uint64_t{1 << 20},
                                    ~std::uint64_t{0}, std::uint64_t{1} << 63})
    EXPECT_EQ(copied(value, 0, copy), value);
}

}  // namespace
}  // namespace psim::pipeline
