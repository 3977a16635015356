// SPDX-License-Identifier: Apache-2.0
#include "isa/table/analyse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "isa/table/spec.h"

namespace psim::isa {

bool operator==(RegisterRange a, RegisterRange b) { return a.first == b.first && a.count == b.count; }

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr RegisterRange r(unsigned n, unsigned count = 1) {
  return {static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(count)};
}
constexpr RegisterRange f(unsigned n, unsigned halves) { return r(reg::kFp + n, halves); }

std::vector<RegisterRange> sources(std::uint32_t word) {
  const StaticInstruction i = analyse(word);
  return {i.source.begin(), i.source.begin() + i.sources};
}
std::vector<RegisterRange> destinations(std::uint32_t word) {
  const StaticInstruction i = analyse(word);
  return {i.destination.begin(), i.destination.begin() + i.destinations};
}

TEST(Analyse, RegistersComeFromTheFormat) {
  const std::uint32_t add = 0x9602400a;  // add %o1, %o2, %o3
  EXPECT_THAT(sources(add), ElementsAre(r(9), r(10)));
  EXPECT_THAT(destinations(add), ElementsAre(r(11)));
  EXPECT_EQ(analyse(add).unit, Unit::Int);
  EXPECT_EQ(analyse(add).latency, LatencyClass::IntSimple);
}

TEST(Analyse, EachRegisterIsNamedOnceAndG0Never) {
  EXPECT_THAT(sources(0x80024009), ElementsAre(r(9)));  // add %o1, %o1, %g0
  EXPECT_THAT(destinations(0x80024009), IsEmpty());
}

TEST(Analyse, ImplicitRegistersComeFromTheRow) {
  EXPECT_THAT(destinations(0x96826005), ElementsAre(r(11), r(reg::kCcr)));              // addcc
  EXPECT_THAT(destinations(0x96d2400a), ElementsAre(r(11), r(reg::kCcr), r(reg::kY)));  // umulcc
  EXPECT_THAT(sources(0x94626001), ElementsAre(r(9), r(reg::kCcr)));                    // subc %o1, 1, %o2
  EXPECT_THAT(sources(0x95b24300), ElementsAre(r(9), r(reg::kGsr)));                    // alignaddr
  EXPECT_THAT(destinations(0x95b24300), ElementsAre(r(10), r(reg::kGsr)));
  EXPECT_THAT(sources(0x8db087c4), ElementsAre(f(2, 2), f(4, 2), f(6, 2)));  // pdist reads rd
}

TEST(Analyse, WindowsMoveBySaveRestoreAndReturn) {
  EXPECT_TRUE(analyse(0x9de3bf50).window_save);        // save %sp, -176, %sp
  EXPECT_TRUE(analyse(0x81e80000).window_restore);     // restore
  const StaticInstruction back = analyse(0x81cfe008);  // return %i7 + 8
  EXPECT_TRUE(back.window_restore);
  EXPECT_EQ(back.branch, BranchKind::Return);
  EXPECT_THAT(sources(0x81cfe008), ElementsAre(r(31)));
}

TEST(Analyse, CallsAndReturnsAreDistinguishedFromOtherJumps) {
  EXPECT_EQ(analyse(0x40000010).branch, BranchKind::Call);
  EXPECT_EQ(analyse(0x40000010).displacement, 64);
  EXPECT_THAT(destinations(0x40000010), ElementsAre(r(15)));
  EXPECT_EQ(analyse(0x81c7e008).branch, BranchKind::Return);    // jmpl %i7+8, %g0
  EXPECT_EQ(analyse(0x81c3e008).branch, BranchKind::Return);    // jmpl %o7+8, %g0
  EXPECT_EQ(analyse(0x9fc04000).branch, BranchKind::Call);      // jmpl %g1, %o7
  EXPECT_EQ(analyse(0x81c04000).branch, BranchKind::Indirect);  // jmpl %g1, %g0
}

TEST(Analyse, BranchesKnowTheirTargetAnnulBitAndCodes) {
  const StaticInstruction always = analyse(0x30800002);  // ba,a .+8
  EXPECT_EQ(always.branch, BranchKind::Always);
  EXPECT_TRUE(always.annul);
  EXPECT_EQ(always.displacement, 8);
  EXPECT_EQ(always.sources, 0);
  const StaticInstruction bne = analyse(0x1267fffc);  // bne,pn %xcc, .-16
  EXPECT_EQ(bne.branch, BranchKind::Conditional);
  EXPECT_FALSE(bne.annul);
  EXPECT_EQ(bne.displacement, -16);
  EXPECT_THAT(sources(0x1267fffc), ElementsAre(r(reg::kCcr)));
  EXPECT_THAT(sources(0x12800004), ElementsAre(r(reg::kCcr)));  // bne without %xcc
  EXPECT_THAT(sources(0x23800010), ElementsAre(r(reg::kFcc)));  // fbne,a
  EXPECT_THAT(sources(0x02ca4019), ElementsAre(r(9)));          // brz %o1
  EXPECT_EQ(analyse(0x02ca4019).displacement, 100);
}

TEST(Analyse, CompareAndBranchHasNoDelaySlot) {
  const StaticInstruction cwbe = analyse(0x12c260a3);  // cwbe %o1, 3, .+20
  EXPECT_TRUE(cwbe.no_delay_slot);
  EXPECT_FALSE(cwbe.annul);
  EXPECT_EQ(cwbe.displacement, 20);
  EXPECT_EQ(cwbe.branch, BranchKind::Conditional);
  EXPECT_FALSE(analyse(0x1267fffc).no_delay_slot);
  EXPECT_FALSE(analyse(0x32c260a3).annul);  // bit 29 is a condition bit here
}

TEST(Analyse, AddressesComeBeforeTheDatumOfAStore) {
  const StaticInstruction stx = analyse(0xd272800b);  // stx %o1, [%o2+%o3]
  EXPECT_THAT(sources(0xd272800b), ElementsAre(r(10), r(11), r(9)));
  EXPECT_EQ(stx.address_sources, 2);
  EXPECT_EQ(stx.access_bytes, 8);
  EXPECT_TRUE(stx.store);
  EXPECT_FALSE(stx.load);
  const StaticInstruction self = analyse(0xd472a008);  // stx %o2, [%o2+8]
  EXPECT_EQ(self.sources, 1);
  EXPECT_EQ(self.address_sources, 1);
  const StaticInstruction casx = analyse(0xd7f2500a);  // casx [%o1], %o2, %o3
  EXPECT_THAT(sources(0xd7f2500a), ElementsAre(r(9), r(10), r(11)));
  EXPECT_EQ(casx.address_sources, 1);
  EXPECT_TRUE(casx.load && casx.store);
  EXPECT_EQ(casx.latency, LatencyClass::Atomic);
}

TEST(Analyse, DoublesAreTwoHalvesAndPairsTwoRegisters) {
  EXPECT_THAT(destinations(0xc71a6008), ElementsAre(f(34, 2)));               // ldd [%o1+8], %f34
  EXPECT_THAT(destinations(0xd41a0000), ElementsAre(r(10, 2)));               // ldtw [%o0], %o2
  EXPECT_THAT(sources(0x91b84c44), ElementsAre(f(32, 2), f(4, 2), f(6, 2)));  // fmaddd
  EXPECT_EQ(analyse(0x91b84c44).flops, 2);
  EXPECT_THAT(destinations(0x87a04822), ElementsAre(f(3, 1)));  // fadds
  EXPECT_EQ(analyse(0x87a04822).flops, 1);
  EXPECT_EQ(analyse(0x8da089c4).latency, LatencyClass::FpDivideDouble);
  EXPECT_THAT(destinations(0x85a88a44), ElementsAre(r(reg::kFcc + 2)));  // fcmpd %fcc2
}

TEST(Analyse, ResultsAreRegistersOf64Bits) {
  const auto results = [](std::uint32_t word, bool simd = false) {
    const StaticInstruction i = analyse(word, simd);
    return std::array<unsigned, 3>{i.results.integer(), i.results.fp(), i.results.pe()};
  };
  EXPECT_THAT(results(0xd41a0000), ElementsAre(2, 0, 0));  // ldtw [%o0], %o2
  EXPECT_THAT(results(0x96d2400a), ElementsAre(1, 0, 0));  // umulcc: neither CCR nor Y counts
  EXPECT_THAT(results(0x87a04822), ElementsAre(0, 1, 0));  // fadds: half a register
  EXPECT_THAT(results(0xe19a6000), ElementsAre(0, 8, 0));  // ldda [%o1] %asi, %f16
  EXPECT_THAT(results(0x91b84c44), ElementsAre(0, 1, 0));  // fmaddd
  EXPECT_THAT(results(0x91b84c44, true), ElementsAre(0, 0, 1));
  EXPECT_THAT(results(0x85a88a44), ElementsAre(0, 0, 0));  // fcmpd %fcc2
}

TEST(Analyse, BlockAndShortAccessesTakeTheirSizeFromTheAsi) {
  const StaticInstruction block = analyse(0xe1ba5e00);  // stda %f16, [%o1] #ASI_BLK_P
  EXPECT_EQ(block.access_bytes, 64);
  EXPECT_THAT(sources(0xe1ba5e00), ElementsAre(r(9), f(16, 16)));
  EXPECT_EQ(analyse(0xe19a6000).access_bytes, 64);  // ldda [%o1] %asi, %f16
  EXPECT_THAT(sources(0xe19a6000), ElementsAre(r(9), r(reg::kAsi)));
  EXPECT_THAT(destinations(0xe19a6000), ElementsAre(f(16, 16)));
  EXPECT_EQ(analyse(0xc9ba580a).address_sources, 1);  // stda %f4, [%o1 + %o2] #ASI_PST8_P: %o2 is the mask
  EXPECT_EQ(analyse(0xc99a5a40).access_bytes, 2);     // ldda [%o1] #ASI_FL16_P, %f4
  EXPECT_THAT(destinations(0xc99a5a40), ElementsAre(f(4, 2)));
}

TEST(Analyse, ConditionalMovesReadTheirDestination) {
  EXPECT_THAT(sources(0x95665009), ElementsAre(r(reg::kCcr), r(9), r(10)));  // movne %xcc, %o1, %o2
  EXPECT_THAT(sources(0x8dab9844), ElementsAre(r(reg::kFcc + 3), f(4, 2), f(6, 2)));
}

TEST(Analyse, StateThatIsNotRenamedIsSerial) {
  const StaticInstruction ldxfsr = analyse(0xc30a4000);
  EXPECT_TRUE(ldxfsr.serial);
  EXPECT_THAT(destinations(0xc30a4000), ElementsAre(r(reg::kFcc, 4), r(reg::kFsr)));
  EXPECT_TRUE(analyse(0x8143e002).serial);   // membar #StoreLoad
  EXPECT_FALSE(analyse(0x8143e009).serial);  // membar #StoreStore|#LoadLoad
  EXPECT_EQ(analyse(0x8143e009).unit, Unit::None);
  EXPECT_TRUE(analyse(0x91d0206d).timed);  // ta 0x6d
  EXPECT_TRUE(analyse(0x93410000).timed);  // rd %tick, %o1
  EXPECT_FALSE(analyse(0x9602400a).timed);
}

TEST(Analyse, NopsCompleteAtDecode) {
  EXPECT_EQ(analyse(0x01000000).unit, Unit::None);  // nop
  EXPECT_EQ(analyse(0x01000004).unit, Unit::None);  // sethi %hi(0x1000), %g0
}

TEST(Analyse, EveryRangeLiesInTheNameSpace) {
  std::mt19937 random(2);
  for (const Spec& spec : instructions()) {
    for (int i = 0; i < 30; ++i) {
      const std::uint32_t word =
          spec.pattern.value | (static_cast<std::uint32_t>(random()) & ~spec.pattern.mask);
      const StaticInstruction instruction = analyse(word);
      const auto check = [&](const auto& list, unsigned count) {
        ASSERT_LE(count, list.size());
        for (unsigned k = 0; k < count; ++k) {
          ASSERT_GT(list[k].count, 0);
          ASSERT_GT(list[k].first, 0);
          ASSERT_LE(list[k].first + list[k].count, reg::kCount);
        }
      };
      check(instruction.source, instruction.sources);
      check(instruction.destination, instruction.destinations);
      ASSERT_LE(instruction.address_sources, instruction.sources);
      ASSERT_EQ(instruction.serial, instruction.latency == LatencyClass::Serial);
    }
  }
}

// Rename looks registers up by these names; a pair stands for two halves of one 64-bit register.
TEST(Analyse, NamesListTheRegistersOfTheRangesInOrder) {
  const auto of_ranges = [](const auto& list, unsigned count) {
    std::vector<unsigned> registers;
    for (unsigned i = 0; i < count; ++i)
      for (unsigned n = 0; n < list[i].count; ++n) registers.push_back(list[i].first + n);
    return registers;
  };
  const auto of_names = [](const auto& list, unsigned count) {
    std::vector<unsigned> registers;
    for (unsigned i = 0; i < count; ++i) {
      const bool pair = list[i] >= reg::kPairs;
      registers.push_back(pair ? reg::half_of(list[i]) : list[i]);
      if (pair) registers.push_back(registers.back() + 1);
    }
    return registers;
  };
  std::mt19937 random(3);
  for (const Spec& spec : instructions()) {
    for (int i = 0; i < 60; ++i) {
      const std::uint32_t word =
          spec.pattern.value | (static_cast<std::uint32_t>(random()) & ~spec.pattern.mask);
      const StaticInstruction s = analyse(word, i % 2 != 0);
      ASSERT_EQ(of_names(s.names.source, s.names.sources), of_ranges(s.source, s.sources))
          << std::hex << word;
      ASSERT_EQ(of_names(s.names.destination, s.names.destinations),
                of_ranges(s.destination, s.destinations));
      const bool datum_apart = s.store && !s.load && s.unit == Unit::Address;
      ASSERT_EQ(of_names(s.names.source, s.names.address_sources),
                of_ranges(s.source, datum_apart ? s.address_sources : s.sources));
    }
  }
}

TEST(Analyse, AlignedHalvesAreNamedInPairs) {
  const StaticInstruction add = analyse(0x85a00842);  // faddd %f0, %f2, %f2
  EXPECT_EQ(add.names.sources, 2);
  EXPECT_EQ(add.names.source[0], reg::kPairs);
  EXPECT_EQ(add.names.source[1], reg::kPairs + 1);
  EXPECT_EQ(add.names.destinations, 1);
  EXPECT_EQ(add.names.destination[0], reg::kPairs + 1);
}

// fx… and fxe… take an operand across in one PE of a pair; fxb…, fxc… and fxj… in both.
TEST(Analyse, GivesTheNumberOfPesOfAPairThatTakeAnOperandFromTheOther) {
  unsigned rows = 0;
  for (const Spec& spec : instructions()) {
    const bool cross = spec.manual == "PSIM cross";
    const bool both = cross && (spec.name[2] == 'b' || spec.name[2] == 'c' || spec.name[2] == 'j');
    for (const bool simd : {false, true})
      EXPECT_EQ(analyse(spec.pattern.value, simd).crosses, cross ? both ? 2 : 1 : 0) << spec.name;
    rows += cross;
  }
  EXPECT_EQ(rows, 56U);
}

}  // namespace
}  // namespace psim::isa
