// SPDX-License-Identifier: Apache-2.0
// SIMD state: its switches, its windows and its exceptions.
#include "isa/state/simd_state.h"

#include <gtest/gtest.h>

#include "isa/simd/testing/simd_guest.h"

namespace psim::isa {
namespace {

using namespace bench;

TEST(SimdState, TheStateBitSelectsTheUnitOfAnAddition) {
  SimdGuest guest({simd_on(), faddd(4, 0, 2), simd_off(), faddd(6, 0, 2), ta(0)});
  guest.set_lanes(0, [](unsigned pe) { return 1.0 * pe; });
  guest.set_lanes(2, [](unsigned) { return 0.5; });
  guest.d(0) = 10, guest.d(2) = 20;
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.lane(4, pe), pe + 0.5);
  EXPECT_EQ(guest.d(4), 0);
  EXPECT_EQ(guest.d(6), 30);
  EXPECT_EQ(guest.lane(6, 3), 0);
}

TEST(SimdState, AMaskedPeChangesNothing) {
  SimdGuest guest({simd_on(), faddd(4, 0, 2), ta(0)});
  guest.set_lanes(0, [](unsigned pe) { return 1.0 * pe; });
  guest.simd().set_mask(0x5);
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.lane(4, pe), pe == 2 ? 2.0 : 0.0);
}

TEST(SimdState, EveryPeLoadsAndStoresItsOwnMemoryInTheDataWindow) {
  SimdGuest guest({simd_on(), lddf(4, g(1), imm(8)), faddd(4, 4, 4), stdf(4, g(1), imm(16)), ta(0)});
  guest.state().g(1) = 0xF000'0000;
  for (unsigned pe = 0; pe < 16; ++pe) guest.set_sbm(8, pe, 1.5 * pe);
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.sbm(16, pe), 3.0 * pe);
}

TEST(SimdState, ALoadElsewhereIsBroadcast) {
  SimdGuest guest({simd_on(), lddf(4, g(1), imm(0)), ta(0)});
  guest.state().g(1) = Guest::kData;
  guest.memory.store<std::uint64_t>(Guest::kData, 0x4045000000000000);  // 42
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.lane(4, pe), 42.0);
}

TEST(SimdState, AStoreElsewhereIsAPreciseException) {
  SimdGuest guest({simd_on(), faddd(4, 4, 4), stdf(4, g(1), imm(0)), ta(0)});
  guest.state().g(1) = Guest::kData;
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::PeStore);
  EXPECT_EQ(guest.environment.faults[0].pc, Guest::kText + 8);
  EXPECT_EQ(guest.environment.faults[0].address, Guest::kData);
}

TEST(SimdState, DivisionIsAPreciseException) {
  SimdGuest guest({simd_on(), fdivd(4, 0, 2), ta(0)});
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::PeDivide);
  EXPECT_EQ(guest.environment.faults[0].pc, Guest::kText + 4);
}

TEST(SimdState, IntegerStoresIntoAWindowWriteEveryPeAndLoadsReadItBack) {
  SimdGuest guest(
      {simd_on(), stx(g(2), g(1), imm(0)), stw(g(3), g(1), imm(4)), ldx(g(4), g(1), imm(0)), ta(0)});
  guest.state().g(1) = 0xF000'0000;
  guest.state().g(2) = 0x1122334455667788, guest.state().g(3) = 0xaabbccdd;
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.sbm_bits(0, pe), 0x11223344aabbccddu);
  EXPECT_EQ(guest.state().g(4), 0x11223344aabbccddu);
}

constexpr Word movdtox(Word rd, unsigned rs2) { return op3_word(2, 0x36, rd, 0, 0x110u << 5 | d_field(rs2)); }

TEST(SimdState, DisabledPesChangeNothingAndRaiseNoException) {
  SimdGuest guest({simd_on(), faddd(8, 4, 6), fmuld(10, 4, 6), fcmpd(4, 6), lddf(12, g(1), imm(0)),
                   stdf(4, g(1), imm(64)), lddf(14, g(2), imm(0)), ta(0)});
  constexpr std::uint32_t kMask = 0x3a05;
  const auto enabled = [](unsigned pe) { return (kMask >> pe & 1) != 0; };
  guest.state().g(1) = 0xF000'0000, guest.state().g(2) = Guest::kData;
  guest.memory.store<std::uint64_t>(Guest::kData, 99);
  // The sum and the product of the disabled ones are inexact, overflow or invalid.
  guest.set_lanes(4, [&](unsigned pe) { return enabled(pe) ? 1.0 * pe : pe % 2 != 0 ? 1e308 : 1 / 3.0; });
  guest.set_lanes(6, [&](unsigned pe) { return enabled(pe) ? 2.0 : pe % 2 != 0 ? 1.7e308 : 1e-300; });
  for (const unsigned number : {8u, 10u, 12u, 14u}) guest.set_lanes(number, [](unsigned) { return -7.0; });
  for (unsigned pe = 0; pe < 16; ++pe) {
    guest.set_sbm(0, pe, 100.0 + pe), guest.set_sbm(64, pe, -8);
    guest.simd().fcc[0][pe] = 3;
  }
  guest.simd().set_mask(kMask);
  guest.run();
  EXPECT_TRUE(guest.environment.faults.empty());
  EXPECT_EQ(guest.executor.read_fsr() >> 5 & 31, 0u);
  for (unsigned pe = 0; pe < 16; ++pe) {
    EXPECT_EQ(guest.lane(8, pe), enabled(pe) ? pe + 2.0 : -7) << pe;
    EXPECT_EQ(guest.lane(10, pe), enabled(pe) ? pe * 2.0 : -7) << pe;
    EXPECT_EQ(guest.lane(12, pe), enabled(pe) ? 100.0 + pe : -7) << pe;
    EXPECT_EQ(guest.simd().f[7][pe] == 99, enabled(pe)) << pe;
    EXPECT_EQ(guest.sbm(64, pe), enabled(pe) ? pe : -8.0) << pe;
    EXPECT_EQ(guest.simd().fcc[0][pe], !enabled(pe) ? 3u : pe < 2 ? 1u : pe > 2 ? 2u : 0u) << pe;
  }
}

TEST(SimdState, AnIntegerRegisterTakesTheCommonValueOfThePes) {
  SimdGuest guest({simd_on(), movdtox(g(2), 4), ta(0)});
  guest.set_lanes(4, [](unsigned pe) { return pe == 0 ? 9.0 : 1.5; });
  guest.simd().set_mask(0xfffe);  // disabled PEs do not take part
  guest.run();
  EXPECT_TRUE(guest.environment.faults.empty());
  EXPECT_EQ(guest.state().g(2), 0x3ff8000000000000u);
}

TEST(SimdState, AMoveToAnIntegerRegisterThatPesDisagreeAboutIsAPreciseException) {
  SimdGuest guest({simd_on(), movdtox(g(2), 4), ta(0)});
  guest.set_lanes(4, [](unsigned pe) { return pe == 3 || pe == 9 ? 2.0 : 1.5; });
  guest.state().g(2) = 77;
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  const Fault& fault = guest.environment.faults[0];
  EXPECT_EQ(fault.kind, FaultKind::PeInteger);
  EXPECT_EQ(fault.pc, Guest::kText + 4);
  EXPECT_EQ(fault.pes, 0x208u);
  EXPECT_EQ(fault.address, 0x3ff8000000000000u);
  EXPECT_EQ(fault.other, 0x4000000000000000u);
  EXPECT_EQ(guest.state().g(2), 77u);
}

TEST(SimdState, WithDivergencePe0TheLowestEnabledPeGivesAnIntegerRegisterItsValue) {
  SimdGuest guest({simd_on(), movdtox(g(2), 4), ldx(g(3), g(1), imm(8)), ta(0)},
                  {.divergence = Divergence::Pe0});
  guest.state().g(1) = 0xF000'0000;
  guest.set_lanes(4, [](unsigned pe) { return 1.0 * pe; });
  for (unsigned pe = 0; pe < 16; ++pe) guest.sbm_bits(8, pe) = 100 + pe;
  guest.simd().set_mask(0xfffc);
  guest.run();
  EXPECT_TRUE(guest.environment.faults.empty());
  EXPECT_EQ(guest.state().g(2), 0x4000000000000000u);
  EXPECT_EQ(guest.state().g(3), 102u);
}

TEST(SimdState, AnIntegerLoadThatPesDisagreeAboutIsAPreciseException) {
  constexpr Word kPrimary = 0x80u << 5;
  const Word loads[] = {ldx(g(4), g(1), imm(0)), lduw(g(4), g(1), imm(4)),
                        op3_word(3, 0x01, g(4), g(1), imm(7)),  // ldub
                        op3_word(3, 0x03, g(4), g(1), imm(0)),  // ldtw
                        op3_word(3, 0x1b, g(4), g(1), kPrimary)};
  for (const Word load : loads)
    for (const bool agree : {true, false}) {
      SimdGuest guest({simd_on(), load, ta(0)});
      guest.state().g(1) = 0xF000'0000;
      for (unsigned pe = 0; pe < 16; ++pe)
        guest.sbm_bits(0, pe) = agree || pe != 15 ? 0x100000002u : 0x100000003u;
      guest.state().g(4) = 77;
      guest.run();
      ASSERT_EQ(guest.environment.faults.size(), agree ? 0u : 1u) << std::hex << load;
      if (agree) continue;
      EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::PeInteger);
      EXPECT_EQ(guest.environment.faults[0].pes, 0x8000u);
      EXPECT_EQ(guest.state().g(4), 77u);
    }
}

TEST(SimdState, AnIntegerLoadLooksAtItsOwnBytesOnly) {
  SimdGuest guest({simd_on(), lduw(g(4), g(1), imm(0)), ta(0)});
  guest.state().g(1) = 0xF000'0000;
  for (unsigned pe = 0; pe < 16; ++pe) guest.sbm_bits(0, pe) = std::uint64_t{5} << 32 | pe;
  guest.run();
  EXPECT_TRUE(guest.environment.faults.empty());
  EXPECT_EQ(guest.state().g(4), 5u);
}

TEST(SimdState, TheStackWindowIsBackedByTheEndOfEverySbm) {
  SimdGuest guest({simd_on(), stdf(4, g(1), imm(0)), lddf(6, g(1), imm(0)), ta(0)});
  guest.simd().stack_window = Guest::kStackTop - 4096, guest.simd().stack_bytes = 1024;
  guest.state().g(1) = Guest::kStackTop - 4096 + 1016;
  guest.set_lanes(4, [](unsigned pe) { return 7.0 + pe; });
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) {
    EXPECT_EQ(guest.sbm(65536 - 8, pe), 7.0 + pe);
    EXPECT_EQ(guest.lane(6, pe), 7.0 + pe);
  }
}

TEST(SimdState, ABranchThatPesDisagreeAboutIsAPreciseException) {
  SimdGuest guest({simd_on(), fcmpd(0, 2), nop(), fbl(2), nop(), ta(0)});
  guest.set_lanes(0, [](unsigned pe) { return 1.0 * pe; });
  guest.set_lanes(2, [](unsigned) { return 1.5; });
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::PeDivergence);
  EXPECT_EQ(guest.environment.faults[0].pc, Guest::kText + 12);
  EXPECT_EQ(guest.environment.faults[0].pes, 0xfffcu);
}

TEST(SimdState, ABranchThatPesAgreeAboutIsTaken) {
  SimdGuest guest({simd_on(), fcmpd(0, 2), nop(), fbl(3), faddd(4, 2, 2), ta(0), faddd(4, 4, 2), ta(0)});
  guest.set_lanes(0, [](unsigned) { return 1.0; });
  guest.set_lanes(2, [](unsigned) { return 1.5; });
  guest.run();
  EXPECT_TRUE(guest.environment.faults.empty());
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.lane(4, pe), 4.5);
}

TEST(SimdState, ACoreWithoutPesHasNoExtension) {
  SimdGuest guest({simd_on(), ta(0)}, {.pes = 0});
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::NoPes);
}

TEST(SimdState, StepsAndBlocksDoTheSame) {
  const std::vector<Word> code{simd_on(),      fcmpd(0, 2),           nop(), fbl(3), faddd(4, 2, 2), ta(0),
                               faddd(4, 4, 2), stdf(4, g(1), imm(8)), ta(0)};
  SimdGuest guest(code);
  guest.set_lanes(2, [](unsigned) { return 1.5; });
  guest.state().g(1) = 0xF000'0000;
  InstructionRecord record;
  std::vector<InstructionRecord> records;
  while (guest.executor.step(record, true) == Pull::Record) records.push_back(record);
  ASSERT_EQ(records.size(), 8u);
  EXPECT_FALSE(records[0].simd);
  EXPECT_TRUE(records[1].simd);
  EXPECT_EQ(records[1].pes, 16);
  EXPECT_EQ(records[1].instruction->unit, Unit::Simd);
  EXPECT_TRUE(records[6].sbm);
  EXPECT_EQ(records[6].target, 8u);
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.sbm(8, pe), 4.5);
}

}  // namespace
}  // namespace psim::isa
