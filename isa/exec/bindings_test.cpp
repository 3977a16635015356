// SPDX-License-Identifier: Apache-2.0
// Handlers take their operands from the registers that the instruction table names.
#include <gtest/gtest.h>

#include <cstddef>

#include "isa/exec/bindings.h"
#include "isa/state/decoded.h"
#include "isa/state/simd_state.h"

namespace psim::isa {
namespace {

constexpr std::uint32_t kFaddd = 2u << 30 | 4u << 25 | 0x34u << 19 | 8u << 14 | 0x42u << 5 | 3;
constexpr std::uint32_t kFadds = 2u << 30 | 5u << 25 | 0x34u << 19 | 8u << 14 | 0x41u << 5 | 3;

TEST(Decoded, DoublesLieAtTheirNumberBitFiveIncluded) {
  const Action a = decoded(kFaddd, bindings(FmaRounding::Fused)).action;
  EXPECT_EQ(a.rd, offsetof(CpuState, f) + 8 * 2);
  EXPECT_EQ(a.rs1, offsetof(CpuState, f) + 8 * 4);
  EXPECT_EQ(a.rs2, offsetof(CpuState, f) + 8 * 17);  // field 3: %d34
}

TEST(Decoded, AnEvenSingleIsTheHighHalfOfItsWord) {
  const Action a = decoded(kFadds, bindings(FmaRounding::Fused)).action;
  EXPECT_EQ(a.rd, offsetof(CpuState, f) + 8 * 2);
  EXPECT_EQ(a.rs1, offsetof(CpuState, f) + 8 * 4 + 4);
  EXPECT_EQ(a.rs2, offsetof(CpuState, f) + 8 * 1);
}

TEST(Decoded, InSimdStateFloatingPointRegistersBelongToThePes) {
  const Action a = decoded(kFaddd, bindings(FmaRounding::Fused, true)).action;
  EXPECT_EQ(a.rd, 2 * sizeof(SimdState::Lanes));
  EXPECT_EQ(a.rs1, 4 * sizeof(SimdState::Lanes));
  EXPECT_EQ(a.rs2, 17 * sizeof(SimdState::Lanes));
}

TEST(Decoded, ADestinationG0IsASinkAndASourceG0IsZero) {
  constexpr std::uint32_t kAddG0 = 2u << 30, kStoreG0 = 3u << 30 | 4u << 19 | 1u << 13 | 8;
  const Action add = decoded(kAddG0, bindings(FmaRounding::Fused)).action;
  EXPECT_EQ(add.rd, 8 * 32);
  EXPECT_EQ(add.rs1, 0);
  EXPECT_EQ(decoded(kStoreG0, bindings(FmaRounding::Fused)).action.rd, 0);
}

}  // namespace
}  // namespace psim::isa
