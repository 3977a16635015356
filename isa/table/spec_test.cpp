// SPDX-License-Identifier: Apache-2.0
#include "isa/table/spec.h"

#include <gtest/gtest.h>

#include <random>

#include "isa/exec/executor.h"
#include "isa/state/decoded.h"
#include "isa/table/fields.h"
#include "isa/table/row.h"

namespace psim::isa {
namespace {

/// Finds the row of a word by definition: the first refining row that has it, otherwise the first that has
/// it.
const Spec& by_search(std::uint32_t word) {
  for (const bool fine : {true, false}) {
    for (const Spec& spec : instructions()) {
      if (((spec.effects & effect::kRefines) != 0) == fine &&
          (word & spec.pattern.mask) == spec.pattern.value) {
        return spec;
      }
    }
  }
  return instructions().back();
}

TEST(Decode, FindsTheRowThatALinearSearchFinds) {
  std::mt19937 random(1);
  for (const Spec& spec : instructions()) {
    for (int i = 0; i < 40; ++i) {
      const std::uint32_t word =
          spec.pattern.value | (static_cast<std::uint32_t>(random()) & ~spec.pattern.mask);
      ASSERT_EQ(&decode(word), &by_search(word)) << std::hex << word;
    }
  }
  for (int i = 0; i < 20000; ++i) {
    const auto word = static_cast<std::uint32_t>(random());
    ASSERT_EQ(&decode(word), &by_search(word)) << std::hex << word;
  }
}

TEST(Decode, EveryRowIsReached) {
  for (const Spec& spec : instructions()) {
    // The illegal row draws no bit; 0x04000000 (op2 = 0 with rd set) belongs to nothing.
    const std::uint32_t ones =
        spec.pattern.mask == 0 ? 0x04000000 : spec.pattern.value | (0x5a5a5a5a & ~spec.pattern.mask);
    EXPECT_EQ(&decode(ones), &spec) << spec.name << " " << spec.pattern.text;
  }
}

TEST(Decode, NoTwoRowsClaimTheSameWord) {
  EXPECT_TRUE(table::disjoint(instructions().first(instructions().size() - 1)));  // the last has the rest
}

TEST(Decode, EveryRowHasItsMeaning) {
  for (const Spec& spec : instructions()) {
    const bool transfer = is_transfer(spec.flow);  // executed by its control flow
    for (const FmaRounding fma : {FmaRounding::Fused, FmaRounding::Unfused})
      EXPECT_EQ(spec.execution->scalar.handler == nullptr &&
                    (spec.execution->rounded == nullptr || spec.execution->rounded(fma).handler == nullptr),
                transfer)
          << spec.name;
  }
}

TEST(Decode, HasTheMultiplyAddsOfTheManual) {
  EXPECT_EQ(decode(0x8DB80842).name, "fmaddd");
  EXPECT_EQ(decode(0x8DB80822).name, "fmadds");
  EXPECT_EQ(decode(0x8DB808C2).name, "fmsubd");
  EXPECT_EQ(decode(0x8DB80942).name, "fnmsubd");
  EXPECT_EQ(decode(0x8DB809C2).name, "fnmaddd");
}

TEST(Decode, ReservedFieldsThatAreNotZeroMakeAnInstructionIllegal) {
  EXPECT_EQ(decode(0x8c02800c).name, "add");
  EXPECT_EQ(decode(0x8c02802c).name, "illegal");
}

TEST(Fields, DoubleAndQuadNumbersKeepBitFiveInBitZero) {
  EXPECT_EQ(double_register(1), 32);
  EXPECT_EQ(double_register(31), 62);
  EXPECT_EQ(double_register(30), 30);
  EXPECT_EQ(quad_register(29), 60);
}

TEST(Fields, DisplacementsAreInBytesAndSigned) {
  EXPECT_EQ(disp30(0x7fffffff), -4);
  EXPECT_EQ(disp22(0x30bfffff), -4);
  EXPECT_EQ(disp19(0x306fffff & ~0x300000u), -4);
  EXPECT_EQ(disp16(0x02f03fff), -4);
  EXPECT_EQ(disp10(0x00181fe0), -4);
  EXPECT_EQ(disp16(0x00003fff), 4 * 0x3fff);
}

}  // namespace
}  // namespace psim::isa
