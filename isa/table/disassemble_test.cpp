// SPDX-License-Identifier: Apache-2.0
#include "isa/table/disassemble.h"

#include <gtest/gtest.h>

namespace psim::isa {
namespace {

TEST(Disassemble, OperandsFollowTheFormat) {
  EXPECT_EQ(disassemble(0x9602400a, 0), "add %o1, %o2, %o3");
  EXPECT_EQ(disassemble(0x9de3bf50, 0), "save %sp, -176, %sp");
  EXPECT_EQ(disassemble(0xd272800b, 0), "stx %o1, [ %o2 + %o3 ]");
  EXPECT_EQ(disassemble(0xd7f2500a, 0), "casx [ %o1 ], %o2, %o3");
  EXPECT_EQ(disassemble(0xe1ba5e00, 0), "stda %f16, [ %o1 ] #ASI_BLK_P");
  EXPECT_EQ(disassemble(0x91b84c44, 0), "fmaddd %f32, %f4, %f6, %f8");
  EXPECT_EQ(disassemble(0x8143e042, 0), "membar #Sync|#StoreLoad");
}

TEST(Disassemble, BranchTargetsAreAbsolute) {
  EXPECT_EQ(disassemble(0x1267fffc, 0x10010), "bne,pn %xcc, 0x10000");
  EXPECT_EQ(disassemble(0x12c260a3, 0x10000), "cwbe %o1, 3, 0x10014");
  EXPECT_EQ(disassemble(0x40000002, 0x10000), "call 0x10008");
}

TEST(Disassemble, SyntheticInstructionsAreWrittenAsTheAssemblerReadsThem) {
  EXPECT_EQ(disassemble(0x01000000, 0), "nop");
  EXPECT_EQ(disassemble(0x81c7e008, 0), "ret");
  EXPECT_EQ(disassemble(0x81c3e008, 0), "retl");
  EXPECT_EQ(disassemble(0x82102005, 0), "mov 5, %g1");
  EXPECT_EQ(disassemble(0x82102000, 0), "clr %g1");
  EXPECT_EQ(disassemble(0x80a26005, 0), "cmp %o1, 5");
  EXPECT_EQ(disassemble(0x82006001, 0), "inc %g1");
}

TEST(Disassemble, NumbersAboveNineAreHexadecimal) {
  EXPECT_EQ(disassemble(0x82102009, 0), "mov 9, %g1");
  EXPECT_EQ(disassemble(0x8210200a, 0), "mov 0xa, %g1");
  EXPECT_EQ(disassemble(0x82103fff, 0), "mov -1, %g1");
}

TEST(Disassemble, AWordThatIsNoInstructionIsShownAsAWord) {
  EXPECT_EQ(disassemble(0xffffffff, 0), ".word 0xffffffff");
}

}  // namespace
}  // namespace psim::isa
